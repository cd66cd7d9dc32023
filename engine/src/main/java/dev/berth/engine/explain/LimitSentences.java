package dev.berth.engine.explain;

import dev.berth.engine.model.AmountText;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.ExceededResource;
import dev.berth.engine.model.Reason.NonPreemptibleOverQuota;
import dev.berth.engine.model.Reason.OverLimit;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/// What limits, quotas and fair shares say.
final class LimitSentences {
  private LimitSentences() {}

  static String where(OverLimit over) {
    return PoolNames.of(over.queue(), over.pool());
  }

  static String where(NonPreemptibleOverQuota over) {
    return PoolNames.of(over.queue(), over.pool());
  }

  static String where(Reason.FairShareReached reached) {
    return PoolNames.of(reached.queue(), reached.pool());
  }

  static String where(Reason.BorrowingBackoff held) {
    return PoolNames.of(held.queue(), held.pool());
  }

  static String where(Reason.VolumesOverdue overdue) {
    return PoolNames.of(overdue.queue(), overdue.pool());
  }

  static String counted(List<Reason.CountedClaim> claims) {
    var words = new StringBuilder();
    for (Reason.CountedClaim each : claims) {
      words.append("; claim ").append(each.claim()).append(" counts as ");
      words
          .append(Phrases.count(each.count(), "device"))
          .append(" of class ")
          .append(each.deviceClass());
      words.append(each.all() ? ", all that one node has" : "");
      words.append(
          each.alternatives() > 1
              ? ", the dearest of " + each.alternatives() + " alternatives"
              : "");
      words.append(", until kube-scheduler has allocated it");
    }
    return words.toString();
  }

  static String overLimit(OverLimit over) {
    var forGood = over.excesses().stream().filter(ExceededResource::isForGood).toList();
    var forNow = over.excesses().stream().filter(each -> !each.isForGood()).toList();
    String asking = asking("this group", over.members());
    String now = excesses(forNow, "limit", " in use and " + asking);
    if (forGood.isEmpty()) {
      return "queue " + where(over) + now;
    }
    return (asking + asked(forGood))
        + (" and queue " + where(over) + " never has more than its limit of ")
        + amounts(forGood, ExceededResource::most)
        + (forNow.isEmpty() ? "" : ", and" + now);
  }

  static String helpsLimit(OverLimit over) {
    return larger(over)
        + (over.isForGood() ? orLess(over.excesses()) : "")
        + orSmallerMinimum(over);
  }

  /// What would do for a group that asks for as much.
  static String larger(OverLimit over) {
    return over.isForGood()
        ? "a limit of "
            + amounts(over.excesses(), LimitSentences::needed)
            + (" or more in " + where(over))
        : amounts(over.excesses(), each -> each.used() + each.asked() - each.most())
            + (" released in " + where(over))
            + (", or a limit of " + amounts(over.excesses(), LimitSentences::sum));
  }

  /// A limit of nothing lets no pod in, and each pod counts as one pod.
  private static String orLess(List<ExceededResource> excesses) {
    boolean helps =
        excesses.stream()
            .noneMatch(each -> each.most() == 0 || each.resource().equals(Resource.PODS));
    return helps ? ", or pods that ask for less" : "";
  }

  /// Where a member of average size would be within the limit, and none has started yet.
  private static String orSmallerMinimum(OverLimit over) {
    int count = over.members().count();
    boolean helps =
        over.members().isFirst()
            && count > 1
            && over.excesses().stream()
                .allMatch(each ->
                    (each.isForGood() ? 0 : each.used()) + each.asked() / count <= each.most());
    long fewer = over.members().areAlike() && helps ? fewer(over) : 0;
    return !helps
        ? ""
        : fewer > 0 ? ", or a minimum smaller by " + fewer : ", or a smaller minimum";
  }

  /// By how many members the minimum must be smaller so that the limit lets the rest in now; 0 =
  /// none is let in.
  private static long fewer(OverLimit over) {
    int count = over.members().count();
    long within =
        over.excesses().stream()
            .mapToLong(each -> (each.most() - each.used()) * count / each.asked())
            .min()
            .orElse(0);
    return within < 1 ? 0 : count - within;
  }

  static String helpsQuota(NonPreemptibleOverQuota over) {
    return ("a quota of " + amounts(over.excesses(), LimitSentences::sum) + " in " + where(over))
        + (", or " + preemptible(over.stays()));
  }

  static String overQuota(NonPreemptibleOverQuota over) {
    var forGood = over.excesses().stream().filter(ExceededResource::isForGood).toList();
    var forNow = over.excesses().stream().filter(each -> !each.isForGood()).toList();
    String asking = asking("this group", over.members());
    String now = excesses(forNow, "quota", " and " + asking);
    String subject = over.stays().isMinimumAlone() ? "its minimum" : "it";
    String why = why(over.stays());
    if (forGood.isEmpty()) {
      return ("non-preemptible work of queue " + where(over) + now)
          + (why.isEmpty() ? "" : "; " + subject + " is not preemptible" + why);
    }
    String and = asking("", over.members());
    String group = over.stays().isMinimumAlone() ? "the minimum of this group" : "this group";
    return (group + " is not preemptible" + why + " and " + and.stripLeading() + asked(forGood))
        + (", more than the quota of queue " + where(over) + ", which is ")
        + amounts(forGood, ExceededResource::most)
        + (forNow.isEmpty() ? "" : ", and non-preemptible work there" + now);
  }

