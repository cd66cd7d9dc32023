package dev.berth.engine.explain;

/// What is said of members whose own anti-affinity keeps them apart from each other.
final class ApartSentences {
  /// How many domains they need follows, and how many there are.
  static final String NEEDS = "its own anti-affinity needs ";

  /// Stands in it where each domain is one node.
  static final String OF_HOSTS = " nodes, ";

  private ApartSentences() {}

  /// What helps.
  ///
  /// @param needs how many domains they need, and how many there are
  static String domains(String needs) {
    return (needs.contains(" domains of ") ? "more domains" : "more nodes")
        + ", or new pods whose anti-affinity is preferred and not required";
  }
}
