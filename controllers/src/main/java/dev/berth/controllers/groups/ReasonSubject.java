package dev.berth.controllers.groups;

import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Shortfall;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// What a reason is about, without what goes up and down by itself: the object that lacks, the
/// bound that was set, or, where no pod that leaves makes room, what stands in the way on nodes. A
/// user changes it, and wants to read at once what has come of it.
final class ReasonSubject {
  private ReasonSubject() {}

  /// Empty = reasons of this kind differ in numbers alone, or in what others do.
  static String of(Reason reason) {
    return switch (reason) {
      case Reason.BadRequest bad -> words(bad.problem().field(), bad.problem().value());
      case Reason.NoSuchQueue no -> words(no.queue());
      case Reason.NotALeaf not -> words(not.queue());
      case Reason.BrokenQueue broken -> words(broken.queue(), broken.at());
      case Reason.QueueNotAllowed not -> words(not.queue(), not.at());
      case Reason.NoSuchGroup no -> words(no.group());
      case Reason.NoSuchSubGroup no -> words(no.subGroup());
      case Reason.NoSuchTopology no -> words(no.topology(), no.level());
      case Reason.NoSuchClaim no -> words(no.template().isEmpty() ? no.claim() : no.template());
      case Reason.VolumeNotReady not -> words(not.volume().claim(), not.volume().lack());
      case Reason.NoSuchDevices no -> words(no.deviceClass());
      case Reason.ClaimOfOtherQueue of -> words(of.charged(), of.queue());
      case Reason.NoSuchPool no -> words(no.label(), no.pool());
      case Reason.TooFewMembers few -> words(few.subGroup(), few.gates());
      case Reason.OverLimit over -> bound(over.queue(), over.excesses()) + ofAll(over.besides());
      case Reason.NonPreemptibleOverQuota over ->
          bound(over.queue(), over.excesses()) + ofAll(over.besides());
      case Reason.NeverFits never -> obstacles(never.room()) + ofAll(never.besides());
      case Reason.NothingToTakeBack nothing -> obstacles(nothing.room());
      case NoRoom none -> obstacles(none);
      case Reason.NamespaceTerminating _,
          Reason.OwnerUnknown _,
          Reason.FairShareReached _,
          Reason.VictimsProtected _,
          Reason.BudgetsForbid _,
          Reason.PreemptionDelayed _,
          Reason.NeverPreempts _,
          Reason.EvictionBackoff _,
          Reason.BorrowingBackoff _,
          Reason.VolumesOverdue _,
          Reason.MovesSpent _,
          Reason.WouldDelay _,
          Reason.HeldForHead _,
          Reason.NotProven _,
          Reason.Starting _ ->
          "";
    };
  }

  private static String ofAll(List<Reason> besides) {
    return besides.stream().map(ReasonSubject::of).collect(Collectors.joining());
  }

  private static String words(Object... parts) {
    return List.of(parts).stream().map(Object::toString).collect(Collectors.joining(" "));
  }

  /// The queue and its limit or quota.
  private static String bound(QueueName queue, List<Reason.ExceededResource> excesses) {
    return excesses.stream()
        .map(each -> each.resource().name() + "=" + each.most())
        .collect(Collectors.joining(",", queue + ":", ";"));
  }

  /// Empty where room may be made: then it is room that lacks, and others come and go.
  private static String obstacles(NoRoom room) {
    if (room.mayBeMade()) {
      return "";
    }
    return room.shortfalls().stream()
        .map(ReasonSubject::obstacle)
        .sorted()
        .collect(Collectors.joining(",", "nodes:", ";"));
  }

  private static String obstacle(Shortfall shortfall) {
    return words(shortfall.obstacle().name().toLowerCase(Locale.ROOT), shortfall.detail());
  }
}
