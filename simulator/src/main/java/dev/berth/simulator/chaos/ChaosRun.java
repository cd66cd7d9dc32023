package dev.berth.simulator.chaos;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.check.GangWatch;
import dev.berth.simulator.check.QueueWatch;
import dev.berth.simulator.check.RoomWatch;
import dev.berth.simulator.faults.Fault;
import dev.berth.simulator.faults.FaultInjector;
import dev.berth.simulator.faults.Restarts;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.JobController;
import dev.berth.simulator.world.KubeScheduler;
import dev.berth.simulator.world.Kubelet;
import dev.berth.simulator.world.SchedulerSettings;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/// One seed: a small world, the shipped product on it, phases with faults and without. After every
/// event the rules are looked at; without faults everything must come to rest and be right.
public final class ChaosRun {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /// Later than any watch tells what happened.
  private static final Duration BLIND = Duration.ofSeconds(20);

  /// Later than a plan may end that lapsed while its Binding was in doubt.
  private static final Duration OVERDUE = Duration.ofSeconds(5);

  /// Of the shipped configuration.
  private static final Duration BIND_TIMEOUT = Duration.ofSeconds(60);

  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration SCHEDULER_RESTARTS = Duration.ofSeconds(2);
  private static final int GANG_PATIENCE = 4;

  private final long seed;
  private final FaultProfile faultProfile;
  private final VirtualTime time;
  private final World world;
  private final FaultInjector faultInjector;
  private final Journal journal;
  private final GangWatch gangs;
  private final RoomWatch rooms;
  private final InvariantMonitor invariantMonitor;
  private final ClusterGenerator clusterGenerator;
  private final Replicas replicas;
  private final Backups backups;
  private final NodeFaults nodeFaults;
  private final QuiescenceCheck quiescenceCheck;

  private boolean isFaulty;

  /// What came of it, if no rule was broken.
  ///
  /// @param fingerprint the same for the same seed
  /// @param steps events
  /// @param counts how often what happened
  public record Log(long fingerprint, long steps, SortedMap<String, Long> counts) {}

  private ChaosRun(long seed, BerthProcess.ReplicaFactory replicaFactory, Consumer<String> reader) {
    this.seed = seed;
    this.faultProfile = FaultProfile.by(seed);
    this.time = new VirtualTime(START);
    this.world = new World(time, settings(seed));
    this.faultInjector = new FaultInjector(seed, faultProfile.faults());
    this.journal = new Journal(time, reader);
    this.gangs = new GangWatch(faultProfile.patience().multipliedBy(GANG_PATIENCE).plusSeconds(60));
    this.rooms = new RoomWatch(BLIND);
    this.invariantMonitor =
        new InvariantMonitor(
            time, journal, rooms, new QueueWatch(BLIND.plus(faultProfile.lease())));
    this.clusterGenerator = new ClusterGenerator(world);
    var replicaTemplate = replicaFactory.template(faultProfile.settings());
    replicaFactory.listen(this::hear);
    this.replicas =
        new Replicas(
            world, faultInjector, faultProfile, replicaTemplate, journal, invariantMonitor);
    this.backups = new Backups(world, replicas.leases(), journal);
    this.nodeFaults = new NodeFaults(world, clusterGenerator, journal);
    this.quiescenceCheck = new QuiescenceCheck(world, replicaTemplate, replicas, rooms, journal);
  }

  private static WorldSettings settings(long seed) {
    var chance = new Chance(seed, "world settings");
    return new WorldSettings(
        seed,
        Duration.ofMillis(chance.between(0, 30)),
        Duration.ofMillis(chance.between(100, 3000)),
        Duration.ofMillis(chance.between(100, 2000)));
  }

  /// @param reader hears every line of the story
  /// @throws Broken where a rule does not hold
  public static Log run(
      long seed, BerthProcess.ReplicaFactory replicaFactory, Consumer<String> reader) {
    var chaosRun = new ChaosRun(seed, replicaFactory, reader);
    try {
      return chaosRun.run();
    } catch (InvariantViolation broken) {
      throw broken;
    } catch (RuntimeException internalError) { // of Berth: a rule like any other
      throw chaosRun.broken(
          List.of(
              "threw "
                  + internalError
                  + " at "
                  + Arrays.stream(internalError.getStackTrace()).limit(4).toList()));
    }
  }

  private InvariantViolation broken(List<String> rules) {
    return new InvariantViolation(seed, time.happened(), time.instant(), rules, journal.last());
  }

  private void hear(BerthProcess.Said said) {
    journal.tell("log: " + said.message() + (said.details().isEmpty() ? "" : " " + said.details()));
    journal.count("log: " + said.message());
    if (said.error()) {
      journal.breaks("internal error: " + said.message() + " " + said.details());
    }
  }

