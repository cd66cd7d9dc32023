package dev.berth.extender.barrier;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.WrittenPlan;
import dev.berth.extender.barrier.BarrierResult.Closed;
import dev.berth.extender.barrier.BarrierResult.Open;
import dev.berth.extender.barrier.BarrierResult.Why;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BarrierTest {
  private final VirtualLater later = new VirtualLater();
  private final TreeSet<PodUid> bound = new TreeSet<>();
  private final List<BarrierResult> ended = new ArrayList<>();
  private final Barrier barrier =
      new Barrier(ofSeconds(20), (_, _) -> new TreeSet<>(bound), later, ended::add);

  private WrittenPlan gang(String name, int size) {
    return gang(name, size, ofSeconds(300));
  }

  private WrittenPlan gang(String name, int size, Duration until) {
    return new WrittenPlan(
        Placement.on(new NodeName("n")), name, size, later.instant().plus(until));
  }

  private CompletableFuture<BarrierResult> arrive(String uid, WrittenPlan plan) {
    return barrier.arrive(new PodUid(uid), plan).toCompletableFuture();
  }

  @Test
  void opensForAllWhenTheLastIsThere() {
    var plan = gang("g", 3);
    var first = arrive("a", plan);
    var second = arrive("b", plan);
    assertThat(first).isNotDone();
    assertThat(second).isNotDone();
    assertThat(barrier.arrivals())
        .containsExactly(
            new Barrier.Arrival("g", new PodUid("a")), new Barrier.Arrival("g", new PodUid("b")));

    assertThat(arrive("c", plan)).isCompletedWithValue(new Open());
    assertThat(first).isCompletedWithValue(new Open());
    assertThat(second).isCompletedWithValue(new Open());
    assertThat(ended).containsExactly(new Open());
  }

  @Test
  void staysOpenForAMemberThatComesAgain() {
    var plan = gang("g", 2);
    arrive("a", plan);
    arrive("b", plan);

    assertThat(arrive("a", plan)).isCompletedWithValue(new Open());
    later.pass(ofSeconds(60));
    assertThat(arrive("b", plan)).isCompletedWithValue(new Open());
    assertThat(ended).as("told once").containsExactly(new Open());
  }

  @Test
  void gangsDoNotWaitForEachOther() {
    var one = arrive("a", gang("one", 2));
    var other = arrive("b", gang("other", 2));

    assertThat(one).isNotDone();
    assertThat(other).isNotDone();
  }

  @Test
  void theSameMemberTwiceIsOneMember() {
    var plan = gang("g", 2);
    var first = arrive("a", plan);
    var again = arrive("a", plan);

    assertThat(first).isCompletedWithValue(new Closed(Why.LEFT));
    assertThat(again).isNotDone();
    assertThat(arrive("b", plan)).isCompletedWithValue(new Open());
    assertThat(again).isCompletedWithValue(new Open());
  }

  @Test
  void closesForAllWhenTheLastIsLate() {
    var plan = gang("g", 3);
    var first = arrive("a", plan);
    later.pass(ofSeconds(15));
    var second = arrive("b", plan);
    later.pass(ofSeconds(4));
    assertThat(first).isNotDone();

    later.pass(ofSeconds(1));

    assertThat(first).isCompletedWithValue(new Closed(Why.TIMED_OUT));
    assertThat(second)
        .as("its patience is the first one's")
        .isCompletedWithValue(new Closed(Why.TIMED_OUT));
    assertThat(ended).containsExactly(new Closed(Why.TIMED_OUT));
  }

  @Test
  void closesWithThePlan() {
    var first = arrive("a", gang("g", 2, ofSeconds(5)));

    later.pass(ofSeconds(5));

    assertThat(first).isCompletedWithValue(new Closed(Why.TIMED_OUT));
  }

  @Test
  void aLateGangStartsAnew() {
    var plan = gang("g", 2);
    arrive("a", plan);
    later.pass(ofSeconds(20));
    var again = arrive("b", plan);
    assertThat(again).as("the first has left").isNotDone();

    later.pass(ofSeconds(19));
    assertThat(arrive("a", plan)).isCompletedWithValue(new Open());
    assertThat(again).isCompletedWithValue(new Open());
  }

  @Test
  void aGangGivenUpEndsForAll() {
    var plan = gang("g", 2);
    var first = arrive("a", plan);

    barrier.giveUp("g");
    barrier.giveUp("another");

    assertThat(first).isCompletedWithValue(new Closed(Why.CANCELLED));
    assertThat(barrier.arrivals()).isEmpty();
  }

  @Test
  void leavingMemberDoesNotCount() {
    var plan = gang("g", 2);
    var first = arrive("a", plan);
    barrier.leave(new PodUid("a"), "g");
    assertThat(first).isCompletedWithValue(new Closed(Why.LEFT));

    assertThat(arrive("b", plan)).as("alone again").isNotDone();
    assertThat(arrive("a", plan)).isCompletedWithValue(new Open());
  }

  @Test
  void membersBoundBeforeARestartCount() {
    bound.add(new PodUid("a"));
    bound.add(new PodUid("b"));
    var plan = gang("g", 4);

    var third = arrive("c", plan);
    assertThat(third).isNotDone();

    assertThat(arrive("d", plan)).isCompletedWithValue(new Open());
    assertThat(third).isCompletedWithValue(new Open());
  }

  @Test
  void aMemberThatIsBoundAndComesAllTheSameCountsOnce() {
    bound.add(new PodUid("a"));
    var plan = gang("g", 2);

    assertThat(barrier.arrive(new PodUid("a"), plan).toCompletableFuture()).isNotDone();
  }

  @Test
  void beforeItClosesItLooksWhichMembersAreBound() {
    var first = arrive("a", gang("g", 2));
    bound.add(new PodUid("b"));

    later.pass(ofSeconds(20));

    assertThat(first).isCompletedWithValue(new Open());
  }

  @Test
  void manyThreadsOpenItOnce() throws InterruptedException {
    int size = 64;
    var plan = gang("g", size);
    var opened = new CountDownLatch(size);
    for (int i = 0; i < size; i++) {
      var uid = "m" + i;
      Thread.startVirtualThread(() -> {
        var result = barrier.arrive(new PodUid(uid), plan);
        var _ = result.thenAccept(how -> opened.countDown());
      });
    }
    assertThat(opened.await(10, TimeUnit.SECONDS)).as("all of them pass").isTrue();
    assertThat(ended).containsExactly(new Open());
  }
}
