package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.SOON;
import static dev.berth.engine.ledger.Sketch.START;
import static dev.berth.engine.ledger.Sketch.amounts;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.share;
import static dev.berth.engine.ledger.Sketch.slots;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.ledger.view.BindCommit;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Resource;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Which holders may be created now: a kubelet refuses those that come too early.
class HolderRoomTest {
  private final Told told = new Told();

  private static SlotKey slot(int index) {
    return new SlotKey(at("a"), index);
  }

  @Test
  void noMoreHoldersComeThanDevicesAreFree() {
    told.nodes(3, "a");
    told.sees(pod("old").gpus(2).on("a"));
    told.sees(pod("p").share(new DeviceRequest.Fraction(700, 700, 2)));
    assertThat(told.ledger.assume(Told.alone("p", slots("a", 700, 0, 1), "old"), SOON)).isPresent();
    assertThat(told.ledger.missingHolders()).containsExactly(slot(0));
    assertThat(told.ledger.lacksHolder(slot(1))).as("while its device is in use").isFalse();
    told.holds("a", 0, "GPU-a");
    assertThat(told.ledger.missingHolders()).isEmpty();
    told.farewell("old");
    assertThat(told.ledger.missingHolders()).containsExactly(slot(1));
  }

  @Test
  void theHolderOfTheFirstInLineComesFirst() {
    told.nodes(3, "a");
    told.sees(pod("old").gpus(2).on("a"));
    told.sees(pod("p").share(share(900)));
    told.sees(pod("q").share(share(900)));
    told.ledger.assume(Told.alone("p", slots("a", 900, 1)), SOON);
    told.ledger.assume(Told.alone("q", slots("a", 900, 0), "old"), SOON.plusMillis(1));
    assertThat(told.ledger.missingHolders()).containsExactly(slot(1));
  }

  @Test
  void whatIsBeingBoundTakesItsDeviceThoughItsGateStillShows() {
    told.nodes(2, "a");
    told.sees(pod("old").gpus(1).on("a"));
    told.sees(pod("p").gpus(1));
    told.sees(pod("q").share(share(500)));
    told.assumed("p", Placement.on(at("a")));
    assertThat(told.ledger.assume(Told.alone("q", slots("a", 500, 0), "old"), SOON.plusMillis(1)))
        .isPresent();
    assertThat(told.ledger.missingHolders())
        .as("a plan behind its gate waits for room itself")
        .containsExactly(slot(0));
    assertThat(told.ledger.commit(uid("p"), at("a"))).isInstanceOf(BindCommit.Ready.class);
    assertThat(told.ledger.missingHolders()).as("while it is being bound").isEmpty();
    told.ledger.doubt(uid("p"), START.plusSeconds(30));
    assertThat(told.ledger.missingHolders()).as("while it may be bound").isEmpty();
    told.farewell("old");
    assertThat(told.ledger.missingHolders()).containsExactly(slot(0));
  }

  @Test
  void aHolderThatMayStillComeKeepsItsDeviceForAWhile() {
    told.nodes(1, "a");
    told.sees(pod("p").share(share(500)));
    var plan = told.assumed("p", slots("a", 500, 0));
    told.ledger.doubt(slot(0), START.plusSeconds(10));
    assertThat(told.ledger.missingHolders()).as("tried again").containsExactly(slot(0));
    told.holds("a", 0, "GPU-a");
    told.ledger.forget(uid("p"), plan);
    told.farewell("holder-a-0");
    told.sees(pod("q").gpus(1));
    assertThat(told.ledger.assume(Told.alone("q", Placement.on(at("a"))), SOON))
        .as("it comes free by itself")
        .isPresent();
    assertThat(told.ledger.collapse()).isEmpty();
    assertThat(told.ledger.isClear(uid("q"))).as("the first try may be done yet").isFalse();
    told.ledger.expire(START.plusSeconds(9));
    assertThat(told.ledger.isClear(uid("q"))).as("q is clear").isFalse();
    told.ledger.expire(START.plusSeconds(10));
    assertThat(told.ledger.isClear(uid("q"))).as("q is clear").isTrue();
    assertThat(told.room("a").slots()).isEmpty();
  }

