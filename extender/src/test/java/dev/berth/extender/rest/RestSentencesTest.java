package dev.berth.extender.rest;

import static dev.berth.extender.verbs.VerbCluster.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.engine.model.GroupKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// REST says why a workload waits, and what would help, in the sentences of `berth explain`.
class RestSentencesTest {
  private static final String BY_DEFAULT =
      " It names no queue and so is in the default one, default; the label berth.dev/queue names"
          + " another.";
  private static final String NO_SUCH_CLASS =
      " Besides, its label priorityClassName names PriorityClass trian (did you mean train?), which"
          + " does not exist: until it names one that does, the priority of its pods counts.";

  private final OpenApiContract contract = new OpenApiContract();
  private final RestCluster rest = new RestCluster();

  @AfterEach
  void close() {
    rest.close();
  }

  private String why(String workload) throws Exception {
    return get(workload).at("/reason/sentence").asText();
  }

  private JsonNode get(String workload) throws Exception {
    return contract.check(
        "GET /api/v1/workloads/{namespace}/{name}", rest.get("/api/v1/workloads/ml/" + workload));
  }

  private JsonNode explained(String workload) throws Exception {
    return contract.check(
        "GET /api/v1/workloads/{namespace}/{name}/explanation",
        rest.get("/api/v1/workloads/ml/" + workload + "/explanation"));
  }

  @Test
  void aPodThatNamesNoQueueIsToldSoWhereTheDefaultOneStopsIt() throws Exception {
    rest.queue("named", 1)
        .running("trainer", "n1", 8)
        .waiting("late", 8)
        .waiting("own", 8, "named");
    rest.plan();
    assertThat(why("late"))
        .startsWith("Waits: queue default has 8 of its limit")
        .endsWith(BY_DEFAULT);
    assertThat(why("own")).startsWith("Waits: ").doesNotContain("names no queue");
    assertThat(explained("late").at("/reason/sentence").asText()).endsWith(BY_DEFAULT);
    var whatIf =
        contract.check(
            "POST /api/v1/what-if",
            rest.post(
                "/api/v1/what-if",
                "{\"changes\":[{\"kind\":\"limit\",\"queue\":\"default\",\"amount\":\"9\"}]}"));
    assertThat(whatIf.at("/differs/0/before/sentence").asText()).endsWith(BY_DEFAULT);
    assertThat(whatIf.at("/differs/0/after/sentence").asText()).endsWith(BY_DEFAULT);
  }

  @Test
  void aPodGroupThatDoesNotExistIsToldWithTheNearest() throws Exception {
    rest.cluster.group("train", 2);
    rest.cluster.seen(pod("w").devices(1).of(new GroupKey("ml", "trian")).gated());
    rest.plan();
    assertThat(why("trian"))
        .isEqualTo(
            "Waits: there is no PodGroup ml/trian (did you mean train?). Helps: name PodGroup"
                + " train, or create a PodGroup ml/trian.");
  }

  @Test
  void aPriorityClassThatDoesNotExistIsTold() throws Exception {
    rest.cluster.priorityClass("train", 50);
    rest.cluster.seen(pod("w").devices(16).priorityClass("trian").gated());
    rest.cluster.seen(pod("x").devices(16).priorityClass("train").gated());
    rest.plan();
    assertThat(why("w")).endsWith(NO_SUCH_CLASS);
    assertThat(explained("w").at("/reason/sentence").asText()).endsWith(NO_SUCH_CLASS);
    assertThat(why("x")).startsWith("Waits: ").doesNotContain("PriorityClass");
  }

  @Test
  void aPriorityThatNoClassGivesIsNotAdvised() throws Exception {
    rest.running("trainer", "n1", 8).waiting("late", 8).plan();
    assertThat(explained("late").get("helps").toString())
        .contains("ml/trainer ends")
        .doesNotContain("priority");
  }

  @Test
  void aPriorityIsAdvisedByTheClassThatGivesIt() throws Exception {
    rest.cluster.priorityClass("soon", 10);
    rest.running("trainer", "n1", 8).waiting("late", 8).plan();
    assertThat(explained("late").get("helps").toString())
        .contains("a priority of 10 (now 0): priorityClassName soon");
  }
}
