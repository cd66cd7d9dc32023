package dev.berth.engine.explain;

import dev.berth.engine.explain.Trials.Attempt;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Fact.PriorityClassSeen;
import dev.berth.engine.model.Node.Taint;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.NodeView.Slot;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.PreemptibilitySource.By;
import dev.berth.engine.model.PriorityClasses;
import dev.berth.engine.model.Standing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What the workload itself could ask for otherwise, each alone.
final class GroupLevers {
  private static final int MOST_PRIORITIES = 16;
  private static final int MOST_TAINTS = 16;
  private static final int MOST_LABELS = 16; // that are dropped together
  private static final long MIB_PER_GIB = 1024;
  private static final int HIGHEST = 1_000_000_000; // of classes that users may make

  private final Trials trials;
  private final PriorityClasses classes;

  /// @param classes that pods may name
  GroupLevers(Trials trials, PriorityClasses classes) {
    this.trials = trials;
    this.classes = classes;
  }

  Optional<Attempt> topology(Attempt base) {
    var group = trials.group(base);
    var spec = Rewritten.preferring(group.spec());
    if (spec.equals(group.spec())) {
      return Optional.empty();
    }
    var ask = group.spec().topology();
    for (var each : group.spec().subGroups()) {
      ask = ask.required().isEmpty() ? each.topology() : ask;
    }
    return started(base, new Remedy.PreferTopology(ask.topology(), ask.required()));
  }

  Optional<Attempt> preemptible(Attempt base) {
    var group = trials.group(base);
    boolean byObject = group.preemptibilitySource().by() == By.OBJECT;
    return group.preemptibility() == Preemptibility.PREEMPTIBLE
        ? Optional.empty()
        : started(base, new Remedy.Preemptible(byObject));
  }

  /// A pod or class with `preemptionPolicy: Never` has nothing evicted for it.
  Optional<Attempt> mayPreempt(Attempt base) {
    return trials.group(base).takesVictims()
        ? Optional.empty()
        : started(base, new Remedy.MayPreempt());
  }

  /// The lowest priority of a PriorityClass that does; where classes are not known, the lowest
  /// above another workload's.
  Optional<Attempt> priority(Attempt base) {
    var group = trials.group(base);
    if (classes.areKnown()) {
      boolean isCapped = !group.spec().priorityClass().isEmpty();
      return firstThatStarts(
          base,
          classes.byName().values().stream()
              .filter(each -> each.value() > group.priority() && each.value() <= HIGHEST)
              .filter(each -> each.takesVictims() || !group.takesVictims())
              .sorted(Comparator.comparingInt(PriorityClassSeen::value))
              .limit(MOST_PRIORITIES)
              .map(to ->
                  new Remedy.RaisePriority(group.priority(), to.value(), to.name(), isCapped)));
    }
    var higher = new TreeSet<Integer>();
    for (PodGroup other : base.world().groups()) {
      if (other.priority() >= group.priority() && other.priority() < HIGHEST) {
        higher.add(other.priority() + 1);
      }
    }
    return firstThatStarts(
        base,
        higher.stream()
            .limit(MOST_PRIORITIES)
            .map(to -> new Remedy.RaisePriority(group.priority(), to)));
  }

  /// The largest smaller minimum of a group without sub-groups that does.
  Optional<Attempt> minimum(Attempt base) {
    var group = trials.group(base);
    int from = group.spec().minMember();
    if (!group.spec().subGroups().isEmpty() || from <= 1) {
      return Optional.empty();
    }
    var fewer =
        Smallest.between(
            0, from - 1L, 1, less -> trials.starts(base.with(lower(from, from - (int) less))));
    return fewer.isEmpty()
        ? Optional.empty()
        : Optional.of(base.with(lower(from, from - (int) fewer.getAsLong())));
  }

  private static Remedy lower(int from, int to) {
    return new Remedy.LowerMinimum(from, to);
  }

