package dev.berth.cli.counterfactual;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.ListChanges;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// The workloads of a log, read from one snapshot after the other.
///
/// A pod whose owner makes another one after an eviction, or after its node has gone, is one task
/// with that other one.
final class WorkloadTraces {
  private final LinkedHashSet<Trace> all = new LinkedHashSet<>(); // in the order of arrival
  private final TreeMap<GroupKey, Trace> live = new TreeMap<>();
  private final HashMap<PodUid, Seen> pods = new HashMap<>(); // looked up only
  private final HashSet<PodUid> followed = new HashSet<>(); // another has come in its stead
  private final HashMap<Workload, List<PodUid>> leaving = new HashMap<>(); // looked up only
  private final HashSet<GroupKey> leftOut = new HashSet<>(); // counted only

  /// A pod.
  ///
  /// @param in the group that it was seen in last
  private record Seen(TaskTrace task, Trace workload, GroupKey in) {}

  /// A workload.
  private static final class Trace {
    private final PodGroup group;
    private final LinkedHashSet<TaskTrace> tasks = new LinkedHashSet<>();

    Trace(PodGroup group) {
      this.group = group;
    }

    LoggedWorkload workload(Instant end) {
      boolean ranBefore = tasks.stream().anyMatch(TaskTrace::isFirst);
      var arrived = tasks.stream().map(TaskTrace::arrived).min(Instant::compareTo).orElse(end);
      var started = tasks.stream().map(TaskTrace::started).sorted().toList();
      int needs = Math.clamp(group.spec().minMember(), 1, tasks.size());
      return new LoggedWorkload(
          group,
          arrived,
          ranBefore,
          started.getFirst(),
          started.get(needs - 1),
          tasks.stream().map(task -> task.task(end)).toList());
    }
  }

  /// @param before the snapshot before; an empty one at the beginning
  /// @param begins whether `now` is the first of the log
  void see(Snapshot before, Snapshot now, boolean begins) {
    var changed = new ArrayList<PodGroup>();
    ListChanges.between(
        before.groups(),
        now.groups(),
        PodGroup::key,
        i -> changed.add(before.groups().get(i)),
        j -> see(now.groups().get(j), before.now(), now.now(), begins));
    changed.forEach(group -> leave(group, now)); // a pod may have come to another group
  }

  private void see(PodGroup group, Instant before, Instant now, boolean begins) {
    switch (group.origin()) {
      case NAME_ONLY, POD_OF_UNKNOWN_OWNER -> {} // nothing of it is planned yet
      case OBJECT, OWNERS, MEMBERS, POD ->
          group.members().forEach(member -> see(group, member, before, now, begins));
    }
  }

  private void see(PodGroup group, Member member, Instant before, Instant now, boolean begins) {
    var uid = member.pod().uid();
    if (followed.contains(uid)) {
      return;
    }
    var seen = pods.get(uid);
    if (seen == null) {
      comes(group, member, before, now, begins);
      return;
    }
    if (!seen.in.equals(group.key())) { // its owners were read meanwhile
      seen = regrouped(seen, group);
      pods.put(uid, seen);
    }
    seen.task.sees(member, now);
    if (seen.task.isDeleted()) {
      mayBeFollowed(member.pod());
    }
  }

  private Seen regrouped(Seen seen, PodGroup group) {
    var other = workload(group);
    seen.workload.tasks.remove(seen.task);
    other.tasks.add(seen.task);
    if (seen.workload.tasks.isEmpty()) {
      all.remove(seen.workload);
      live.remove(seen.in);
    }
    return new Seen(seen.task, other, group.key());
  }

  private void comes(PodGroup group, Member member, Instant before, Instant now, boolean begins) {
    var pod = member.pod();
    if (member.standing() instanceof Standing.Over
        || member.standing() instanceof Standing.Awaited
        || !pod.isBound() && isGatedByOthers(pod)) {
      return;
    }
    if (!pod.traits().claims().isEmpty()) {
      leftOut.add(group.key());
      return;
    }
    var left = predecessor(pod, now);
    if (left.isPresent()) {
      left.get().task.continues(member, now);
      pods.put(pod.uid(), new Seen(left.get().task, left.get().workload, group.key()));
      return;
    }
    var workload = workload(group);
    var task = new TaskTrace(member, before, now, begins);
    workload.tasks.add(task);
    pods.put(pod.uid(), new Seen(task, workload, group.key()));
  }

