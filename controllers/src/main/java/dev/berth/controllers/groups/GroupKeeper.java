package dev.berth.controllers.groups;

import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.controllers.groups.DesiredGroupStatus.ReasonText;
import dev.berth.engine.explain.NearGroups;
import dev.berth.engine.explain.WaitSentences;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.session.IdleEnd;
import dev.berth.engine.session.RuntimeEnd;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/// Keeps PodGroup objects: makes those that gangs lack, writes their status, tells their events.
/// Each pod that waits tells why on itself, too.
public final class GroupKeeper {
  private final MissingGroups missing;
  private final GroupStatusWriter statuses;
  private final PodReasons podReasons;
  private final EndWarnings warnings;
  private final IdleNotices idleNotices;
  private final Function<Reason, String> sentences;
  private final OutsideCauses causes;
  private final Predicate<GroupKey> others;

  // Of the planning thread.
  private final GroupChanges changes = new GroupChanges();
  private final TreeMap<GroupKey, PodGroup> lacking = new TreeMap<>();

  private boolean halfDone; // in a cycle that was dropped

  /// @param sentences a reason made a sentence
  /// @param others groups whose objects are not Berth's to write: their pods alone tell why they
  ///   wait
  public GroupKeeper(
      MissingGroups missing,
      GroupStatusWriter statuses,
      PodMessages pods,
      OutsideCauses causes,
      Function<Reason, String> sentences,
      Predicate<GroupKey> others) {
    this.missing = missing;
    this.statuses = statuses;
    this.podReasons = pods.reasons();
    this.warnings = pods.warnings();
    this.idleNotices = pods.idle();
    this.causes = causes;
    this.sentences = sentences;
    this.others = others;
  }

  /// The watch shows a PodGroup.
  public void seen(Map<String, ?> object) {
    key(object).ifPresent(key -> statuses.seen(key, PodGroupStatus.read(object)));
  }

  public void gone(Map<String, ?> object) {
    key(object).ifPresent(statuses::gone);
  }

  private static Optional<GroupKey> key(Map<String, ?> object) {
    return object.get("metadata") instanceof Map<?, ?> metadata
            && metadata.get("name") instanceof String name
            && metadata.get("namespace") instanceof String namespace
        ? Optional.of(new GroupKey(namespace, name))
        : Optional.empty();
  }

  /// A cycle is done. Called by the planning thread: what takes time is done on others, and only
  /// groups are looked at of which there is something new since the last one.
  ///
  /// @param waits every group that waits, and why
  /// @param staleSince groups that run below their minimum, and since when
  /// @param endings groups that are evicted soon for their max-runtime, and when
  /// @param idle groups whose GPUs do nothing
  public void planned(
      Snapshot snapshot,
      SortedMap<GroupKey, Reason> waits,
      SortedMap<GroupKey, Instant> staleSince,
      SortedMap<GroupKey, RuntimeEnd> endings,
      SortedMap<GroupKey, IdleEnd> idle) {
    if (halfDone) {
      changes.forget();
      lacking.clear();
      causes.classes().clear();
      podReasons.clear();
    }
    halfDone = true;
    var changed = new TreeSet<>(changes.until(snapshot.groups(), waits, staleSince, endings, idle));
    changed.addAll(causes.news());
    for (GroupKey key : changed) {
      lacking.remove(key);
      causes.classes().forget(key);
      var since = staleSince.getOrDefault(key, Instant.EPOCH);
      var group = snapshot.group(key);
      if (group.isPresent()) {
        var planned = Optional.ofNullable(waits.get(key));
        var reason = reason(group.get(), planned.map(each -> NearGroups.told(each, snapshot)));
        var fate =
            new Fate(
                since,
                endings.getOrDefault(key, RuntimeEnd.NONE),
                idle.getOrDefault(key, IdleEnd.NONE));
        look(group.get(), reason, fate, snapshot.now());
      } else {
        causes.pods().forget(key);
        podReasons.waitNoLonger(key);
        warnings.gone(key);
        idleNotices.gone(key);
      }
    }
    halfDone = false;
    missing.are(List.copyOf(lacking.values()));
    podReasons.tellDue(snapshot.now());
    statuses.forgetAllBut(snapshot.groups());
  }

