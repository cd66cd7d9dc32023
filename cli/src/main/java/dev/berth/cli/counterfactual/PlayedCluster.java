package dev.berth.cli.counterfactual;

import dev.berth.cli.counterfactual.LoggedTask.Ending;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.IntFunction;

/// The cluster of a log in a ledger, with what is to come: changes, arrivals and ends.
final class PlayedCluster {
  private final Ledger ledger;
  private final List<Play> plays = new ArrayList<>(); // in the order of the traffic
  private final LinkedHashMap<PodUid, Live> live = new LinkedHashMap<>();
  private final HashSet<PodKey> podNames = new HashSet<>(); // in use
  private final HashSet<GroupKey> groupNames = new HashSet<>(); // in use
  private final PriorityQueue<Coming> coming =
      new PriorityQueue<>(Comparator.comparing(Coming::at).thenComparingLong(Coming::number));
  private long numbers;
  private long versions = 1;

  /// @param number orders what comes at one moment
  private record Coming(Instant at, long number, Runnable happens) {}

  /// A workload in this play.
  private static final class Play {
    private final LoggedWorkload logged;
    private final ArrayList<Live> over = new ArrayList<>(); // and still to be seen
    private GroupKey key = GroupKey.NONE; // of its object; none = it has none, or not yet
    private Instant started = Instant.MAX;
    private int left; // tasks that are not done
    private int evictions;
    private int moves;
    private double gpuMillis;
    private boolean isCut;

    Play(LoggedWorkload logged) {
      this.logged = logged;
      this.left = logged.tasks().size();
    }

    PlayedWorkload played() {
      return new PlayedWorkload(logged, started, evictions, moves, gpuMillis, isCut);
    }
  }

  /// A pod.
  private static final class Live {
    private final Play play;
    private final LoggedTask task;
    private final PlayedPod pod;
    private Placement at = Placement.NONE;
    private Instant since = Instant.MAX;

    Live(Play play, LoggedTask task, PlayedPod pod) {
      this.play = play;
      this.task = task;
      this.pod = pod;
    }

    boolean runs() {
      return !at.isNone();
    }
  }

  /// @param others as of [TrafficPlay#play]
  PlayedCluster(LoggedTraffic traffic, SortedMap<QueueName, Queue> others) {
    var schedulers = new TreeSet<String>();
    for (LoggedWorkload each : traffic.workloads()) {
      each.tasks().forEach(task -> schedulers.add(task.offered().scheduler()));
    }
    var usual = LedgerSettings.DEFAULT;
    ledger =
        new Ledger(
            new LedgerSettings(
                List.copyOf(schedulers),
                traffic.settings().defaultQueue(),
                usual.holdersNamespace(),
                usual.placeHold(),
                usual.volumeBindTimeout()),
            () -> {});
    others.values().forEach(queue -> record(new Fact.QueueSeen(queue)));
    for (LoggedTraffic.Event event : traffic.events()) {
      if (!isOf(event.fact(), others)) {
        at(event.at(), () -> happens(event));
      }
    }
    for (LoggedWorkload each : traffic.workloads()) {
      var play = new Play(each);
      plays.add(play);
      each.tasks().forEach(task -> at(task.arrived(), () -> comes(play, task)));
    }
  }

  private static boolean isOf(Fact fact, SortedMap<QueueName, Queue> queues) {
    return fact instanceof Fact.QueueSeen(var queue) && queues.containsKey(queue.name())
        || fact instanceof Fact.QueueGone(var name, _) && queues.containsKey(name);
  }

  private void at(Instant moment, Runnable happens) {
    coming.add(new Coming(moment, numbers++, happens));
  }

  private void record(Fact fact) {
    var _ = ledger.record(fact);
  }

  /// When something happens next; `MAX` = nothing does.
  Instant next() {
    return coming.isEmpty() ? Instant.MAX : coming.peek().at;
  }

  void passUntil(Instant now) {
    while (!coming.isEmpty() && !coming.peek().at.isAfter(now)) {
      coming.remove().happens.run();
    }
  }

  Snapshot snapshot(Instant now) {
    return ledger.snapshot(now);
  }

  /// To what a pod belongs.
  Optional<Workload> workload(PodUid uid) {
    return ledger.pod(uid).map(pod -> pod.workload());
  }

  private void happens(LoggedTraffic.Event event) {
    record(event.fact());
    if (event.fact() instanceof Fact.NodeGone(NodeName name, _)) {
      for (Live each : List.copyOf(live.values())) {
        if (each.at.node().equals(name)) {
          var _ = loses(each, event.at());
        }
      }
    }
  }

  private void comes(Play play, LoggedTask task) {
    var arrived = comes(play, task, task.offered().uid().value());
    if (!task.cancelled().equals(Instant.MAX)) {
      at(task.cancelled(), () -> cancel(task));
    }
    if (!task.first().isNone()) {
      runs(arrived, task.first(), task.arrived(), task.started());
    }
  }

