package dev.berth.cli.doctor;

import static dev.berth.cli.doctor.Written.fine;
import static dev.berth.cli.doctor.Written.wrong;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.injection.GpuNode;
import dev.berth.engine.injection.GpuStack;
import dev.berth.engine.injection.InjectionSigns;
import org.junit.jupiter.api.Test;

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
  }

  /// A probe that saw no GPU ends well, too.
  @Test
  void aProbeThatSawAnotherGpuIsNoProof() {
    var findings = InjectionCheck.findings(probed("Succeeded", signs(), "GPU-2").facts());
    assertThat(fine(findings)).isEmpty();
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
