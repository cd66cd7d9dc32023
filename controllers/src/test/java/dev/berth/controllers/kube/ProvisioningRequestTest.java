package dev.berth.controllers.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.client.CapacityClient.CapacityUnit;
import dev.berth.controllers.client.CapacityClient.Want;
import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.InterPod;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Constraints.Peers;
import dev.berth.engine.model.Constraints.PodTerm;
import dev.berth.engine.model.Constraints.Term;
import dev.berth.engine.model.Constraints.Toleration;
import dev.berth.engine.model.PodKey;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ProvisioningRequestTest {
  private static final TreeMap<String, String> ANYWHERE = new TreeMap<>();

  @Test
  void podsThatAskForTheSameOnTheSameNodesAreOneSet() {
    var apart = new PodTerm("zone", new Peers(List.of("default"), false, List.of()));
    var interPod = new InterPod(List.of(), List.of(apart), List.of());
    assertThat(sets(Constraints.NONE, where(ANYWHERE, List.of(), List.of(), interPod)))
        .as("a template says nothing of neighbours")
        .containsExactly(2);
  }

  @Test
  void podsForOtherNodesAreASetOfTheirOwn() {
    var east = new TreeMap<>(Map.of("zone", "east"));
    var term = new Term(List.of(new Expression(false, "zone", Operator.IN, List.of("west"))));
    var bears = new Toleration("dedicated", false, "ml", "");
    assertThat(
            sets(
                Constraints.NONE,
                where(east, List.of(), List.of(), InterPod.NONE),
                where(ANYWHERE, List.of(term), List.of(), InterPod.NONE),
                where(ANYWHERE, List.of(), List.of(bears), InterPod.NONE),
                where(east, List.of(), List.of(), InterPod.NONE)))
        .containsExactly(1, 2, 1, 1);
  }

  private static Constraints where(
      TreeMap<String, String> selector,
      List<Term> required,
      List<Toleration> tolerations,
      InterPod interPod) {
    return new Constraints(selector, required, tolerations, interPod);
  }

  private static List<Integer> sets(Constraints... pods) {
    var units = List.of(pods).stream().map(ProvisioningRequestTest::unit).toList();
    return ProvisioningRequest.podSets(new Want("room", true, units)).stream()
        .map(ProvisioningRequest.PodSet::count)
        .toList();
  }

  private static CapacityUnit unit(Constraints constraints) {
    var requests = new TreeMap<>(Map.of("nvidia.com/gpu", "8"));
    return new CapacityUnit(new PodKey("default", "a"), constraints, List.of(), requests);
  }
}
