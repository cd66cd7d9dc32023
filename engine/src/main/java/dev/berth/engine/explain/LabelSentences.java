package dev.berth.engine.explain;

import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What helps where nodes lack labels of a node selector.
final class LabelSentences {
  private static final String ANOTHER = "a new pod with another nodeSelector";

  private LabelSentences() {}

  /// What another pod would do comes first where a name is probably misspelt.
  ///
  /// @param meant a hint at what is meant; empty = none is known
  static String either(String nodes, String pod, String meant) {
    return meant.isEmpty() ? nodes + ", or " + pod : pod + meant + ", or " + nodes;
  }

  /// @param meant a hint at what is meant; empty = none is known
  static String label(String label, String meant) {
    return either("nodes with the label " + label, ANOTHER, meant);
  }

  /// Of nodes that lack several labels and nothing else: all of them at once.
  static Optional<String> together(Shortfall shortfall) {
    var besides = ofAll(shortfall);
    if (!lacksLabel(shortfall)
        || besides.isEmpty()
        || !besides.stream().allMatch(LabelSentences::lacksLabel)) {
      return Optional.empty();
    }
    String labels =
        Stream.concat(Stream.of(shortfall), besides.stream())
            .map(Shortfall::detail)
            .collect(Collectors.joining(" and "));
    return Optional.of("nodes with the labels " + labels + ", or " + ANOTHER);
  }

  /// Whether other nodes lack one label alone, where these lack one and more.
  static boolean othersLackFewer(Shortfall shortfall, NoRoom none) {
    return lacksLabel(shortfall)
        && !ofAll(shortfall).isEmpty()
        && none.shortfalls().stream()
            .anyMatch(each -> lacksLabel(each) && each.besides().isEmpty());
  }

  /// Where some nodes are in reach of its volume, others are selected, and none is both: nodes of
  /// either kind would not help.
  ///
  /// @param nearest what these nodes lack that come nearest to taking it
  static Optional<String> besideVolume(List<Shortfall> nearest) {
    boolean isVolume = nearest.stream().anyMatch(each -> each.obstacle() == Obstacle.VOLUME);
    boolean isSelector = nearest.stream().anyMatch(LabelSentences::lacksLabel);
    boolean isAffinity =
        nearest.stream().anyMatch(each -> each.obstacle() == Obstacle.NODE_AFFINITY);
    boolean areTheseAll =
        nearest.stream()
            .allMatch(each ->
                switch (each.obstacle()) {
                  case VOLUME, NODE_SELECTOR, NODE_AFFINITY -> true;
                  default -> false;
                });
    if (!isVolume || isSelector == isAffinity || !areTheseAll) {
      return Optional.empty();
    }
    return Optional.of(
        "a new pod with another "
            + (isSelector ? "nodeSelector" : "node affinity")
            + ", or with another volume");
  }

  /// What each of these nodes lacks besides.
  private static List<Shortfall> ofAll(Shortfall shortfall) {
    return shortfall.besides().stream().filter(each -> each.nodes() == shortfall.nodes()).toList();
  }

  private static boolean lacksLabel(Shortfall shortfall) {
    return shortfall.obstacle() == Obstacle.NODE_SELECTOR;
  }
}
