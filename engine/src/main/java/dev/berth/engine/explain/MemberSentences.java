package dev.berth.engine.explain;

import dev.berth.engine.model.AmountText;
import dev.berth.engine.model.CreationRefusal;
import dev.berth.engine.model.CreationRefusal.Exceeded;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/// What groups say of members that are missing, or of no role that they have.
final class MemberSentences {
  private static final int MOST_NAMES = 6;

  private MemberSentences() {}

  static String noSubGroup(Reason.NoSuchSubGroup none) {
    String has = "; it has " + Phrases.first(none.leaves(), MOST_NAMES);
    return none.subGroup().isEmpty()
        ? "pod " + none.pod() + " names no sub-group, but its group has some" + has
        : ("pod " + none.pod() + " is of sub-group " + none.subGroup())
            + ", which its group does not have"
            + (none.near().isEmpty() ? "" : " (did you mean " + none.near() + "?)")
            + has;
  }

  static String helpsSubGroup(Reason.NoSuchSubGroup none) {
    return none.near().isEmpty()
        ? "the label berth.dev/subgroup with one of these"
        : "the label berth.dev/subgroup: " + none.near();
  }

  static String tooFew(Reason.TooFewMembers few) {
    String what =
        (few.subGroup().isEmpty() ? "the group" : "sub-group " + few.subGroup())
            + (" has " + few.have() + " of the " + few.need() + " members that start together");
    String whole = what + missing(few);
    return few.heldBack() == 0
        ? whole
        : whole
            + (", and " + few.heldBack() + " more that ")
            + (few.gates().isEmpty()
                ? "cannot be planned yet"
                : "scheduling gates of others hold (" + String.join(", ", few.gates()) + ")");
  }

  /// A gang that is created by and by says so for a moment, too.
  private static String missing(Reason.TooFewMembers few) {
    int toCreate = few.missing();
    boolean isKnown = !few.creator().isNone() || !few.refusal().isNone();
    return !isKnown || toCreate <= 0
        ? ""
        : (", and " + toCreate + (toCreate == 1 ? " does" : " do") + " not exist yet")
            + refusal(few.refusal());
  }

  /// `: ResourceQuota gpus has 2 of 2 requests.nvidia.com/gpu in use and the next pod asks for 2`.
  private static String refusal(CreationRefusal refusal) {
    if (refusal.isNone()) {
      return "";
    }
    if (refusal.quota().isEmpty()) {
      return ": the API server refuses the next pod: " + Phrases.withoutFullStop(refusal.words());
    }
    var exceeded = refusal.exceeded();
    return (": ResourceQuota " + refusal.quota() + " has ")
        + joined(exceeded, each -> number(each, each.used()) + " of " + amount(each, each.hard()))
        + " in use and the next pod asks for "
        + joined(exceeded, each -> number(each, each.asked()));
  }

  private static String joined(List<Exceeded> exceeded, Function<Exceeded, String> words) {
    return exceeded.stream().map(words).collect(Collectors.joining(" and "));
  }

  private static String number(Exceeded exceeded, long value) {
    return AmountText.number(exceeded.counted(), value);
  }

  private static String amount(Exceeded exceeded, long value) {
    return number(exceeded, value) + " " + exceeded.name();
  }

  private static String whereToLook(Reason.Creator creator) {
    return creator.isNone()
        ? ""
        : " (kubectl -n %s describe %s %s tells what keeps them from being created)"
            .formatted(creator.namespace(), creator.kind(), creator.name());
  }

  static String helpsTooFew(Reason.TooFewMembers few) {
    String gates = few.gates().size() == 1 ? "this gate" : "these gates";
    var ways = new ArrayList<String>();
    if (few.heldBack() > 0) {
      ways.add(few.gates().isEmpty() ? "time" : "remove " + gates);
    }
    if (few.missing() > 0) {
      ways.add((ways.isEmpty() || !few.refusal().isNone() ? "" : "create ") + create(few));
    }
    String all = String.join(" and ", ways);
    return few.have() > 0 ? all + ", or a minimum of " + few.have() : all;
  }

  private static String create(Reason.TooFewMembers few) {
    var refusal = few.refusal();
    int toCreate = few.missing();
    if (refusal.isNone()) {
      return Phrases.count(toCreate, "more pod") + whereToLook(few.creator());
    }
    return refusal.quota().isEmpty()
        ? "pods, or rules of the namespace, that the API server admits"
        : ("a ResourceQuota " + refusal.quota() + " of ")
            + joined(refusal.exceeded(), each -> amount(each, each.needed(toCreate)))
            + " or more"
            + released(refusal, few)
            + orLess(refusal);
  }

  /// Where it allows any, and of what pods may ask for less: it may count objects.
  private static String orLess(CreationRefusal refusal) {
    boolean helps =
        refusal.exceeded().stream()
            .noneMatch(each ->
                each.hard() == 0
                    || each.name().startsWith("count/")
                    || each.counted().equals(Resource.PODS));
    return helps ? ", or pods that ask for less" : "";
  }

  /// What must be released in the namespace, where that would do.
  private static String released(CreationRefusal refusal, Reason.TooFewMembers few) {
    boolean isEnough =
        refusal.exceeded().stream().allMatch(each -> each.asked(few.need()) <= each.hard());
    return isEnough
        ? ", or "
            + joined(
                refusal.exceeded(), each -> amount(each, each.needed(few.missing()) - each.hard()))
            + " released in the namespace"
        : "";
  }
}
