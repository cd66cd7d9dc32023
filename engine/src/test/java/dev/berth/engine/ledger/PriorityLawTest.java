package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.group;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.ledger.Sketch.PodSketch;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// No pod enjoys a higher priority than it was admitted with, or than its plan says once it has a
/// place, even if other pods join its group, are planned, end or are edited. So is it for a process
/// that starts then.
class PriorityLawTest {
  private static final List<Integer> PRIORITIES = List.of(-20, 0, 10, 50, 90, 200);
  private static final List<String> CLASSES = List.of("", "train", "high");
  private static final int USUAL = 50;
  private static final int PODS = 12;
  private static final int GROUPS = 3;
  private static final int STEPS = 150;

  /// A pod as it is now.
  private static final class One {
    int priority;
    String group = "";
    String label = "";
    WrittenPlan plan = WrittenPlan.NONE;
    boolean bound;
    boolean over;
  }

  private final TreeMap<String, One> pods = new TreeMap<>();
  private final TreeMap<String, Fact> objects = new TreeMap<>();
  private Random random = new Random(0);
  private int version = 1;

  static List<Long> seeds() {
    Long one = Long.getLong("seed");
    return one != null ? List.of(one) : LongStream.rangeClosed(1, 100).boxed().toList();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noPodIsAboveWhatItWasAdmittedWith(long seed) {
    random = new Random(seed);
    var told = started();
    for (int i = 0; i < STEPS; i++) {
      step(told);
      assertHolds(told, "step " + i);
    }
    var successor = started();
    objects.values().forEach(successor.ledger::record);
    assertHolds(successor, "a process that starts then");
  }

  private static Told started() {
    var told = new Told();
    told.nodes(64, "a");
    told.ledger.record(new Fact.PriorityClassSeen("train", 1, USUAL, false));
    told.ledger.record(new Fact.PriorityClassSeen("high", 1, 1000, false));
    return told;
  }

  private void step(Told told) {
    String name = "p-" + (version - random.nextInt(PODS));
    var one = pods.get(name);
    if (one == null) {
      name = "p-" + ++version;
      one = new One();
      one.priority = any(PRIORITIES);
      one.group = anyGroup();
      pods.put(name, one);
    }
    switch (random.nextInt(6)) {
      case 0 -> one.group = anyGroup();
      case 1 -> plan(told, name, one);
      case 2 -> one.bound |= !one.plan.isNone();
      case 3 -> one.over |= one.bound;
      case 4 -> see(told, new Fact.GroupSeen(object()));
      default -> one.label = any(CLASSES);
    }
    if (random.nextInt(8) == 0) {
      told.farewell(name);
      pods.remove(name);
      objects.remove(name);
    } else {
      see(told, name, one);
    }
  }

  private void plan(Told told, String name, One one) {
    see(told, name, one);
    if (one.plan.isNone()) {
      String group = told.ledger.groupOf(uid(name)).orElseThrow().key().name();
      one.plan = told.assumedOf(group, name, Placement.on(at("a")));
    }
  }

  private void see(Told told, String name, One one) {
    PodSketch now =
        pod(name)
            .gpus(1)
            .priority(one.priority)
            .group(one.group)
            .priorityClass(one.label)
            .version(++version);
    now = one.plan.isNone() ? now : now.ungated().written(one.plan);
    now = one.bound ? now.on("a") : now;
    see(told, name, new Fact.PodSeen((one.over ? now.over(true) : now).made()));
  }

  private void see(Told told, Fact.GroupSeen object) {
    see(told, object.group().key().name(), object);
  }

  private void see(Told told, String name, Fact fact) {
    objects.put(name, fact);
    told.ledger.record(fact);
  }

  private GroupSpec object() {
    var spec = group(anyGroup(), 1);
    return new GroupSpec(
        spec.key(),
        spec.uid(),
        ++version,
        spec.created(),
        spec.queue(),
        1,
        0,
        List.of(),
        spec.topology(),
        any(CLASSES),
        spec.preemptibility(),
        spec.patience(),
        spec.staleSince(),
        List.of());
  }

  private String anyGroup() {
    return "g-" + random.nextInt(GROUPS);
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private void assertHolds(Told told, String when) {
    for (var each : told.snapshot().groups()) {
      for (var member : each.members()) {
        if (!(member.standing() instanceof Standing.Over)) {
          assertThat(each.priority())
              .as("%s: %s in %s", when, member.pod().key(), each.key())
              .isLessThanOrEqualTo(most(member));
        }
      }
    }
  }

  private static int most(Member member) {
    int admitted = member.pod().asks().priority();
    var plan = member.standing() instanceof Standing.Waiting ? WrittenPlan.NONE : planOf(member);
    int settled = plan.isNone() ? Integer.MAX_VALUE : plan.chargedTo().priority();
    return Math.min(admitted == 0 ? USUAL : admitted, settled);
  }

  private static WrittenPlan planOf(Member member) {
    return member.standing() instanceof Standing.Planned(var plan, _)
        ? plan
        : member.pod().written().plan();
  }
}