  /// How queues stand, and what they are charged for each group. Called by the planning thread.
  public void told(Accounts accounts) {
    statuses.allocated(accounts.groups());
  }

  /// With what no snapshot shows. A group that has no pod is not planned: it waits for the first.
  private Optional<Reason> reason(PodGroup group, Optional<Reason> planned) {
    if (planned.isPresent()) {
      return Optional.of(causes.pods().told(group, planned.get()));
    }
    if (group.members().isEmpty() && group.origin() == PodGroup.Origin.OBJECT) {
      return causes.pods().ofNone(group);
    }
    causes.pods().forget(group.key());
    return Optional.empty();
  }

  private void look(PodGroup group, Optional<Reason> reason, Fate fate, Instant now) {
    var waiting = reason.map(why -> waiting(group, why)).orElse(List.of());
    var pending = reason.map(why -> why(group, why, fate.staleSince()));
    if (pending.isPresent()) {
      podReasons.wait(group.key(), waiting, pending.get(), now);
    } else {
      podReasons.waitNoLonger(group.key());
    }
    podReasons.tidy(group.members().stream().map(PodGroup.Member::pod).toList(), waiting);
    boolean isOurs = group.origin() == PodGroup.Origin.OBJECT && !others.test(group.key());
    warnings.look(group, fate.ending(), isOurs, now);
    idleNotices.look(group, fate.idle(), isOurs, now);
    switch (group.origin()) {
      case OBJECT -> {
        if (isOurs) {
          var words = pending.map(why -> ReasonText.of(why, sentences));
          statuses.tell(group, words.orElse(ReasonText.NONE), fate, now);
        }
      }
      case MEMBERS -> {
        if (!group.members().isEmpty() && !group.namespaceTerminates()) {
          lacking.put(group.key(), group);
        }
      }
      case OWNERS,
          NAME_ONLY,
          POD,
          POD_OF_UNKNOWN_OWNER -> {} // no object, or not yet: its pods tell
    }
  }

  private PendingReason why(PodGroup group, Reason reason, Instant staleSince) {
    return new PendingReason(
        reason,
        group.origin() == PodGroup.Origin.OBJECT ? group.key().name() : "",
        WaitSentences.byDefault(group, reason),
        causes.classes().namedBy(group),
        lowest(group),
        statuses.besides(group, staleSince));
  }

  /// `10 of pod worker-0, not 90`; empty where no pod would have a higher priority without another.
  /// One of 0 may have that of its kind.
  private static String lowest(PodGroup group) {
    int highest = group.priority();
    Optional<Pod> lowest = Optional.empty();
    for (var member : group.members()) {
      int admitted = member.pod().asks().priority();
      if (!member.pod().isOver()) {
        highest = Math.max(highest, admitted);
        boolean isUsual =
            admitted == 0 && lowest.isEmpty() && group.spec().priorityClass().isEmpty();
        boolean isIt = admitted == group.priority() || isUsual;
        lowest = isIt ? Optional.of(member.pod()) : lowest;
      }
    }
    int most = highest;
    return lowest
        .filter(_ -> group.priority() < most)
        .map(pod -> group.priority() + " of pod " + pod.key().name() + ", not " + most)
        .orElse("");
  }

  /// Members that have no place yet, or whose gate is not lifted; of a group that has its places
  /// also those that kube-scheduler has not bound.
  private static List<Pod> waiting(PodGroup group, Reason reason) {
    var waiting = new ArrayList<Pod>();
    boolean hasPlaces = reason instanceof Reason.Starting;
    for (var member : group.members()) {
      boolean waits =
          switch (member.standing()) {
            case Standing.Waiting _ -> true;
            case Standing.Planned(_, boolean released) -> hasPlaces || !released;
            case Standing.Bound _, Standing.Leaving _, Standing.Awaited _, Standing.Over _ -> false;
          };
      if (waits) {
        waiting.add(member.pod());
      }
    }
    return waiting;
  }
}