  /// ` (by its label …)`.
  private static String why(Reason.Stays stays) {
    String above = ", and 100 or more is not preemptible)";
    String name = stays.source().priorityClass();
    return switch (stays.source().by()) {
      case UNTOLD -> "";
      case OBJECT -> " (by spec.preemptibility of its PodGroup)";
      case LABEL -> " (by its label berth.dev/preemptibility)";
      case NAMED_CLASS ->
          " (its priority class " + name + " has priority " + stays.priority() + above;
      case POD_PRIORITY -> " (its pods have priority " + stays.priority() + above;
      case KIND ->
          (" (workloads of its kind that name no priority class have " + name)
              + (" with priority " + stays.priority() + above);
    };
  }

  /// How it becomes preemptible.
  static String preemptible(Reason.Stays stays) {
    return switch (stays.source().by()) {
      case OBJECT -> Phrases.PREEMPTIBLE_SPEC;
      case UNTOLD, LABEL -> "preemptible work (the " + Phrases.PREEMPTIBLE_LABEL + ")";
      case NAMED_CLASS, POD_PRIORITY, KIND ->
          "preemptible work (the " + Phrases.PREEMPTIBLE_LABEL + ", or a priority class below 100)";
    };
  }

  /// `this group asks for`, or which of its members do.
  static String asking(String group, Reason.AskingMembers members) {
    if (members.isAll()) {
      return group + " asks for ";
    }
    if (members.isFirst()) {
      return "the first "
          + (members.count() + " of " + members.of())
          + (members.count() == 1 ? " members asks for " : " members ask for ");
    }
    return members.count() == 1
        ? "the next of " + members.of() + " members asks for "
        : "the next " + members.count() + " of " + members.of() + " members ask for ";
  }

  static String asked(List<ExceededResource> excesses) {
    return excesses.size() > 1
        ? amounts(excesses, ExceededResource::asked)
        : number(excesses.getFirst(), excesses.getFirst().asked());
  }

  /// ` has 3 of its limit of 4 GPUs in use and this group asks for 2; 6 of 8 cores (cpu) …`.
  static String excesses(List<ExceededResource> excesses, String bound, String asks) {
    var texts = new ArrayList<String>();
    for (ExceededResource each : excesses) {
      texts.add(
          (" has " + number(each, each.used()))
              + (" of its " + bound + " of " + amount(each, each.most()))
              + (asks + number(each, each.asked())));
    }
    return String.join(", and", texts);
  }

  static String amounts(List<ExceededResource> excesses, ToLongFunction<ExceededResource> value) {
    var texts = new ArrayList<String>();
    excesses.forEach(each -> texts.add(amount(each, value.applyAsLong(each))));
    return String.join(" and ", texts);
  }

  /// With the name of its resource, as manifests have it.
  static String amount(ExceededResource excess, long value) {
    String isCpu = excess.resource().equals(Resource.CPU) ? " (cpu)" : "";
    return AmountText.of(excess.resource(), value) + isCpu;
  }

  static String number(ExceededResource excess, long value) {
    return AmountText.number(excess.resource(), value);
  }

  static long needed(ExceededResource excess) {
    return excess.isForGood() ? excess.asked() : sum(excess);
  }

  static long sum(ExceededResource excess) {
    return excess.used() + excess.asked();
  }

  private static String ofShare(String queue, Resource resource, long used, long share) {
    return ("queue " + queue)
        + (" has " + AmountText.number(resource, used))
        + (" of its fair share of " + AmountText.of(resource, share));
  }

  static String quota(String queue, Resource resource, long quota) {
    return "a quota of " + AmountText.of(resource, quota) + " in " + queue;
  }

  static String borrowing(Reason.BorrowingBackoff held) {
    var backoff = held.backoff();
    String before =
        ofShare(where(held), held.resource(), held.used(), held.share())
            + (", and this group gets nothing beyond that before "
                + Phrases.moment(backoff.until()));
    if (!backoff.words().isEmpty()) {
      return before + ", since " + backoff.words();
    }
    return before
        + ", since kube-scheduler kept room for volumes that did not come, for "
        + Phrases.plans(backoff);
  }

  static String overdue(Reason.VolumesOverdue overdue) {
    String whose =
        overdue.namespace().isEmpty() ? "the same queue" : "namespace " + overdue.namespace();
    return ofShare(where(overdue), overdue.resource(), overdue.used(), overdue.share())
        + ", and this group, whose volumes are still to come, gets nothing beyond that while"
        + (" kube-scheduler waits for overdue volumes of pods of " + whose);
  }

  static String orQuota(Reason.FairShareReached reached) {
    return reached.quotaHelps()
        ? ", or " + quota(where(reached), reached.resource(), reached.used() + reached.asked())
        : "";
  }

  static String fairShare(Reason.FairShareReached reached) {
    return RoomSentences.noRoom(reached.room())
        + "; "
        + ofShare(where(reached), reached.resource(), reached.used(), reached.share())
        + (reached.asked() == 0
            ? ", so it takes nothing back, though this group asks for none of them"
            : (" and is not owed the " + AmountText.number(reached.resource(), reached.asked()))
                + " that this group asks for");
  }
}
