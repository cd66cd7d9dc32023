package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.model.GroupSpec;

/// A gang, with its tree of sub-groups if it has enough pods for it.
///
/// Large trees are built only once the gang has a pod for every [#PER_POD] sub-groups beyond
/// [#FREE]; otherwise one pod whose owner claims a huge size would cost memory and time in each
/// plan. Until then the gang is flat, with the same total minimum. If it has the pods for that
/// minimum and still not those for its tree, it waits with a problem.
///
/// @param parts sub-groups of its tree, whether that is built or not
/// @param next the number of members at which the gang must be shaped again at once
public record ShapedGang(GroupSpec spec, int parts, int next) {
  /// A tree of so many sub-groups needs no pods.
  static final int FREE = 1_000;

  /// Sub-groups beyond, for each pod.
  static final int PER_POD = 16;

  /// Members with which it has its tree.
  public int enough() {
    return enough(parts);
  }

  /// Members with which a gang has a tree of so many sub-groups.
  static int enough(int parts) {
    return Math.ceilDiv(Math.max(0, parts - FREE), PER_POD);
  }
}
