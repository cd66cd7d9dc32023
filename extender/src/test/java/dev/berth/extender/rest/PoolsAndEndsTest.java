package dev.berth.extender.rest;

import static dev.berth.extender.verbs.VerbCluster.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.Pod.Phase;
import dev.berth.engine.request.QueueManifest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is told of node pools, and of the end of workloads.
final class PoolsAndEndsTest {
  private final OpenApiContract contract = new OpenApiContract();
  private RestCluster rest = new RestCluster(PlannerSettings.DEFAULT.withPools("pool"));

  @AfterEach
  void close() {
    rest.close();
  }

  private JsonNode queue(String name) throws Exception {
    return contract.check("GET /api/v1/queues/{name}", rest.get("/api/v1/queues/" + name));
  }

  private JsonNode workload(String name) throws Exception {
    return contract.check(
        "GET /api/v1/workloads/{namespace}/{name}", rest.get("/api/v1/workloads/ml/" + name));
  }

  private void queue(String name, Map<String, Object> spec) {
    rest.cluster.ledger.record(
        new Fact.QueueSeen(
            QueueManifest.read(Map.of("metadata", Map.of("name", name), "spec", spec))
                .orElseThrow()));
  }

  @Test
  void aQueueIsToldForEachNodePool() throws Exception {
    rest.cluster.node("h1", Map.of("pool", "h100"), List.of(), false);
    queue(
        "team",
        Map.of(
            "quota",
            Map.of("gpu", 8),
            "limit",
            Map.of("gpu", 16),
            "pools",
            List.of(Map.of("name", "h100", "quota", Map.of("gpu", 2), "limit", Map.of()))));
    rest.cluster.seen(pod("one").devices(3).queue("team").on("h1").phase(Phase.RUNNING));
    rest.cluster.seen(pod("two").devices(1).queue("team").on("n1").phase(Phase.RUNNING));
    rest.plan();
    var team = queue("team");
    assertThat(team.at("/quota/gpu").asText()).isEqualTo("8");
    assertThat(team.at("/allocated/gpu").asText()).isEqualTo("4");
    assertThat(team.at("/overQuota/gpu").asText()).isEqualTo("1");
    assertThat(team.at("/pools")).hasSize(2);
    var unlabelled = team.at("/pools/0");
    assertThat(unlabelled.has("name")).as("nodes without the label have a name").isFalse();
    assertThat(unlabelled.at("/quota/gpu").asText()).isEqualTo("8");
    assertThat(unlabelled.at("/limit/gpu").asText()).isEqualTo("16");
    assertThat(unlabelled.at("/allocated/gpu").asText()).isEqualTo("1");
    var h100 = team.at("/pools/1");
    assertThat(h100.at("/name").asText()).isEqualTo("h100");
    assertThat(h100.at("/quota/gpu").asText()).isEqualTo("2");
    assertThat(h100.has("limit")).as("there is a limit in pool h100").isFalse();
    assertThat(h100.at("/allocated/gpu").asText()).isEqualTo("3");
    assertThat(h100.at("/overQuota/gpu").asText()).isEqualTo("1");
  }

  @Test
  void withoutTheLabelOfPoolsNothingIsToldOfThem() throws Exception {
    rest.close();
    rest = new RestCluster().plan();
    assertThat(queue("default").has("pools")).isFalse();
  }

  @Test
  void aQueueTellsTheMaxRuntimeThatHoldsAndWhoseItIs() throws Exception {
    queue("research", Map.of("maxRuntime", "12h", "maxRuntimeWarning", "30m"));
    queue("vision", Map.of("parent", "research"));
    rest.plan();
    var vision = queue("vision");
    assertThat(vision.at("/maxRuntime").asText()).isEqualTo("12h");
    assertThat(vision.at("/maxRuntimeOf").asText()).isEqualTo("research");
    assertThat(vision.at("/maxRuntimeWarning").asText()).isEqualTo("30m");
    assertThat(queue("default").has("maxRuntime")).isFalse();
    assertThat(queue("default").has("maxRuntimeWarning")).isFalse();
  }

  @Test
  void aWorkloadTellsWhenItEndsAndByWhichRule() throws Exception {
    queue("research", Map.of("maxRuntime", "12h"));
    rest.cluster.seen(pod("long").devices(1).queue("research").on("n1").phase(Phase.RUNNING));
    rest.running("free", "n2", 1);
    rest.plan();
    var end = workload("long").at("/end");
    assertThat(end.at("/rule").asText()).isEqualTo("the max-runtime of queue research, 12h");
    assertThat(end.at("/at").asText()).isNotEmpty();
    assertThat(end.has("warnedSince")).isFalse();
    assertThat(workload("free").has("end")).isFalse();
  }

  private HttpResponse<String> whatIf(String change) throws Exception {
    return rest.post("/api/v1/what-if", "{\"changes\": [" + change + "]}");
  }

  @Test
  void aWhatIfTakesTheLimitOfANodePool() throws Exception {
    rest.cluster.node("h1", Map.of("pool", "h100"), List.of(), false);
    queue("team", Map.of("pools", List.of(Map.of("name", "", "limit", Map.of("gpu", 1)))));
    rest.waiting("one", 2, "team").plan();
    String change = "{\"kind\": \"limit\", \"queue\": \"team\", %s\"amount\": \"2\"}";
    var there =
        contract.check("POST /api/v1/what-if", whatIf(change.formatted("\"pool\": \"\", ")));
    assertThat(there.at("/differs/0/after/what").asText()).isEqualTo("starts");
    var ofQueue = contract.check("POST /api/v1/what-if", whatIf(change.formatted("")));
    assertThat(ofQueue.has("differs")).as("the pool has its own limit").isFalse();
    var unknown = whatIf(change.formatted("\"pool\": \"h10\", "));
    assertThat(unknown.statusCode()).isEqualTo(400);
    assertThat(unknown.body()).contains("changes[0].pool", "a node pool that has nodes");
  }

  @Test
  void aWhatIfOfAPoolNeedsPools() throws Exception {
    rest.close();
    rest = new RestCluster().plan();
    String change =
        "{\"kind\": \"limit\", \"queue\": \"default\", \"pool\": \"a\", \"amount\": \"2\"}";
    var refused = whatIf(change);
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("changes[0].pool", "nodes are not divided into pools");
  }
}
