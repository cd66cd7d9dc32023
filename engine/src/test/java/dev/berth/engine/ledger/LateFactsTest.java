package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.START;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.node;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Fact;
import dev.berth.engine.model.PastUse;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// What is told late, twice or out of order, and what a snapshot shares with the one before.
class LateFactsTest {
  private final Told told = new Told();

  @Test
  void whatIsRepeatedOrLateChangesNothing() {
    told.nodes(8, "a");
    assertThat(told.sees(pod("p").gpus(1).on("a").version(5))).as("news").isTrue();
    long version = told.ledger.version();
    int woken = told.wakes.get();
    assertThat(told.sees(pod("p").gpus(1).on("a").version(5))).as("repeated").isFalse();
    assertThat(told.sees(pod("p").gpus(1).version(4))).as("late").isFalse();
    assertThat(told.sees(pod("p").gpus(1).on("a").version(6))).as("a heartbeat").isFalse();
    assertThat(told.ledger.version()).isEqualTo(version);
    assertThat(told.wakes.get()).isEqualTo(woken);
    assertThat(told.ledger.pod(uid("p")).orElseThrow().version()).isEqualTo(6);
  }

  @Test
  void pastUseIsKeptBesideWhatIsPlannedFrom() {
    told.ledger.record(new Fact.QueueSeen(Queue.implied(new QueueName("q"), true)));
    long version = told.ledger.version();
    int woken = told.wakes.get();
    told.ledger.record(new Fact.UsageSeen(past("q", 7, 0.5)));
    told.ledger.record(new Fact.UsageSeen(past("q", 6, 0.25)));
    told.ledger.record(new Fact.UsageSeen(past("a", 8, 0.125)));
    assertThat(told.ledger.pastUse()).containsExactly(past("a", 8, 0.125), past("q", 7, 0.5));
    assertThat(told.ledger.version()).isEqualTo(version);
    assertThat(told.wakes.get()).isEqualTo(woken);
    told.ledger.record(new Fact.QueueGone(new QueueName("q"), 9));
    assertThat(told.ledger.pastUse()).containsExactly(past("a", 8, 0.125));
  }

  private static PastUse past(String queue, long version, double gpus) {
    return new PastUse(
        new QueueName(queue), version, START, new TreeMap<>(Map.of(Resource.GPU, gpus)));
  }

  @Test
  void aSightingOfAPodThatIsGoneChangesNothing() {
    told.nodes(8, "a");
    told.farewell("p");
    assertThat(told.sees(pod("p").on("a"))).as("news").isFalse();
    assertThat(told.ledger.standing(uid("p"))).isEmpty();
  }

  @Test
  void aLateFarewellToANamesakeChangesNothing() {
    told.nodes(8, "a");
    told.sees(pod("p").version(7).uid("second"));
    assertThat(told.farewell("p")).as("news").isFalse();
    assertThat(told.sees(pod("p").version(3))).as("the first, late").isFalse();
    assertThat(told.snapshot().groups()).hasSize(1);
  }

  @Test
  void aNewIncarnationTakesThePlaceOfTheOld() {
    told.nodes(8, "a");
    told.sees(pod("p").gpus(1).on("a"));
    told.sees(pod("p").gpus(1).version(9).uid("second"));
    assertThat(told.room("a").used().isNone()).as("the old one has left").isTrue();
    assertThat(told.ledger.standing(uid("p"))).isEmpty();
    assertThat(told.shown("p").members()).hasSize(1);
  }

  @Test
  void whatDoesNotChangeIsSharedByReference() {
    told.nodes(4, "a", "b");
    told.sees(pod("p").gpus(1));
    told.sees(pod("q").gpus(1));
    var first = told.snapshot();
    var second = told.ledger.snapshot(START.plusSeconds(1));
    assertThat(second.nodes()).isSameAs(first.nodes());
    assertThat(second.groups()).isSameAs(first.groups());
    assertThat(second.queues()).isSameAs(first.queues());
    assertThat(second.now()).isEqualTo(START.plusSeconds(1));
    told.assumed("p", Placement.on(at("a")));
    var third = told.snapshot();
    assertThat(third.nodes()).isNotSameAs(first.nodes());
    assertThat(third.nodes().get(1)).isSameAs(first.nodes().get(1));
    assertThat(third.groups().get(1)).isSameAs(first.groups().get(1));
    assertThat(first.nodes().getFirst().used().isNone()).as("the past stays as it was").isTrue();
  }

  @Test
  void theListenerMayAskTheLedger() {
    var asked = new ArrayList<Long>();
    var reference = new AtomicReference<Ledger>();
    var own =
        new Ledger(
            LedgerSettings.DEFAULT,
            () -> asked.add(reference.get().snapshot(Instant.MIN).version()));
    reference.set(own);
    own.record(new Fact.NodeSeen(node("a", 1)));
    assertThat(asked).containsExactly(1L);
  }
}
