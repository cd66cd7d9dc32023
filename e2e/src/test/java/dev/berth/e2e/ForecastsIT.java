package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.group;
import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The status of a PodGroup tells when it is likely to start, once enough others have waited and
/// started, and no longer than until it has.
class ForecastsIT {
  private static final int PORTS = 29200;
  private static final int GPUS = 32;
  private static final int MANY = 25;
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String GROUPS = "/apis/berth.dev/v1alpha1/namespaces/default/podgroups";

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  @BeforeAll
  static void up() {
    cluster = ControlPlane.up(PORTS, "--nodes", "1", "--gpus", Integer.toString(GPUS));
    api = cluster.admin();
  }

  @Test
  void aGroupThatWaitsHasAForecastUntilItStarts() {
    for (String prefix : new String[] {"a", "b"}) {
      manyWait(prefix);
      Api.pause(Duration.ofSeconds(20));
      manyStart(prefix);
      api.delete(PODS + "?gracePeriodSeconds=0");
    }
    var began = Instant.now().minusSeconds(1);
    manyWait("c");
    ControlPlane.await(
        "c-24 tells when it is likely to start",
        () -> status("c-24").has("forecast"),
        () -> api.get(GROUPS + "/c-24").toString());
    var forecast = status("c-24").get("forecast");
    var median = Instant.parse(forecast.path("median").asText());
    assertThat(median).isAfter(began);
    assertThat(Instant.parse(forecast.path("p90").asText())).isAfterOrEqualTo(median);
    assertThat(Instant.parse(forecast.path("updated").asText()))
        .isBetween(began, Instant.now().plusSeconds(1));

    manyStart("c");
    ControlPlane.await(
        "the forecast of c-24 is gone",
        () ->
            !status("c-24").has("forecast")
                && status("c-24").path("phase").asText().equals("Running"),
        () -> api.get(GROUPS + "/c-24").toString());
    Api.pause(Duration.ofSeconds(3));
    var metrics = Metrics.of(PORTS + 8);
    assertThat(metrics.sum("berth_forecast_judged_total", "0.9")).isPositive();
    assertThat(metrics.sum("berth_forecast_judged_total", "0.5")).isPositive();
  }

  /// One pod has all GPUs; then many groups of one pod wait.
  private static void manyWait(String prefix) {
    api.createOrFail(PODS, pod("blocker").gpus(GPUS).toString());
    ControlPlane.await(
        "the blocker is bound",
        () -> Truth.isBound(api.get(PODS + "/blocker")),
        () -> api.get(PODS + "/blocker").toString());
    for (int i = 0; i < MANY; i++) {
      String name = "%s-%02d".formatted(prefix, i);
      api.createOrFail(GROUPS, group(name, 1, ""));
      api.createOrFail(PODS, pod(name).in(name).gpus(1).toString());
    }
    ControlPlane.await(
        "all " + prefix + " wait",
        () ->
            api.list(GROUPS).stream()
                    .filter(each -> Api.name(each).startsWith(prefix))
                    .filter(each -> each.at("/status/phase").asText().equals("Queued"))
                    .count()
                == MANY,
        () -> api.list(GROUPS).toString());
  }

  /// Berth hears of starts once a second.
  private static void manyStart(String prefix) {
    api.delete(PODS + "/blocker?gracePeriodSeconds=0");
    ControlPlane.await(
        "all " + prefix + " are bound",
        () ->
            api.list(PODS).stream()
                    .filter(each -> Api.name(each).startsWith(prefix))
                    .filter(Truth::isBound)
                    .count()
                == MANY,
        () -> api.list(GROUPS).toString());
    Api.pause(Duration.ofSeconds(3));
  }

  private static JsonNode status(String group) {
    return api.get(GROUPS + "/" + group).path("status");
  }
}
