package dev.berth.engine.explain;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PriorityClasses;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.request.WellKnownNames;

/// Why a group waits, with what of it no reason shows.
public final class WaitSentences {
  private WaitSentences() {}

  public static String of(Decision.Wait wait, Snapshot snapshot, PriorityClasses classes) {
    var group = snapshot.group(wait.group());
    return Sentences.of(NearGroups.told(wait.reason(), snapshot), wait.ahead())
        + besides(
            group.map(it -> byDefault(it, wait.reason())).orElse(QueueName.NONE),
            group.map(classes::missing).orElse(""));
  }

  /// Follows the sentence of a reason: what of a wait no reason shows.
  ///
  /// @param byDefault the default queue, in which a group is that names none; none = nothing is
  ///   said of it
  /// @param missingClass the PriorityClass that a group names and that does not exist, with a hint;
  ///   empty = none, and nothing is said of it
  public static String besides(QueueName byDefault, String missingClass) {
    return ofDefaultQueue(byDefault) + ofMissingClass(missingClass);
  }

  /// The default queue, where a group is in it as it names none, and it stops the group; else none.
  /// Of a group with an object, a place or unread owners that is not known.
  public static QueueName byDefault(PodGroup group, Reason reason) {
    if (!isOfQueue(reason)) {
      return QueueName.NONE;
    }
    boolean isKnown =
        switch (group.origin()) {
          case OWNERS, MEMBERS, NAME_ONLY, POD -> group.spec().queue().isNone();
          case OBJECT, POD_OF_UNKNOWN_OWNER -> false;
        };
    boolean namesOne =
        group.namespaceLabels().containsKey(WellKnownNames.QUEUE)
            || group.namespaceLabels().containsKey(WellKnownNames.QUEUE_ALIAS);
    boolean waits =
        group.members().stream().allMatch(each -> each.standing() instanceof Standing.Waiting);
    return isKnown && !namesOne && waits ? group.queue() : QueueName.NONE;
  }

  private static boolean isOfQueue(Reason reason) {
    return switch (reason) {
      case Reason.NoSuchQueue _,
          Reason.NotALeaf _,
          Reason.BrokenQueue _,
          Reason.QueueNotAllowed _,
          Reason.ClaimOfOtherQueue _,
          Reason.OverLimit _,
          Reason.NonPreemptibleOverQuota _,
          Reason.FairShareReached _ ->
          true;
      case Reason.BadRequest _,
          Reason.NamespaceTerminating _,
          Reason.NoSuchGroup _,
          Reason.NoSuchSubGroup _,
          Reason.NoSuchTopology _,
          Reason.OwnerUnknown _,
          Reason.NoSuchClaim _,
          Reason.VolumeNotReady _,
          Reason.NoSuchDevices _,
          Reason.TooFewMembers _,
          Reason.NoRoom _,
          Reason.NothingToTakeBack _,
          Reason.VictimsProtected _,
          Reason.BudgetsForbid _,
          Reason.PreemptionDelayed _,
          Reason.NeverPreempts _,
          Reason.EvictionBackoff _,
          Reason.BorrowingBackoff _,
          Reason.VolumesOverdue _,
          Reason.NeverFits _,
          Reason.MovesSpent _,
          Reason.WouldDelay _,
          Reason.HeldForHead _,
          Reason.NoSuchPool _,
          Reason.NotProven _,
          Reason.Starting _ ->
          false;
    };
  }

  private static String ofDefaultQueue(QueueName queue) {
    return queue.isNone()
        ? ""
        : " It names no queue and so is in the default one, "
            + queue
            + "; the label berth.dev/queue names another.";
  }

  private static String ofMissingClass(String named) {
    return named.isEmpty()
        ? ""
        : " Besides, its label priorityClassName names PriorityClass "
            + named
            + ", which does not exist: until it names one that does, the priority of its pods"
            + " counts.";
  }
}
