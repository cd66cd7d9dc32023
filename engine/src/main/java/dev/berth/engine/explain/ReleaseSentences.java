package dev.berth.engine.explain;

import dev.berth.engine.model.AmountText;
import dev.berth.engine.model.Reason.Free;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Released;
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
