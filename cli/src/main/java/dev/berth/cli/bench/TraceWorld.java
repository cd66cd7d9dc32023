package dev.berth.cli.bench;

import dev.berth.cli.bench.JobTrace.Ask;
import dev.berth.cli.bench.JobTrace.Job;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.action.ActionSettings;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.WrittenPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;

/// The cluster of a published trace in a ledger, and its jobs: they come, get the places that a
/// planner gives them, and go.
final class TraceWorld {
  private static final Instant NOW = BenchCluster.NOW;
  private static final int BATCH = 100;
  private static final int BALANCING = 100; // plans at most
  private static final Planner STILL =
      new Planner(
          PlannerSettings.DEFAULT.with(
              ActionSettings.DEFAULT
                  .with(new ActionSettings.Consolidation(0))
                  .with(new ActionSettings.Reclaiming(false, 1))
                  .withoutPreempt()));

  private final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, this::changed);
  private volatile Runnable listener = () -> {};
  private Consumer<Work> onStart = _ -> {};
  private final JobTrace trace;
  private final Random random;
  private final LinkedHashMap<String, Work> waiting = new LinkedHashMap<>(); // by name
  private final ArrayList<Work> running = new ArrayList<>(); // with all of their pods
  private final HashMap<String, Member> members = new HashMap<>(); // by pod; looked up only
  private int names;
  private int versions = 1;
  private long seconds;
  private long usedMillis;
  private int victims;

  /// A pod of a job.
  private record Member(Work work, Instant created) {}

  /// A job that has come.
  static final class Work {
    private final String name;
    private final Job job;
    private final LinkedHashSet<String> waiting = new LinkedHashSet<>(); // names of pods
    private final LinkedHashSet<String> running = new LinkedHashSet<>();
    private int starts;

    private Work(String name, Job job) {
      this.name = name;
      this.job = job;
    }

    Job job() {
      return job;
    }

    /// How often all of its pods came to run.
    int starts() {
      return starts;
    }

    boolean runs() {
      return waiting.isEmpty() && !running.isEmpty();
    }

    private GroupKey group() {
      return job.isGang() ? new GroupKey("default", name) : GroupKey.NONE;
    }
  }

  TraceWorld(JobTrace trace, long seed) {
    this.trace = trace;
    random = new Random(seed);
    trace.queues().forEach(queue -> record(new Fact.QueueSeen(queue)));
    trace.nodes().forEach(node -> record(new Fact.NodeSeen(node)));
  }

  private void record(Fact fact) {
    var _ = ledger.record(fact);
  }

  Ledger ledger() {
    return ledger;
  }

  /// Hears from now on that something changed, on the thread that changes it.
  void tell(Runnable changed) {
    listener = changed;
  }

  private void changed() {
    listener.run();
  }

  /// Hears from now on of each job all of whose pods have come to run.
  void onStart(Consumer<Work> told) {
    onStart = told;
  }

  Snapshot snapshot() {
    return ledger.snapshot(now());
  }

  Instant now() {
    return NOW.plusSeconds(seconds);
  }

  /// The clock stands at this second, or later where it was later before.
  void passUntil(long second) {
    seconds = Math.max(seconds, second);
  }

  /// All jobs of the trace, in random order, each where a planner that moves no pod puts it; a job
  /// that finds no place leaves.
  TraceWorld fill() {
    var order = new ArrayList<>(trace.jobs());
    Collections.shuffle(order, random);
    for (int i = 0; i < order.size(); i += BATCH) {
      order.subList(i, Math.min(order.size(), i + BATCH)).forEach(this::comes);
      settle();
      List.copyOf(waiting.values()).forEach(this::ends);
    }
    return this;
  }

  /// Jobs drawn from the trace for which there is no room as things are.
  TraceWorld waiting(int count) {
    while (waiting.size() < count) {
      for (int i = waiting.size(); i < count; i++) {
        var _ = comes();
      }
      settle();
    }
    return this;
  }

  /// Where there are several queues: what waiting jobs may take back is taken, by the planner that
  /// ships, until it changes nothing any more, or for a while.
  TraceWorld balanced() {
    var planner = new Planner(PlannerSettings.DEFAULT).incremental();
    boolean goesOn = trace.queues().size() > 1;
    for (int i = 0; goesOn && i < BALANCING; i++) {
      var plan = planner.plan(snapshot(), Collections.emptySortedMap());
      goesOn = carryOut(plan) > 0 || plan.searches();
    }
    return this;
  }

  private void settle() {
    carryOut(STILL.plan(snapshot()));
  }

  /// A job comes that requests what one of the trace does.
  Work comes() {
    return comes(trace.jobs().get(random.nextInt(trace.jobs().size())));
  }

  /// A pod comes that asks for one CPU and no GPU, for which there is room on every trace but the
  /// openb lists with many pods without GPUs.
  ///
  /// @return its name
  String oneCpuComes() {
    var ask = new Ask(1_000, 1_024, 0, 0, List.of());
    return comes(new Job(trace.queues().getFirst().name(), 1, ask, 0, 0)).waiting.getFirst();
  }

  Work comes(Job job) {
    var work = new Work("p" + (1_000_000 + names++), job);
    waiting.put(work.name, work);
    if (job.isGang()) {
      var spec =
          BenchCluster.groupOf(work.group(), job.queue(), job.members(), TopologyAsk.NONE, now());
      record(new Fact.GroupSeen(spec));
    }
    for (int i = 0; i < job.members(); i++) {
      podComes(work, job.isGang() ? work.name + "-" + (1_000 + i) : work.name);
    }
    return work;
  }

  private void podComes(Work work, String name) {
    var member = new Member(work, now());
    work.waiting.add(name);
    members.put(name, member);
    var pod = pod(name, member, Placement.NONE);
    record(new Fact.PodSeen(pod));
    if (!work.job.isGang()) {
      record(BenchCluster.alone(pod));
    }
  }

  /// How many jobs wait, with some or all of their pods.
  int waits() {
    return waiting.size();
  }

  /// How many jobs run with all of their pods.
  int runs() {
    return running.size();
  }

  /// GPUs that run pods use, in per cent of all.
  double allocatedPercent() {
    return 100.0 * usedMillis / trace.capacity();
  }

  /// Pods that were moved or lost their place so far.
  int victims() {
    return victims;
  }

  /// One of those that run, by chance, is over.
  void oneEnds() {
    ends(running.get(random.nextInt(running.size())));
  }

  /// A job is over or deleted, wherever its pods are.
  void ends(Work work) {
    waiting.remove(work.name);
    int i = running.indexOf(work);
    if (i >= 0) {
      running.set(i, running.getLast());
      running.removeLast();
    }
    usedMillis -= work.running.size() * work.job.ask().gpuMillis();
    work.running.forEach(this::podGoes);
    work.waiting.forEach(this::podGoes);
    work.running.clear();
    work.waiting.clear();
    if (work.job.isGang()) {
      record(new Fact.GroupGone(work.group(), versions++));
    }
  }

  /// A pod that is alone is deleted.
  void leaves(String pod) {
    ends(Objects.requireNonNull(members.get(pod), pod).work);
  }

  private void podGoes(String name) {
    members.remove(name);
    record(new Fact.PodGone(new PodKey("default", name), new PodUid("uid-" + name)));
  }

  /// A victim is gone, and waits again; then every job that gets a place runs there, where no pod
  /// is any more. A second passes.
  ///
  /// @return how many pods that waited run now
  int carryOut(Plan plan) {
    int started = 0;
    seconds++;
    for (Decision decision : plan.decisions()) {
      switch (decision) {
        case Decision.Reserve reserve -> {
          reserve.victims().forEach(this::moves);
          started += start(reserve);
        }
        case Decision.Evict(_, var leave) -> leave.forEach(this::moves);
        case Decision.Wait _, Decision.Withdraw _ -> {}
      }
    }
    return started;
  }

  /// @return how many of them waited
  int start(Decision.Reserve reserve) {
    int started = 0;
    for (Reserved each : reserve.block()) {
      started += starts(each) ? 1 : 0;
    }
    for (Reserved each : reserve.surplus()) {
      started += starts(each) ? 1 : 0;
    }
    return started;
  }

  /// A pod that runs is gone, and another one of its job waits.
  void moves(Decision.Victim victim) {
    var name = victim.pod().name();
    var member = members.get(name);
    if (member == null || !member.work.running.contains(name)) {
      return;
    }
    var work = member.work;
    if (work.runs()) {
      running.remove(work);
      waiting.put(work.name, work);
    }
    victims++;
    work.running.remove(name);
    usedMillis -= work.job.ask().gpuMillis();
    podGoes(name);
    podComes(work, "p" + (1_000_000 + names++));
  }

  private boolean starts(Reserved each) {
    var name = each.pod().name();
    var member = members.get(name);
    if (member == null || !member.work.waiting.remove(name)) {
      return false;
    }
    var work = member.work;
    work.running.add(name);
    usedMillis += work.job.ask().gpuMillis();
    record(new Fact.PodSeen(pod(name, member, each.placement())));
    if (work.runs()) {
      waiting.remove(work.name);
      running.add(work);
      work.starts++;
      onStart.accept(work);
    }
    return true;
  }

  private Pod pod(String name, Member member, Placement at) {
    boolean runs = !at.isNone();
    var work = member.work;
    var ask = work.job.ask();
    var plan = runs && !at.slots().isEmpty() ? new WrittenPlan(at, "", 1, NOW) : WrittenPlan.NONE;
    return new Pod(
        new PodUid("uid-" + name),
        new PodKey("default", name),
        versions++,
        member.created,
        "berth",
        new Pod.Lifecycle(
            runs ? Pod.Phase.RUNNING : Pod.Phase.PENDING,
            at.node(),
            runs ? List.of() : List.of(Pod.Lifecycle.GATE),
            false,
            ""),
        new Pod.Asks(ask.request(), ask.constraints(), 0, Preemptibility.BY_PRIORITY),
        new Pod.Belonging(work.job.queue(), work.group(), 0, "", BenchCluster.owner(work.name), 0),
        new Pod.Written(plan, List.of()),
        Pod.Holding.NONE,
        List.of());
  }
}