  @Test
  void aHolderThatTheWatchHasNotShownKeepsItsDeviceThoughNoPodWantsItAnyMore() {
    told.nodes(2, "a");
    told.sees(pod("old").gpus(1).on("a"));
    told.sees(pod("p").share(share(500)));
    var plan = told.assumed("p", slots("a", 500, 1));
    assertThat(told.ledger.await(slot(1), START.plusSeconds(10)))
        .as("the slot waits for its holder")
        .isTrue();
    assertThat(told.ledger.await(slot(1), START.plusSeconds(10))).as("tried again").isFalse();
    told.ledger.forget(uid("p"), plan);
    told.sees(pod("q").share(share(900)));
    told.ledger.assume(Told.alone("q", slots("a", 900, 0)), SOON);
    assertThat(told.ledger.missingHolders()).as("both devices are taken").isEmpty();
    told.holds("a", 1, "");
    told.farewell("holder-a-1");
    assertThat(told.ledger.missingHolders()).as("it came and went").containsExactly(slot(0));
  }

  @Test
  void aHolderThatTheWatchNeverShowsIsNotAwaitedForEver() {
    told.nodes(1, "a");
    told.ledger.await(slot(0), START.plusSeconds(10));
    assertThat(told.room("a").used().of(Resource.NVIDIA)).isEqualTo(1);
    told.ledger.expire(START.plusSeconds(9));
    assertThat(told.room("a").used().of(Resource.NVIDIA)).isEqualTo(1);
    told.ledger.expire(START.plusSeconds(10));
    assertThat(told.room("a").slots()).isEmpty();
  }

  @Test
  void aHolderThatAPodAwaitsIsNoNews() {
    told.nodes(1, "a");
    told.sees(pod("p").share(share(500)));
    told.assumed("p", slots("a", 500, 0));
    long version = told.ledger.version();
    var room = told.room("a");
    told.ledger.await(slot(0), START.plusSeconds(10));
    assertThat(told.ledger.version()).isEqualTo(version);
    assertThat(told.room("a")).isSameAs(room);
  }

  @Test
  void aHolderThatMayStillComeIsAheadOfThoseThatMerelyShould() {
    told.nodes(2, "a");
    told.sees(pod("old").gpus(1).on("a"));
    told.sees(pod("p").share(share(900)));
    var plan = told.assumed("p", slots("a", 900, 1));
    told.ledger.doubt(slot(1), START.plusSeconds(10));
    told.ledger.forget(uid("p"), plan);
    told.sees(pod("q").share(share(900)));
    told.ledger.assume(Told.alone("q", slots("a", 900, 0)), SOON);
    assertThat(told.ledger.missingHolders()).isEmpty();
    told.ledger.expire(START.plusSeconds(10));
    assertThat(told.ledger.missingHolders()).containsExactly(slot(0));
  }

  @Test
  void aHolderIsAPodAsWell() {
    told.ledger.record(
        new Fact.NodeSeen(
            new Node(
                at("a"),
                1,
                new TreeMap<>(),
                List.of(),
                false,
                true,
                amounts(64, 4).plus(amounts(0, 0)), // two pods
                new Node.Accelerator(Resource.NVIDIA, 4, "H100", 80_000, Node.Mig.NONE))));
    told.sees(pod("old").on("a"));
    told.sees(pod("older").on("a"));
    told.sees(pod("p").share(share(500)));
    assertThat(told.ledger.assume(Told.alone("p", slots("a", 500, 0), "old", "older"), SOON))
        .isPresent();
    assertThat(told.ledger.missingHolders()).isEmpty();
    told.farewell("old");
    assertThat(told.ledger.missingHolders()).containsExactly(slot(0));
  }
}
