package dev.berth.engine.ledger;

import dev.berth.engine.ledger.objects.Interner;
import dev.berth.engine.ledger.objects.SemanticEquality;
import dev.berth.engine.ledger.objects.SortedCopy;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The pods: what the watch says of them, and what owners and claims say of those.
final class PodRecords {
  private static final int MOST_GONE = 1 << 16;

  private final Map<PodUid, PodRecord> byUid = new HashMap<>();
  private final Map<PodKey, PodRecord> byKey = new HashMap<>();
  private final LinkedHashSet<PodUid> gone = new LinkedHashSet<>();
  private final SortedCopy<PodKey, Pod> strangers = new SortedCopy<>(Pod::key);

  private final LedgerSettings settings;
  private final GroupStates groups;
  private final PodTransitions transitions;
  private final Successions successions;
  private final ArrivalCounts arrivals;
  private final Volumes volumes;
  private final Interner alike = new Interner();

  PodRecords(
      LedgerSettings settings,
      GroupStates groups,
      PodTransitions transitions,
      Successions successions,
      ArrivalCounts arrivals,
      Volumes volumes) {
    this.settings = settings;
    this.groups = groups;
    this.transitions = transitions;
    this.successions = successions;
    this.arrivals = arrivals;
    this.volumes = volumes;
  }

  Optional<PodRecord> find(PodUid uid) {
    return Optional.ofNullable(byUid.get(uid));
  }

  /// Pods for whose groups evictions were requested, in no order.
  List<PodRecord> preemptorsWithoutPlan() {
    return byUid.values().stream()
        .filter(entry -> entry.pod.written().preemptor())
        .filter(entry -> entry.standing instanceof Standing.Waiting)
        .toList();
  }

  /// Pods of other schedulers that are on nodes, by key: for pods with affinity or anti-affinity to
  /// them.
  List<Pod> strangers() {
    return strangers.list(key ->
        Optional.ofNullable(byKey.get(key)).filter(PodRecords::isStranger).map(entry -> entry.pod));
  }

  private static boolean isStranger(PodRecord entry) {
    return !entry.ours && entry.pod.isBound() && !entry.pod.isOver() && !entry.pod.isHolder();
  }

  /// A sighting. It is late when its incarnation is gone, when that has been seen later, or when
  /// its name has been taken by a later one.
  boolean seen(Pod sighted) {
    Pod pod = believed(sighted);
    if (gone.contains(pod.uid())) {
      return false;
    }
    var known = byKey.get(pod.key());
    if (known == null) {
      enter(pod);
      return true;
    }
    boolean late = pod.version() != 0 && pod.version() <= known.pod.version();
    if (known.pod.uid().equals(pod.uid())) {
      return !late && update(known, pod);
    }
    if (late) {
      bury(pod.uid());
      return false;
    }
    leave(known);
    enter(pod);
    return true;
  }

  /// Labels are words that tenants can write, too: a holder is one only where Berth alone makes
  /// pods. Elsewhere it is a pod like any other, and takes what it asks for.
  private Pod believed(Pod pod) {
    String home = settings.holdersNamespace();
    return pod.isHolder() && !home.isEmpty() && !pod.key().namespace().equals(home)
        ? pod.withoutHolding()
        : pod;
  }

  private void enter(Pod seen) {
    Pod pod = alike.of(volumes.judge(seen));
    var entry = new PodRecord(pod);
    volumes.enters(entry);
    byKey.put(pod.key(), entry);
    byUid.put(pod.uid(), entry);
    entry.ours = isOurs(pod);
    if (entry.ours) {
      if (!pod.isOver()) {
        arrivals.add(pod);
      }
      groups.join(entry, Optional.empty());
      successions.comes(entry);
    }
    strangers.touch(pod.key());
    transitions.refresh(entry);
    transitions.holdIfKept(entry, Instant.MIN);
  }

