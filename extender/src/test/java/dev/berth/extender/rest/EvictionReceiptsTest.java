package dev.berth.extender.rest;

import static dev.berth.extender.verbs.VerbCluster.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSummary;
import dev.berth.engine.model.Pod.Phase;
import dev.berth.engine.model.QueueName;
import dev.berth.extender.rest.answer.Visible;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Receipts over HTTP, each held against the document.
class EvictionReceiptsTest {
  private static final String LIST = "GET /api/v1/receipts";
  private static final String ONE = "GET /api/v1/receipts/{namespace}/{pod}";
  private static final GroupSummary TRAIN =
      new GroupSummary(new GroupKey("research", "train"), new QueueName("secret"), 50);

  private final OpenApiContract contract = new OpenApiContract();
  private RestCluster rest = new RestCluster();

  @AfterEach
  void close() {
    rest.close();
  }

  private JsonNode get(String operation, String path) throws Exception {
    return contract.check(operation, rest.get("/api/v1/receipts" + path));
  }

  /// Queue `speech` is owed 8 GPUs, and `default` has 12 of 16.
  private void reclaim() {
    rest.queue("speech", 16);
    rest.running("keeps", "n1", 8).running("b1", "n2", 2).running("b2", "n2", 2);
    rest.waiting("c", 8, "speech").plan().evicted();
  }

  @Test
  void aReceiptTellsTheCauseTheNumbersAndTheOtherVictims() throws Exception {
    reclaim();
    var receipt = get(ONE, "/ml/b1").at("/items/0");
    assertThat(receipt.at("/workload").asText()).isEqualTo("b1");
    assertThat(receipt.at("/queue").asText()).isEqualTo("default");
    assertThat(receipt.at("/cause").asText()).isEqualTo("reclaim");
    assertThat(receipt.at("/sentence").asText())
        .isEqualTo(
            "Reclaimed: its queue, or one above it, had more than its share, and another queue is"
                + " owed it");
    assertThat(receipt.at("/beneficiary").toString())
        .isEqualTo(
            "{\"name\":\"c\",\"namespace\":\"ml\",\"priority\":0,\"progress\":\"waits\","
                + "\"queue\":\"speech\"}");
    assertThat(receipt.at("/victims").asInt()).isEqualTo(2);
    assertThat(receipt.at("/others").toString())
        .isEqualTo("[{\"pod\":\"ml/b2\",\"queue\":\"default\",\"moved\":false}]");
    assertThat(receipt.at("/hidden").asInt()).isZero();
    assertThat(gpus(receipt, 0)).isEqualTo("default quota 4: 12 -> 8, fair share 8 -> 8");
    assertThat(gpus(receipt, 1)).isEqualTo("speech quota 4: 0 -> 8, fair share 8 -> 8");
    assertThat(receipt.at("/queues")).hasSize(2);
  }

  private static String gpus(JsonNode receipt, int queue) {
    var at = receipt.at("/queues/" + queue);
    return "%s quota %s: %s -> %s, fair share %s -> %s"
        .formatted(
            at.at("/name").asText(),
            at.at("/quota/gpu").asText(),
            at.at("/before/allocated/gpu").asText(),
            at.at("/after/allocated/gpu").asText(),
            at.at("/before/fairShare/gpu").asText(),
            at.at("/after/fairShare/gpu").asText());
  }

  @Test
  void itTellsWhenTheBeneficiaryStartedOrIsGone() throws Exception {
    reclaim();
    rest.evicted("ml", "last", TRAIN);
    assertThat(get(ONE, "/ml/last").at("/items/0/beneficiary/progress").asText())
        .as("of a workload that is not there")
        .isEqualTo("gone");
    rest.cluster.gone("b1").gone("b2");
    rest.cluster.seen(pod("c").devices(8).queue("speech").on("n2").phase(Phase.RUNNING));
    rest.plan();
    var gainer = get(ONE, "/ml/b1").at("/items/0/beneficiary");
    assertThat(gainer.at("/progress").asText()).isEqualTo("started");
    assertThat(gainer.at("/since").asText()).isNotEmpty();
  }

