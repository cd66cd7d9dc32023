package dev.berth.simulator.chaos;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.simulator.faults.Fault;
import dev.berth.simulator.world.Chance;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a seed makes of the faults and of the product's settings: some never come, some often.
///
/// @param faults how likely each is, for each event, write or question
/// @param settings fields of the configuration
/// @param patience what the settings let pass at most before something is given up: the plan's
///   deadline, the veto, the grace of stale groups, the patience with victims
/// @param deaths how often Berth ends between two steps, on average
/// @param spells how often faults and quiescence take turns
/// @param spell how long faults are injected each time
/// @param replicas how many processes of Berth there are
/// @param lease whether they compete for a lease; how long it lasts, else zero
/// @param trees whether gangs of several jobs come that are trees of sub-groups: in every third
///   seed
/// @param disks whether pods have volumes: in every fourth seed, and where tenants abuse them
/// @param backups whether etcd is put back to an earlier state now and then
/// @param pauseOfJobs before a job that has lost its first pod makes another; zero in most seeds
/// @param acts what tenants and administrators do meanwhile; in every second seed nothing
record FaultProfile(
    Map<Fault, Double> faults,
    Map<String, Object> settings,
    Duration patience,
    Duration deaths,
    int spells,
    Duration spell,
    int replicas,
    Duration lease,
    Set<Tenants.Act> acts,
    boolean trees,
    boolean disks,
    boolean backups,
    Duration pauseOfJobs) {
  /// In two of five seeds.
  private static final List<Duration> PAUSES =
      List.of(
          Duration.ZERO,
          Duration.ZERO,
          Duration.ZERO,
          Duration.ofSeconds(3),
          Duration.ofSeconds(10));

  /// A lease is held firmly for so many tenths of its duration.
  private static final int FIRM_TENTHS = 6;

  /// How likely it is that etcd goes back in a seed.
  private static final double BACKUPS = 0.2;

  private static final int LONGEST_GRACE = 8;

  /// Longer than jobs pause at first, and shorter than the rest that is waited for in the end.
  private static final int PLACE_IS_KEPT = 12;

  static FaultProfile by(long seed) {
    var chance = new Chance(seed, "weather");
    var faults = new EnumMap<Fault, Double>(Fault.class);
    for (Fault fault : Fault.values()) {
      faults.put(fault, likelihood(fault, chance));
    }
    var company = new Chance(seed, "company"); // its own, so that it changes no other chance
    boolean leased = company.comes(0.8);
    int replicas = leased && company.comes(0.75) ? 2 : 1;
    int lease = leased ? company.of(List.of(3, 6, 10)) : 0;
    if (!leased) { // nothing would fence them off from the next process
      faults.put(Fault.LATE_WRITE, 0.0);
      faults.put(Fault.LATE_ATTEMPT, 0.0);
    }
    var acts = acts(new Chance(seed, "acts")); // its own, too
    int deadline = chance.of(List.of(12, 20));
    int veto = chance.of(List.of(2, 10));
    int grace = chance.of(List.of(3, 10));
    int patience = chance.of(List.of(5, 15));
    var settings =
        of(
            "plan",
            of(
                "deadline",
                deadline + "s",
                "veto",
                veto + "s",
                "nominateFrom",
                chance.comes(0.25) ? 0 : 1000,
                "window",
                chance.of(List.of(2, 1024)),
                "volumeBindTimeout",
                "60s"),
            "extender",
            of("barrier", chance.of(List.of("2s", "5s"))),
            "stalenessGracePeriod",
            grace + "s",
            "holders",
            of("keepIdle", chance.of(List.of("0s", "2s"))),
            "evictions",
            of("budgetTimeout", patience + "s", "placeHold", PLACE_IS_KEPT + "s"),
            "placement",
            of("gpu", chance.comes(0.2) ? "spread" : "binpack"),
            "lease",
            leased ? lease(lease, company) : of("enabled", false));
    if (acts.contains(Tenants.Act.GRACES)) {
      settings.put("reclaim", of("maxGracePeriod", LONGEST_GRACE + "s"));
    }
    return new FaultProfile(
        faults,
        settings,
        Duration.ofSeconds(deadline + veto + grace + patience + lease),
        chance.of(List.of(Duration.ofSeconds(8), Duration.ofSeconds(40), Duration.ofHours(1))),
        chance.between(1, 2),
        chance.of(List.of(Duration.ofSeconds(20), Duration.ofSeconds(40))),
        replicas,
        Duration.ofSeconds(lease),
        acts,
        new Chance(seed, "are there trees").comes(0.33),
        new Chance(seed, "are there disks").comes(0.25) || acts.contains(Tenants.Act.VOLUMES),
        new Chance(seed, "does etcd go back").comes(BACKUPS),
        new Chance(seed, "do jobs pause").of(PAUSES));
  }

  private static Set<Tenants.Act> acts(Chance chance) {
    var acts = EnumSet.noneOf(Tenants.Act.class);
    if (chance.comes(0.5)) {
      for (var act : Tenants.Act.values()) {
        if (chance.comes(0.4)) {
          acts.add(act);
        }
      }
    }
    return acts;
  }

  private static Map<String, Object> lease(int seconds, Chance chance) {
    return of(
        "duration",
        seconds + "s",
        "renewDeadline",
        seconds * 100 * FIRM_TENTHS + "ms",
        "retryPeriod",
        chance.of(List.of(300, 1000)) + "ms");
  }

  private static double likelihood(Fault fault, Chance chance) {
    if (chance.comes(0.4)) {
      return 0;
    }
    return switch (fault) {
      case LATE_WATCH, BROKEN_WATCH -> chance.of(List.of(0.001, 0.005, 0.02));
      case REPEATED_WATCH, REORDERED_WATCH -> chance.of(List.of(0.01, 0.1, 0.3));
      case FAILED_WRITE, LOST_REPLY, CONFLICT, NOT_NOW, LOST_QUESTION, LOST_BIND_REPLY ->
          chance.of(List.of(0.02, 0.1, 0.3));
      case LATE_WRITE, LATE_ATTEMPT -> chance.of(List.of(0.005, 0.02, 0.1));
      case DEATH_IN_A_WRITE -> chance.of(List.of(0.01, 0.05));
      case SCHEDULER_RESTART -> chance.of(List.of(0.02, 0.1));
    };
  }
}
