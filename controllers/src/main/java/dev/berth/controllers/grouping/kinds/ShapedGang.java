package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.model.GroupSpec;

/// What a gang is, with as much of its tree as its pods warrant.
///
/// A tree of many sub-groups costs memory and time in each plan, and one pod with an owner that
/// tells a large number would be enough for it. So a gang has its tree once it has a pod for so
/// many of them. Until then it is as many pods as the tree needs: with fewer it starts in no case.
/// One that could start with those that it has waits and says so.
///
/// @param parts sub-groups of its tree, whether it has that or not
/// @param next with so many members it is to be shaped again at once
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
