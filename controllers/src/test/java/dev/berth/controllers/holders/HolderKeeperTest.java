package dev.berth.controllers.holders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.World;
import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Holders;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HolderKeeperTest {
  private final World world = new World().node("n1", 8);
  private final InMemoryHolders holders = new InMemoryHolders();
  private final HolderKeeper keeper =
      new HolderKeeper(
          world.ledger,
          holders,
          _ -> Resource.NVIDIA,
          world,
          world.workers,
          new HolderSettings(Duration.ofSeconds(2)));

  HolderKeeperTest() {
    world.changed.add(keeper::changed);
  }

  @Test
  void aPlannedSlotGetsItsHolderOnceThoughTheWatchIsSlow() {
    share("a", 0);
    seconds(0.1);
    share("b", 1);
    seconds(0.1);
    assertThat(holders.calls).containsExactly("create n1/0", "create n1/1");
    holder(0, "Running");
    holder(1, "Running");
    seconds(60);
    assertThat(holders.calls).as("it is seen by now").hasSize(2);
  }

  @Test
  void aCreationThatFailsComesAgainAndNotAtOnce() {
    holders.failures.add(DoorException.Kind.NOT_NOW);
    holders.failures.add(DoorException.Kind.UNREACHABLE);
    share("a", 0);
    seconds(0.1);
    share("b", 0); // a change does not shorten the pause
    seconds(0.3);
    assertThat(holders.calls).hasSize(1);
    seconds(1.4);
    assertThat(holders.calls).hasSize(3).containsOnly("create n1/0");
  }

  @Test
  void aHolderThatNobodyUsesLeavesAfterAWhile() {
    holder(0, "Running");
    seconds(1);
    share("a", 0); // somebody came in time
    seconds(10);
    assertThat(holders.calls).isEmpty();
    world.podGone("a");
    seconds(1.9);
    assertThat(holders.calls).isEmpty();
    seconds(0.2);
    assertThat(holders.calls).containsExactly("delete holder-0");
    seconds(60);
    assertThat(holders.calls).as("retired, and the watch is slow").hasSize(1);
  }

  @Test
  void aHolderThatDiedIsClearedAwayThoughItsSlotIsUsed() {
    holder(0, "Running");
    seconds(0.1);
    share("a", 0);
    holder(0, "Failed");
    seconds(0.1);
    assertThat(holders.calls).containsExactly("delete holder-0");
  }

  @Test
  void aDeletionThatFailsLeavesTheSlotOpenAndComesAgain() {
    holders.failures.add(DoorException.Kind.UNREACHABLE);
    holder(0, "Running");
    seconds(2.1);
    assertThat(holders.calls).containsExactly("delete holder-0");
    assertThat(world.ledger.idleHolders()).as("open again").hasSize(1);
    seconds(5);
    assertThat(holders.calls).containsExactly("delete holder-0", "delete holder-0");
  }

  @Test
  void staleEyesTouchNothingUntilTheyAreBack() {
    world.fresh = false;
    share("a", 0);
    seconds(10);
    assertThat(holders.calls).isEmpty();
    world.fresh = true;
    seconds(0.4);
    assertThat(holders.calls).containsExactly("create n1/0");
  }

  private void share(String name, int slot) {
    world.pod(
        name,
        "annotations: {'gpu-fraction': '0.3', 'berth.dev/plan':"
            + " 'node=n1 slots=%d millis=300 until=2027-01-01T00:00:00Z'}".formatted(slot),
        "",
        "");
  }

  private void holder(int slot, String phase) {
    world.pod(
        "holder-" + slot,
        "labels: {'berth.dev/holder': 'true'}, annotations: {'berth.dev/holder-slot': '%d'}"
            .formatted(slot),
        "nodeName: 'n1'",
        "phase: '%s'".formatted(phase));
  }

  private void seconds(double seconds) {
    world.workers.turn(Duration.ofMillis((long) (seconds * 1000)));
  }

  private static final class InMemoryHolders implements Holders {
    final List<String> calls = new ArrayList<>();
    final ArrayDeque<DoorException.Kind> failures = new ArrayDeque<>();

    @Override
    public void create(NodeName node, int slot, Resource device) throws DoorException {
      called("create " + node + "/" + slot);
    }

    @Override
    public void delete(PodKey holder, PodUid uid) throws DoorException {
      called("delete " + holder.name());
    }

    private void called(String call) throws DoorException {
      calls.add(call);
      if (!failures.isEmpty()) {
        throw new DoorException(failures.remove(), call);
      }
    }
  }
}
