package dev.berth.engine.placement;

/// Where pods find places that their own anti-affinity keeps apart from each other: one of them in
/// each domain.
///
/// @param there domains that they may be in
/// @param taken of these, domains that have one
record OwnDomains(String topologyKey, int there, int taken) {
  private static final String HOST = "kubernetes.io/hostname";

  /// As if none of them were there.
  OwnDomains whenEmpty() {
    return new OwnDomains(topologyKey, there, 0);
  }

  /// How many domains they need once some more come, and how many there are.
  String needs(int more) {
    String noun = topologyKey.equals(HOST) ? "nodes" : "domains of " + topologyKey;
    return (taken + more) + " " + noun + ", and there are " + there;
  }
}
