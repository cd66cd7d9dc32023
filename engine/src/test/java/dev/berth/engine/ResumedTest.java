package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;

import dev.berth.engine.model.Reason.NeverFits;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.OverLimit;
import org.junit.jupiter.api.Test;

/// Groups for which the previous leader requested evictions.
class ResumedTest {
  @Test
  void aResumedGroupComesBeforeOneThatPrecedesIt() {
    cluster()
        .node("n1", gpus(2))
        .leaving("victim", "default", pods(1))
        .waiting("urgent", "default", gang(1).priority(60).minutesOld(90))
        .waiting("preemptor", "default", gang(2).minutesOld(5).resumed())
        .plan()
        .reserves("preemptor", 2)
        .waits("urgent", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void itTakesOneStep() {
    cluster()
        .node("n1", gpus(3))
        .waiting("urgent", "default", gang(1).priority(60).minutesOld(90))
        .waiting("preemptor", "default", gang(4).atLeast(2).minutesOld(5).resumed())
        .plan()
        .reserves("preemptor", 2)
        .reserves("urgent", 1)
        .andNothingElse();
  }

  @Test
  void oneThatFindsNoRoomKeepsItFromNoOther() {
    cluster()
        .node("n1", gpus(2))
        .waiting("urgent", "default", gang(1).priority(60).minutesOld(90))
        .waiting("later", "default", gang(1).minutesOld(1))
        .waiting("preemptor", "default", gang(4).minutesOld(5).resumed())
        .plan()
        .reserves("urgent", 1)
        .reserves("later", 1)
        .waits("preemptor", NeverFits.class)
        .andNothingElse();
  }

  @Test
  void itStaysWithinTheLimit() {
    cluster()
        .queue("team", quota(0).limit(1))
        .node("n1", gpus(4))
        .waiting("preemptor", "team", gang(2).resumed())
        .plan()
        .waits("preemptor", OverLimit.class)
        .andNothingElse();
  }
}
