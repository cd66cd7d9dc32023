package dev.berth.engine.explain;

import dev.berth.engine.model.Reason.Free;
import dev.berth.engine.model.Reason.Largest;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import java.util.ArrayList;
import java.util.List;

/// What is so where no node has room.
final class RoomSentences {
  private RoomSentences() {}

  /// Words of kube-scheduler, or of kubelets, may be others on each node.
  private static final int MOST_SHORTFALLS = 12;

  /// In characters: an event holds 1,024 bytes, and what helps comes last.
  private static final int MOST_WORDS = 400;

  private static final int MOST_BESIDES = 3;

  static String noRoom(NoRoom none) {
    if (none.nodes() == 0) {
      return "there are no nodes";
    }
    String notOffered = notOffered(none);
    if (!notOffered.isEmpty()) {
      return (none.members() == 1 ? "no node fits the pod" : together(none) + next(none, ""))
          + ("; no node offers " + notOffered);
    }
    String asks = asks(none);
    String members =
        none.members() == 1
            ? "no node fits the pod" + (asks.isEmpty() ? "" : ", which asks for " + asks)
            : together(none) + next(none, asks);
    return members + ofNodes(none, none.shortfalls()) + never(none);
  }

  /// Of unlike members: what is free now says nothing of that.
  private static String never(NoRoom none) {
    var largest = none.largest();
    return !none.mixed().released().isNever()
        ? ""
        : largest.isNone()
            ? "; not all " + none.members() + " pods fit, whatever is released"
            : "; not all " + largest.members() + " pods fit there, whatever is released";
  }

  /// `; of 3 nodes 1 tainted (…)`, without those that lack devices alone or lie outside the domain
  /// that has most room now; empty if all do.
  static String otherThanItsSize(NoRoom none) {
    var others =
        none.shortfalls().stream()
            .filter(each -> !isOfSize(each) || !each.besides().isEmpty())
            .toList();
    return others.isEmpty() ? "" : ofNodes(none, others);
  }

  private static boolean isOfSize(Shortfall shortfall) {
    return switch (shortfall.obstacle()) {
      case DEVICES, SHARED_DEVICES -> true;
      case TOPOLOGY -> shortfall.detail().isEmpty();
      default -> false;
    };
  }

  private static String ofNodes(NoRoom none, List<Shortfall> shortfalls) {
    var reasons = new ArrayList<String>();
    int unnamed = shortfalls.stream().mapToInt(Shortfall::nodes).sum();
    int length = 0;
    for (Shortfall shortfall : shortfalls) {
      if (reasons.size() == MOST_SHORTFALLS || length > MOST_WORDS) {
        break;
      }
      boolean ofALevel = !none.largest().isNone();
      reasons.add(
          shortfall.nodes() + " " + ObstacleWords.of(shortfall, ofALevel) + besides(shortfall));
      length += reasons.getLast().length();
      unnamed -= shortfall.nodes();
    }
    if (shortfalls.size() > reasons.size()) {
      reasons.add(unnamed + " otherwise");
    }
    return "; of " + Phrases.count(none.nodes(), "node") + " " + String.join(", ", reasons);
  }

  /// Where that is what is free, if it is not everywhere.
  private static String where(NoRoom none) {
    return !none.largest().isNone() ? " there" : isBoundToSome(none) ? " where it may be" : "";
  }

  /// `, of which 2 also too small and 1 also not ready`.
  private static String besides(Shortfall shortfall) {
    var words = new ArrayList<String>();
    for (Shortfall each : shortfall.besides()) {
      if (words.size() < MOST_BESIDES) {
        words.add(each.nodes() + " also " + ObstacleWords.of(each, false));
      }
    }
    return words.isEmpty() ? "" : ", of which " + String.join(" and ", words);
  }

  /// The one resource that stands in the way on all nodes, as none of them has it; else nothing.
  static String notOffered(NoRoom none) {
    boolean isOne = none.shortfalls().size() == 1;
    boolean isAll = isOne && none.shortfalls().getFirst().nodes() == none.nodes();
    return isAll && none.shortfalls().getFirst().obstacle() == Obstacle.NOT_OFFERED
        ? none.shortfalls().getFirst().detail()
        : "";
  }

  static String together(NoRoom none) {
    var largest = none.largest();
    return largest.isNone()
        ? none.placed() + " of " + none.members() + " pods fit together"
        : fits(largest, largest.holds());
  }

  /// Of unlike members the one that is told of is named.
  static String next(NoRoom none, String asks) {
    String pod = none.mixed().isNone() ? "the next" : "pod " + none.mixed().pod();
    if (asks.isEmpty()) {
      return none.mixed().isNone() ? "" : ", and " + pod + " finds no node";
    }
    return ", and " + pod + " asks for " + asks;
  }

  /// What a workload may ask for instead of a level that is too small.
  static String wider(Largest largest) {
    return largest.isWidest()
        ? "a topology that is preferred and not required"
        : "a wider topology level";
  }

  /// How many of its members the largest domain holds.
  static String fits(Largest largest, long holds) {
    return ("the largest " + largest.level() + " (" + largest.domain() + ") fits ")
        + ofMembers(holds, largest.members())
        + (largest.subGroup().isEmpty() ? "" : " of sub-group " + largest.subGroup());
  }

  static String ofMembers(long holds, int members) {
    return holds + " of " + members + (members == 1 ? " pod" : " pods");
  }

  /// What a member asks for and finds: `2 GPUs (3 are free, at most 1 on one node)`.
  private static String asks(NoRoom none) {
    var free = none.free();
    if (free.devices() == 0 || free.nodes() == 0) {
      return "";
    }
    String asked = asked(free);
    String isFreeHere = none.placed() == 0 ? "free" : "left"; // by members placed before it
    String isFree = isFreeHere + where(none);
    if (ReleaseSentences.isPart(free)) {
      if (!free.parts().isEmpty()) {
        return asked
            + (" (on the nearest node " + ReleaseSentences.there(free) + " " + isFreeHere + ")");
      }
      return asked
          + " ("
          + (free.most() == 0
              ? "none is " + isFree
              : "at most "
                  + ReleaseSentences.part(free, free.most(), free.most())
                  + (" of one is " + isFree))
          + ")";
    }
    String there =
        free.total() == 0
            ? "none is " + isFree
            : free.total()
                + ((free.total() == 1 ? " is " : " are ") + isFree)
                + (free.most() < free.total() ? ", at most " + free.most() + " on one node" : "");
    return asked + " (" + there + ")";
  }

  /// What a member asks for: `2 GPUs`; empty where that is not told.
  static String asked(Free free) {
    if (free.devices() == 0) {
      return "";
    }
    if (!ReleaseSentences.isPart(free)) {
      return Phrases.count(free.devices(), "GPU");
    }
    return ReleaseSentences.part(free, free.mib(), free.millis())
        + (free.parts().isEmpty()
            ? " of a GPU"
            : " of each of " + free.devices() + " GPUs of one node");
  }

  /// Whether one of these stands in the way on any node.
  static boolean meetsAny(NoRoom none, Obstacle... obstacles) {
    var those = List.of(obstacles);
    return none.shortfalls().stream().map(Shortfall::obstacle).anyMatch(those::contains);
  }

  static boolean isBoundToSome(NoRoom none) {
    return meetsAny(
        none,
        Obstacle.NODE_SELECTOR,
        Obstacle.NODE_AFFINITY,
        Obstacle.VOLUME,
        Obstacle.DEVICE_MODEL);
  }
}
