package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec.SubGroup;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Worlds of trees: groups with `minSubGroup` and `minMember` at their nodes, up to two levels of
/// sub-groups, elastic leaves, some of whose pods run and some of which wait, in two queues that
/// cannot both have what they want. They come to rest, and staleness is judged by the minimum of
/// the tree. `-Dtrees=3000` plays more.
class TreeLawTest {
  private static final int ROUNDS = 60;
  private static final int FEW = 200;

  static LongStream seeds() {
    long one = Long.getLong("seed", -1);
    return one >= 0 ? LongStream.of(one) : LongStream.range(0, Long.getLong("trees", FEW));
  }

  // ---- the worlds

  private static Cluster world(long seed) {
    var random = new SplittableRandom(97 * seed + 13);
    var world =
        cluster()
            .topology("fabric", "zone", "rack")
            .queue("a", quota(random.nextInt(7)))
            .queue("b", limited(quota(random.nextInt(7)), random));
    int nodes = 1 + random.nextInt(4);
    for (int i = 0; i < nodes; i++) {
      world.node(
          "n" + i,
          gpus(1 + random.nextInt(5)).label("zone", "z").label("rack", "r" + random.nextInt(2)));
    }
    int running = random.nextInt(4);
    for (int i = 0; i < running; i++) {
      runningTree(world, "r" + i, random);
    }
    int waiting = 1 + random.nextInt(4);
    for (int i = 0; i < waiting; i++) {
      world.waiting("w" + i, queue(random), tree(random));
    }
    return world;
  }

  private static QueueSketch limited(QueueSketch queue, SplittableRandom random) {
    return random.nextInt(3) == 0 ? queue.limit(2 + random.nextInt(8)) : queue;
  }

  private static String queue(SplittableRandom random) {
    return random.nextBoolean() ? "a" : "b";
  }

  /// Whole, or with fewer pods on nodes than it has: in some worlds below its minimum.
  private static void runningTree(Cluster world, String name, SplittableRandom random) {
    var sketch = tree(random);
    try {
      if (random.nextInt(3) == 0) {
        world.partly(name, queue(random), 1 + random.nextInt(sketch.count), sketch);
      } else {
        world.runningIfItFits(name, queue(random), sketch);
      }
    } catch (IllegalArgumentException full) {
      // those of its members that fitted stay as unrelated pods that take room
    }
  }

  private static PodSketch tree(SplittableRandom random) {
    int count = 2 + random.nextInt(6);
    var sketch = pods(count);
    int children = 2 + random.nextInt(Math.min(3, count) - 1);
    int left = count;
    for (int i = 0; i < children; i++) {
      int members = left / (children - i);
      left -= members;
      String child = "c" + i;
      if (members < 2 || random.nextInt(3) == 0) {
        sketch.role(child, "", members, least(members, random));
      } else {
        int below = Math.min(members, 2 + random.nextInt(2));
        sketch.inner(child, "", random.nextInt(below + 1));
        for (int k = 0; k < below; k++) {
          int its = (members + k) / below;
          sketch.role(child + "-" + k, child, its, least(its, random));
        }
      }
    }
    sketch.atLeastSubGroups(random.nextInt(children + 1));
    if (random.nextInt(4) == 0) {
      sketch.share(250 * (1 + random.nextInt(3)));
    } else {
      sketch.gpus(random.nextInt(5) == 0 ? 2 : 1);
    }
    if (random.nextInt(6) == 0) {
      sketch.together("fabric", random.nextBoolean() ? "zone" : "", "rack");
    }
    return sketch.priority(40 + 10 * random.nextInt(3)).minutesOld(random.nextInt(6));
  }

  /// Elastic in every second leaf.
  private static int least(int members, SplittableRandom random) {
    return random.nextBoolean() ? members : random.nextInt(members + 1);
  }

  // ---- they come to rest

