package dev.berth.simulator.chaos;

import dev.berth.controllers.client.AnsweredWrites;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.client.WriterFacades;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.Backoffs;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Moves;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import dev.berth.simulator.faults.BreakingWatch;
import dev.berth.simulator.faults.Fault;
import dev.berth.simulator.faults.FaultInjector;
import dev.berth.simulator.faults.FaultyWatch;
import dev.berth.simulator.faults.FaultyWrites;
import dev.berth.simulator.world.BerthExtender;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.Extender;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.TimeWorkers;
import dev.berth.simulator.world.VolumeClaims;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldClients;
import dev.berth.simulator.world.WorldEvents;
import dev.berth.simulator.world.WorldLeases;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// The processes of Berth: which are up, which start after which, which are paused, and which one
/// kube-scheduler asks: one that said that it is ready, or now and then any other that is up, as a
/// Service does that has not heard yet.
///
/// Where there is a lease, they compete for it, and one that is deposed ends and comes up anew.
final class Replicas implements Extender {
  private static final Duration UP_AGAIN = Duration.ofSeconds(4);
  private static final double MISLED = 0.1;

  /// A process and what leads to it.
  private record Replica(
      ProcessLifecycle life,
      BerthProcess instance,
      Extender answers,
      DecisionRecorder decisionRecorder,
      BreakingWatch watch,
      ProcessView processView) {
    boolean leads() {
      return instance.missing().isEmpty();
    }
  }

  private final World world;
  private final FaultInjector faultInjector;
  private final FaultProfile faultProfile;
  private final BerthProcess.ReplicaTemplate replicaTemplate;
  private final Journal journal;
  private final Chance chance;
  private final WorldEvents events;
  private final WorldLeases leases;
  private final InvariantMonitor invariantMonitor;

  /// What each process that ever was has read: its writes may be done after its end.
  private final List<ProcessView> processViews = new ArrayList<>();

  private final SequencedMap<String, Replica> up = new LinkedHashMap<>();

  /// Groups of which a volume was awaited, and when for the last time.
  private final TreeMap<GroupKey, Instant> awaited = new TreeMap<>();

  private final VolumeClaims claims;
  private int launched;
  private int unanswered;

  Replicas(
      World world,
      FaultInjector faultInjector,
      FaultProfile faultProfile,
      BerthProcess.ReplicaTemplate replicaTemplate,
      Journal journal,
      InvariantMonitor invariantMonitor) {
    this.world = world;
    this.leases = new WorldLeases(world);
    this.claims = new VolumeClaims(world);
    this.invariantMonitor = invariantMonitor;
    this.faultInjector = faultInjector;
    this.faultProfile = faultProfile;
    this.replicaTemplate = replicaTemplate;
    this.journal = journal;
    this.chance = new Chance(world.settings().seed(), "fleet");
    this.events = new WorldEvents(world);
  }

  /// Starts as many as there are to be.
  void launch() {
    for (int i = 0; i < faultProfile.replicas(); i++) {
      launchOne();
    }
  }

  private void launchOne() {
    String name = "berth-" + ++launched;
    var time = new TimeWorkers(world.time(), new Chance(world.settings().seed(), name));
    var decisionRecorder = new DecisionRecorder(journal);
    var processView = new ProcessView(invariantMonitor);
    processViews.add(processView);
    var answered = new AnsweredWrites();
    var clients = WorldClients.of(world, name, leases);
    var life =
        new ProcessLifecycle(
            name,
            time,
            decisionRecorder.counting(
                new FaultyWrites(processView.watching(clients), faultInjector)),
            faultInjector,
            doing -> over(name, doing));
    var facades = new WriterFacades(answered.noting(decisionRecorder.judging(life)), clients);
    var instance =
        replicaTemplate.launch(
            new BerthProcess.Place(
                name,
                facades,
                life.events(events),
                life.leases(facades.leases()),
                life,
                decisionRecorder.listeners(),
                _ -> life.end("deposed")));
    decisionRecorder.knows(instance.ledger());
    life.writesBehind(instance.fence());
    var watch =
        new BreakingWatch(
            new FaultyWatch(
                life.watcher(instance.standby()), world.time(), faultInjector, instance::standsBy),
            world,
            faultInjector,
            answered,
            sentence -> {
              journal.tell(name + " reads that etcd went back: " + sentence);
              life.end("as etcd went back");
            });
    life.whenOver(() -> world.unwatch(watch));
    var answers = new BerthExtender(instance.verbs());
    up.put(name, new Replica(life, instance, answers, decisionRecorder, watch, processView));
    journal.tell(name + " starts");
    life.step(() ->
        instance.start(
            watch,
            () -> {
              processView.opens();
              watch.open();
            },
            () -> {
              invariantMonitor.anotherLeads();
              journal.tell(name + " leads");
              journal.count("Berth leads");
              life.markActive();
            }));
  }

  private void over(String name, String doing) {
    journal.tell(name + " ends " + doing);
    journal.count("Berth ended " + doing);
    if (up.remove(name) != null) {
      world.time().after(chance.between(Duration.ZERO, UP_AGAIN), this::upAgain);
    }
  }

  private void upAgain() {
    if (up.size() < faultProfile.replicas()) {
      launchOne();
    }
  }

  WorldLeases leases() {
    return leases;
  }

  /// The world is what it was before: a process that has read it since, or before, is to find that
  /// out.
  void etcdWentBack() {
    processViews.forEach(ProcessView::markUntrue);
    up.values().forEach(replica -> replica.watch().cutOff(replica.processView()::markTrue));
  }

  private Optional<Replica> leader() {
    return up.values().stream().filter(Replica::leads).findFirst();
  }

