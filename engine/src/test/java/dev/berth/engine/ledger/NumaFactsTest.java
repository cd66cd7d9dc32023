package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.amounts;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Fact;
import dev.berth.engine.model.Numa;
import dev.berth.engine.model.Numa.Policy;
import dev.berth.engine.model.Numa.Scope;
import dev.berth.engine.model.Numa.Zone;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is told of the zones of nodes, several times a minute.
class NumaFactsTest {
  private final Told told = new Told();

  private static Numa zones(Policy policy, long devices, long left) {
    return new Numa(policy, Scope.POD, List.of(new Zone(amounts(32, devices), amounts(32, left))));
  }

  private boolean tells(String node, long version, Numa numa) {
    return told.ledger.record(new Fact.NumaSeen(at(node), version, numa));
  }

  @Test
  void itMayComeBeforeTheNodeAndOutliveIt() {
    var numa = zones(Policy.RESTRICTED, 4, 4);
    tells("a", 5, numa);
    assertThat(told.snapshot().nodes()).isEmpty();
    told.nodes(4, "a");
    assertThat(told.room("a").numa()).isEqualTo(numa);
    told.ledger.record(new Fact.NodeGone(at("a"), 9));
    assertThat(told.snapshot().nodes()).isEmpty();
    told.ledger.record(new Fact.NodeSeen(node("a", 4, 10)));
    assertThat(told.room("a").numa()).isEqualTo(numa);
  }

  @Test
  void itsDeletionRestoresTheNodeAsItWas() {
    told.nodes(4, "a");
    var before = told.room("a");
    assertThat(tells("a", 5, zones(Policy.RESTRICTED, 4, 4))).as("news").isTrue();
    assertThat(told.ledger.record(new Fact.NumaGone(at("a"), 6))).as("news").isTrue();
    assertThat(told.room("a")).isEqualTo(before);
  }

  @Test
  void whatIsLateChangesNothing() {
    told.nodes(4, "a");
    var now = zones(Policy.RESTRICTED, 4, 4);
    tells("a", 5, now);
    tells("a", 4, zones(Policy.SINGLE_NUMA_NODE, 2, 2));
    told.ledger.record(new Fact.NumaGone(at("a"), 3));
    assertThat(told.room("a").numa()).isEqualTo(now);
  }

  @Test
  void whatIsSaidAgainIsNoChangeAtAll() {
    told.nodes(4, "a", "b");
    tells("a", 5, zones(Policy.RESTRICTED, 4, 3));
    var before = told.snapshot();
    int wakes = told.wakes.get();
    assertThat(tells("a", 6, zones(Policy.RESTRICTED, 4, 3))).as("news").isFalse();
    assertThat(told.snapshot().nodes()).isSameAs(before.nodes());
    assertThat(told.wakes).hasValue(wakes);
  }

  @Test
  void whatIsLeftIsTakenInWithoutAWakeAndTouchesThatNodeAlone() {
    told.nodes(4, "a", "b");
    tells("a", 5, zones(Policy.RESTRICTED, 4, 4));
    var before = told.snapshot();
    int wakes = told.wakes.get();
    assertThat(tells("a", 6, zones(Policy.RESTRICTED, 4, 1))).as("news").isFalse();
    var after = told.snapshot();
    assertThat(after.version()).isEqualTo(before.version());
    assertThat(told.wakes).hasValue(wakes);
    assertThat(after.node(at("a")).orElseThrow().numa()).isEqualTo(zones(Policy.RESTRICTED, 4, 1));
    assertThat(after.node(at("b")).orElseThrow()).isSameAs(before.node(at("b")).orElseThrow());
    assertThat(after.groups()).isSameAs(before.groups());
  }

  @Test
  void whatCanEverBeWakes() {
    told.nodes(4, "a");
    tells("a", 5, zones(Policy.RESTRICTED, 4, 4));
    for (var other :
        List.of(
            zones(Policy.SINGLE_NUMA_NODE, 4, 4),
            zones(Policy.SINGLE_NUMA_NODE, 3, 3),
            Numa.NONE)) {
      long version = told.snapshot().version();
      int wakes = told.wakes.get();
      assertThat(tells("a", 6 + wakes, other)).as("news: " + other).isTrue();
      assertThat(told.snapshot().version()).isGreaterThan(version);
      assertThat(told.wakes.get()).isGreaterThan(wakes);
    }
  }
}
