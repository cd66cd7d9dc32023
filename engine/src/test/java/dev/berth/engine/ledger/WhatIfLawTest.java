package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.explain.Change;
import dev.berth.engine.explain.WhatIf;
import dev.berth.engine.ledger.Sketch.PodSketch;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What is told to follow from a change is what follows once it has happened: the plan over the
/// changed copy of a snapshot, and the plan over the ledger to which the same was told as facts.
final class WhatIfLawTest {
  private static final List<String> QUEUES = List.of("a", "b", "c");

  private final Planner planner = new Planner(PlannerSettings.DEFAULT);
  private final Told told = new Told();
  private final TreeMap<String, Integer> free = new TreeMap<>();
  private final List<String> running = new ArrayList<>();

  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void thePlanThatIsForetoldIsThePlanThatFollows(long seed) {
    var random = new Random(seed);
    world(random);
    var snapshot = told.snapshot();
    var changes = new ArrayList<Change>();
    var facts = new ArrayList<Fact>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      change(random, changes, facts);
    }
    var foretold = new WhatIf(planner, snapshot, Collections.emptySortedMap()).plan(changes);
    facts.forEach(told.ledger::record);
    var followed =
        new WhatIf(planner, told.snapshot(), Collections.emptySortedMap()).plan(List.of());
    assertThat(decisions(foretold)).as("%s", changes).isEqualTo(decisions(followed));
    assertThat(foretold.nextLook()).isEqualTo(followed.nextLook());
  }

  private static List<String> decisions(Plan plan) {
    return plan.decisions().stream().map(Object::toString).toList();
  }

  private void change(Random random, List<Change> changes, List<Fact> facts) {
    switch (random.nextInt(4)) {
      case 0 -> {
        var queue = queue(QUEUES.get(random.nextInt(QUEUES.size())), random);
        changes.add(new Change.SetQueue(queue));
        facts.add(new Fact.QueueSeen(queue));
      }
      case 1 -> {
        var name = new QueueName(QUEUES.get(random.nextInt(QUEUES.size())));
        changes.add(new Change.RemoveQueue(name));
        facts.add(new Fact.QueueGone(name, version++));
      }
      case 2 -> {
        if (!running.isEmpty()) {
          var name = running.remove(random.nextInt(running.size()));
          changes.add(new Change.RemoveGroup(new GroupKey("default", name)));
          facts.add(new Fact.PodGone(new PodKey("default", name), uid(name)));
        }
      }
      default -> {
        var node = Sketch.node("new-" + changes.size(), 4);
        changes.add(Change.SetNode.empty(node));
        facts.add(new Fact.NodeSeen(node));
      }
    }
  }

  private long version = 10;

  private void world(Random random) {
    for (int i = 0; i < 2 + random.nextInt(3); i++) {
      told.nodes(4, "n" + i);
      free.put("n" + i, 4);
    }
    for (String name : QUEUES) {
      told.ledger.record(new Fact.QueueSeen(queue(name, random)));
    }
    for (int i = 0; i < 8; i++) {
      runs("r" + i, random);
    }
    for (int i = 0; i < 4; i++) {
      told.sees(asking("w" + i, 1 + random.nextInt(4), random));
    }
  }

  private void runs(String name, Random random) {
    int gpus = 1 + random.nextInt(2);
    for (var node : free.entrySet()) {
      if (node.getValue() >= gpus) {
        node.setValue(node.getValue() - gpus);
        told.sees(asking(name, gpus, random).ungated().on(node.getKey()));
        running.add(name);
        return;
      }
    }
  }

  private static PodSketch asking(String name, int gpus, Random random) {
    return pod(name)
        .gpus(gpus)
        .priority(random.nextInt(3) * 40)
        .queue(QUEUES.get(random.nextInt(QUEUES.size())));
  }

  private Queue queue(String name, Random random) {
    var limits = new TreeMap<Resource, Long>();
    if (random.nextInt(3) == 0) {
      limits.put(Resource.GPU, 1000L * (1 + random.nextInt(6)));
    }
    return new Queue(
        new QueueName(name),
        version++,
        Instant.EPOCH,
        QueueName.NONE,
        100,
        Amounts.of(
            new TreeMap<>(
                Map.of(
                    Resource.GPU,
                    1000L * random.nextInt(5),
                    Resource.CPU,
                    Queue.UNLIMITED,
                    Resource.MEMORY,
                    Queue.UNLIMITED))),
        limits,
        Collections.emptySortedMap(),
        Duration.ZERO,
        Duration.ZERO,
        List.of());
  }
}
