package dev.berth.cli.demo;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.Time;
import dev.berth.simulator.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/// Teams with a steady load: as soon as the cluster could take more, a workload comes, so a little
/// more is asked for than there is and some work always waits. Each team's load swells and ebbs, so
/// that queues borrow from each other and take back. Now and then comes a request that cannot be
/// granted, to show why; it is deleted after a while.
public final class DemoWorkload {
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final Duration IMPOSSIBLE_EVERY = Duration.ofSeconds(11);
  private static final Duration GIVES_UP_AFTER = Duration.ofSeconds(25);

  /// What is asked for at most, in thousandths of what there is.
  private static final int LOAD = 1130;

  /// What a waiting workload counts at most: a gang that waits for many devices must not silence
  /// the others, or the cluster would run empty for it.
  private static final int WAITING_COUNTS = 6000;

  /// @param part of the cluster that it wants on average, in thousandths
  /// @param wave how long its appetite takes from one high to the next
  private record Team(
      String name, String priority, int part, Duration wave, List<String> singles) {}

  private static final List<Team> TEAMS =
      List.of(
          new Team("vision", "train", 310, Duration.ofSeconds(97), List.of("detect", "pose")),
          new Team("speech", "train", 220, Duration.ofSeconds(71), List.of("asr", "tts")),
          new Team("serving", "serve", 220, Duration.ofSeconds(113), List.of("chat", "embed")),
          new Team("batch", "scavenge", 250, Duration.ofSeconds(59), List.of("eval", "dedupe")));

  private final World world;
  private final Time time;
  private final Chance chance;
  private final Instant began;
  private int number;
  private int impossible;

  public DemoWorkload(World world) {
    this.world = world;
    this.time = world.time();
    this.chance = new Chance(world.settings().seed(), "demo workload");
    this.began = time.instant();
  }

  /// Begins to ask; runs in the world's time.
  public void start() {
    time.after(Duration.ofMillis(500), this::look);
    time.after(Duration.ofSeconds(6), this::wishTheImpossible);
  }

  private void look() {
    var asked = askedMillisByTeam();
    int total = asked.values().stream().mapToInt(Integer::intValue).sum();
    int most = DemoCluster.DEVICES * LOAD;
    for (int i = 0; i < 6 && total < most; i++) {
      var team = hungriest(asked);
      int millis = submit(team);
      asked.merge(team.name(), millis, Integer::sum);
      total += millis;
    }
    time.after(LOOK.plus(chance.between(Duration.ZERO, LOOK)), this::look);
  }

  private TreeMap<String, Integer> askedMillisByTeam() {
    var asked = new TreeMap<String, Integer>();
    var waitingByJob = new TreeMap<String, Integer>();
    TEAMS.forEach(team -> asked.put(team.name(), 0));
    for (var tree : world.list(Kind.POD)) {
      var pod = PodView.of(tree);
      String team = ObjectTree.label(tree, "berth.dev/queue");
      if (pod.takesRoom() && !pod.isLeaving() && asked.containsKey(team)) {
        asked.merge(team, DemoManifests.millis(pod), Integer::sum);
      } else if (pod.node().isEmpty()
          && asked.containsKey(team)
          && !DemoManifests.isImpossible(tree)) {
        String job = team + "/" + ObjectTree.label(tree, DemoManifests.JOB_LABEL);
        waitingByJob.merge(job, DemoManifests.millis(pod), Integer::sum);
      }
    }
    // A job whose pods do not exist yet is not seen here: it is asked for again at most once.
    waitingByJob.forEach((job, millis) ->
        asked.merge(
            job.substring(0, job.indexOf('/')), Math.min(millis, WAITING_COUNTS), Integer::sum));
    return asked;
  }

  private Team hungriest(TreeMap<String, Integer> asked) {
    var best = TEAMS.getFirst();
    double mostMissing = Double.NEGATIVE_INFINITY;
    for (var team : TEAMS) {
      double wants = appetite(team) * DemoCluster.DEVICES * LOAD / 1000;
      double missing = (wants - asked.getOrDefault(team.name(), 0)) / wants;
      if (missing > mostMissing) {
        mostMissing = missing;
        best = team;
      }
    }
    return best;
  }

