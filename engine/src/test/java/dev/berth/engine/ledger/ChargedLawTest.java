package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.START;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.group;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.model.Preemptibility.PREEMPTIBLE;
import static dev.berth.engine.model.Preemptibility.SEMI_PREEMPTIBLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.ledger.Sketch.PodSketch;
import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.WrittenPlan;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// No edit by a tenant lowers what another queue is owed: whatever is said later of pods that have
/// a place, by their labels, their owners, their PodGroup or their namespace, each is charged to
/// the same queue, at the same priority, and may be asked to leave as before; the priority is lower
/// beside others of its group that have a lower one. So is it for a process that starts then.
class ChargedLawTest {
  private static final List<String> QUEUES = List.of("own", "other", "third", "no-such-queue");
  private static final List<String> CLASSES = List.of("", "low", "high", "no-such-class");
  private static final int GROUPS = 6;
  private static final int EDITS = 60;

  private final TreeMap<String, WrittenPlan> plans = new TreeMap<>();
  private final TreeMap<String, Fact> objects = new TreeMap<>();
  private Random random = new Random(0);
  private int version = 1;

  static List<Long> seeds() {
    Long one = Long.getLong("seed");
    return one != null
        ? List.of(one)
        : java.util.stream.LongStream.rangeClosed(1, 50).boxed().toList();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatAPlacedPodIsChargedAsStays(long seed) {
    random = new Random(seed);
    var told = started();
    for (int g = 0; g < GROUPS; g++) {
      edit(told, g, false);
      String pod = "p-" + g;
      see(told, pod, sketch(g));
      plans.put(pod, told.assumedOf("g-" + g, pod, Placement.on(at("a"))));
    }
    var before = charges(told);
    assertThat(before).hasSize(GROUPS);
    for (int i = 0; i < EDITS; i++) {
      edit(told, random.nextInt(GROUPS), true);
      assertThat(charges(told)).as("after %d edits", i + 1).isEqualTo(before);
    }
    for (int g = 0; g < GROUPS; g++) {
      see(told, "p-" + g, placed(g));
    }
    assertThat(charges(told)).as("as the API shows them").isEqualTo(before);
    for (int i = 0; i < EDITS; i++) {
      int g = random.nextInt(GROUPS);
      see(told, "p-" + g, placed(g).group("g-" + random.nextInt(GROUPS)));
      edit(told, random.nextInt(GROUPS), false);
      assertNoneIsHigher(charges(told), before);
    }
    var last = charges(told);
    var successor = started();
    objects.values().forEach(successor.ledger::record);
    assertThat(charges(successor)).as("for a process that starts then").isEqualTo(last);
  }

  private static void assertNoneIsHigher(
      TreeMap<PodKey, ChargedTo> now, TreeMap<PodKey, ChargedTo> before) {
    assertThat(now.keySet()).isEqualTo(before.keySet());
    now.forEach((pod, charge) -> {
      var was = before.getOrDefault(pod, ChargedTo.NONE);
      assertThat(charge.withoutPriority()).as(pod + "").isEqualTo(was.withoutPriority());
      assertThat(charge.priority()).as(pod + "").isLessThanOrEqualTo(was.priority());
    });
  }

  private static Told started() {
    var told = new Told();
    told.nodes(64, "a");
    told.ledger.record(new Fact.PriorityClassSeen("low", 1, 10, false));
    told.ledger.record(new Fact.PriorityClassSeen("high", 1, 200, false));
    return told;
  }

  private void edit(Told told, int g, boolean placed) {
    var key = new GroupKey("default", "g-" + g);
    switch (random.nextInt(placed ? 4 : 2)) {
      case 0 -> see(told, "namespace", new Fact.NamespaceSeen("default", ++version, queue()));
      case 1 -> see(told, key.name(), new Fact.GroupSeen(object(g)));
      case 2 -> {
        told.ledger.record(new Fact.GroupGone(key, ++version));
        objects.remove(key.name());
      }
      default -> see(told, "p-" + g, sketch(g));
    }
  }

  private void see(Told told, String name, PodSketch pod) {
    see(told, name, new Fact.PodSeen(pod.made()));
  }

  private void see(Told told, String name, Fact fact) {
    objects.put(name, fact);
    told.ledger.record(fact);
  }

  private PodSketch sketch(int g) {
    return pod("p-" + g)
        .gpus(1)
        .group("g-" + g)
        .priority(g * 50)
        .queue(one(QUEUES))
        .priorityClass(one(CLASSES))
        .version(++version);
  }

  private GroupSpec object(int g) {
    var spec = group("g-" + g, 1);
    return new GroupSpec(
        spec.key(),
        spec.uid(),
        ++version,
        START,
        random.nextBoolean() ? QueueName.NONE : queue(),
        1,
        0,
        List.of(),
        spec.topology(),
        one(CLASSES),
        one(List.of(Preemptibility.values())),
        spec.patience(),
        spec.staleSince(),
        List.of());
  }

  private PodSketch placed(int g) {
    PodSketch placed = sketch(g).ungated().written(plans.get("p-" + g));
    return g % 2 == 0 ? placed : placed.on("a");
  }

  private QueueName queue() {
    return new QueueName(one(QUEUES));
  }

  private <T> T one(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  /// By pod. Some may be asked to leave though they were of a minimum that is no more.
  private static TreeMap<PodKey, ChargedTo> charges(Told told) {
    var charges = new TreeMap<PodKey, ChargedTo>();
    for (var each : told.snapshot().groups()) {
      var may = each.preemptibility() == SEMI_PREEMPTIBLE ? PREEMPTIBLE : each.preemptibility();
      for (var member : each.members()) {
        var other =
            charges.put(member.pod().key(), new ChargedTo(each.queue(), each.priority(), may));
        assertThat(other).as(member.pod().key() + " in another group").isNull();
      }
    }
    return charges;
  }
}
