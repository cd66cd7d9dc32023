package dev.berth.extender.rest.state;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.ListChanges;
import dev.berth.engine.model.MemberCounts;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PriorityClasses;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.SnapshotDiff;
import dev.berth.engine.model.WorkloadPhase;
import dev.berth.extender.rest.state.NodeEntry.Occupant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Makes each revision from the one before: entries of what changed are made anew, all others are
/// taken over. Costs what changed, and a comparison of references for each node and group. Of one
/// thread at a time.
final class RevisionBuilder {
  /// Pods with GPUs, by node and in key order.
  private final TreeMap<NodeName, TreeMap<GroupKey, List<Occupant>>> occupants = new TreeMap<>();

  private Revision last =
      new Revision(
          0,
          Snapshot.empty(Instant.EPOCH),
          List.of(),
          List.of(),
          PriorityClasses.UNKNOWN,
          Findings.NONE);

  /// A revision and what it makes different.
  record Step(Revision revision, Changes changes) {}

  Revision last() {
    return last;
  }

  /// @return with the revision before where nothing is different
  Step next(Snapshot snapshot, PriorityClasses classes, Findings findings) {
    var touched = new TreeSet<NodeName>();
    var changed = new TreeSet<GroupKey>();
    var gone = new TreeSet<GroupKey>();
    var groupsBefore = last.snapshot().groups();
    var groups = snapshot.groups();
    ListChanges.between(
        groupsBefore,
        groups,
        PodGroup::key,
        i -> leave(groupsBefore.get(i), touched, changed, gone),
        j -> changed.add(groups.get(j).key()));
    changed.forEach(key -> snapshot.group(key).ifPresent(group -> come(group, touched)));
    reasons(last.findings().waits(), findings.waits(), changed);
    stale(last.findings().staleSince(), findings.staleSince(), changed);
    if (!classes.equals(last.classes())) {
      classesNamed(snapshot, findings.waits(), changed);
    }

    var nodesGone = new TreeSet<NodeName>();
    var nodesBefore = last.snapshot().nodes();
    var views = snapshot.nodes();
    ListChanges.between(
        nodesBefore,
        views,
        NodeView::name,
        i -> nodesGone.add(nodesBefore.get(i).name()),
        j -> touched.add(views.get(j).name()));
    touched.forEach(nodesGone::remove);
    nodesGone.removeIf(name -> snapshot.node(name).isPresent());

    var nodeEntries = new ArrayList<NodeEntry>();
    var nodes = nodes(views, touched, nodeEntries);
    var workloadEntries = new ArrayList<WorkloadEntry>();
    var workloads = workloads(groups, findings, changed, workloadEntries);
    var changes =
        new Changes(
            nodeEntries,
            List.copyOf(nodesGone),
            workloadEntries,
            List.copyOf(gone),
            !SnapshotDiff.areSame(last.snapshot().queues(), snapshot.queues())
                || last.findings().accounts() != findings.accounts());
    long number = changes.areNone() && last.number() > 0 ? last.number() : last.number() + 1;
    last = new Revision(number, snapshot, nodes, workloads, classes, findings);
    return new Step(last, changes);
  }

  private void leave(
      PodGroup group, TreeSet<NodeName> touched, TreeSet<GroupKey> come, TreeSet<GroupKey> gone) {
    if (!come.contains(group.key())) { // what has come of a key is told before what has gone
      gone.add(group.key());
    }
    for (PodGroup.Member member : group.members()) {
      var name = member.standing().placement().node();
      var there = Optional.ofNullable(occupants.get(name));
      if (there.isPresent()) {
        there.get().remove(group.key());
        if (there.get().isEmpty()) {
          occupants.remove(name);
        }
        touched.add(name);
      }
    }
  }

  private void come(PodGroup group, TreeSet<NodeName> touched) {
    for (PodGroup.Member member : group.members()) {
      var placement = member.standing().placement();
      var occupant = new Occupant(group, member, placement);
      if (!placement.isNone() && (occupant.wholes() > 0 || !placement.slots().isEmpty())) {
        occupants
            .computeIfAbsent(placement.node(), _ -> new TreeMap<>())
            .computeIfAbsent(group.key(), _ -> new ArrayList<>(1))
            .add(occupant);
        touched.add(placement.node());
      }
    }
  }

