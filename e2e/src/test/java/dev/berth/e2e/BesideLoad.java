package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Berth and the default scheduler at once, on a cluster of 160 devices that is nearly always full,
/// while pods of both come and go. Not part of `verify`: run it with `./mvnw -pl e2e -am verify
/// -Dit.test=BesideLoad -Dsurefire.failIfNoSpecifiedTests=false`.
///
/// Two schedulers may give the last device of a node away twice within the milliseconds between
/// their watches (decision 1). The kubelet refuses the second one then, and kwok plays no such
/// kubelet: this test does, counts how often, and demands that nothing is given twice otherwise.
/// With `-DoneProcess=true` one kube-scheduler serves both, with the extender.
class BesideLoad {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String GPU = "nvidia.com/gpu";
  private static final int DEVICES = 8;
  private static final int NODES = 20;
  private static final boolean ONE_PROCESS = Boolean.getBoolean("oneProcess");
  private static final int WANTED = 165; // of 160: some pods always wait

  private final Kubelets kubelets = Kubelets.inOrder(GPU, DEVICES);
  private final Random random = new Random(Long.getLong("seed", 42));
  private int names;
  private int refused;
  private int bindings;

  @Test
  void bothScheduleAtOnceAndNothingIsGivenTwice() {
    var seconds = Duration.ofSeconds(Integer.getInteger("seconds", 180));
    try (var cluster =
        ControlPlane.up(
            24500,
            "--nodes",
            Integer.toString(NODES),
            "--gpus",
            Integer.toString(DEVICES),
            "--kubelets-admit",
            ONE_PROCESS ? "--one-scheduler" : "--plain-scheduler")) {
      var api = cluster.admin();
      long end = System.nanoTime() + seconds.toNanos();
      while (System.nanoTime() < end) {
        churn(api, 6);
        refused += kubelets.admit(api);
        Api.pause(Duration.ofMillis(150));
      }
      ControlPlane.await(
          "nothing is given twice once nobody comes any more",
          Duration.ofSeconds(60),
          () -> {
            refused += kubelets.admit(api);
            return Truth.broken(api).isEmpty();
          },
          () -> Truth.broken(api) + "\n" + api.list("/api/v1/pods"));
      var pods = api.list(PODS);
      System.out.printf(
          Locale.ROOT,
          "%d bindings in %d s, %d refused by kubelets; %d pods of the default scheduler and %d of"
              + " Berth run at the end%n",
          bindings,
          seconds.toSeconds(),
          refused,
          running(pods, "default-scheduler"),
          running(pods, "berth"));
      assertThat(running(pods, "default-scheduler")).isPositive();
      assertThat(running(pods, "berth")).isPositive();
      assertThat(refused)
          .as("refused, of %s bindings", bindings)
          .isLessThan(ONE_PROCESS ? bindings / 20 : bindings / 5);
      freeRoomIsUsed(api);
    }
  }

  /// What the other leaves, each takes.
  private void freeRoomIsUsed(Api api) {
    for (JsonNode pod : api.list(PODS)) {
      if (pod.at("/spec/schedulerName").asText().equals("default-scheduler") || Truth.isOver(pod)) {
        delete(api, pod);
      }
    }
    ControlPlane.await(
        "all pods of Berth run on what the other left",
        Duration.ofSeconds(60),
        () -> {
          refused += kubelets.admit(api);
          return api.list(PODS).stream().filter(pod -> !Truth.isOver(pod)).allMatch(Truth::isBound);
        },
        () -> api.list(PODS).stream().filter(pod -> !Truth.isBound(pod)).toList().toString());
    assertThat(Truth.broken(api)).isEmpty();
  }

  private static long running(List<JsonNode> pods, String scheduler) {
    return pods.stream()
        .filter(pod -> pod.at("/spec/schedulerName").asText().equals(scheduler))
        .filter(pod -> Truth.isBound(pod) && !Truth.isOver(pod))
        .count();
  }

  /// Some pods end, and others come in their place.
  private void churn(Api api, int count) {
    var pods = new ArrayList<>(api.list(PODS));
    var over = new ArrayList<JsonNode>();
    double asked = 0;
    for (JsonNode pod : pods) {
      if (Truth.isOver(pod)) {
        over.add(pod);
      } else {
        asked += pod.path("metadata").path("annotations").has("gpu-fraction") ? 0.5 : 1;
      }
    }
    over.forEach(pod -> delete(api, pod));
    pods.removeIf(pod -> Truth.isOver(pod) || !Truth.isBound(pod));
    for (int i = 0; i < count && !pods.isEmpty() && asked > WANTED - count; i++) {
      var pod = pods.remove(random.nextInt(pods.size()));
      delete(api, pod);
      asked--;
    }
    for (int i = 0; asked < WANTED && i < 3 * count; i++) {
      var pod = pod("p-" + names++);
      switch (random.nextInt(4)) {
        case 0, 1 -> api.createOrFail(PODS, pod.by("default-scheduler").gpus(1).toString());
        case 2 -> api.createOrFail(PODS, pod.gpus(1).toString());
        default -> {
          api.createOrFail(PODS, pod.share("0.5").toString());
          asked += 0.5;
        }
      }
      asked++;
      bindings++;
    }
  }

  private static void delete(Api api, JsonNode pod) {
    api.delete(PODS + "/" + Api.name(pod) + "?gracePeriodSeconds=0");
  }
}
