package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.request.GroupWords;
import dev.berth.engine.request.Tree;
import dev.berth.engine.request.Words;
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
          Words.SEGMENT_SIZE,
          Words.SEGMENT_SIZE_ALIAS,
          Words.SEGMENT_REQUIRED,
          Words.SEGMENT_REQUIRED_ALIAS,
          Words.SEGMENT_PREFERRED,
          Words.SEGMENT_PREFERRED_ALIAS,
          Words.TOPOLOGY,
          Words.TOPOLOGY_ALIAS);

  /// What a pod itself says of its blocks.
  static List<String> said(Member pod) {
    var said = new ArrayList<String>(KEYS.size());
    KEYS.forEach(key -> said.add(pod.annotation(key)));
    return said;
  }

  /// How many blocks so many pods make.
  int count(int pods) {
    return (pods + size - 1) / size;
  }

  /// Pods of the block with that number.
  int pods(int segment, int all) {
    return Math.min(size, all - segment * size);
  }

  /// The size that the first of these annotations says that says one.
  static OptionalInt size(List<Tree> annotations) {
    for (Tree each : annotations) {
      var said = each.number(each.spoken(Words.SEGMENT_SIZE, Words.SEGMENT_SIZE_ALIAS), 1);
      if (said.isPresent()) {
        return said;
      }
    }
    return OptionalInt.empty();
  }

  /// Each level, and the name of the Topology, from the first of these annotations that says it.
  static TopologyAsk topology(List<Tree> annotations) {
    String name = first(annotations, Words.TOPOLOGY, Words.TOPOLOGY_ALIAS);
    String required = first(annotations, Words.SEGMENT_REQUIRED, Words.SEGMENT_REQUIRED_ALIAS);
    String preferred = first(annotations, Words.SEGMENT_PREFERRED, Words.SEGMENT_PREFERRED_ALIAS);
    if (required.isEmpty() && preferred.isEmpty()) {
      return TopologyAsk.NONE;
    }
    if (name.isEmpty()) {
      // as for a group: a level without the name of its Topology is told
      return GroupWords.topology(
          annotations.getFirst(),
          Words.TOPOLOGY,
          annotations.getFirst().spoken(Words.SEGMENT_REQUIRED, Words.SEGMENT_REQUIRED_ALIAS),
          annotations.getFirst().spoken(Words.SEGMENT_PREFERRED, Words.SEGMENT_PREFERRED_ALIAS));
    }
    return new TopologyAsk(name, required, preferred);
  }

  private static String first(List<Tree> annotations, String key, String alias) {
    for (Tree each : annotations) {
      String said = each.text(key, alias);
      if (!said.isEmpty()) {
        return said;
      }
    }
    return "";
  }

  /// @return whether so many blocks can be had; if not, that is a problem
  boolean isSane(int pods, Tree where, String field) {
    if (count(pods) <= MOST) {
      return true;
    }
    where.problem(
        field, Integer.toString(size), "it makes more than " + MOST + " segments of " + pods + ".");
    return false;
  }
}
