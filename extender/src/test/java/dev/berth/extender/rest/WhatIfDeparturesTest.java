package dev.berth.extender.rest;

import static dev.berth.extender.verbs.VerbCluster.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.QueueName;
import dev.berth.extender.rest.answer.Visible;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A what-if names the workloads that lose pods, as `berth what-if` does.
class WhatIfDeparturesTest {
  private final OpenApiContract contract = new OpenApiContract();
  private RestCluster rest = new RestCluster();

  @AfterEach
  void close() {
    rest.close();
  }

  private JsonNode whatIf(String change) throws Exception {
    return contract.check(
        "POST /api/v1/what-if", rest.post("/api/v1/what-if", "{\"changes\":[" + change + "]}"));
  }

  /// Queue `speech` is owed 8 GPUs, and may have 4.
  private void bounded() {
    rest.queue("speech", 4);
    rest.running("keeps", "n1", 8).running("b1", "n2", 2).running("b2", "n2", 2);
    rest.waiting("c", 8, "speech").plan();
  }

  private static final String RAISED =
      "{\"kind\":\"limit\",\"queue\":\"speech\",\"amount\":\"16\"}";

  @Test
  void eachWorkloadOfWhichPodsLeaveHasALineWithTheCause() throws Exception {
    bounded();
    var leaves = whatIf(RAISED).get("departures");
    assertThat(leaves.findValuesAsText("sentence"))
        .containsExactly(
            "1 pod is evicted for ml/c (reclaim)", "1 pod is evicted for ml/c (reclaim)");
    var first = leaves.get(0);
    assertThat(first.get("name").asText()).isEqualTo("b1");
    assertThat(first.get("queue").asText()).isEqualTo("default");
    assertThat(first.get("evicted").asInt()).isEqualTo(1);
    assertThat(first.get("moved").asInt()).isZero();
    assertThat(first.get("causes").toString()).isEqualTo("[\"reclaim\"]");
    assertThat(first.at("/beneficiary/name").asText()).isEqualTo("c");
  }

  @Test
  void soHaveThoseThatADrainLeavesWithoutPods() throws Exception {
    bounded();
    var half = new GroupKey("ml", "half");
    rest.cluster.group("half", 1);
    rest.cluster.seen(pod("half-0").of(half).on("n1")).seen(pod("half-1").of(half).on("n2"));
    rest.plan();
    var drained = whatIf("{\"kind\":\"drain\",\"node\":\"n1\"}");
    assertThat(drained.get("gone").findValuesAsText("name")).containsExactly("keeps");
    assertThat(drained.at("/gone/0/queue").asText()).isEqualTo("default");
    assertThat(drained.at("/losses/0/name").asText()).isEqualTo("half");
    assertThat(drained.at("/losses/0/sentence").asText())
        .isEqualTo("loses 1 of its 2 pods, which has no controller");
  }

  @Test
  void aBeneficiaryThatOneMayNotSeeIsNotNamed() throws Exception {
    rest.close();
    rest =
        new RestCluster(
            (_, _) ->
                new Visible() {
                  @Override
                  public boolean queue(QueueName name) {
                    return true;
                  }

                  @Override
                  public boolean namespace(String name) {
                    return name.equals("ml");
                  }

                  @Override
                  public boolean nodes() {
                    return true;
                  }
                },
            RestSettings.DEFAULT);
    rest.queue("speech", 4);
    rest.running("keeps", "n1", 8).running("b1", "n2", 4);
    rest.cluster.seen(pod("covert").in("hidden").devices(8).queue("speech").gated());
    rest.plan();
    var answer = whatIf(RAISED);
    assertThat(answer.at("/departures/0/sentence").asText())
        .isEqualTo("1 pod is evicted for another workload (reclaim)");
    assertThat(answer.toString()).doesNotContain("covert");
    assertThat(answer.get("hidden").asInt()).isEqualTo(1);
  }
}
