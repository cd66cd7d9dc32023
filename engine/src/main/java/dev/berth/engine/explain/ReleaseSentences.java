package dev.berth.engine.explain;

import dev.berth.engine.model.AmountText;
import dev.berth.engine.model.Reason.Free;
import dev.berth.engine.model.Reason.NeverFits;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Released;
import dev.berth.engine.model.Reason.Shortfall;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/// What must be released so that a group has room.
final class ReleaseSentences {
  private ReleaseSentences() {}

  /// What must be released for all members that lack a place, as far as they are alike.
  static String released(NoRoom none) {
    var free = none.free();
    int pods = Math.max(1, none.alike());
    int others = (none.largest().isNone() ? none.members() - none.placed() : lack(none)) - pods;
    if (none.mixed().released().isTold()) {
      return releasedMixed(none.mixed().released());
    }
    if (free.devices() == 0 || free.nodes() == 0) {
      return "GPUs released";
    }
    String words = isPart(free) ? releasedParts(free, pods) : releasedWhole(free, pods);
    return (others > 0 && !words.startsWith("GPUs") ? "at least " : "") + words;
  }

  /// `3 GPUs released, 2 on one node and 1 on another`.
  static String releasedMixed(Released released) {
    var byNode = released.byNode();
    int total = byNode.stream().mapToInt(Integer::intValue).sum();
    String words = total == 1 ? "1 GPU released" : total + " GPUs released";
    int most = byNode.getFirst();
    int least = byNode.getLast();
    if (byNode.size() == 1) {
      return words
          + (released.free() > 0 ? " on a node with " + released.free() + " free" : " on one node");
    }
    if (most == least) {
      return words + ", " + most + " on each of " + byNode.size() + " nodes";
    }
    return byNode.size() == 2
        ? words + ", " + most + " on one node and " + least + " on another"
        : words + ", at most " + most + " on one node, so that each pod finds its GPUs on one";
  }

  /// What must be released for as many members as all nodes hold, where nothing else stands in
  /// their way; empty where that is not known, or nothing must be.
  static String releasedForFewer(NeverFits never) {
    var room = never.room();
    var free = room.free();
    int pods = (int) never.most() - room.placed();
    boolean isWhole = free.devices() > 0 && !isPart(free);
    if (!never.startsSmaller() || !never.besides().isEmpty() || pods <= 0 || !isWhole) {
      return "";
    }
    int lacking = free.lacking().stream().mapToInt(Integer::intValue).sum();
    long ofDevices = lackingDevicesAlone(room);
    if (ofDevices == 0) {
      return "";
    }
    if (never.apart().isEmpty()) {
      String released = releasedWhole(free, pods);
      return released.startsWith("GPUs") ? "" : released;
    }
    // of as many nodes as lack devices, none is one where a member is
    return never.apart().contains(ApartSentences.OF_HOSTS)
            && lacking == ofDevices
            && pods <= lacking
        ? releasedMixed(onNodes(free, pods))
        : "";
  }

  /// On how many nodes members find no place for devices that are taken; 0 where another thing is
  /// in the way on any of these, or may end on others.
  private static int lackingDevicesAlone(NoRoom room) {
    int nodes = 0;
    for (Shortfall each : room.shortfalls()) {
      boolean isOfDevices =
          each.obstacle() == Obstacle.DEVICES
              && each.besides().isEmpty()
              && !each.detail().contains(" unhealthy");
      if (!isOfDevices && !stays(each)) {
        return 0;
      }
      nodes += isOfDevices ? each.nodes() : 0;
    }
    return nodes;
  }

  /// Whether such nodes never take a member, or no further one.
  private static boolean stays(Shortfall shortfall) {
    return switch (shortfall.obstacle()) {
      case OWN_ANTI_AFFINITY,
          OWN_HOST_PORTS,
          TOO_SMALL,
          NO_DEVICES,
          NODE_SELECTOR,
          NODE_AFFINITY,
          DEVICE_MODEL ->
          true;
      case TAINT -> !shortfall.detail().startsWith("node.kubernetes.io/");
      default -> false;
    };
  }

  /// One member on each of the nodes that lack the fewest.
  private static Released onNodes(Free free, int pods) {
    var lacks = new ArrayList<Integer>();
    for (int i = 0; i < free.lacking().size(); i++) {
      int nodes = Math.min(pods - lacks.size(), free.lacking().get(i));
      lacks.addAll(Collections.nCopies(nodes, i + 1));
    }
    lacks.sort(Comparator.reverseOrder());
    return new Released(lacks, free.devices() - lacks.getFirst(), false);
  }