  /// Fewer or smaller devices a pod, where all that wait ask alike.
  Optional<Attempt> devices(Attempt base) {
    var group = trials.group(base);
    var asked = new TreeSet<DeviceRequest>(Comparator.comparing(DeviceRequest::toString));
    waiting(group).forEach(pod -> asked.add(pod.asks().request().devices()));
    if (asked.size() != 1) {
      return Optional.empty();
    }
    return switch (asked.first()) {
      case DeviceRequest.Whole whole -> fewer(base, whole);
      case DeviceRequest.Fraction fraction -> smaller(base, fraction);
      case DeviceRequest.Memory memory -> lessMemory(base, memory);
      case DeviceRequest.None _ -> Optional.empty();
    };
  }

  private Optional<Attempt> fewer(Attempt base, DeviceRequest.Whole whole) {
    return firstThatStarts(
        base,
        IntStream.range(1, whole.count())
            .mapToObj(less -> new Remedy.FewerDevices(whole.count(), whole.count() - less)));
  }

  /// A share fits as soon as it is no larger than what is free of a device that is shared.
  private Optional<Attempt> smaller(Attempt base, DeviceRequest.Fraction share) {
    var free = new TreeSet<Integer>(Comparator.reverseOrder());
    for (NodeView node : base.world().nodes()) {
      for (Slot slot : node.slots()) {
        int millis = 1000 - slot.usedMillis();
        if (millis > 0 && millis < share.millis()) {
          free.add(millis);
        }
      }
    }
    return firstThatStarts(
        base, free.stream().map(to -> new Remedy.SmallerShare(share.millis(), to)));
  }

  /// In whole GiB where it is as much.
  private Optional<Attempt> lessMemory(Attempt base, DeviceRequest.Memory memory) {
    var free = new TreeSet<Long>(Comparator.reverseOrder());
    for (NodeView node : base.world().nodes()) {
      long ofDevice = node.node().accelerator().memoryMib();
      free.add(rounded(ofDevice)); // one that is not shared yet
      node.slots().forEach(slot -> free.add(rounded(ofDevice * (1000 - slot.usedMillis()) / 1000)));
    }
    return firstThatStarts(
        base,
        free.stream()
            .filter(to -> to > 0 && to < memory.mib())
            .map(to -> new Remedy.SmallerMemory(memory.mib(), to)));
  }

  private static long rounded(long mib) {
    return mib >= MIB_PER_GIB ? mib - mib % MIB_PER_GIB : mib;
  }

  /// One label less in the node selector; where none alone does, as many as are needed.
  Optional<Attempt> selector(Attempt base) {
    var group = trials.group(base);
    var labels = new TreeMap<String, String>();
    waiting(group).forEach(pod -> labels.putAll(pod.asks().constraints().nodeSelector()));
    var drops = new ArrayList<Remedy>();
    labels.forEach((label, value) -> drops.add(new Remedy.DropSelector(label, value)));
    var one = firstThatStarts(base, drops.stream());
    if (one.isPresent() || drops.size() <= 1 || drops.size() > MOST_LABELS) {
      return one;
    }
    var none = base;
    for (Remedy drop : drops) {
      none = none.with(drop);
    }
    return trials.starts(none) ? Optional.of(none) : Optional.empty(); // proven: those needed
  }

  /// One taint more that the pods tolerate.
  Optional<Attempt> toleration(Attempt base) {
    var taints = new TreeMap<String, Taint>();
    for (NodeView node : base.world().nodes()) {
      node.node().taints().stream()
          .filter(Taint::repels)
          .forEach(taint -> taints.put(taint.words(), taint));
    }
    return firstThatStarts(
        base, taints.values().stream().limit(MOST_TAINTS).map(Remedy.Tolerate::new));
  }

  private static List<Pod> waiting(PodGroup group) {
    return group.members().stream()
        .filter(member -> member.standing() instanceof Standing.Waiting)
        .map(Member::pod)
        .toList();
  }

  private Optional<Attempt> firstThatStarts(Attempt base, Stream<? extends Remedy> remedies) {
    return remedies.flatMap(remedy -> started(base, remedy).stream()).findFirst();
  }

  private Optional<Attempt> started(Attempt base, Remedy remedy) {
    var attempt = base.with(remedy);
    return trials.starts(attempt) ? Optional.of(attempt) : Optional.empty();
  }
}
