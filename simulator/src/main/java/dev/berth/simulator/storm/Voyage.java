package dev.berth.simulator.storm;

import dev.berth.controllers.door.Watcher.Kind;
import dev.berth.simulator.check.GangWatch;
import dev.berth.simulator.check.QueueWatch;
import dev.berth.simulator.check.RoomWatch;
import dev.berth.simulator.faults.Fault;
import dev.berth.simulator.faults.Restarts;
import dev.berth.simulator.faults.Storm;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.Jobs;
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

/// One seed: a small world, the shipped product on it, storms with calms between them. After every
/// event the rules are looked at; in a calm everything must come to rest and be right.
public final class Voyage {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /// Later than any watch tells what happened.
  private static final Duration BLIND = Duration.ofSeconds(20);

  /// Later than a plan may end that lapsed while its Binding was in doubt.
  private static final Duration OVERDUE = Duration.ofSeconds(5);

  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration SCHEDULER_RESTARTS = Duration.ofSeconds(2);
  private static final int GANG_PATIENCE = 4;

  private final long seed;
  private final Weather weather;
  private final VirtualTime time;
  private final World world;
  private final Storm storm;
  private final Journal journal;
  private final GangWatch gangs;
  private final RoomWatch rooms;
  private final Lookout lookout;
  private final Harbour harbour;
  private final Fleet fleet;
  private final Backups backups;
  private final Mishaps mishaps;
  private final Calm calm;

  private boolean stormy;

  /// What came of it, if no rule was broken.
  ///
  /// @param fingerprint the same for the same seed
  /// @param steps events
  /// @param counts how often what happened
  public record Log(long fingerprint, long steps, SortedMap<String, Long> counts) {}

  private Voyage(long seed, Instance.Yard yard, Consumer<String> reader) {
    this.seed = seed;
    this.weather = Weather.by(seed);
    this.time = new VirtualTime(START);
    this.world = new World(time, settings(seed));
    this.storm = new Storm(seed, weather.faults());
    this.journal = new Journal(time, reader);
    this.gangs = new GangWatch(weather.patience().multipliedBy(GANG_PATIENCE).plusSeconds(60));
    this.rooms = new RoomWatch(BLIND);
    this.lookout = new Lookout(time, journal, rooms, new QueueWatch(BLIND.plus(weather.lease())));
    this.harbour = new Harbour(world);
    var slip = yard.slip(weather.settings());
    yard.listen(this::hear);
    this.fleet = new Fleet(world, storm, weather, slip, journal, lookout);
    this.backups = new Backups(world, fleet.leases(), journal);
    this.mishaps = new Mishaps(world, harbour, journal);
    this.calm = new Calm(world, slip, fleet, rooms, journal);
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
  public static Log sail(long seed, Instance.Yard yard, Consumer<String> reader) {
    var voyage = new Voyage(seed, yard, reader);
    try {
      return voyage.sail();
    } catch (Broken broken) {
      throw broken;
    } catch (RuntimeException mistake) { // of ours: a rule like any other
      throw voyage.broken(
          List.of(
              "threw "
                  + mistake
                  + " at "
                  + Arrays.stream(mistake.getStackTrace()).limit(4).toList()));
    }
  }

  private Broken broken(List<String> rules) {
    return new Broken(seed, time.happened(), time.instant(), rules, journal.last());
  }

  private void hear(Instance.Said said) {
    journal.tell("log: " + said.message() + (said.details().isEmpty() ? "" : " " + said.details()));
    journal.count("log: " + said.message());
    if (said.error()) {
      journal.breaks("our mistake: " + said.message() + " " + said.details());
    }
  }

  private Log sail() {
    world.audit(lookout);
    time.afterEach(this::check);
    journal.tell("weather " + weather);
    harbour.build();
    var kubelet = new Kubelet(world);
    kubelet.start();
    var jobs = new Jobs(world, weather.pauseOfJobs());
    jobs.start();
    var ours = new KubeScheduler(world, SchedulerSettings.BERTH, Optional.of(fleet));
    ours.start();
    var theirs = new KubeScheduler(world, SchedulerSettings.named(Traffic.OTHER), Optional.empty());
    theirs.start();
    backups.whenPutBack(kubelet::restart);
    backups.whenPutBack(jobs::restart);
    backups.whenPutBack(ours::restart);
    backups.whenPutBack(theirs::restart);
    backups.whenPutBack(fleet::etcdWentBack);
    new Restarts(time, storm, SCHEDULER_RESTARTS, () -> restart(ours)).start();
    deaths(fleet::strike, "deaths");
    lookAtWhatLasts();
    fleet.launch();
    var tenants =
        new Tenants(
            world,
            weather.acts(),
            harbour.leaves(),
            () -> fleet.ledger().isPresent(),
            rooms,
            journal);
    var disks = new Disks(world, weather.disks(), journal);
    var users =
        new Traffic(
            world,
            harbour.leaves(),
            journal,
            weather.trees(),
            pod -> {
              tenants.dress(pod, weather.acts());
              disks.dress(pod);
            });
    for (int i = 0; i < weather.spells(); i++) {
      journal.tell("storm");
      stormy = true;
      storm.rise();
      users.begin();
      tenants.begin();
      disks.begin();
      mishaps.begin();
      if (weather.backups()) {
        backups.begin();
      }
      time.runFor(weather.spell());
      journal.tell("calm");
      stormy = false;
      storm.heal();
      users.end();
      tenants.end();
      disks.end();
      mishaps.end();
      backups.end();
      rest();
    }
    for (Fault fault : Fault.values()) {
      journal.count(
          "fault: " + fault.name().toLowerCase(Locale.ROOT).replace('_', ' '), storm.struck(fault));
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
        chance.around(weather.deaths()),
        new Runnable() {
          @Override
          public void run() {
            if (stormy) {
              death.run();
            }
            time.after(chance.around(weather.deaths()), this);
          }
        });
  }

  /// What may last for a while, but not for ever.
  private void lookAtWhatLasts() {
    fleet.overdue(OVERDUE.plus(weather.patience())).forEach(journal::breaks);
    fleet.wronglyCharged().forEach(journal::breaks);
    gangs
        .broken(world.list(Kind.POD_GROUP), world.list(Kind.POD), time.instant())
        .forEach(journal::breaks);
    time.after(LOOK, this::lookAtWhatLasts);
  }

  /// Waits for rest, longer than anything that Berth waits for, and then looks at everything.
  private void rest() {
    Duration quiet = weather.patience().plusSeconds(12);
    Instant end = time.instant().plus(quiet.multipliedBy(12));
    long changes = -1;
    Instant since = time.instant();
    while (time.instant().isBefore(end)) {
      time.runFor(LOOK);
      if (lookout.changes() != changes) {
        changes = lookout.changes();
        since = time.instant();
      } else if (!since.plus(quiet).isAfter(time.instant())) {
        calm.check();
        check();
        return;
      }
    }
    journal.breaks("nothing goes wrong any more, and yet it does not come to rest");
    check();
  }

  private void check() {
    lookout.judge();
    if (!journal.broken().isEmpty()) {
      throw broken(journal.broken());
    }
  }
}
