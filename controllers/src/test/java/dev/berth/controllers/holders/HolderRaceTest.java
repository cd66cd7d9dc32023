package dev.berth.controllers.holders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.World;
import dev.berth.controllers.client.HolderClient;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The planner takes a slot while the keeper deletes its idle holder. The slot is either planned or
/// loses its holder, never both.
class HolderRaceTest {
  private static final Duration KEEP_IDLE = Duration.ofSeconds(2);
  private static final int MOMENTS = 12;

  /// What became of the slot.
  private enum End {
    PLANNED,
    DELETED,
    BOTH,
    NEITHER
  }

  /// The planner plans at every moment at which the keeper reads the clock: before it looks for an
  /// idle holder, between the look and the deletion, and after it.
  @Test
  void theKeeperDeletesNoHolderWhoseSlotThePlannerTookSinceTheLook() {
    boolean isPlanned = false;
    boolean isDeleted = false;
    for (int moment = 1; moment <= MOMENTS; moment++) {
      var end = new Race(moment).end();
      assertThat(end).as("planned at moment %s", moment).isIn(End.PLANNED, End.DELETED);
      isPlanned |= end == End.PLANNED;
      isDeleted |= end == End.DELETED;
    }
    assertThat(isPlanned).as("the planner is first at some moment").isTrue();
    assertThat(isDeleted).as("the keeper is first at some moment").isTrue();
  }

  private static final class Race implements HolderClient {
    private static final PodUid UID = new PodUid("uid-a");

    private final World world = new World().node("n1", 2);
    private final int moment;
    private int moments;
    private boolean isPlanned;
    private boolean isDeleted;

    private final HolderKeeper keeper =
        HolderParts.keeper(
            world,
            this,
            world.workers.withClock(this::read),
            new HolderSettings(
                KEEP_IDLE,
                Duration.ofSeconds(30),
                0,
                Duration.ofSeconds(20),
                Duration.ofSeconds(5),
                Duration.ofSeconds(2)));

    Race(int moment) {
      this.moment = moment;
      world.pod("a", "annotations: {'gpu-fraction': '0.3'}", "", "");
      world.pod(
          "holder-0",
          "labels: {'berth.dev/holder': 'true'}, annotations: {'berth.dev/holder-slot': '0'}",
          "nodeName: 'n1', containers: [{name: 'hold', resources: {limits: {'nvidia.com/gpu':"
              + " '1'}}}]",
          "phase: 'Running', containerStatuses: [{state: {terminated: {exitCode: 0, message:"
              + " 'GPU-0'}}}]");
    }

    End end() {
      keeper.changed();
      world.workers.turn(KEEP_IDLE.multipliedBy(2));
      if (isPlanned) {
        return isDeleted ? End.BOTH : End.PLANNED;
      }
      return isDeleted ? End.DELETED : End.NEITHER;
    }

    private void plan() {
      var place = new Placement(new NodeName("n1"), List.of(0), 300);
      var decision =
          new Decision.Reserve(
              new GroupKey("default", "a"),
              List.of(new Reserved(UID, new PodKey("default", "a"), place)),
              List.of(),
              List.of());
      isPlanned = world.ledger.assume(decision, Instant.MAX.minusSeconds(1)).isPresent();
    }

    private Instant read() {
      if (++moments == moment) {
        plan();
      }
      return world.workers.time().instant();
    }

    @Override
    public String namespace() {
      return "default";
    }

    @Override
    public void create(NodeName node, int slot, Resource device) {}

    @Override
    public void delete(PodKey holder, PodUid uid) {
      isDeleted = true;
    }
  }
}
