package dev.berth.engine.placement;

import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Constraints.PodTerm;
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

/// The GPU model, the node label and the affinity that a pod asks for, and what nodes have that is
/// called almost so. Of very many names of nodes some are looked at.
final class NearNodeNames {
  private static final int MOST = 256;
  private static final int MOST_TERMS = 3;

  /// In characters.
  private static final int MOST_WORDS = 200;

  private NearNodeNames() {}

  static boolean areAsked(Obstacle obstacle) {
    return switch (obstacle) {
      case DEVICE_MODEL, NODE_SELECTOR, NODE_AFFINITY, POD_AFFINITY -> true;
      default -> false;
    };
  }

  static Wanted wanted(FreeCapacity room, PodClass podClass, Objection objection) {
    return switch (objection.obstacle()) {
      case DEVICE_MODEL -> model(room, podClass.request().models());
      case NODE_SELECTOR -> label(room, objection.detail());
      case NODE_AFFINITY -> affinity(room, podClass.constraints().required());
      case POD_AFFINITY ->
          new Wanted(peers(podClass.constraints().interPod().near(), objection.detail()), "");
      default -> Wanted.NONE;
    };
  }

  /// Of many terms the first.
  private static Wanted affinity(FreeCapacity room, List<Term> terms) {
    String words =
        terms.stream().limit(MOST_TERMS).map(Term::words).collect(Collectors.joining(", or "));
    String near =
        terms.stream()
            .limit(MOST_TERMS)
            .flatMap(term -> term.expressions().stream())
            .map(each -> near(room, each))
            .filter(name -> !name.isEmpty())
            .findFirst()
            .orElse("");
    return new Wanted(shortened(terms.size() > MOST_TERMS ? words + ", or …" : words), near);
  }

  /// What a label must be of which no node has any of the values that would do.
  private static String near(FreeCapacity room, Expression expression) {
    if (expression.field()
        || expression.operator() != Operator.IN
        || expression.values().stream().anyMatch(value -> has(room, expression.key(), value))) {
      return "";
    }
    return expression.values().stream()
        .limit(MOST_TERMS)
        .map(value -> near(room, expression.key(), value))
        .filter(name -> !name.isEmpty())
        .findFirst()
        .orElse("");
  }

  /// Labels of the pods of one domain that it wants to be near.
  private static String peers(List<PodTerm> terms, String topologyKey) {
    return shortened(
        terms.stream()
            .filter(term -> term.topologyKey().equals(topologyKey))
            .limit(MOST_TERMS)
            .map(term -> new Term(term.peers().expressions()).words())
            .filter(words -> !words.isEmpty())
            .collect(Collectors.joining("; ")));
  }

  private static String shortened(String words) {
    return words.length() > MOST_WORDS ? words.substring(0, MOST_WORDS) + "…" : words;
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

  private static Wanted label(FreeCapacity room, String asked) {
    int at = asked.indexOf('=');
    String key = asked.substring(0, at);
    String value = asked.substring(at + 1);
    return new Wanted(asked, has(room, key, value) ? "" : near(room, key, value));
  }

  private static boolean has(FreeCapacity room, String key, String value) {
    for (int n = 0; n < room.nodes(); n++) {
      if (value.equals(room.node(n).node().labels().get(key))) {
        return true;
      }
    }
    return false;
  }

  /// Another value of the key, or the same value of another key.
  private static String near(FreeCapacity room, String key, String value) {
    var values = new TreeSet<String>();
    var keys = new TreeSet<String>();
    for (int n = 0; n < room.nodes(); n++) {
      var labels = room.node(n).node().labels();
      String its = labels.get(key);
      if (its != null && values.size() < MOST) {
        values.add(its);
      }
      labels.forEach((other, is) -> {
        if (is.equals(value) && keys.size() < MOST) {
          keys.add(other);
        }
      });
    }
    return Spelling.nearest(value, values)
        .map(near -> key + "=" + near)
        .or(() ->
            values.isEmpty()
                ? Spelling.nearest(key, keys).map(near -> near + "=" + value)
                : Optional.empty())
        .orElse("");
  }
}
