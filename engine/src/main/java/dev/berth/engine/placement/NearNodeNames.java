package dev.berth.engine.placement;

import dev.berth.engine.model.Constraints.Term;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Wanted;
import dev.berth.engine.model.Spelling;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.PodClass;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The GPU model, the node label and the node affinity that a pod asks for, and what nodes have
/// that is called almost so. Of very many names of nodes some are looked at.
final class NearNodeNames {
  private static final int MOST = 256;
  private static final int MOST_TERMS = 3;

  /// In characters.
  private static final int MOST_WORDS = 200;

  private NearNodeNames() {}

  static boolean areAsked(Obstacle obstacle) {
    return switch (obstacle) {
      case DEVICE_MODEL, NODE_SELECTOR, NODE_AFFINITY -> true;
      default -> false;
    };
  }

  static Wanted wanted(FreeCapacity room, PodClass podClass, Objection objection) {
    return switch (objection.obstacle()) {
      case DEVICE_MODEL -> model(room, podClass.request().models());
      case NODE_SELECTOR -> label(room, objection.detail());
      case NODE_AFFINITY -> new Wanted(affinity(podClass.constraints().required()), "");
      default -> Wanted.NONE;
    };
  }

  /// Of many terms the first.
  private static String affinity(List<Term> terms) {
    String words =
        terms.stream().limit(MOST_TERMS).map(Term::words).collect(Collectors.joining(", or "));
    String all = terms.size() > MOST_TERMS ? words + ", or …" : words;
    return all.length() > MOST_WORDS ? all.substring(0, MOST_WORDS) + "…" : all;
  }

  private static Wanted model(FreeCapacity room, List<String> asked) {
    var known = new TreeSet<String>();
    for (int n = 0; n < room.nodes() && known.size() < MOST; n++) {
      known.add(room.node(n).node().accelerator().model());
    }
    known.remove("");
    String what = String.join(" or ", asked);
    for (String each : asked) {
      if (known.stream().anyMatch(each::equalsIgnoreCase)) {
        return new Wanted(what, "");
      }
    }
    return new Wanted(
        what, asked.stream().flatMap(each -> like(each, known).stream()).findFirst().orElse(""));
  }

  /// `H100` is short for `NVIDIA-H100-80GB-HBM3`.
  private static Optional<String> like(String asked, TreeSet<String> known) {
    String lower = asked.toLowerCase(Locale.ROOT);
    return Spelling.nearest(asked, known)
        .or(() ->
            known.stream()
                .filter(each -> lower.length() > 1 && each.toLowerCase(Locale.ROOT).contains(lower))
                .findFirst());
  }

  /// Another value of the key, or the same value of another key.
  private static Wanted label(FreeCapacity room, String asked) {
    int at = asked.indexOf('=');
    String key = asked.substring(0, at);
    String value = asked.substring(at + 1);
    var values = new TreeSet<String>();
    var keys = new TreeSet<String>();
    for (int n = 0; n < room.nodes(); n++) {
      var labels = room.node(n).node().labels();
      String its = labels.get(key);
      if (value.equals(its)) {
        return new Wanted(asked, "");
      }
      if (its != null && values.size() < MOST) {
        values.add(its);
      }
      labels.forEach((other, is) -> {
        if (is.equals(value) && keys.size() < MOST) {
          keys.add(other);
        }
      });
    }
    return new Wanted(
        asked,
        Spelling.nearest(value, values)
            .map(near -> key + "=" + near)
            .or(() ->
                values.isEmpty()
                    ? Spelling.nearest(key, keys).map(near -> near + "=" + value)
                    : Optional.empty())
            .orElse(""));
  }
}