  @Test
  void theListIsNewestFirstInPagesAndByQueueNamespaceAndWorkload() throws Exception {
    reclaim();
    rest.evicted("other", "x", GroupSummary.NONE).evicted("other", "y", GroupSummary.NONE);
    var all = get(LIST, "");
    assertThat(all.get("items").findValuesAsText("pod")).containsExactly("y", "x", "b2", "b1");
    assertThat(all.at("/items/2").has("queues")).as("numbers in a list").isFalse();
    var first = get(LIST, "?limit=3");
    assertThat(first.get("items").findValuesAsText("pod")).containsExactly("y", "x", "b2");
    rest.evicted("other", "z", GroupSummary.NONE);
    var second = get(LIST, "?limit=3&continue=" + first.get("continue").asText());
    assertThat(second.get("items").findValuesAsText("pod")).containsExactly("b1");
    assertThat(second.has("continue")).as("more pages").isFalse();
    assertThat(pods("?namespace=ml")).containsExactly("b2", "b1");
    assertThat(pods("?workload=x")).containsExactly("x");
    assertThat(pods("?queue=default&namespace=other")).containsExactly("z", "y", "x");
    assertThat(pods("?queue=speech")).isEmpty();
  }

  private java.util.List<String> pods(String query) throws Exception {
    return get(LIST, query).get("items").findValuesAsText("pod");
  }

  @Test
  void aPodThatWasNotEvictedHasNone() throws Exception {
    reclaim();
    var none = rest.get("/api/v1/receipts/ml/keeps");
    assertThat(none.statusCode()).isEqualTo(404);
    assertThat(contract.check(ONE, none).get("detail").asText())
        .startsWith("There is no receipt of pod ml/keeps: GET /api/v1/receipts lists those since 2")
        .endsWith("; berth receipt tells earlier ones from a decision log");
    for (String wrong : new String[] {"?continue=abc", "?queu=a", "?limit=0"}) {
      assertThat(rest.get("/api/v1/receipts" + wrong).statusCode()).as(wrong).isEqualTo(400);
    }
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
                    return name.value().equals("default");
                  }

                  @Override
                  public boolean namespace(String name) {
                    return name.equals("ml");
                  }

                  @Override
                  public boolean nodes() {
                    return false;
                  }
                },
            RestSettings.DEFAULT);
    reclaim();
    rest.evicted("other", "x", GroupSummary.NONE).evicted("ml", "last", TRAIN);
    assertThat(pods("")).containsExactly("last", "b2", "b1");
    assertThat(rest.get("/api/v1/receipts?namespace=other").statusCode()).isEqualTo(403);
    assertThat(rest.get("/api/v1/receipts/other/x").statusCode()).isEqualTo(404);
    var last = get(ONE, "/ml/last").at("/items/0");
    assertThat(last.toString()).doesNotContain("research", "train", "secret");
    assertThat(last.get("beneficiary").fieldNames())
        .toIterable()
        .containsExactly("progress", "since");
    assertThat(last.at("/beneficiary/progress").asText()).isEqualTo("gone");
    assertThat(get(ONE, "/ml/b1").at("/items/0/queues").findValuesAsText("name"))
        .as("queues that it may get")
        .containsExactly("default");
  }

  /// A number would tell how many evictions there were in between, in whatever namespace.
  @Test
  void whereAPageEndsIsNoNumber() throws Exception {
    reclaim();
    String first = get(LIST, "?limit=1").get("continue").asText();
    rest.evicted("other", "x", GroupSummary.NONE).evicted("ml", "y", GroupSummary.NONE);
    String second = get(LIST, "?limit=1").get("continue").asText();
    for (String place : new String[] {first, second}) {
      String told = new String(Base64.getUrlDecoder().decode(place), StandardCharsets.UTF_8);
      assertThat(told).matches("[0-9a-f]{32}");
    }
    assertThat(first).isNotEqualTo(second);
    String counted = Queries.next("-2");
    assertThat(rest.get("/api/v1/receipts?continue=" + counted).statusCode()).isEqualTo(400);
  }
}
