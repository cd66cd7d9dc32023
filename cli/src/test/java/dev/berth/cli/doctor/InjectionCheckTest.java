package dev.berth.cli.doctor;

import static dev.berth.cli.doctor.Written.fine;
import static dev.berth.cli.doctor.Written.wrong;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.injection.GpuNode;
import dev.berth.engine.injection.GpuStack;
import dev.berth.engine.injection.InjectionSigns;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InjectionCheckTest {
  @Test
  void aNodeThatNoProbeHasSeenIsGuessed() {
    var findings =
        InjectionCheck.findings(new Written().gpuNode("a").operator().runtimeClass().facts());
    assertThat(wrong(findings)).isEmpty();
    assertThat(findings.getFirst().sentence())
        .isEqualTo(
            "not proven yet; the first share tries env-cdi, env with runtime class nvidia (GPU"
                + " Operator 25.10, CDI on)");
  }

  /// Such as k3s with the bare device plugin, where it does not say that it is k3s.
  @Test
  void whereNothingTellsWhatStartsContainersThatIsAWarningUntilItIsProven() {
    var unknown = InjectionCheck.findings(new Written().gpuNode("a").facts());
    assertThat(wrong(unknown)).containsExactly("WARN injection/RuntimeUnknown node a");
    assertThat(unknown.getFirst().sentence())
        .startsWith("there is neither a ClusterPolicy nor a RuntimeClass nvidia")
        .endsWith("the first share tries env, env-cdi");
    assertThat(wrong(InjectionCheck.findings(new Written().gpuNode("a").runtimeClass().facts())))
        .isEmpty();
    var proven = provenWithoutClass();
    assertThat(wrong(InjectionCheck.findings(proven))).isEmpty();
    assertThat(new ReportText(Report.of(proven), false).text())
        .containsPattern("(?m)^a +8 +env +- +nvidia +proven$");
  }

  private static ClusterFacts provenWithoutClass() {
    var stack = GpuStack.of(List.of(), List.of(), List.of());
    var node = GpuNode.of(new Written().gpuNode("a").facts().items(Source.NODES).getFirst());
    return new Written()
        .gpuNode("a")
        .with(
            Source.PODS,
            "{metadata: {name: probe-a, namespace: berth-system, labels: {berth.dev/probe: 'true'},"
                + " annotations: {berth.dev/probe-node: a, berth.dev/probe-mode: env,"
                + " berth.dev/probe-signs: '"
                + InjectionSigns.of(node, stack).hash()
                + "', berth.dev/gpu-devices: GPU-1}}, spec: {nodeName: a}, status: {phase:"
                + " Succeeded, containerStatuses: [{state: {terminated: {message: GPU-1}}}]}}")
        .facts();
  }

  @Test
  void cdiWithoutAClassIsAnError() {
    var findings = InjectionCheck.findings(new Written().gpuNode("a").operator().facts());
    assertThat(wrong(findings)).containsExactly("ERROR injection/CdiWithoutRuntimeClass node a");
    assertThat(findings.getFirst().wayOut()).contains("shares.runtimeClass");
  }

  @Test
  void replicasAreAnErrorThatNamesTheLabel() {
    var findings =
        InjectionCheck.findings(
            new Written()
                .gpuNode("a", "nvidia.com/gpu.replicas: '4', ")
                .operator()
                .runtimeClass()
                .facts());
    assertThat(wrong(findings)).containsExactly("ERROR injection/ReplicatedGpus node a");
    assertThat(findings.getFirst().sentence()).contains("label nvidia.com/gpu.replicas is 4");
  }

  @Test
  void aSuspicionThatMayNotHoldIsAWarning() {
    var findings =
        InjectionCheck.findings(
            new Written()
                .with(
                    Source.NODES,
                    "{metadata: {name: a}, status: {allocatable: {nvidia.com/gpu: '1'}, nodeInfo:"
                        + " {osImage: Bottlerocket OS 1.50, kubeletVersion: v1.36.0}}}")
                .facts());
    assertThat(wrong(findings)).containsExactly("WARN injection/BottlerocketDefaults node a");
  }

  @Test
  void aProofOutweighsASuspicionUntilItsSignsChange() {
    assertThat(fine(InjectionCheck.findings(probed("Succeeded", signs(), "").facts())))
        .containsExactly("injection/Proven");
    var outdated = InjectionCheck.findings(probed("Succeeded", "0123456789abcdef", "").facts());
    assertThat(fine(outdated)).contains("injection/Outdated");
    assertThat(wrong(outdated)).containsExactly("ERROR injection/CdiWithoutRuntimeClass node a");
  }

  @Test
  void aFailedProbeSaysWhy() {
    var findings =
        InjectionCheck.findings(
            probed("Failed", signs(), "unresolvable CDI devices management.nvidia.com/gpu=GPU-1")
                .facts());
    assertThat(wrong(findings)).containsExactly("ERROR injection/UuidNotResolved node a");
    assertThat(findings.getFirst().sentence())
        .startsWith("the probe by mode env with no runtime class failed (StartError: unresolvable");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          reason: ErrImagePull, message: no such host | ERROR injection/ImageNotPulled node a
          reason: CreateContainerError, message: 'unresolvable CDI devices k8s.device-plugin.nvidia.com/gpu=GPU-1' | ERROR injection/CdiDeviceUnknown node a
          """)
  void aProbeThatCannotStartSaysWhy(String waiting, String finding) {
    var written =
        new Written()
            .gpuNode("a")
            .operator()
            .runtimeClass()
            .with(
                Source.PODS,
                "{metadata: {name: probe-a, namespace: berth-system, labels: {berth.dev/probe:"
                    + " 'true'}, annotations: {berth.dev/probe-node: a, berth.dev/probe-mode:"
                    + " env-cdi, berth.dev/gpu-devices: GPU-1}}, spec: {nodeName: a}, status:"
                    + " {phase: Pending, containerStatuses: [{state: {waiting: {"
                    + waiting
                    + "}}}]}}");
    assertThat(wrong(InjectionCheck.findings(written.facts()))).containsExactly(finding);
  }

  @Test
  void aProofWithAnotherClassThanSharesHaveIsAnError() {
    var findings = InjectionCheck.findings(probed("Succeeded", signs(), "").runtimeClass().facts());
    // the class is among the signs, so this proof is outdated, and no longer counts
    assertThat(fine(findings)).contains("injection/Outdated");
    var written =
        probed("Succeeded", signs(), "")
            .with(
                Source.CONFIG_MAPS,
                "{metadata: {name: berth-shares, namespace: berth-system}, data: {runtimeClass:"
                    + " gpu}}");
    assertThat(wrong(InjectionCheck.findings(written.facts())))
        .containsExactly("ERROR injection/OtherRuntimeClass node a");
  }

  @Test
  void aClusterWithoutGpusIsAWarning() {
    assertThat(wrong(InjectionCheck.findings(new Written().facts())))
        .containsExactly("WARN injection/NoGpuNodes cluster");
    assertThat(InjectionCheck.findings(new Written().unread(Source.NODES, "forbidden").facts()))
        .isEmpty();
  }

  @Test
  void withoutTheClusterPolicyNothingIsGuessed() {
    var facts = new Written().gpuNode("a").unread(Source.CLUSTER_POLICIES, "forbidden").facts();
    assertThat(wrong(InjectionCheck.findings(facts)))
        .containsExactly("WARN injection/NotGuessed node a");
  }

  @Test
  void whatWasProvenDoesNotHideThatNothingIsOffered() {
    var facts =
        probed("Succeeded", signs(), "")
            .with(
                Source.NODES,
                "{metadata: {name: a}, status: {capacity: {nvidia.com/gpu: '2'}, allocatable:"
                    + " {nvidia.com/gpu: '0'}}}")
            .facts();
    assertThat(wrong(InjectionCheck.findings(facts)))
        .contains("ERROR injection/NoAllocatableGpus node a");
  }

  @Test
  void aFailureBeforeAChangeWasNoProof() {
    var findings =
        InjectionCheck.findings(
            new Written()
                .gpuNode("a")
                .operator()
                .with(
                    Source.PODS,
                    "{metadata: {name: probe-a, namespace: berth-system, labels: {berth.dev/probe:"
                        + " 'true'}, annotations: {berth.dev/probe-node: a, berth.dev/probe-mode:"
                        + " env, berth.dev/probe-signs: '0123', berth.dev/gpu-devices: GPU-1}},"
                        + " spec: {nodeName: a}, status: {phase: Succeeded, containerStatuses:"
                        + " [{state: {terminated: {message: ''}}}]}}")
                .facts());
    assertThat(findings.getFirst().sentence()).startsWith("a probe failed there, and");
  }

  @Test
  void aDevicePluginThatOffersNothingIsAnError() {
    var facts =
        new Written()
            .with(
                Source.NODES,
                "{metadata: {name: a, labels: {nvidia.com/gpu.present: 'true'}}, status:"
                    + " {allocatable: {nvidia.com/gpu: '0'}}}")
            .facts();
    assertThat(wrong(InjectionCheck.findings(facts)))
        .containsExactly("ERROR injection/NoAllocatableGpus node a");
    var unlabelled =
        new Written()
            .with(
                Source.NODES,
                "{metadata: {name: a}, status: {capacity: {nvidia.com/gpu: '8'}, allocatable:"
                    + " {nvidia.com/gpu: '0'}}}")
            .with(
                Source.NODES,
                "{metadata: {name: b, labels: {feature.node.kubernetes.io/pci-0302_10de.present:"
                    + " 'true'}}, status: {allocatable: {cpu: '4'}}}")
            .with(Source.NODES, "{metadata: {name: c}, status: {allocatable: {cpu: '4'}}}")
            .facts();
    assertThat(wrong(InjectionCheck.findings(unlabelled)))
        .containsExactly(
            "ERROR injection/NoAllocatableGpus node a", "ERROR injection/NoAllocatableGpus node b");
  }

  /// A probe that saw another GPU ends well, too.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GPU-2 | OtherDeviceSeen
          GPU-1,GPU-2 | MoreDevicesSeen
          """)
  void aProbeThatSawAnotherGpuIsNoProof(String seen, String code) {
    var findings = InjectionCheck.findings(probed("Succeeded", signs(), seen).facts());
    assertThat(fine(findings)).isEmpty();
    assertThat(wrong(findings)).containsExactly("ERROR injection/" + code + " node a");
  }

  private static Written probed(String phase, String signs, String message) {
    return new Written()
        .gpuNode("a")
        .operator()
        .with(
            Source.PODS,
            "{metadata: {name: probe-a, namespace: berth-system, labels: {berth.dev/probe: 'true'},"
                + " annotations: {berth.dev/probe-node: a, berth.dev/probe-mode: env,"
                + " berth.dev/probe-class: '', berth.dev/probe-signs: '"
                + signs
                + "', berth.dev/gpu-devices: GPU-1}}, spec: {nodeName: a}, status: {phase: "
                + phase
                + (message.isEmpty()
                    ? ", containerStatuses: [{state: {terminated: {message: GPU-1}}}]"
                    : ", containerStatuses: [{state: {terminated: {reason: StartError, message: '"
                        + message
                        + "'}}}]")
                + "}}");
  }

  /// As the probe would have hashed them.
  private static String signs() {
    var facts = new Written().gpuNode("a").operator().facts();
    var stack =
        GpuStack.of(
            facts.items(Source.CLUSTER_POLICIES),
            facts.items(Source.GPU_CLUSTERS),
            facts.items(Source.RUNTIME_CLASSES));
    return InjectionSigns.of(GpuNode.of(facts.items(Source.NODES).getFirst()), stack).hash();
  }
}
