package dev.berth.controllers.grouping;

import dev.berth.controllers.grouping.kinds.AssignedPod;
import dev.berth.controllers.grouping.kinds.GroupSpecResolver;
import dev.berth.controllers.grouping.kinds.KubeObject;
import dev.berth.controllers.grouping.kinds.RoleAssignment;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.LedgerFacts;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/// The gangs that pods form, and what the ledger has heard of them. Guarded by [Grouping].
final class Gangs {
  /// Traits and sub-groups of a gang whose changes are collected for a while before it is shaped
  /// again: else the members of a gang of thousands cost the square of their number.
  private static final int LARGE = 512;

  /// The pause per trait and sub-group, some ten times of what they cost.
  private static final Duration PER_PART = Duration.ofNanos(25_000);

  private final LedgerFacts ledger;
  private final GroupSpecResolver verdicts;
  private final GroupObjects objects;
  private final Workers workers;
  private final Warnings warnings;
  private final TreeMap<GroupKey, Gang> gangs = new TreeMap<>();
  private final Consumer<Runnable> locked;
  private long shapes;

  /// @param locked runs what is handed to it under the lock of [Grouping]
  Gangs(
      LedgerFacts ledger,
      GroupSpecResolver verdicts,
      GroupObjects objects,
      Workers workers,
      Warnings warnings,
      Consumer<Runnable> locked) {
    this.warnings = warnings;
    this.locked = locked;
    this.ledger = ledger;
    this.verdicts = verdicts;
    this.objects = objects;
    this.workers = workers;
  }

  /// The object of a gang was deleted.
  void lost(GroupKey key) {
    var gang = gangs.get(key);
    if (gang != null && gang.isAlive()) {
      objects.gone(key);
    }
  }

  /// Finds out where pods belong now, and tells what is new.
  void tell(Collection<GroupedPod> entries) {
    var touched = new TreeSet<GroupKey>();
    var seats = new TreeMap<String, AssignedPod>();
    for (GroupedPod entry : entries) {
      if (GroupSpecResolver.lacksItsGroup(entry.member)) {
        continue; // it is known by the name alone
      }
      var seated = verdicts.seat(entry.member);
      seats.put(entry.uid(), seated);
      leave(entry, seated.group());
      entry.group = seated.group();
      if (!seated.isAlone()) {
        gangs.computeIfAbsent(seated.group(), _ -> new Gang()).join(entry, seated);
        touched.add(seated.group());
      }
    }
    for (GroupedPod entry : entries) {
      var seated = seats.get(entry.uid());
      if (seated != null && seated.isAlone() && !entry.isNamed()) {
        var membership = verdicts.alone(seated);
        lowersOnly(seated, membership.said().priorityClass());
        say(entry, membership, membership);
      }
    }
    touched.forEach(this::form);
    for (GroupedPod entry : entries) {
      var seated = seats.get(entry.uid());
      var gang = gangs.get(entry.group);
      if (seated != null && !seated.isAlone() && gang != null) {
        say(entry, gang);
      }
    }
  }

  /// Which group a member of a gang is in, and as what.
  private void say(GroupedPod entry, Gang gang) {
    if (!entry.isNamed()) {
      var seated = gang.seated(entry);
      var group = gang.groupOf(entry, entry.group);
      var membership = membership(seated, gang, group);
      say(entry, new Joined(group, seated.seat(), membership.subGroup()), membership);
    }
  }

  private record Joined(GroupKey group, RoleAssignment seat, String subGroup) {}

  private Membership membership(AssignedPod seated, Gang gang, GroupKey group) {
    var own = verdicts.member(seated, gang.spec);
    return group.equals(seated.group()) ? own : own.joining(group);
  }

  /// @param news what would be different if there were something to say
  private void say(GroupedPod entry, Object news, Membership membership) {
    var key = new Said(entry.group, news);
    if (!key.equals(entry.told)) {
      entry.told = key;
      ledger.record(new Fact.PodGrouped(new PodUid(entry.uid()), membership));
    }
  }

  private record Said(GroupKey group, Object news) {}

  private void lowersOnly(AssignedPod seated, String named) {
    lowersOnly(seated.member().pod(), seated.subject(), named, verdicts.usualClass(seated));
  }

  /// Warns where the class that a workload names would raise the priority of its pods.
  ///
  /// @param pod one of them
  /// @param named empty = it names none
  /// @param usual the class of its kind
  void lowersOnly(KubeObject pod, KubeObject workload, String named, String usual) {
    if (!named.isEmpty()) {
      ledger
          .pod(new PodUid(pod.uid()))
          .ifPresent(seen -> warnings.lowersOnly(workload, named, usual, seen.asks().priority()));
    }
  }

  /// What a gang is now. The ledger hears it of one member for all.
  private void form(GroupKey key) {
    var gang = gangs.get(key);
    if (gang == null) {
      return;
    }
    Instant now = workers.time().instant();
    if (gang.isChanged() && gang.isDue(now)) {
      shapes++;
      var firsts = gang.firsts();
      var shaped = verdicts.gang(firsts, gang.size());
      gang.shaped = shaped.spec();
      var subject = firsts.getFirst().subject();
      verdicts.advice(subject).forEach(problem -> warnings.advise(subject, problem));
      lowersOnly(firsts.getFirst(), gang.shaped.priorityClass());
      long work = (long) firsts.size() + shaped.parts();
      gang.setShaped(work < LARGE ? now : now.plus(PER_PART.multipliedBy(work)), shaped);
    } else if (gang.isChanged() && gang.startScheduling()) {
      workers.at(gang.due(), () -> locked.accept(() -> formLater(key)));
    }
    var spec = TopologyLevels.named(gang.shaped, ledger, now);
    var moved = gang.moved();
    var first = gang.firstOfOwn();
    if (!spec.equals(gang.told)) {
      boolean grows = gang.told.subGroups().isEmpty() != spec.subGroups().isEmpty();
      gang.spec = spec; // else the one before stays: all memberships share it
      gang.told = spec;
      first.ifPresent(entry -> tellAll(entry, gang));
      gang.lastOfJoined().ifPresent(entry -> tellAll(entry, gang));
      if (grows) {
        gang.unnamed().forEach(entry -> say(entry, gang)); // some have no role in it
      }
    }
    moved.forEach(entry -> say(entry, gang));
    first.ifPresentOrElse(
        entry -> objects.are(key, gang.spec, gang.seated(entry)), () -> objects.areElsewhere(key));
  }

  private void tellAll(GroupedPod member, Gang gang) {
    var seated = gang.seated(member);
    var group = gang.groupOf(member, seated.group());
    ledger.record(new Fact.PodGrouped(new PodUid(member.uid()), membership(seated, gang, group)));
  }

  private void formLater(GroupKey key) {
    var gang = gangs.get(key);
    if (gang != null && gang.isChanged()) {
      form(key);
    }
  }

  /// How often gangs were shaped so far: the work that grows with their trees.
  long shapes() {
    return shapes;
  }

  /// It is gone.
  void leave(GroupedPod entry) {
    leave(entry, GroupKey.NONE);
  }

  /// It belongs elsewhere.
  private void leave(GroupedPod entry, GroupKey next) {
    var gang = gangs.get(entry.group);
    if (gang == null || entry.group.equals(next)) {
      return;
    }
    gang.leave(entry);
    if (gang.isEmpty()) {
      gangs.remove(entry.group);
      objects.areNoMore(entry.group);
    } else {
      form(entry.group);
    }
  }
}
