package dev.berth.bench.ours;

import static dev.berth.bench.Worlds.gpus;
import static dev.berth.bench.Worlds.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.Worlds;
import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.ours.Repair.Repaired;
import dev.berth.bench.trace.Ask;
import dev.berth.bench.trace.Trace;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Two nodes of two GPUs. A pod that both accept runs on one, a pod for the other alone runs there:
/// a pod of two GPUs fits once the first is moved.
final class RepairTest {
  private static final int EITHER = 0;
  private static final int BOTH_GPUS = 3;
  private static final Trace TRACE =
      Worlds.trace(
          List.of(node(2, "P100"), node(2, "T4")), one("P100|T4"), one("P100"), one("T4"), gpus(2));

  private final Cluster cluster = Worlds.cluster(TRACE);
  private final Repair repair = new Repair(cluster);
  private int pods;

  private static Ask one(String models) {
    return new Ask(1_000, 1_000, 1, 1000, models);
  }

  /// @return its node; -1 = refused
  private int comes(int k) {
    var choice = repair.place(pods++, k);
    if (!choice.isNowhere()) {
      cluster.take(choice.node(), k, choice.mask());
    }
    return choice.node();
  }

  private void scatter() {
    int first = comes(EITHER);
    assertThat(comes(first == 0 ? 2 : 1)).as("the other node").isEqualTo(1 - first);
    assertThat(comes(BOTH_GPUS)).as("refused, as one GPU of each node is in use").isNegative();
  }

  @Test
  void whatWasRefusedStartsByOneMove() {
    scatter();
    assertThat(repair.repair(Integer.MAX_VALUE)).isEqualTo(new Repaired(1, 1, 1, 0, 2_000, 4_000));
    assertThat(cluster.used()).isEqualTo(4_000);
  }

  @Test
  void withoutMovesNothingIsGained() {
    scatter();
    assertThat(repair.repair(0)).isEqualTo(new Repaired(1, 0, 0, 0, 2_000, 2_000));
  }

  @Test
  void whatHasNoRoomAfterMovesWaits() {
    scatter();
    assertThat(comes(BOTH_GPUS)).as("refused too").isNegative();
    assertThat(repair.repair(Integer.MAX_VALUE)).isEqualTo(new Repaired(2, 1, 1, 0, 2_000, 4_000));
  }

  /// Nothing is moved while pods come, so the run before the repair is that of the headline.
  @Test
  void placesBeforeTheRepairAreThoseOfTheHeadline() {
    var ours = new Ours(Worlds.cluster(TRACE));
    int[] classes = {0, 3, 1, 2, 0, 3};
    for (int pod = 0; pod < classes.length; pod++) {
      assertThat(repair.place(pod, classes[pod])).isEqualTo(ours.place(pod, classes[pod]));
    }
  }
}
