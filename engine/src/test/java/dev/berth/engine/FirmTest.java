package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Decision;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Plans whose room no other group may take once it is being freed. Otherwise groups that come
/// first, but may not evict, would take it, and more pods would be evicted.
class FirmTest {
  private static Map<String, Boolean> firm(Cluster cluster) {
    var firm = new TreeMap<String, Boolean>();
    for (Decision decision :
        new Planner(PlannerSettings.DEFAULT).plan(cluster.snapshot()).decisions()) {
      if (decision instanceof Decision.Reserve reserve) {
        firm.put(reserve.group().name(), reserve.firm());
      }
    }
    return firm;
  }

  /// `lender` has more than its quota, `borrowed` of it.
  private static Cluster full(QueueSketch site, QueueSketch lender, QueueSketch team) {
    return cluster()
        .node("n", gpus(4))
        .queue("site", site)
        .queue("lender", lender)
        .queue("team", team)
        .queue("outside", quota(1))
        .running("lent", "lender", gang(1).gpus(1).priority(40))
        .running("lent-too", "lender", gang(1).gpus(1).priority(40))
        .running("kept", "lender", gang(1).gpus(2).priority(60))
        .waiting("claims", "team", gang(2).gpus(1));
  }

  @Test
  void whatIsReclaimedWithinAQueueThatIsOwedItStaysThere() {
    assertThat(firm(full(quota(4), quota(2).below("site"), quota(2).below("site"))))
        .isEqualTo(Map.of("claims", true));
  }

  @Test
  void whatAQueueHasBeyondItsQuotaOthersMayClaimAsWell() {
    assertThat(firm(full(quota(3), quota(2).below("site"), quota(2).below("site"))))
        .isEqualTo(Map.of("claims", false));
  }

  @Test
  void whatIsReclaimedFromAQueueBesideOthersMayClaimAsWell() {
    assertThat(firm(full(quota(4), quota(2), quota(2)))).isEqualTo(Map.of("claims", false));
  }

  @Test
  void whatIsReclaimedIsForTheFirstGroupBelowThatQueue() {
    var cluster = full(quota(4), quota(2).below("site"), quota(2).below("site"));
    assertThat(firm(cluster.waiting("before", "team", gang(3).gpus(1).minutesOld(60))))
        .isEqualTo(Map.of("claims", false));
  }

  /// They may not evict, and come first as long as they have less of their share.
  @Test
  void groupThatMayNotReclaimDoesNotWaitForThatRoom() {
    var cluster = full(quota(4), quota(2).below("site"), quota(2).below("site"));
    assertThat(firm(cluster.waiting("stranger", "outside", gang(1).minutesOld(60))))
        .isEqualTo(Map.of("claims", true));
  }
}
