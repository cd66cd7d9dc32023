package dev.berth.extender.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSummary;
import dev.berth.engine.model.QueueName;
import dev.berth.extender.rest.answer.Visible;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is answered, by the document and in the numbers.
class RestApiTest {
  private final OpenApiContract contract = new OpenApiContract();
  private RestCluster rest = new RestCluster();

  @AfterEach
  void close() {
    rest.close();
  }

  private JsonNode get(String operation, String path) throws Exception {
    return contract.check(operation, rest.get(path));
  }

  @Test
  void theDocumentIsOpenApi() {
    assertThat(OpenApiContract.errorsOfDocument(contract.document())).isEmpty();
    var broken = (ObjectNode) contract.document().deepCopy();
    broken.remove("info");
    assertThat(OpenApiContract.errorsOfDocument(broken)).as("the check sees errors").isNotEmpty();
  }

  @Test
  void allThatIsAnsweredIsAsTheDocumentSays() throws Exception {
    rest.running("trainer", "n1", 8).waiting("late", 8).waiting("later", 5);
    rest.cluster.sharing("notebook", "n2", 0, 250);
    rest.cluster.gang("gang", 2, "n2");
    rest.plan();

    var queues = get("GET /api/v1/queues", "/api/v1/queues");
    assertThat(queues.at("/items/0/name").asText()).isEqualTo("default");
    assertThat(queues.at("/items/0/limit/gpu").asText()).isEqualTo("12");
    assertThat(queues.at("/items/0/allocated/gpu").asText()).isEqualTo("8.25");
    var queue = get("GET /api/v1/queues/{name}", "/api/v1/queues/default");
    assertThat(queue.at("/history/0/allocated").asDouble()).isEqualTo(8.25);

    var workloads = get("GET /api/v1/workloads", "/api/v1/workloads");
    assertThat(workloads.get("items").findValuesAsText("name"))
        .containsExactly("gang", "late", "later", "notebook", "trainer");
    var late = get("GET /api/v1/workloads/{namespace}/{name}", "/api/v1/workloads/ml/late");
    assertThat(late.at("/phase").asText()).isEqualTo("Queued");
    assertThat(late.at("/reason/code").asText()).isEqualTo("OverLimit");
    assertThat(late.at("/asks").asText()).isEqualTo("8 GPUs");
    var explained =
        get(
            "GET /api/v1/workloads/{namespace}/{name}/explanation",
            "/api/v1/workloads/ml/late/explanation");
    assertThat(explained.get("helps").toString())
        .contains("3 GPUs a pod (now 8)", "ml/trainer ends");

    var nodes = get("GET /api/v1/nodes", "/api/v1/nodes");
    assertThat(nodes.at("/items/0/gpus")).hasSize(8);
    assertThat(nodes.at("/items/0/gpus/0/shares/0/workload").asText()).isEqualTo("trainer");
    var shared = get("GET /api/v1/nodes/{name}", "/api/v1/nodes/n2");
    assertThat(shared.at("/gpus/0/state").asText()).isEqualTo("shared");
    assertThat(shared.at("/gpus/0/usedMillis").asInt()).isEqualTo(250);
    assertThat(shared.at("/gpus/0/shares/0/millis").asInt()).isEqualTo(250);
    assertThat(shared.at("/gpus/0/shares/0/stage").asText()).isEqualTo("planned");
    assertThat(shared.at("/freeGpus").asInt()).isEqualTo(7);
    assertThat(shared.at("/freeMillis").asInt()).isEqualTo(750);

    var whatIf =
        contract.check(
            "POST /api/v1/what-if",
            rest.post(
                "/api/v1/what-if",
                "{\"changes\":[{\"kind\":\"end\",\"namespace\":\"ml\",\"name\":\"trainer\"}]}"));
    assertThat(whatIf.at("/differs/0/name").asText()).isEqualTo("late");
    assertThat(whatIf.at("/differs/0/before/what").asText()).isEqualTo("waits");
    assertThat(whatIf.at("/differs/0/after/what").asText()).isEqualTo("starts");

    contract.check(
        "POST /api/v1/offers", // SubmittedOffersTest has what they tell
        rest.post("/api/v1/offers?namespace=ml", "default 8 new"));

    rest.evicted("ml", "old", GroupSummary.NONE);
    get("GET /api/v1/receipts", "/api/v1/receipts"); // EvictionReceiptsTest has what they tell
    get("GET /api/v1/receipts/{namespace}/{pod}", "/api/v1/receipts/ml/old");
    forecast();
    get("GET /api/v1/openapi.json", "/api/v1/openapi.json");
    var stream =
        rest.client.send(rest.request("/api/v1/events").build(), BodyHandlers.ofInputStream());
    assertThat(stream.headers().firstValue("Content-Type"))
        .hasValue("text/event-stream;charset=utf-8");
    stream.body().close();
    var all = contract.operations();
    all.remove("GET /api/v1/events"); // EventStreamsTest checks what it tells
    assertThat(contract.checked()).isEqualTo(all);
  }