  /// Ends one between two steps, mostly the leader; or asks it to go; or pauses it, for less or for
  /// longer than its lease lasts.
  void strike() {
    if (up.isEmpty()) {
      return;
    }
    var any = List.copyOf(up.values()).get(chance.below(up.size()));
    var struck = chance.comes(0.8) ? leader().orElse(any) : any;
    String name = struck.life().name();
    switch (faultProfile.lease().isZero() ? 0 : chance.below(4)) {
      case 0, 1 -> struck.life().end("between two steps");
      case 2 -> {
        journal.tell(name + " is asked to go");
        struck.life().step(() -> struck.instance().leave(() -> struck.life().end("in good order")));
      }
      default -> {
        var span = chance.between(Duration.ofMillis(200), faultProfile.lease().multipliedBy(3));
        journal.tell(name + " is paused for " + span);
        journal.count(struck.leads() ? "leader paused" : "follower paused");
        struck.life().pause(span);
      }
    }
  }

  Optional<Ledger> ledger() {
    return leader().map(replica -> replica.instance().ledger());
  }

  /// What the leader may still move.
  Moves moves() {
    return leader().map(replica -> replica.decisionRecorder().moves()).orElse(Moves.NONE);
  }

  /// The workloads for which no victim is evicted for a while, as the leader knows: it is stored
  /// nowhere else.
  Backoffs backoffs() {
    return leader().map(replica -> replica.decisionRecorder().backoffs()).orElse(Backoffs.NONE);
  }

  /// Pods that the leader charges as something else than their plans say.
  List<String> wronglyCharged() {
    var pods =
        world.list(Kind.POD).stream()
            .filter(pod -> ObjectTree.text(pod, "spec", "schedulerName").equals("berth"))
            .map(pod -> new PodUid(ObjectTree.uid(pod)))
            .toList();
    return ledger().map(ledger -> Charges.wrong(ledger, pods)).orElse(List.of());
  }

  /// Plans of the leader that should have ended long ago. Those of a group stand longer while
  /// kube-scheduler may wait for a volume of a member.
  ///
  /// @param late how long after its deadline a plan may stand
  List<String> overdue(Duration late) {
    var overdue = new ArrayList<String>();
    var now = world.time().instant();
    var heard = now.minus(QuiescenceCheck.HEARTBEAT);
    for (var replica : leader().stream().toList()) {
      if (replica.life().isPaused() || replica.life().active().plus(late).isAfter(now)) {
        return List.of(); // it may not have looked yet
      }
      for (var group : replica.instance().ledger().snapshot(heard).groups()) {
        if (group.members().stream().anyMatch(this::isAwaited)) {
          awaited.put(group.key(), now);
        }
        if (awaited.getOrDefault(group.key(), Instant.MIN).plus(late).isAfter(now)) {
          continue;
        }
        for (var member : group.members()) {
          if (member.standing() instanceof Standing.Planned(var plan, _)
              && plan.until().plus(late).isBefore(now)) {
            overdue.add(member.pod().key() + " is planned still: " + plan);
          }
        }
      }
    }
    return overdue;
  }

  private boolean isAwaited(Member member) {
    return member.standing() instanceof Standing.Planned(var plan, _)
        && world
            .find(ObjectRef.pod(member.pod().key()))
            .filter(pod -> claims.isAwaited(pod, plan.placement().node().value()))
            .isPresent();
  }

  /// Bind requests that are not answered.
  int unanswered() {
    return unanswered;
  }

  // What kube-scheduler asks

  /// A paused one takes questions and does not answer, which comes to the same as none.
  private Optional<Replica> asked() {
    if (up.isEmpty() || faultInjector.strikes(Fault.LOST_QUESTION)) {
      return Optional.empty();
    }
    var any = List.copyOf(up.values()).get(chance.below(up.size()));
    boolean misled = faultProfile.replicas() > 1 && chance.comes(MISLED);
    var asked = misled ? Optional.of(any) : leader().or(() -> Optional.of(any));
    return asked.filter(replica -> !replica.life().isPaused());
  }

  @Override
  public Filtered filter(Map<String, ?> pod, List<String> nodes) {
    return asked()
        .map(replica -> replica.answers().filter(pod, nodes))
        .orElseGet(
            () -> new Filtered(List.of(), new TreeMap<>(), new TreeMap<>(), "connection refused"));
  }

  @Override
  public Map<String, Integer> prioritize(Map<String, ?> pod, List<String> nodes) {
    return asked()
        .map(replica -> replica.answers().prioritize(pod, nodes))
        .orElseGet(() -> new TreeMap<>());
  }

  @Override
  public SortedMap<String, List<String>> preempt(
      Map<String, ?> pod, SortedMap<String, List<String>> victimsByNode) {
    return asked()
        .map(replica -> replica.answers().preempt(pod, victimsByNode))
        .orElseGet(() -> new TreeMap<>());
  }

  @Override
  public void bind(Binding binding, Consumer<String> answer) {
    var replica = asked();
    if (replica.isEmpty()) {
      answer.accept("connection refused");
      return;
    }
    unanswered++;
    var once = once(answer);
    var life = replica.get().life();
    life.whenOver(() -> once.accept("EOF"));
    boolean lost = faultInjector.strikes(Fault.LOST_BIND_REPLY);
    life.step(() ->
        replica
            .get()
            .answers()
            .bind(
                binding,
                said -> {
                  if (!life.isOver()) {
                    journal.count(lost && said.isEmpty() ? "bind reply lost" : "bind answered");
                    once.accept(lost ? "connection reset" : said);
                  }
                }));
  }

  private Consumer<String> once(Consumer<String> answer) {
    return new Consumer<>() {
      private boolean told;

      @Override
      public void accept(String said) {
        if (!told) {
          told = true;
          unanswered--;
          answer.accept(said);
        }
      }
    };
  }
}