  private Log run() {
    world.audit(invariantMonitor);
    time.afterEach(this::check);
    journal.tell("weather " + faultProfile);
    clusterGenerator.build();
    var kubelet = new Kubelet(world);
    kubelet.start();
    var jobs = new JobController(world, faultProfile.pauseOfJobs());
    jobs.start();
    var settings = SchedulerSettings.BERTH.waitingForVolumes(BIND_TIMEOUT);
    var ours = new KubeScheduler(world, settings, Optional.of(replicas));
    invariantMonitor.keeper(ours::kept);
    ours.start();
    var theirs = new KubeScheduler(world, SchedulerSettings.named(Traffic.OTHER), Optional.empty());
    theirs.start();
    backups.whenPutBack(kubelet::restart);
    backups.whenPutBack(jobs::restart);
    backups.whenPutBack(ours::restart);
    backups.whenPutBack(theirs::restart);
    backups.whenPutBack(replicas::etcdWentBack);
    new Restarts(time, faultInjector, SCHEDULER_RESTARTS, () -> restart(ours)).start();
    deaths(replicas::strike, "deaths");
    lookAtWhatLasts();
    replicas.launch();
    var tenants =
        new Tenants(
            world,
            faultProfile.acts(),
            clusterGenerator.leaves(),
            () -> replicas.ledger().isPresent(),
            rooms,
            journal);
    boolean areAbused = faultProfile.acts().contains(Tenants.Act.VOLUMES);
    var disks = new Disks(world, faultProfile.disks(), areAbused, journal);
    ours.whenKept(room -> {
      invariantMonitor.keeps(room);
      disks.selected(room);
      tenants.selected(room);
    });
    var users =
        new Traffic(
            world,
            clusterGenerator.leaves(),
            journal,
            faultProfile.trees(),
            pod -> {
              tenants.dress(pod, faultProfile.acts());
              disks.dress(pod);
            });
    for (int i = 0; i < faultProfile.spells(); i++) {
      journal.tell("faults begin");
      isFaulty = true;
      faultInjector.rise();
      users.begin();
      tenants.begin();
      disks.begin();
      nodeFaults.begin();
      if (faultProfile.backups()) {
        backups.begin();
      }
      time.runFor(faultProfile.spell());
      journal.tell("calm");
      isFaulty = false;
      faultInjector.heal();
      users.end();
      tenants.end();
      disks.end();
      nodeFaults.end();
      backups.end();
      rest(ours);
    }
    for (Fault fault : Fault.values()) {
      journal.count(
          "fault: " + fault.name().toLowerCase(Locale.ROOT).replace('_', ' '),
          faultInjector.struck(fault));
    }
    return new Log(journal.fingerprint(), time.happened(), journal.counts());
  }

  private void restart(KubeScheduler scheduler) {
    journal.tell("kube-scheduler restarts");
    scheduler.restart();
  }

  private void deaths(Runnable death, String part) {
    var chance = new Chance(seed, part);
    time.after(
        chance.around(faultProfile.deaths()),
        new Runnable() {
          @Override
          public void run() {
            if (isFaulty) {
              death.run();
            }
            time.after(chance.around(faultProfile.deaths()), this);
          }
        });
  }

  /// What may last for a while, but not for ever.
  private void lookAtWhatLasts() {
    replicas.overdue(OVERDUE.plus(faultProfile.patience())).forEach(journal::breaks);
    replicas.wronglyCharged().forEach(journal::breaks);
    gangs
        .broken(
            world.list(Kind.POD_GROUP), world.list(Kind.POD), world.list(Kind.JOB), time.instant())
        .forEach(journal::breaks);
    time.after(LOOK, this::lookAtWhatLasts);
  }

  /// Waits for rest, longer than anything that Berth waits for, and then looks at everything. A new
  /// leader cannot know that kube-scheduler refused a pod of which it may wait for a volume.
  private void rest(KubeScheduler ours) {
    Duration volumes = faultProfile.disks() ? BIND_TIMEOUT.plusSeconds(10) : Duration.ZERO;
    Duration quiet = faultProfile.patience().plus(volumes).plusSeconds(12);
    Instant end = time.instant().plus(quiet.multipliedBy(12));
    long changes = -1;
    Instant since = time.instant();
    while (time.instant().isBefore(end)) {
      time.runFor(LOOK);
      if (invariantMonitor.changes() != changes || !ours.kept().isEmpty()) {
        changes = invariantMonitor.changes();
        since = time.instant();
      } else if (!since.plus(quiet).isAfter(time.instant())) {
        quiescenceCheck.check();
        check();
        return;
      }
    }
    journal.breaks("nothing goes wrong any more, and yet it does not come to rest");
    check();
  }

  private void check() {
    invariantMonitor.judge();
    if (!journal.broken().isEmpty()) {
      throw broken(journal.broken());
    }
  }
}
