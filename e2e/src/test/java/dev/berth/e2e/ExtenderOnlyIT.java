package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// One kube-scheduler for all pods, with the extender's URL, and no admission policy: no pod has a
/// gate, and the extender alone places those of Berth.
class ExtenderOnlyIT {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String DEFAULT = "default-scheduler";
  private static final int DEVICES = 8;

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  @BeforeAll
  static void up() {
    cluster =
        ControlPlane.up(20800, "--nodes", "2", "--gpus", "4", "--no-policies", "--one-scheduler");
    api = cluster.admin();
  }

  @Test
  void sharesRunAndEveryDeviceIsCounted() {
    for (int i = 0; i < 6; i++) {
      create(pod("share-" + i).share("0.5"));
    }
    create(pod("pair").share("0.5").annotated("gpu-fraction-num-devices", "2"));
    awaitBound(7);
    assertThat(bound())
        .allSatisfy(pod ->
            assertThat(pod.at("/metadata/annotations/berth.dev~1gpu-devices").asText())
                .startsWith("GPU-"));
    assertThat(Truth.broken(api)).as("rules about devices, read from the API").isEmpty();
    int held =
        api.list("/api/v1/namespaces/berth-system/pods?labelSelector=berth.dev%2Fholder").size();
    assertThat(held).as("devices for six halves and a pair").isBetween(4, 5);

    int all = 7 + DEVICES - held;
    create(pod("plain").by(DEFAULT).gpus(1));
    for (int i = 8; i < all; i++) {
      create(pod("whole-" + i).gpus(1));
    }
    awaitBound(all);
    assertThat(Truth.broken(api)).isEmpty();

    create(pod("late").gpus(1));
    create(pod("late-plain").by(DEFAULT).gpus(1));
    Api.pause(Duration.ofSeconds(3));
    assertThat(bound()).as("bound in a full cluster").hasSize(all);
    api.delete(PODS + "/plain?gracePeriodSeconds=0");
    awaitBound(all);
    api.delete(PODS + "/whole-8?gracePeriodSeconds=0");
    awaitBound(all);
    assertThat(api.list(PODS)).as("who waits").allMatch(Truth::isBound);
    assertThat(Truth.broken(api)).isEmpty();
  }

  private static void create(PodYaml pod) {
    api.createOrFail(PODS, pod.toString());
  }

  private static List<JsonNode> bound() {
    return api.list(PODS).stream().filter(Truth::isBound).toList();
  }

  private static void awaitBound(int count) {
    ControlPlane.await(
        count + " pods are bound",
        () -> bound().size() == count,
        () -> api.list("/api/v1/pods").toString());
  }
}