  private boolean update(PodRecord entry, Pod sighted) {
    Pod before = entry.pod;
    Pod seen = volumes.judge(sighted);
    Pod told = seen.asks().equals(before.asks()) ? seen.asking(before.asks()) : alike.of(seen);
    entry.own = told.belonging();
    Pod pod = dressed(entry, told);
    entry.pod = pod;
    if (SemanticEquality.of(before, pod)) {
      return false;
    }
    volumes.changes(entry);
    boolean wasOurs = entry.ours;
    entry.ours = isOurs(pod);
    strangers.touch(pod.key());
    if (wasOurs && !entry.ours) {
      groups.part(entry, before);
    } else if (entry.ours && (!wasOurs || !before.belonging().equals(pod.belonging()))) {
      endIfRegrouped(entry, before);
      groups.join(entry, wasOurs ? Optional.of(before) : Optional.empty());
    }
    entry.memberChanged();
    groups.touch(entry);
    if (pod.life().leaving() && !pod.isBound()) {
      transitions.endItsBlock(entry);
    }
    if (pod.life().leaving() && !before.life().leaving()) {
      transitions.victimLeaving(entry);
    }
    if (pod.isOver()) {
      transitions.podEnded(entry);
      gaveBack(before);
    }
    transitions.refresh(entry);
    transitions.holdIfKept(entry, Instant.MIN);
    return true;
  }

  /// Something may have changed about the volumes of these.
  ///
  /// @param since deadlines of plans before which kube-scheduler has given up by now
  void judge(Collection<PodRecord> using, Instant since) {
    for (PodRecord entry : using) {
      transitions.holdIfKept(entry, since);
      Pod judged = volumes.judge(entry.pod);
      if (judged.equals(entry.pod)) {
        continue;
      }
      entry.pod = alike.of(judged);
      strangers.touch(judged.key());
      if (entry.ours) {
        entry.memberChanged();
        groups.touch(entry);
      }
    }
  }

  /// The pod as it was before it ended.
  private void gaveBack(Pod before) {
    if (isOurs(before) && before.isBound() && !before.isOver()) {
      arrivals.gaveBack(before);
    }
  }

  private static Pod dressed(PodRecord entry, Pod pod) {
    var belonging = entry.membership.of(entry.own);
    return belonging.equals(pod.belonging()) ? pod : pod.belongingTo(belonging);
  }

  /// Its owners were read. An unknown pod has gone meanwhile.
  boolean grouped(PodUid uid, Membership membership) {
    var entry = byUid.get(uid);
    if (entry == null || isKnown(entry, membership)) {
      return false;
    }
    Pod before = entry.pod;
    entry.membership = membership;
    entry.pod = dressed(entry, before);
    if (entry.ours) {
      endIfRegrouped(entry, before);
      var group = entry.group;
      groups.join(entry, Optional.of(before));
      if (entry.group != group) {
        successions.leavesItsGroup(entry);
        successions.comes(entry);
      }
      if (membership.isTold()) { // else others may have said something of the group that it names
        entry.group.say(membership);
      }
      entry.memberChanged();
      groups.touch(entry);
      transitions.refresh(
          entry); // its plan may have ended with a block of the gang that it belongs to now
    }
    return true;
  }

  /// Others may have said something else of the gang meanwhile.
  private static boolean isKnown(PodRecord entry, Membership membership) {
    return entry.membership.equals(membership)
        && (!entry.ours
            || !membership.isTold()
            || entry.group.said().said().equals(membership.said()));
  }

  /// A pod whose gate is not lifted belongs to another group now: it was planned as a member of the
  /// other one, and charged as that is.
  private void endIfRegrouped(PodRecord entry, Pod before) {
    boolean moves = !before.belonging().group().equals(entry.pod.belonging().group());
    if (moves && entry.pod.isGated()) {
      transitions.endItsBlock(entry);
    }
  }

  private boolean isOurs(Pod pod) {
    return !pod.isHolder() && settings.schedulers().contains(pod.scheduler());
  }

  boolean gone(PodKey key, PodUid uid) {
    bury(uid);
    var known = byKey.get(key);
    if (known == null || !known.pod.uid().equals(uid)) {
      return false;
    }
    leave(known);
    return true;
  }

  private void bury(PodUid uid) {
    gone.add(uid);
    if (gone.size() > MOST_GONE) {
      gone.removeFirst();
    }
  }

  private void leave(PodRecord entry) {
    transitions.victimLeaving(entry);
    gaveBack(entry.pod);
    transitions.endItsBlock(entry);
    bury(entry.pod.uid());
    byKey.remove(entry.pod.key());
    strangers.touch(entry.pod.key());
    byUid.remove(entry.pod.uid());
    boolean awaited = transitions.podGone(entry);
    volumes.leaves(entry);
    if (entry.ours && awaited) {
      entry.memberChanged();
      groups.touch(entry);
    } else if (entry.ours) {
      if (entry.pod.life().phase() == Pod.Phase.SUCCEEDED) {
        entry.group.loses(entry);
      }
      groups.part(entry, entry.pod);
    }
  }
}