  private Live comes(Play play, LoggedTask task, String uid) {
    var logged = play.logged.group();
    if (!logged.single() && play.key.isNone()) {
      var key = logged.key();
      play.key =
          unused(groupNames, key, i -> new GroupKey(key.namespace(), key.name() + "-again-" + i));
      record(
          new Fact.GroupSeen(
              PlayedPod.spec(logged, play.key, versions++, play.logged.ranBefore())));
    }
    var name = task.offered().key();
    var unused =
        unused(podNames, name, i -> new PodKey(name.namespace(), name.name() + "-again-" + i));
    var pod = new PlayedPod(new PodUid(uid), unused, play.key, logged, task.offered());
    var arrived = new Live(play, task, pod);
    live.put(pod.uid(), arrived);
    record(new Fact.PodSeen(pod.waits(versions++)));
    if (logged.single()) {
      record(
          new Fact.PodGrouped(
              pod.uid(),
              new Membership(Membership.UNTOLD.said(), "", false, Membership.USUAL_CLASS)));
    }
    return arrived;
  }

  private static <K> K unused(HashSet<K> used, K name, IntFunction<K> other) {
    var free = name;
    for (int i = 2; !used.add(free); i++) {
      free = other.apply(i);
    }
    return free;
  }

  /// A pod gets a place, if it is there still and waits.
  void starts(PodUid uid, Placement at, Instant now) {
    var waits = live.get(uid);
    if (waits != null && !waits.runs()) {
      runs(waits, at, now, now);
    }
  }

  /// @param since when it was started, which may have been before the log began
  private void runs(Live pod, Placement at, Instant now, Instant since) {
    pod.at = at;
    pod.since = now;
    pod.play.started = pod.play.started.isBefore(now) ? pod.play.started : now;
    record(new Fact.PodSeen(pod.pod.runs(versions++, at, since)));
    if (pod.task.isRunKnown()) {
      var ends = since.plus(pod.task.run());
      var then = ends.isBefore(now) ? now : ends;
      at(
          then,
          () -> {
            if (live.get(pod.pod.uid()) == pod) {
              ends(pod, then);
            }
          });
    }
  }

  private void ends(Live pod, Instant now) {
    var at = pod.at;
    leaves(pod, now);
    if (pod.task.ending() == Ending.GONE) {
      recordGone(pod);
    } else {
      pod.play.over.add(pod);
      record(new Fact.PodSeen(pod.pod.isOver(versions++, at, now, pod.task.ending())));
    }
    taskDone(pod.play);
  }

  /// It takes no room any more.
  private void leaves(Live pod, Instant now) {
    live.remove(pod.pod.uid());
    if (pod.runs()) {
      pod.play.gpuMillis +=
          (double) pod.pod.gpuMillis(pod.at) * Duration.between(pod.since, now).toMillis();
    }
  }

  private void recordGone(Live pod) {
    podNames.remove(pod.pod.key());
    record(new Fact.PodGone(pod.pod.key(), pod.pod.uid()));
  }

  /// One of its tasks is done. Its pods that are over are seen for as long as others are not: they
  /// count as members.
  private void taskDone(Play play) {
    play.left--;
    if (play.left == 0) {
      play.over.forEach(this::recordGone);
      if (!play.key.isNone()) {
        groupNames.remove(play.key);
        record(new Fact.GroupGone(play.key, versions++));
      }
    }
  }

  private void cancel(LoggedTask task) {
    for (Live pod : List.copyOf(live.values())) {
      if (pod.task == task) {
        leaves(pod, task.cancelled());
        recordGone(pod);
        taskDone(pod.play);
      }
    }
  }

  /// A pod that runs is evicted.
  ///
  /// @param isMove whether it has a place elsewhere
  /// @return whether another comes in its stead
  boolean evict(PodUid uid, boolean isMove, Instant now) {
    var victim = live.get(uid);
    if (victim == null || !victim.runs()) {
      return false;
    }
    victim.play.evictions++;
    victim.play.moves += isMove ? 1 : 0;
    return loses(victim, now);
  }

  private boolean loses(Live pod, Instant now) {
    leaves(pod, now);
    recordGone(pod);
    if (pod.task.isMadeAnew()) {
      countsFailed(pod.play, now);
      var _ = comes(pod.play, pod.task, pod.task.offered().uid() + "~" + numbers++);
      return true;
    }
    taskDone(pod.play);
    return false;
  }

  /// Pods of a workload that failed count as done once another of it comes again. Whether its owner
  /// would have made them again, too, and for how long they would have run, no log shows: without
  /// them a gang would wait for its minimum until the play ends.
  private void countsFailed(Play play, Instant now) {
    for (Live failed : play.over) {
      if (failed.task.ending() == Ending.FAILED) {
        record(new Fact.PodSeen(failed.pod.isOver(versions++, failed.at, now, Ending.SUCCEEDED)));
      }
    }
  }

  /// What came of each workload, in the order of the traffic.
  List<PlayedWorkload> played(Instant end) {
    for (Live pod : List.copyOf(live.values())) {
      pod.play.isCut |= pod.runs();
      leaves(pod, end);
    }
    return plays.stream().map(Play::played).toList();
  }
}