  /// A workload that waits as others did, each for a minute.
  private void forecast() throws Exception {
    var forecasts = rest.feed.forecasts();
    var queue = new QueueName("default");
    var now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    var key = new GroupKey("ml", "late");
    forecasts.ends(key);
    for (int i = 100; i > 0; i--) {
      var earlier = new GroupKey("ml", "earlier-" + i);
      forecasts.waits(earlier, queue, 8000, now.minusSeconds(100L * i));
      forecasts.starts(earlier, now.minusSeconds(100L * i - 60));
    }
    forecasts.waits(key, queue, 8000, now);
    var late = get("GET /api/v1/workloads/{namespace}/{name}", "/api/v1/workloads/ml/late");
    assertThat(Instant.parse(late.at("/forecast/median").asText()))
        .isBetween(now.plusSeconds(40), now.plusSeconds(80));
    assertThat(Instant.parse(late.at("/forecast/p90").asText()))
        .isBetween(now.plusSeconds(40), now.plusSeconds(80));
    var running = get("GET /api/v1/workloads/{namespace}/{name}", "/api/v1/workloads/ml/trainer");
    assertThat(running.has("forecast")).as("a running workload has a forecast").isFalse();
    var held = get("GET /api/v1/forecasts", "/api/v1/forecasts");
    assertThat(held.at("/p90/judged").asInt()).isBetween(50, 80);
    assertThat(held.at("/p90/held").asInt()).isLessThanOrEqualTo(held.at("/p90/judged").asInt());
  }

  @Test
  void whatIsWrongIsToldWithTheFieldAndTheWayOut() throws Exception {
    String[][] questions = {
      {"/api/v1/workloads?limit=0", "GET /api/v1/workloads", "400", "limit", "1 to 1000"},
      {"/api/v1/workloads?phase=Runing", "GET /api/v1/workloads", "400", "phase", "Running"},
      {"/api/v1/workloads?fase=Running", "GET /api/v1/workloads", "400", "fase", "namespace"},
      {"/api/v1/workloads?continue=%25", "GET /api/v1/workloads", "400", "continue", "before"},
      {"/api/v1/nodes/n3", "GET /api/v1/nodes/{name}", "404", "", "/api/v1/nodes"},
      {"/api/v1/queues/none", "GET /api/v1/queues/{name}", "404", "", "/api/v1/queues"},
      {"/api/v1/events?kinds=pods", "GET /api/v1/events", "400", "kinds", "workloads"},
      {"/api/v1/pods", "GET /api/v1/nodes", "404", "", "openapi.json"},
    };
    for (String[] question : questions) {
      var answer = rest.get(question[0]);
      var problem = contract.check(question[1], answer);
      assertThat(answer.statusCode()).as(question[0]).isEqualTo(Integer.parseInt(question[2]));
      assertThat(problem.path("field").asText()).as(question[0]).isEqualTo(question[3]);
      assertThat(problem.get("detail").asText()).as(question[0]).contains(question[4]);
    }
    String[][] bodies = {
      {"{", "", "JSON"},
      {"{\"changes\":[]}", "changes", "1 to 50"},
      {"{\"change\":[]}", "change", "changes"},
      {
        "{\"changes\":[{\"kind\":\"limit\",\"queue\":\"defalt\",\"amount\":\"1\"}]}",
        "changes[0].queue",
        "/api/v1/queues"
      },
      {
        "{\"changes\":[{\"kind\":\"limit\",\"queue\":\"default\",\"amount\":\"1e999999999\"}]}",
        "changes[0].amount",
        "three decimals"
      },
      { // as many digits, were it written out
        "{\"changes\":[{\"kind\":\"limit\",\"queue\":\"default\",\"amount\":\"1E99999999\"}]}",
        "changes[0].amount",
        "three decimals"
      },
      {
        "{\"changes\":[{\"kind\":\"quota\",\"queue\":\"default\",\"amount\":\"-1\"}]}",
        "changes[0].amount",
        "three decimals"
      },
      {
        "{\"changes\":[{\"kind\":\"addNodes\",\"node\":\"n1\",\"count\":100000}]}",
        "changes[0].count",
        "1 to 1000"
      },
      {
        "{\"changes\":[{\"kind\":\"addNodes\",\"node\":\"n1\",\"count\":600},"
            + "{\"kind\":\"addNodes\",\"node\":\"n1\",\"count\":600}]}",
        "changes[1].count",
        "at most 1000 nodes"
      },
      {
        "{\"changes\":[{\"kind\":\"drain\",\"node\":\"n1\",\"force\":true}]}", "force", "kind, node"
      },
    };
    for (String[] body : bodies) {
      var answer = rest.post("/api/v1/what-if", body[0]);
      var problem = contract.check("POST /api/v1/what-if", answer);
      assertThat(answer.statusCode()).as(body[0]).isEqualTo(400);
      assertThat(problem.path("field").asText()).as(body[0]).isEqualTo(body[1]);
      assertThat(problem.get("detail").asText()).as(body[0]).contains(body[2]);
    }
    assertThat(
            rest.post("/api/v1/what-if", "{\"changes\":\"" + "x".repeat(70_000) + "\"}")
                .statusCode())
        .isEqualTo(413);
  }