  /// `0.1 of a GPU released on a GPU with 0.4 free`.
  static String releasedParts(Free free, int pods) {
    if (pods > 1) {
      String asked = part(free, free.mib(), free.millis());
      return ("room for " + asked + " of ")
          + (free.devices() == 1 ? "a GPU" : "each of " + free.devices() + " GPUs of one node")
          + (" for each of " + pods + " pods");
    }
    if (!free.parts().isEmpty()) {
      return releasedOfSeveral(free);
    }
    long lacks = lack(free);
    if (lacks <= 0) {
      return "GPUs released";
    }
    String released = part(free, lacks, (int) lacks);
    return (free.mib() > 0 ? released : released + " of a GPU")
        + " released on "
        + (free.most() > 0
            ? "a GPU with " + part(free, free.most(), free.most()) + " free"
            : "one GPU");
  }

  private static long lack(Free free) {
    if (free.mib() == 0) {
      return (long) free.millis() - free.most();
    }
    return free.lacking().isEmpty() ? free.mib() - free.most() : free.lacking().getFirst();
  }

  /// `0.1 of a GPU released on 1 GPU of that node`, which is the nearest one.
  private static String releasedOfSeveral(Free free) {
    long asked = free.mib() > 0 ? free.mib() : free.millis();
    var lacks =
        (free.lacking().isEmpty()
                ? free.parts().stream().map(part -> asked - part)
                : free.lacking().stream().map(Integer::longValue))
            .filter(lack -> lack > 0)
            .toList();
    if (lacks.isEmpty()) {
      return "GPUs released";
    }
    String of = free.mib() > 0 ? "" : " of a GPU";
    String first = part(free, lacks.getFirst(), lacks.getFirst().intValue());
    if (lacks.size() == 1) {
      return first + of + " released on a GPU of that node with " + last(free) + " free";
    }
    if (lacks.stream().distinct().count() == 1) {
      return first + of + " released on each of " + lacks.size() + " GPUs of that node";
    }
    var amounts = lacks.stream().map(lack -> part(free, lack, lack.intValue())).toList();
    return enumerated(amounts) + of + " released on " + lacks.size() + " GPUs of that node";
  }

  private static String last(Free free) {
    return part(free, free.parts().getLast(), free.parts().getLast());
  }

  /// What is free of them on the nearest node: `0.4 and 0.2 are`.
  static String there(Free free) {
    if (free.most() == 0) {
      return "none is";
    }
    boolean alike = free.parts().stream().distinct().count() == 1;
    return alike
        ? last(free) + " of each is"
        : enumerated(free.parts().stream().map(part -> part(free, part, part)).toList()) + " are";
  }

  private static String enumerated(List<String> words) {
    return String.join(", ", words.subList(0, words.size() - 1)) + " and " + words.getLast();
  }

  /// On the nodes that lack the fewest; a further pod on any of them takes all that it asks for.
  static String releasedWhole(Free free, int pods) {
    int left = pods;
    long total = 0;
    int lacksFirst = 0;
    int lacksLast = 0;
    for (int i = 0; i < free.lacking().size() && left > 0; i++) {
      int nodes = Math.min(left, free.lacking().get(i));
      if (nodes > 0) {
        lacksFirst = lacksFirst == 0 ? i + 1 : lacksFirst;
        lacksLast = i + 1;
        total += (long) nodes * (i + 1);
        left -= nodes;
      }
    }
    if (total == 0) {
      return "GPUs released";
    }
    total += (long) left * free.devices();
    String released = total == 1 ? "1 GPU released" : total + " GPUs released";
    if (free.devices() == 1) {
      return released;
    }
    if (pods == 1) {
      boolean isAnyFree = lacksFirst < free.devices();
      return released
          + (isAnyFree
              ? " on a node with " + (free.devices() - lacksFirst) + " free"
              : " on one node");
    }
    return left == 0 && lacksFirst == lacksLast
        ? released + ", " + lacksFirst + " on each of " + pods + " nodes"
        : released + ", so that each of " + pods + " pods finds " + free.devices() + " on one node";
  }

  static int lack(NoRoom none) {
    return none.largest().members() - (int) none.largest().holds();
  }

  static boolean isPart(Free free) {
    return free.mib() > 0 || free.millis() < 1000;
  }

  static String part(Free free, long mib, int millis) {
    return free.mib() > 0 ? mib + " MiB" : AmountText.thousandths(millis);
  }
}
