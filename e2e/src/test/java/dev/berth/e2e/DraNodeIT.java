package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.GpuPod.Seen;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// GPU shares by claims on a real node with two GPUs that a DRA driver offers, without a device
/// plugin: made at admission, allocated by kube-scheduler, prepared by the driver, counted by
/// Berth.
class DraNodeIT {
  private static final int PORT = 20200;
  private static final String CLAIMS = "/apis/resource.k8s.io/v1/resourceclaims";
  private static final String QUEUE = "/apis/berth.dev/v1alpha1/queues/research";
  private static final String OTHER = "team-b";

  private static ControlPlane cluster;
  private static Api api;
  private static RealNode node;

  @BeforeAll
  static void up() {
    RealNode.require();
    cluster =
        ControlPlane.up(PORT, "--nodes", "0", "--real-nodes", "--dra-only", "--controller-manager");
    api = cluster.admin();
    node = RealNode.up(cluster, "dra-0", PORT + 100, "--plugin", "dra", "--runtime-mode", "none");
    api.createOrFail(
        "/api/v1/namespaces",
        "{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(OTHER));
    api.createOrFail(
        "/apis/berth.dev/v1alpha1/queues",
        "{apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: research}, spec: {quota:"
            + " {gpu: 4}}}");
    api.createOrFail(
        "/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates",
        "{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: whole},"
            + " spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName:"
            + " gpu.nvidia.com}}]}}}}");
  }

  @AfterAll
  static void down() {
    if (node != null) {
      node.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private static GpuPod pod(String name) {
    return GpuPod.named(name).by("berth").labelled("berth.dev/queue", "research").running();
  }

  private static GpuPod share(String name, String memory) {
    return pod(name).annotated("gpu-memory", memory);
  }

  @Test
  void podsOfTwoNamespacesShareAGpuAndItsMemoryIsKept() {
    var first = share("first", "60000");
    var second = share("second", "20Gi").in(OTHER).container("side");
    first.create(api).awaitRunning(api);
    second.create(api).awaitRunning(api);
    var whole = pod("whole").claiming("whole");
    whole.create(api).awaitRunning(api);

    var sees = first.seen(api, node, "main");
    expectOne(sees);
    var alsoSees = second.seen(api, node, "main");
    expectOne(alsoSees);
    assertThat(alsoSees.uuids()).as("the GPU of both shares").isEqualTo(sees.uuids());
    assertThat(second.seen(api, node, "side").minors())
        .as("GPUs of the container that names no claim")
        .isEmpty();
    var wholeSees = whole.seen(api, node, "main");
    expectOne(wholeSees);
    assertThat(wholeSees.uuids()).as("the whole GPU").doesNotContainAnyElementsOf(sees.uuids());
    assertThat(consumed("gpu-0")).containsExactly("20Gi", "60000Mi");
    assertThat(consumed("gpu-1")).containsExactly("81559Mi");
    // ⌈60000/81559⌉ + ⌈20480/81559⌉ + 1 in thousandths
    awaitAllocated("1.988");

    var third = share("third", "2Gi").in(OTHER);
    third.create(api);
    ControlPlane.await(
        "third says what is missing",
        () ->
            words(OTHER, "third")
                .contains("no GPU has 2048 MiB free, the freest has 1079 of 81559 MiB"),
        () -> words(OTHER, "third") + third.get(api).path("status"));
    assertThat(third.get(api).at("/spec/schedulingGates").size()).as("gates of third").isEqualTo(1);

    second.delete(api);
    third.awaitRunning(api);
    assertThat(third.seen(api, node, "main").uuids())
        .as("the GPU that has room again")
        .isEqualTo(sees.uuids());
    awaitAllocated("1.762");

    List.of(first, third, whole).forEach(each -> each.delete(api));
    ControlPlane.await(
        "all claims are gone", () -> api.list(CLAIMS).isEmpty(), () -> api.list(CLAIMS).toString());
    awaitAllocated("0");
    ControlPlane.await( // the claim may be gone from the API before its kubelet gives it back
        "CDI specs of claims that are gone are deleted",
        () -> !node.run("sh", "-c", "ls /var/run/cdi").contains("claim_"),
        () -> node.run("sh", "-c", "ls /var/run/cdi"));

    var two = share("two", "1Gi").annotated("gpu-fraction-num-devices", "2");
    two.create(api).awaitRunning(api);
    var seesTwo = two.seen(api, node, "main");
    assertThat(new TreeSet<>(seesTwo.uuids())).as("GPUs of " + seesTwo).hasSize(2);
    two.delete(api);
  }

  /// Berth plans no MIG device, and no GPU, whose counters are consumed already.
  @Test
  void migDevicesOfOneGpuGoToTwoPodsAndWhatOverlapsThemToNobody() {
    api.createOrFail(
        "/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates",
        """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: mig-3g}, spec: {spec: {devices: {requests: [
          {name: gpu, exactly: {deviceClassName: mig.nvidia.com, selectors: [
            {cel: {expression: "device.attributes['gpu.nvidia.com'].profile == '3g.40gb'"}}]}}]}}}}
        """);
    try (var mig =
        RealNode.up(
            cluster,
            "mig-0",
            PORT + 110,
            "--plugin",
            "dra",
            "--runtime-mode",
            "none",
            "--gpus",
            "1",
            "--dynamic-mig",
            "--consumable-shares",
            "disabled")) {
      var one = pod("mig-one").claiming("mig-3g").onlyOn(mig);
      var two = pod("mig-two").claiming("mig-3g").onlyOn(mig);
      one.create(api).awaitRunning(api);
      two.create(api).awaitRunning(api);
      String gpu = mig.gpus().getFirst().uuid();
      for (GpuPod pod : List.of(one, two)) {
        var sees = pod.seen(api, mig, "main");
        expectOne(sees);
        assertThat(sees.uuids()).as("the GPU whose part it has").containsExactly(gpu);
      }
      assertThat(allocatedOn("mig-0"))
          .containsExactly("gpu-0-mig-3g40gb-9-0", "gpu-0-mig-3g40gb-9-4");
      awaitAllocated("0.992"); // twice ⌈40448/81559⌉ in thousandths

      var third = pod("mig-third").claiming("mig-3g").onlyOn(mig);
      var whole = pod("mig-whole").claiming("whole").onlyOn(mig);
      for (GpuPod pod : List.of(third, whole)) {
        pod.create(api);
      }
      for (String name : List.of("mig-third", "mig-whole")) {
        ControlPlane.await(
            name + " says what is missing",
            () -> words("default", name).contains("without the devices that it claims"),
            () -> words("default", name));
        assertThat(GpuPod.named(name).get(api).at("/spec/schedulingGates").size())
            .as("gates of %s", name)
            .isEqualTo(1);
      }

      whole.delete(api);
      one.delete(api);
      third.awaitRunning(api);
      assertThat(allocatedOn("mig-0"))
          .containsExactly("gpu-0-mig-3g40gb-9-0", "gpu-0-mig-3g40gb-9-4");
      awaitAllocated("0.992");
      List.of(two, third).forEach(each -> each.delete(api));
      awaitAllocated("0");
    }
  }

  /// Devices of a pool that claims have, in order.
  private static List<String> allocatedOn(String pool) {
    return api.list(CLAIMS).stream()
        .map(claim -> claim.at("/status/allocation/devices/results/0"))
        .filter(result -> result.path("pool").asText().equals(pool))
        .map(result -> result.path("device").asText())
        .sorted()
        .toList();
  }

  @Test
  void whatAClaimCannotAskForIsRefused() {
    expectRefusal(
        "gpu-fraction",
        "0.5",
        "gpu-fraction is \"0.5\" on pod default/refused, but GPU shares of this cluster are claims"
            + " (DRA), which ask for memory. Set gpu-memory instead, like \"8Gi\".");
    expectRefusal(
        "berth.dev/gpu-isolation",
        "nvidia",
        "berth.dev/gpu-isolation is \"nvidia\" on pod default/refused, but GPU shares of this"
            + " cluster are claims (DRA), and nothing enforces them. Remove the annotation.");
    expectRefusal(
        "berth.dev/gpu-model",
        "NVIDIA-H100-80GB-HBM3",
        "berth.dev/gpu-model is \"NVIDIA-H100-80GB-HBM3\" on pod default/refused, but GPU shares of"
            + " this cluster are claims (DRA). Choose the model by a node selector, and remove the"
            + " annotation.");
  }

  private static void expectRefusal(String annotation, String value, String sentence) {
    var refused = PodYaml.pod("refused").annotated(annotation, value);
    if (!annotation.equals("gpu-fraction")) {
      refused.annotated("gpu-memory", "8Gi");
    }
    var answer = api.create("/api/v1/namespaces/default/pods", refused.toString());
    assertThat(answer.status()).as(answer.message()).isEqualTo(422);
    assertThat(answer.message()).contains(sentence);
  }

  private static void expectOne(Seen seen) {
    assertThat(seen.minors()).as("device nodes of %s", seen).hasSize(1);
    assertThat(seen.variable()).as("variable of %s", seen).isEqualTo("void");
  }

  /// Memory that allocations consume of a GPU, in order.
  private static List<String> consumed(String gpu) {
    return api.list(CLAIMS).stream()
        .map(claim -> claim.at("/status/allocation/devices/results/0"))
        .filter(result -> result.path("device").asText().equals(gpu))
        .map(result -> result.at("/consumedCapacity/memory").asText())
        .sorted()
        .toList();
  }

  private static void awaitAllocated(String gpus) {
    ControlPlane.await(
        "the queue counts " + gpus + " GPUs",
        () -> allocated().path("gpu").asText().equals(gpus),
        () -> api.get(QUEUE).toString());
  }

  private static JsonNode allocated() {
    return api.get(QUEUE).at("/status/allocated");
  }

  /// What Berth's events say about a pod.
  private static String words(String namespace, String pod) {
    return String.join(
        " ",
        api.list("/api/v1/namespaces/" + namespace + "/events").stream()
            .filter(event -> event.at("/involvedObject/name").asText().equals(pod))
            .map(event -> event.path("message").asText())
            .toList());
  }
}
