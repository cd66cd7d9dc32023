package dev.berth.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Alignment;
import org.junit.jupiter.api.Test;

/// What of a pod its kubelet gives out by NUMA zone.
class AlignmentTest {
  private static final String FIXED =
      "resources: {requests: {cpu: \"4\", memory: 1Gi}, limits: {cpu: \"4\", memory: 1Gi,"
          + " nvidia.com/gpu: 2}}";

  private static Alignment of(String spec) {
    return PodManifest.read(Flow.tree("{metadata: {name: p}, spec: {" + spec + "}}"))
        .orElseThrow()
        .asks()
        .request()
        .alignment();
  }

  private static void isAligned(String spec, String containers, String pod) {
    assertThat(of(spec).containers().toString()).as(spec).isEqualTo(containers);
    assertThat(of(spec).pod().toString()).as(spec).isEqualTo(pod);
  }

  @Test
  void ofABurstablePodItIsDevicesAlone() {
    isAligned(
        "containers: [{name: a, resources: {requests: {cpu: 4, memory: 1Gi}, limits:"
            + " {nvidia.com/gpu: 2, rdma/hca: 1, ephemeral-storage: 1Gi}}}, {name: b, resources:"
            + " {requests: {cpu: 1}}}]",
        "[{nvidia.com/gpu=2, rdma/hca=1}]",
        "{nvidia.com/gpu=2, rdma/hca=1}");
    assertThat(of("containers: [{name: a, resources: {requests: {cpu: 4}}}]"))
        .isEqualTo(Alignment.NONE);
  }

  @Test
  void ofAGuaranteedPodItIsCoresAndMemoryToo() {
    isAligned(
        "containers: [{name: a, " + FIXED + "}]",
        "[{cpu=4000, memory=1073741824, nvidia.com/gpu=2}]",
        "{cpu=4000, memory=1073741824, nvidia.com/gpu=2}");
    isAligned(
        "containers: [{name: a, resources: {limits: {cpu: \"1\", memory: 1Ki, hugepages-2Mi:"
            + " 4Mi}}}]",
        "[{cpu=1000, hugepages-2Mi=4194304, memory=1024}]",
        "{cpu=1000, hugepages-2Mi=4194304, memory=1024}");
  }

  @Test
  void partsOfACoreAreNotPinned() {
    isAligned(
        "containers: [{name: a, "
            + FIXED
            + "}, {name: b, resources: {limits: {cpu: 1500m, memory:"
            + " 1Ki}}}]",
        "[{cpu=4000, memory=1073741824, nvidia.com/gpu=2}, {memory=1024}]",
        "{cpu=4000, memory=1073742848, nvidia.com/gpu=2}");
  }

  @Test
  void oneContainerThatMayHaveMoreMakesThePodBurstable() {
    for (String other :
        new String[] {
          "{}",
          "{limits: {cpu: \"1\"}}",
          "{limits: {memory: 1Gi}}",
          "{requests: {cpu: \"1\"}, limits: {cpu: \"2\", memory: 1Gi}}"
        }) {
      isAligned(
          "containers: [{name: a, "
              + FIXED
              + "}], initContainers: [{name: b, resources: "
              + other
              + "}]",
          "[{nvidia.com/gpu=2}]",
          "{nvidia.com/gpu=2}");
    }
  }

  @Test
  void aPodThatAsksAsAWholeHasNothingPinned() {
    isAligned(
        "resources: {limits: {cpu: \"8\", memory: 2Gi}}, containers: [{name: a, " + FIXED + "}]",
        "[{nvidia.com/gpu=2}]",
        "{nvidia.com/gpu=2}");
  }

  @Test
  void initContainersAreCountedAsTheyRun() {
    isAligned(
        """
        initContainers: [
          {name: side, restartPolicy: Always, resources: {limits: {nvidia.com/gpu: 1}}},
          {name: init, resources: {limits: {nvidia.com/gpu: 5}}}],
        containers: [{name: a, resources: {limits: {nvidia.com/gpu: 2}}},
          {name: b, resources: {limits: {nvidia.com/gpu: 2}}}]
        """,
        "[{nvidia.com/gpu=2}, {nvidia.com/gpu=2}, {nvidia.com/gpu=1}, {nvidia.com/gpu=5}]",
        "{nvidia.com/gpu=6}");
  }
}
