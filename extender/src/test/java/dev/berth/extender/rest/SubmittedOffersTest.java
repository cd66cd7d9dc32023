package dev.berth.extender.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.QueueName;
import dev.berth.extender.rest.answer.Visible;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a workload would get that is not submitted yet.
class SubmittedOffersTest {
  private static final String OPERATION = "POST /api/v1/offers";

  private final OpenApiContract contract = new OpenApiContract();
  private RestCluster rest = new RestCluster();

  @AfterEach
  void close() {
    rest.close();
  }

  private JsonNode offers(String manifest) throws Exception {
    return contract.check(OPERATION, rest.post("/api/v1/offers?namespace=ml", manifest));
  }

  /// Queue `default` has 8 GPUs of its limit of 12.
  private void trained() {
    rest.running("trainer", "n1", 8).plan();
  }

  @Test
  void whatHasRoomStartsNow() throws Exception {
    trained();
    var answer = offers("default 4 new");
    assertThat(answer.get("workloads")).hasSize(1);
    var told = answer.at("/workloads/0");
    assertThat(told.get("name").asText()).isEqualTo("new");
    assertThat(told.get("queue").asText()).isEqualTo("default");
    assertThat(told.get("asks").asText()).isEqualTo("4 GPUs");
    assertThat(told.get("starts").asBoolean()).isTrue();
    assertThat(told.get("places").toString()).isEqualTo("[{\"node\":\"n2\",\"pods\":1}]");
    assertThat(told.has("offers")).isFalse();
    assertThat(told.has("reason")).isFalse();
  }

  @Test
  void nothingIsChanged() throws Exception {
    trained();
    offers("default 4 new");
    assertThat(rest.get("/api/v1/workloads").body()).doesNotContain("\"new\"");
  }

  @Test
  void whatWaitsIsToldWhyAndWhatItStartsWith() throws Exception {
    trained();
    var told = offers("default 6 new").at("/workloads/0");
    assertThat(told.get("starts").asBoolean()).isFalse();
    assertThat(told.at("/reason/sentence").asText()).contains("8 of its limit of 12 GPUs");
    var fewer = offer(told, "4 GPUs a pod (now 6)");
    assertThat(fewer.get("by").toString()).isEqualTo("[\"user\"]");
    assertThat(fewer.get("places").toString()).isEqualTo("[{\"node\":\"n2\",\"pods\":1}]");
    assertThat(fewer.get("patches").toString())
        .isEqualTo("[{\"kind\":\"Pod\",\"name\":\"new\",\"patch\":{\"gpus\":4,\"share\":null}}]");
    var ended = offer(told, "ml/trainer ends");
    assertThat(ended.get("by").toString()).isEqualTo("[\"time\"]");
    assertThat(ended.has("patches")).isFalse();
  }

  private static JsonNode offer(JsonNode told, String words) {
    for (JsonNode each : told.get("offers")) {
      if (each.get("remedies").toString().contains(words)) {
        return each;
      }
    }
    throw new AssertionError(words + " is none of " + told);
  }

  @Test
  void whatWaitsHasTheForecastOfOneThatBeginsToWait() throws Exception {
    trained();
    assertThat(offers("default 6 new").at("/workloads/0").has("forecast")).isFalse();
    var now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    for (int i = 100; i > 0; i--) {
      var earlier = new GroupKey("ml", "earlier-" + i);
      rest.feed
          .forecasts()
          .waits(earlier, new QueueName("default"), 6000, now.minusSeconds(100L * i));
      rest.feed.forecasts().starts(earlier, now.minusSeconds(100L * i - 60));
    }
    var told = offers("default 6 other").at("/workloads/0");
    assertThat(Instant.parse(told.at("/forecast/median").asText()))
        .isBetween(now.plusSeconds(40), now.plusSeconds(80));
    assertThat(offers("default 4 starts").at("/workloads/0").has("forecast")).isFalse();
  }

