package dev.berth.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.model.Resource;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What people read.
class SentencesTest {
  @Test
  void aLimitTellsWhatIsUsedAskedAndMissingAndWhoIsAhead() {
    var over = new Reason.OverLimit(new QueueName("research"), Resource.GPU, 16_000, 4_000, 16_000);
    assertEquals(
        "Waits: queue research has 16 of its limit of 16 GPUs in use and this group asks for 4."
            + " Helps: 4 GPUs released in research, or a limit of 20. Ahead: llm-7, eval-3.",
        Sentences.of(over, List.of(Cluster.key("llm-7"), Cluster.key("eval-3"))));
  }

  @Test
  void amountsAreInUnitsThatPeopleUse() {
    var queue = new QueueName("q");
    assertEquals(
        "Waits: queue q has 3.5 of its limit of 4 cores in use and this group asks for 1.25."
            + " Helps: 0.75 cores released in q, or a limit of 4.75.",
        Sentences.of(new Reason.OverLimit(queue, Resource.CPU, 3_500, 1_250, 4_000)));
    assertEquals(
        "Waits: non-preemptible work of queue q has 1 GiB of its quota of 2 GiB of memory and this"
            + " group asks for 1.5 GiB. Helps: a quota of 2.5 GiB in q, or preemptible work.",
        Sentences.of(
            new Reason.NonPreemptibleOverQuota(
                queue, Resource.MEMORY, 1L << 30, 3L << 29, 2L << 30)));
  }

  @Test
  void missingRoomTellsHowFarTheGroupCameAndWhy() {
    var none =
        new Reason.NoRoom(
            4,
            3,
            12,
            List.of(
                new Shortfall(Obstacle.DEVICES, "nvidia.com/gpu", 10),
                new Shortfall(Obstacle.TAINT, "team", 2)));
    assertEquals(
        "Waits: 3 of 4 members find room together; of 12 nodes 10 without enough free devices"
            + " (nvidia.com/gpu), 2 tainted (team). Helps: devices released, or more nodes.",
        Sentences.of(none));
  }
}
