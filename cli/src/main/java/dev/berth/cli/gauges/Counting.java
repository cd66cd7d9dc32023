package dev.berth.cli.gauges;

/// Takes what one object adds to metrics.
interface Counting {
  /// @param amount in the gauge's unit; negative where the object is not there any more
  void add(ClusterGauge gauge, long amount, String... labels);

  /// Takes the same away.
  default Counting negated() {
    return (gauge, amount, labels) -> add(gauge, -amount, labels);
  }
}