  @Test
  void ofManyGroupsTheFirstAreToldAndPlansAreBoundedForAll() throws Exception {
    trained();
    String many =
        IntStream.range(10, 40).mapToObj(i -> "pod-" + i).collect(Collectors.joining(" "));
    var answer = offers("default 1 " + many);
    assertThat(answer.get("workloads")).hasSize(16);
    assertThat(answer.get("more").asInt()).isEqualTo(14);
    assertThat(answer.at("/workloads/3/starts").asBoolean()).isTrue();
    assertThat(answer.at("/workloads/4/starts").asBoolean()).isFalse();
    rest.close();
    rest = new RestCluster(Viewers.ON_LOOPBACK, new RestSettings(30, 1));
    trained();
    var few = offers("default 1 " + many);
    assertThat(few.get("plans").asInt()).isEqualTo(30);
    assertThat(few.at("/workloads/15/cutShort").asBoolean()).isTrue();
  }

  @Test
  void whatIsWrongIsToldWithTheFieldAndTheWayOut() throws Exception {
    var answer = rest.post("/api/v1/offers?namespace=ml", "default");
    var problem = contract.check(OPERATION, answer);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(problem.get("field").asText()).isEqualTo("manifest");
    assertThat(problem.get("detail").asText()).contains("there is no workload");
    var misspelt = rest.post("/api/v1/offers?namspace=ml", "default 1 new");
    assertThat(contract.check(OPERATION, misspelt).get("detail").asText())
        .contains("namspace is no parameter")
        .contains("it has namespace");
    var large = rest.post("/api/v1/offers", "x".repeat(70_000));
    assertThat(large.statusCode()).isEqualTo(413);
    assertThat(large.body()).contains("64 KiB: send one workload alone");
  }

  private static Visible only(String namespace, String queue, boolean nodes) {
    return new Visible() {
      @Override
      public boolean queue(QueueName name) {
        return name.value().equals(queue);
      }

      @Override
      public boolean namespace(String name) {
        return name.equals(namespace);
      }

      @Override
      public boolean nodes() {
        return nodes;
      }
    };
  }

  private void as(Visible visible) {
    rest.close();
    rest = new RestCluster((_, _) -> visible, RestSettings.DEFAULT);
    trained();
  }

  @Test
  void oneAsksOfNamespacesAndQueuesThatOneMaySee() throws Exception {
    as(only("mine", "default", true));
    var elsewhere = rest.post("/api/v1/offers?namespace=ml", "default 4 new");
    assertThat(elsewhere.statusCode()).isEqualTo(403);
    assertThat(contract.check(OPERATION, elsewhere).get("field").asText()).isEqualTo("namespace");
    as(only("ml", "other", true));
    var ofOthers = rest.post("/api/v1/offers?namespace=ml", "default 4 new");
    assertThat(ofOthers.statusCode()).isEqualTo(403);
    assertThat(contract.check(OPERATION, ofOthers).get("detail").asText())
        .contains("of queue default, which you may not get");
  }

  @Test
  void namesOfWhatOneMayNotSeeAreNowhere() throws Exception {
    as(only("mine", "default", false));
    var answer =
        contract.check(OPERATION, rest.post("/api/v1/offers?namespace=mine", "default 6 new"));
    assertThat(answer.toString()).doesNotContain("trainer", "\"ml\"", "n1", "n2");
    assertThat(answer.at("/workloads/0/hidden").asInt()).as("its end would help").isPositive();
    assertThat(offer(answer.at("/workloads/0"), "4 GPUs a pod").get("places").toString())
        .isEqualTo("[{\"pods\":1}]");
  }

  @Test
  void victimsThatOneMayNotSeeAreCountedWithoutNames() throws Exception {
    as(only("mine", "speech", true));
    rest.queue("speech", 8).running("tuner", "n2", 8).plan();
    var told =
        contract
            .check(OPERATION, rest.post("/api/v1/offers?namespace=mine", "speech 4 new"))
            .at("/workloads/0");
    assertThat(told.get("starts").asBoolean()).isTrue();
    assertThat(told.get("victims")).isNotEmpty();
    assertThat(told.get("victims").toString())
        .contains("\"cause\":\"reclaim\"")
        .doesNotContain("ml/");
  }
}
