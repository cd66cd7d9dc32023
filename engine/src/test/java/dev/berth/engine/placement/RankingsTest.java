package dev.berth.engine.placement;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is kept of the nodes for each shape is bounded: pods that all ask for something else make
/// plans slower, and say the same.
class RankingsTest {
  private static final int NODES = 5;

  /// Ten of them fit on some node, forty on none.
  private static Snapshot fiftyShapes() {
    var world = cluster();
    for (int n = 0; n < NODES; n++) {
      world.node("n" + n, gpus(2).label("rack", "r" + n));
    }
    for (int i = 0; i < 50; i++) {
      int gpus = i % 5 == 0 ? 1 : 3;
      world.waiting("w" + i, "default", gang(1).gpus(gpus).asks(Resource.CPU, 1000L + i));
    }
    return world.snapshot();
  }

  private static List<PlacementOutcome> outcomes(Session session, Rankings rankings) {
    var outcomes = new ArrayList<PlacementOutcome>();
    for (int plan = 0; plan < 3; plan++) {
      rankings.begin();
      for (Group group : session.waiting()) {
        try (Statement _ = session.open()) {
          outcomes.add(
              new BlockPlacement(session, rankings).place(group.next().orElseThrow(), true));
        }
      }
    }
    return outcomes;
  }

  @Test
  void noMoreAreKeptThanMayBeAndTheyAnswerAlike() {
    var strategy = PlannerSettings.DEFAULT.strategy();
    var session = Session.over(fiftyShapes(), PlannerSettings.DEFAULT.defaultQueue());
    var all = new Rankings(session, strategy);
    var few = new Rankings(session, strategy, 10 * NODES);
    assertThat(outcomes(session, few)).isEqualTo(outcomes(session, all)).hasSize(150);
    assertThat(all.size()).isEqualTo(50);
    assertThat(few.size()).isEqualTo(10);
  }
}