  private double appetite(Team team) {
    double phase = (double) Duration.between(began, time.instant()).toMillis();
    double wave = StrictMath.sin(2 * StrictMath.PI * phase / team.wave().toMillis());
    return team.part() * (1 + 0.45 * wave);
  }

  /// @return thousandths of devices asked for
  private int submit(Team team) {
    boolean steady = team.name().equals("serving");
    int dice = chance.below(100);
    if (dice < (steady ? 55 : 34)) {
      return share(team);
    }
    if (dice < (steady ? 75 : 46)) {
      return memoryShare(team);
    }
    if (dice < (steady ? 83 : 54)) {
      return twoDevices(team);
    }
    if (dice < (steady ? 97 : 76)) {
      return whole(team);
    }
    return gang(team);
  }

  private int share(Team team) {
    int tenths = chance.between(1, 9);
    single(team, DemoManifests.fraction(tenths * 100));
    return tenths * 100;
  }

  private int memoryShare(Team team) {
    int gibibytes = chance.between(3, 24);
    single(team, DemoManifests.memory(gibibytes));
    return gibibytes * 25;
  }

  private int twoDevices(Team team) {
    int tenths = chance.between(2, 5);
    single(team, DemoManifests.fractionOfTwo(tenths * 100));
    return tenths * 200;
  }

  private int whole(Team team) {
    int devices = chance.of(List.of(1, 1, 1, 2, 2, 4));
    single(team, DemoManifests.whole(devices));
    return devices * 1000;
  }

  private void single(Team team, DemoManifests.Wish wish) {
    String name = chance.of(team.singles()) + "-" + ++number;
    var template = DemoManifests.pod(team.name(), team.priority(), wish, duration());
    world.create(Kind.JOB, DemoManifests.job(team.name(), name, 1, template));
  }

  private int gang(Team team) {
    int members = chance.of(List.of(2, 2, 3, 4, 4, 6, 8, 8, 12, 16));
    int devices =
        members == 2 ? chance.of(List.of(2, 4, 8)) : members <= 4 ? chance.of(List.of(1, 2, 4)) : 1;
    devices = team.name().equals("serving") ? 1 : devices;
    String name = (devices * members >= 8 ? "pretrain-" : "train-") + ++number;
    var template =
        DemoManifests.pod(team.name(), team.priority(), DemoManifests.whole(devices), duration());
    if (chance.comes(0.5)) {
      DemoManifests.nameGroup(template, name);
      var job = world.create(Kind.JOB, DemoManifests.job(team.name(), name, members, template));
      world.create(
          Kind.POD_GROUP,
          DemoManifests.group(job, members, topology(devices * members), team.priority()));
    } else {
      DemoManifests.minMember(template, members);
      var job = DemoManifests.job(team.name(), name, members, template);
      DemoManifests.minMember(job, members);
      world.create(Kind.JOB, job);
    }
    return devices * members * 1000;
  }

  /// What fits into a rack may insist on one; the rest would like one.
  private String topology(int devices) {
    boolean insists = devices <= 16 && chance.comes(0.4);
    return insists ? "required" : chance.comes(0.5) ? "preferred" : "";
  }

  private Duration duration() {
    return chance.between(Duration.ofSeconds(5), Duration.ofSeconds(40));
  }

  private void wishTheImpossible() {
    var wish = DemoManifests.IMPOSSIBLE.get(impossible++ % DemoManifests.IMPOSSIBLE.size());
    var team = chance.of(TEAMS);
    var pod = DemoManifests.impossible(team.name(), team.priority(), wish);
    var metadata = ObjectTree.under(pod, "metadata");
    metadata.put("namespace", team.name());
    metadata.put("name", wish.name() + "-" + ++number);
    world.create(Kind.POD, pod);
    var ref = ObjectRef.to(Kind.POD, pod);
    time.after(
        GIVES_UP_AFTER,
        () -> {
          if (world.find(ref).isPresent()) {
            world.delete(ref);
          }
        });
    time.after(chance.around(IMPOSSIBLE_EVERY).plusSeconds(2), this::wishTheImpossible);
  }
}
