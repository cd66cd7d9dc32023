package dev.berth.engine.explain;

import dev.berth.engine.model.Reason;
import java.util.ArrayList;
import java.util.List;

/// What groups say of members that are missing, or of no role that they have.
final class MemberSentences {
  private static final int MOST_NAMES = 6;

  private MemberSentences() {}

  static String noSubGroup(Reason.NoSuchSubGroup none) {
    String has = "; it has " + names(none.leaves());
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

  private static String names(List<String> all) {
    int more = all.size() - MOST_NAMES;
    return more > 0
        ? String.join(", ", all.subList(0, MOST_NAMES)) + " and " + more + " more"
        : String.join(", ", all);
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

  private static int toCreate(Reason.TooFewMembers few) {
    return few.need() - few.have() - few.heldBack();
  }

  /// A gang that is created by and by says so for a moment, too.
  private static String missing(Reason.TooFewMembers few) {
    int toCreate = toCreate(few);
    return few.creator().isNone() || toCreate <= 0
        ? ""
        : ", and " + toCreate + (toCreate == 1 ? " does" : " do") + " not exist yet";
  }

  private static String whereToLook(Reason.Creator creator) {
    return creator.isNone()
        ? ""
        : " (kubectl -n %s describe %s %s tells what keeps them from being created)"
            .formatted(creator.namespace(), creator.kind(), creator.name());
  }

  static String helpsTooFew(Reason.TooFewMembers few) {
    int toCreate = toCreate(few);
    String gates = few.gates().size() == 1 ? "this gate" : "these gates";
    var ways = new ArrayList<String>();
    if (few.heldBack() > 0) {
      ways.add(few.gates().isEmpty() ? "time" : "remove " + gates);
    }
    if (toCreate > 0) {
      ways.add(
          (ways.isEmpty() ? "" : "create ")
              + Phrases.count(toCreate, "more pod")
              + whereToLook(few.creator()));
    }
    if (few.have() > 0) {
      return String.join(" and ", ways) + ", or a minimum of " + few.have();
    }
    return String.join(" and ", ways);
  }
}