  /// Groups that are stale, or are so no more.
  private static void stale(
      SortedMap<GroupKey, Instant> before,
      SortedMap<GroupKey, Instant> after,
      TreeSet<GroupKey> changed) {
    if (before == after) {
      return;
    }
    after.keySet().stream().filter(key -> !before.containsKey(key)).forEach(changed::add);
    before.keySet().stream().filter(key -> !after.containsKey(key)).forEach(changed::add);
  }

  /// Groups that wait and name a class, which may exist now or no more.
  private static void classesNamed(
      Snapshot snapshot, SortedMap<GroupKey, Reason> waits, TreeSet<GroupKey> changed) {
    waits.keySet().stream()
        .flatMap(key -> snapshot.group(key).stream())
        .filter(group -> !group.spec().priorityClass().isEmpty())
        .forEach(group -> changed.add(group.key()));
  }

  /// Groups that wait for another reason than before, or no more.
  private static void reasons(
      SortedMap<GroupKey, Reason> before,
      SortedMap<GroupKey, Reason> after,
      TreeSet<GroupKey> changed) {
    if (before == after) {
      return;
    }
    after.forEach((key, reason) -> {
      var was = before.get(key);
      if (was != reason && !reason.equals(was)) {
        changed.add(key);
      }
    });
    before.keySet().stream().filter(key -> !after.containsKey(key)).forEach(changed::add);
  }

  private List<NodeEntry> nodes(
      List<NodeView> views, TreeSet<NodeName> touched, List<NodeEntry> fresh) {
    if (touched.isEmpty() && views.size() == last.nodes().size()) {
      return last.nodes();
    }
    var nodes = new ArrayList<NodeEntry>(views.size());
    int i = 0;
    for (NodeView view : views) {
      while (i < last.nodes().size() && last.nodes().get(i).name().compareTo(view.name()) < 0) {
        i++;
      }
      boolean isKnown = i < last.nodes().size() && last.nodes().get(i).name().equals(view.name());
      if (isKnown && !touched.contains(view.name())) {
        nodes.add(last.nodes().get(i));
        continue;
      }
      List<List<Occupant>> before = isKnown ? last.nodes().get(i).devices() : List.of();
      var entry = NodeEntry.of(view, there(view.name()), before);
      nodes.add(entry);
      fresh.add(entry);
    }
    return nodes;
  }

  private List<Occupant> there(NodeName name) {
    var all = new ArrayList<Occupant>();
    Optional.ofNullable(occupants.get(name))
        .ifPresent(byGroup -> byGroup.values().forEach(all::addAll));
    return all;
  }

  private List<WorkloadEntry> workloads(
      List<PodGroup> groups,
      Findings findings,
      TreeSet<GroupKey> changed,
      List<WorkloadEntry> fresh) {
    if (changed.isEmpty() && groups.size() == last.workloads().size()) {
      return last.workloads();
    }
    var workloads = new ArrayList<WorkloadEntry>(groups.size());
    int i = 0;
    for (PodGroup group : groups) {
      while (i < last.workloads().size()
          && last.workloads().get(i).key().compareTo(group.key()) < 0) {
        i++;
      }
      boolean isKnown = i < last.workloads().size() && last.workloads().get(i).group() == group;
      if (isKnown && !changed.contains(group.key())) {
        workloads.add(last.workloads().get(i));
        continue;
      }
      var entry = new WorkloadEntry(group, phase(group, findings));
      workloads.add(entry);
      fresh.add(entry);
    }
    return workloads;
  }

  private static WorkloadPhase phase(PodGroup group, Findings findings) {
    return WorkloadPhase.of(
        group,
        MemberCounts.of(group),
        findings.staleSince().containsKey(group.key()),
        findings.waits().containsKey(group.key()));
  }
}