  @ParameterizedTest
  @MethodSource("seeds")
  void whereVictimsLeaveAtOnceTheyComeToRest(long seed) {
    atRest(seed, Aftermath::swift);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whereVictimsTakeTheirTimeTheyComeToRest(long seed) {
    atRest(seed, Aftermath::slow);
  }

  private static int atRest(long seed, BiFunction<Snapshot, Plan, Snapshot> world) {
    var snapshot = world(seed).snapshot();
    var planner = Settings.planner(seed);
    var stale = new TreeMap<GroupKey, Instant>();
    var evictions = new TreeMap<PodKey, Integer>();
    for (int round = 0; round < ROUNDS; round++) {
      for (PodGroup group : snapshot.groups()) {
        assertThat(Staleness.isStale(group))
            .as(() -> "stale: " + words(group))
            .isEqualTo(isStale(group));
        if (Staleness.isStale(group)) {
          stale.putIfAbsent(group.key(), snapshot.now());
        } else {
          stale.remove(group.key());
        }
      }
      var plan = planner.plan(snapshot, stale);
      boolean rests = plan.decisions().stream().allMatch(Decision.Wait.class::isInstance);
      if (rests && Aftermath.isSettled(snapshot) && stale.isEmpty()) {
        snapshot.groups().forEach(group -> wholeOrNotAtAll(group));
        return evictions.values().stream().mapToInt(Integer::intValue).sum();
      }
      for (Decision decision : plan.decisions()) {
        switch (decision) {
          case Decision.Reserve reserve -> count(reserve.victims(), evictions);
          case Decision.Evict(_, var victims) -> count(victims, evictions);
          case Decision.Withdraw _, Decision.Wait _ -> {}
        }
      }
      snapshot = world.apply(snapshot, plan);
    }
    throw new AssertionError(
        "no rest after " + ROUNDS + " plans of seed " + seed + "; evicted: " + evictions);
  }

  private static void count(List<Decision.Victim> victims, TreeMap<PodKey, Integer> evictions) {
    victims.forEach(each -> evictions.merge(each.pod(), 1, Integer::sum));
  }

  private static void wholeOrNotAtAll(PodGroup group) {
    assertThat(bound(group.members()) == 0 || isMet(group))
        .as(() -> "runs in part: " + words(group))
        .isTrue();
  }

  // ---- the minimum of a tree, counted anew

  private static boolean isStale(PodGroup group) {
    return bound(group.members()) > 0 && !isMet(group);
  }

  private static boolean isMet(PodGroup group) {
    var spec = group.spec();
    return spec.subGroups().isEmpty()
        ? there(group.members()) >= spec.minMember()
        : isMet(group, "", spec.minSubGroup());
  }

  private static boolean isMet(PodGroup group, String parent, int minimum) {
    var children =
        group.spec().subGroups().stream().filter(each -> each.parent().equals(parent)).toList();
    long met = children.stream().filter(each -> isMet(group, each)).count();
    return met >= (minimum == 0 ? children.size() : minimum);
  }

  private static boolean isMet(PodGroup group, SubGroup each) {
    boolean inner =
        group.spec().subGroups().stream().anyMatch(other -> other.parent().equals(each.name()));
    return inner
        ? isMet(group, each.name(), each.minSubGroup())
        : there(members(group, each.name())) >= each.minMember();
  }

  private static List<Member> members(PodGroup group, String leaf) {
    return group.members().stream()
        .filter(member -> member.pod().belonging().subGroup().equals(leaf))
        .toList();
  }

  private static long bound(List<Member> members) {
    return members.stream().filter(each -> each.standing() instanceof Standing.Bound).count();
  }

  /// Terminating members count as running, and so do those that have a plan.
  private static long there(List<Member> members) {
    return members.stream()
        .filter(each ->
            each.standing() instanceof Standing.Bound
                || each.standing() instanceof Standing.Planned
                || each.standing() instanceof Standing.Leaving)
        .count();
  }

  private static String words(PodGroup group) {
    var words = new StringBuilder(group.key() + " " + group.spec().subGroups());
    group
        .members()
        .forEach(each -> words.append(' ').append(each.pod().key().name()).append(each.standing()));
    return words.toString();
  }

  // ---- the laws say something

  @Test
  void theWorldsAreNotIdle() {
    int evicted = 0;
    int stale = 0;
    int nested = 0;
    int fewChildren = 0;
    for (long seed = 0; seed < FEW; seed++) {
      var snapshot = world(seed).snapshot();
      stale += snapshot.groups().stream().anyMatch(Staleness::isStale) ? 1 : 0;
      nested +=
          snapshot.groups().stream()
                  .flatMap(group -> group.spec().subGroups().stream())
                  .anyMatch(each -> !each.parent().isEmpty())
              ? 1
              : 0;
      fewChildren +=
          snapshot.groups().stream().anyMatch(group -> group.spec().minSubGroup() == 1) ? 1 : 0;
      evicted += atRest(seed, Aftermath::swift) > 0 ? 1 : 0;
    }
    String all = evicted + " evict, " + stale + " stale, " + nested + " nested, " + fewChildren;
    assertThat(evicted > 40 && stale > 15 && nested > 120 && fewChildren > 60).as(all).isTrue();
  }
}
