package dev.berth.bench.packing;

/// What came of one run.
///
/// @param curve for plots
record Result(
    String trace,
    String policy,
    long seed,
    At at100,
    At at130,
    int refused,
    int refusedCpuOnly,
    double seconds,
    Curve curve) {
  /// Percent at one arrived load: of capacity, of capacity, of what is free.
  record At(double allocation, double fragmented, double ratio) {
    static At of(Curve curve, int x) {
      return new At(curve.allocation(x), curve.fragmented(x), curve.ratio(x));
    }
  }

  static Result of(String policy, Instance instance, PackingRun run) {
    return new Result(
        instance.trace().name(),
        policy,
        instance.seed(),
        At.of(run.curve(), 100),
        At.of(run.curve(), 130),
        run.refused(),
        run.refusedCpuOnly(),
        run.seconds(),
        run.curve());
  }
}