  @Test
  void namesOfWhatOneMayNotSeeAreNowhere() throws Exception {
    rest.close();
    rest =
        new RestCluster(
            (_, _) ->
                new Visible() {
                  @Override
                  public boolean queue(QueueName name) {
                    return name.value().equals("open");
                  }

                  @Override
                  public boolean namespace(String name) {
                    return false;
                  }

                  @Override
                  public boolean nodes() {
                    return true;
                  }
                },
            RestSettings.DEFAULT);
    rest.queue("open", 1).running("trainer", "n1", 8).waiting("late", 8).plan();
    assertThat(get("GET /api/v1/workloads", "/api/v1/workloads").get("items")).isEmpty();
    assertThat(rest.get("/api/v1/workloads?namespace=ml").statusCode()).isEqualTo(403);
    assertThat(rest.get("/api/v1/workloads/ml/late").statusCode()).isEqualTo(404);
    assertThat(rest.get("/api/v1/workloads/ml/late/explanation").statusCode()).isEqualTo(404);
    assertThat(rest.get("/api/v1/queues/default").statusCode()).isEqualTo(404);
    assertThat(get("GET /api/v1/queues", "/api/v1/queues").get("items").findValuesAsText("name"))
        .containsExactly("open");
    var node = get("GET /api/v1/nodes/{name}", "/api/v1/nodes/n1");
    assertThat(node.toString()).doesNotContain("trainer", "\"ml\"", "default");
    assertThat(node.at("/gpus/0/shares/0/millis").asInt()).isEqualTo(1000);
    var drained =
        rest.post("/api/v1/what-if", "{\"changes\":[{\"kind\":\"drain\",\"node\":\"n1\"}]}");
    var outcome = contract.check("POST /api/v1/what-if", drained);
    assertThat(outcome.has("differs")).isFalse();
    assertThat(outcome.has("gone")).as("the pod without a controller").isFalse();
    assertThat(outcome.get("hidden").asInt()).isEqualTo(2);
  }

  @Test
  void aPageOfAnotherSiteIsRefused() {
    assertThat(
            org.assertj.core.api.Assertions.catchThrowableOfType(
                    ApiProblem.class, () -> Viewers.ON_LOOPBACK.viewer("", "evil.example:8888"))
                .status())
        .isEqualTo(403);
    assertThat(Viewers.ON_LOOPBACK.viewer("", "127.0.0.1:8888")).isEqualTo(Visible.ALL);
    assertThat(Viewers.ON_LOOPBACK.viewer("", "LOCALHOST")).isEqualTo(Visible.ALL);
  }
}