  private static boolean isGatedByOthers(Pod pod) {
    return pod.life().gates().stream().anyMatch(gate -> !gate.equals(Pod.Lifecycle.GATE));
  }

  private Trace workload(PodGroup group) {
    return live.computeIfAbsent(
        group.key(),
        _ -> {
          var trace = new Trace(group);
          all.add(trace);
          return trace;
        });
  }

  /// The one in whose stead a pod comes; none follows it from now on.
  private Optional<Seen> predecessor(Pod pod, Instant now) {
    var ofOwner = leaving.getOrDefault(owner(pod), List.of());
    for (PodUid uid : ofOwner) {
      var seen = pods.get(uid);
      if (seen != null && seen.task.isFollowed(now, pod.created())) {
        ofOwner.remove(uid);
        pods.remove(uid);
        followed.add(uid);
        return Optional.of(seen);
      }
    }
    return Optional.empty();
  }

  private static Workload owner(Pod pod) {
    var owner = pod.belonging().owner();
    return owner.isNone() ? pod.key() : new Workload.Owned(pod.key().namespace(), owner.uid());
  }

  /// @param group as it was before
  private void leave(PodGroup group, Snapshot now) {
    var after = now.group(group.key());
    var there = new HashSet<PodUid>();
    after.ifPresent(it -> it.members().forEach(member -> there.add(member.pod().uid())));
    for (Member member : group.members()) {
      var seen = pods.get(member.pod().uid());
      if (seen != null && seen.in.equals(group.key()) && !there.contains(member.pod().uid())) {
        goes(seen.task, member, now);
      }
    }
    if (after.isEmpty()) {
      live.remove(group.key());
    }
  }

  private void goes(TaskTrace task, Member member, Snapshot now) {
    var node = member.standing().placement().node();
    if (!node.isNone() && now.node(node).isEmpty()) {
      task.lost(now.now());
      mayBeFollowed(member.pod());
    } else {
      task.gone(now.now());
    }
  }

  /// A plan was made of the snapshot that was seen last.
  void see(Plan plan) {
    for (Decision decision : plan.decisions()) {
      switch (decision) {
        case Decision.Reserve reserve -> {
          asked(reserve.victims(), plan.at());
          reserve.block().forEach(each -> planned(each.uid(), plan.at()));
          reserve.surplus().forEach(each -> planned(each.uid(), plan.at()));
        }
        case Decision.Evict(_, var victims) -> asked(victims, plan.at());
        case Decision.Withdraw _, Decision.Wait _ -> {}
      }
    }
  }

  private void planned(PodUid uid, Instant at) {
    var seen = pods.get(uid);
    if (seen != null) {
      seen.task.planned(at);
    }
  }

  private void asked(List<Decision.Victim> victims, Instant at) {
    for (Decision.Victim victim : victims) {
      var seen = pods.get(victim.uid());
      if (seen != null) {
        seen.task.asked(at);
        mayBeFollowed(seen.task.offered(), victim.uid());
      }
    }
  }

  private void mayBeFollowed(Pod pod) {
    mayBeFollowed(pod, pod.uid());
  }

  private void mayBeFollowed(Pod pod, PodUid uid) {
    if (!pod.belonging().owner().isNone()) {
      var ofOwner = leaving.computeIfAbsent(owner(pod), _ -> new ArrayList<>());
      if (!ofOwner.contains(uid)) {
        ofOwner.add(uid);
      }
    }
  }

  /// In the order in which they were seen.
  ///
  /// @param end of the log
  List<LoggedWorkload> workloads(Instant end) {
    return all.stream().map(trace -> trace.workload(end)).toList();
  }

  /// Workloads that cannot be played.
  int leftOut() {
    return leftOut.size();
  }
}
