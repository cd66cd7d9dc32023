package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.request.GroupLabels;
import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.WellKnownNames;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/// Pods of one role cut into equal blocks, each with a topology of its own.
///
/// @param size pods in a block, the last one aside
/// @param topology of each block
record Segments(int size, TopologyAsk topology) {
  private static final int MOST = 10_000;
  private static final List<String> KEYS =
      List.of(
          WellKnownNames.SEGMENT_SIZE,
          WellKnownNames.SEGMENT_SIZE_ALIAS,
          WellKnownNames.SEGMENT_REQUIRED,
          WellKnownNames.SEGMENT_REQUIRED_ALIAS,
          WellKnownNames.SEGMENT_PREFERRED,
          WellKnownNames.SEGMENT_PREFERRED_ALIAS,
          WellKnownNames.TOPOLOGY,
          WellKnownNames.TOPOLOGY_ALIAS);

  /// What a pod itself says of its blocks.
  static List<String> said(WorkloadPod pod) {
    var said = new ArrayList<String>(KEYS.size());
    KEYS.forEach(key -> said.add(pod.annotation(key)));
    return said;
  }

  /// How many blocks so many pods make.
  int count(int pods) {
    return Math.ceilDiv(pods, size);
  }

  /// Pods of the block with that number.
  int pods(int segment, int all) {
    return (int) Math.min(size, all - (long) segment * size);
  }

  /// The size that the first of these annotations says that says one.
  static OptionalInt size(List<ManifestTree> annotations) {
    for (ManifestTree each : annotations) {
      var said =
          each.number(
              each.spoken(WellKnownNames.SEGMENT_SIZE, WellKnownNames.SEGMENT_SIZE_ALIAS), 1);
      if (said.isPresent()) {
        return said;
      }
    }
    return OptionalInt.empty();
  }

  /// Each level, and the name of the Topology, from the first of these annotations that says it.
  static TopologyAsk topology(List<ManifestTree> annotations) {
    String name = first(annotations, WellKnownNames.TOPOLOGY, WellKnownNames.TOPOLOGY_ALIAS);
    String required =
        first(annotations, WellKnownNames.SEGMENT_REQUIRED, WellKnownNames.SEGMENT_REQUIRED_ALIAS);
    String preferred =
        first(
            annotations, WellKnownNames.SEGMENT_PREFERRED, WellKnownNames.SEGMENT_PREFERRED_ALIAS);
    if (required.isEmpty() && preferred.isEmpty()) {
      return TopologyAsk.NONE;
    }
    if (name.isEmpty()) {
      // as for a group: a level without the name of its Topology is told
      return GroupLabels.topology(
          annotations.getFirst(),
          WellKnownNames.TOPOLOGY,
          annotations
              .getFirst()
              .spoken(WellKnownNames.SEGMENT_REQUIRED, WellKnownNames.SEGMENT_REQUIRED_ALIAS),
          annotations
              .getFirst()
              .spoken(WellKnownNames.SEGMENT_PREFERRED, WellKnownNames.SEGMENT_PREFERRED_ALIAS));
    }
    return new TopologyAsk(name, required, preferred);
  }

  private static String first(List<ManifestTree> annotations, String key, String alias) {
    for (ManifestTree each : annotations) {
      String said = each.text(key, alias);
      if (!said.isEmpty()) {
        return said;
      }
    }
    return "";
  }

  /// @return whether so many blocks can be had; if not, that is a problem
  boolean isSane(int pods, ManifestTree where, String field) {
    if (count(pods) <= MOST) {
      return true;
    }
    where.problem(
        field, Integer.toString(size), "it makes more than " + MOST + " segments of " + pods + ".");
    return false;
  }
}
