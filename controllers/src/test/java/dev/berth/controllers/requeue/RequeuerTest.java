package dev.berth.controllers.requeue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.World;
import dev.berth.controllers.client.ClientException;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RequeuerTest {
  private static final String REJECTED = "0/1 nodes are available: 1 berth: DEVICES.";
  private static final String BY_OTHERS = "0/1 nodes are available: 1 node(s) were unschedulable.";

  private final World world = new World().node("n1", 8);
  private final List<String> requeued = new ArrayList<>();
  private final Engine engine = new Engine();
  private final Requeuer requeuer =
      new Requeuer(
          world.ledger,
          engine,
          (pod, _, now) -> {
            requeued.add(pod.name() + " at " + now.toString().substring(14, 19));
            if (engine.isUnreachable) {
              throw new ClientException(ClientException.Kind.UNREACHABLE, "the test");
            }
          },
          world.workers);

  /// What the engine would say.
  private static final class Engine implements Requeuer.Placeable {
    boolean hasRoom;
    boolean isGated;
    boolean isUnreachable;
    int judged;

    @Override
    public boolean isUngated(Pod pod) {
      return !isGated;
    }

    @Override
    public boolean fits(Snapshot snapshot, Pod pod, List<NodeName> nodes) {
      judged++;
      return hasRoom && !nodes.isEmpty();
    }
  }

  @Test
  void aRejectedPodIsRequeuedOnceANodeHasRoom() {
    rejected("web", REJECTED);
    seconds(2);
    assertThat(requeued).isEmpty();
    engine.hasRoom = true;
    requeuer.changed();
    requeuer.changed();
    seconds(2);
    assertThat(requeued).containsExactly("web at 00:03");
  }

  @Test
  void roomThatCameBeforeTheRejectionWasSeenCounts() {
    engine.hasRoom = true;
    rejected("web", REJECTED);
    seconds(1);
    assertThat(requeued).containsExactly("web at 00:01");
  }

  @Test
  void aPodThatStaysUnschedulableIsRequeuedAtGrowingIntervals() {
    engine.hasRoom = true;
    rejected("web", REJECTED);
    for (int i = 0; i < 3600; i++) {
      requeuer.changed();
      seconds(1);
    }
    assertThat(requeued)
        .startsWith("web at 00:01", "web at 00:06", "web at 00:16", "web at 00:36", "web at 01:16")
        .hasSizeBetween(15, 20);
  }

  @Test
  void aPodThatMustWaitForItsIntervalHoldsUpNoOther() {
    engine.hasRoom = true;
    rejected("web", REJECTED);
    for (int i = 0; i < 120; i++) {
      requeuer.changed();
      seconds(1);
    }
    requeued.clear();
    rejected("late", REJECTED);
    seconds(2);
    assertThat(requeued).containsExactly("late at 02:01");
  }

  @Test
  void aFailedWriteIsTriedAgainAtTheNextInterval() {
    engine.hasRoom = true;
    engine.isUnreachable = true;
    rejected("web", REJECTED);
    seconds(2);
    engine.isUnreachable = false;
    requeuer.changed();
    seconds(10);
    assertThat(requeued).containsExactly("web at 00:01", "web at 00:06");
  }

  @Test
  void nothingIsJudgedWhileNothingChanges() {
    rejected("web", REJECTED);
    seconds(3600);
    assertThat(engine.judged).isEqualTo(1);
    requeuer.changed();
    seconds(3600);
    assertThat(engine.judged).isEqualTo(2);
  }

  @Test
  void oneLookJudgesABoundedNumberOfPodsAndTheNextLookGoesOn() {
    for (int i = 0; i < 400; i++) {
      world.node("m" + i, 8);
    }
    for (int i = 0; i < 12; i++) {
      rejected("web-" + i, REJECTED);
    }
    seconds(1);
    assertThat(engine.judged).as("of 2,000 judgements on 401 nodes").isEqualTo(4);
    seconds(60);
    assertThat(engine.judged).as("each pod once").isEqualTo(12);
  }

  @Test
  void otherPodsAreLeftAlone() {
    engine.hasRoom = true;
    rejected("by-others", BY_OTHERS);
    rejected("gone", REJECTED);
    requeuer.gone(new PodUid("uid-gone"));
    rejected("bound", REJECTED);
    world.pod("bound", "", "nodeName: 'n1'", "phase: 'Running'");
    seen("bound");
    engine.isGated = true;
    rejected("gated", REJECTED);
    engine.isGated = false;
    seconds(60);
    assertThat(requeued).isEmpty();
  }

  @Test
  void aStoppedOneWritesNothing() {
    engine.hasRoom = true;
    rejected("web", REJECTED);
    requeuer.stop();
    seconds(60);
    assertThat(requeued).isEmpty();
  }

  private void rejected(String name, String words) {
    world.pod(
        name,
        "",
        "",
        "conditions: [{type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message:"
            + " '%s'}]".formatted(words));
    seen(name);
  }

  private void seen(String name) {
    world.ledger.pod(new PodUid("uid-" + name)).ifPresent(requeuer::seen);
  }

  private void seconds(int seconds) {
    world.workers.turn(Duration.ofSeconds(seconds));
  }
}
