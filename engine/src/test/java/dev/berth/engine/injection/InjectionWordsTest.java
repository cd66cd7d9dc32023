package dev.berth.engine.injection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.request.Flow;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What a container carries in each mode, what a wrong start or report means, and what counts for a
/// proof.
class InjectionWordsTest {
  @Test
  void aModeSaysWhatTheContainerCarries() {
    var two = List.of("GPU-a", "GPU-b");
    assertThat(InjectionMode.ENV.variable(two)).isEqualTo("GPU-a,GPU-b");
    assertThat(InjectionMode.ENV_CDI.variable(two))
        .isEqualTo("k8s.device-plugin.nvidia.com/gpu=GPU-a,k8s.device-plugin.nvidia.com/gpu=GPU-b");
    assertThat(InjectionMode.NRI.variable(two)).isEqualTo("void");
    assertThat(InjectionMode.NRI.annotation(two))
        .isEqualTo("k8s.device-plugin.nvidia.com/gpu=GPU-a,k8s.device-plugin.nvidia.com/gpu=GPU-b");
    assertThat(InjectionMode.ENV.annotation(two)).isEmpty();
    assertThat(InjectionMode.annotationName("main")).isEqualTo("nvidia.cdi.k8s.io/container.main");
  }

  @ParameterizedTest
  @EnumSource
  void aModeIsFoundByItsWord(InjectionMode mode) {
    assertThat(InjectionMode.of(mode.word())).contains(mode);
    assertThat(InjectionMode.of("auto")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          RunContainerError: failed to create containerd task: unresolvable CDI devices management.nvidia.com/gpu=GPU-1 | UUID_NOT_RESOLVED
          CDI device injection failed: unresolvable CDI devices k8s.device-plugin.nvidia.com/gpu=GPU-1 | CDI_NAME_UNKNOWN
          pods "probe-a" is forbidden: pod rejected: RuntimeClass "nvidia" not found | CLASS_MISSING
          Failed to create pod sandbox: no runtime for "nvidia" is configured | HANDLER_MISSING
          RuntimeHandler "nvidia" not supported | HANDLER_MISSING
          ErrImagePull: busybox | IMAGE_MISSING
          """)
  void aMessageNamesItsCause(String message, InjectionFault fault) {
    assertThat(InjectionFault.ofMessage(message)).contains(fault);
  }

  @Test
  void aMessageOfAnotherCauseNamesNone() {
    assertThat(InjectionFault.ofMessage("OOMKilled")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          void | NO_REPORT
          '' | NO_REPORT
          0 | INDEX_IDS
          nvidia0 | GKE_PLUGIN
          /var/run/nvidia-container-devices | VOLUME_MOUNTS
          MIG-89075d86 | MIG_PARTITIONED
          GPU-1::3 | REPLICATED
          GPU-1,GPU-2 | SEVERAL_REPORTED
          all | SEVERAL_REPORTED
          """)
  void aReportThatIsNoUuidNamesItsCause(String report, InjectionFault fault) {
    assertThat(InjectionFault.ofReport(report)).contains(fault);
  }

  @Test
  void aUuidIsNoFault() {
    assertThat(InjectionFault.ofReport("GPU-d35d5b4e-05b7-b7c3-26ab-1f7d5ac5c8cc")).isEmpty();
  }

  @Test
  void everyFaultHasACodeOfItsOwnASentenceAndAWayOut() {
    var codes = new TreeSet<String>();
    for (InjectionFault fault : InjectionFault.values()) {
      assertThat(codes.add(fault.code())).as("%s is used once", fault.code()).isTrue();
      assertThat(fault.code()).matches("[A-Z][A-Za-z]+");
      assertThat(fault.sentence()).doesNotEndWith(".");
      assertThat(fault.wayOut()).endsWith(".");
    }
  }

  @Test
  void theSignsChangeWithTheBootAndThePolicyAndNotWithAnUpgradeState() {
    String proven = hash("b-1", "nvidia.com/gpu.product: H100", 3);
    assertThat(proven).matches("[0-9a-f]{16}");
    assertThat(hash("b-1", "nvidia.com/gpu.product: H100", 3)).isEqualTo(proven);
    assertThat(
            hash(
                "b-1",
                "nvidia.com/gpu.product: H100, nvidia.com/gpu-driver-upgrade-state: done",
                3))
        .isEqualTo(proven);
    assertThat(hash("b-2", "nvidia.com/gpu.product: H100", 3)).isNotEqualTo(proven);
    assertThat(hash("b-1", "nvidia.com/gpu.product: H200", 3)).isNotEqualTo(proven);
    assertThat(hash("b-1", "nvidia.com/gpu.product: H100", 4)).isNotEqualTo(proven);
  }

  private static String hash(String boot, String labels, int generation) {
    var node =
        GpuNode.of(
            Flow.tree(
                "{metadata: {name: a, labels: {"
                    + labels
                    + "}}, status: {nodeInfo: {bootID: "
                    + boot
                    + "}}}"));
    var stack =
        GpuStack.of(
            List.of(
                Flow.tree(
                    "{metadata: {name: cluster-policy, uid: u, generation: " + generation + "}}")),
            List.of(),
            List.of());
    return InjectionSigns.of(node, stack).hash();
  }
}
