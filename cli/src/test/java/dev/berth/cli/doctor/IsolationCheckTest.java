package dev.berth.cli.doctor;

import static dev.berth.cli.doctor.Written.fine;
import static dev.berth.cli.doctor.Written.wrong;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IsolationCheckTest {
  @Test
  void anOpenClassIsToldUntilThereIsAGuard() {
    var open = new Written().gpuNode("a").operator().runtimeClass();
    assertThat(wrong(IsolationCheck.findings(open.facts())))
        .containsExactly("WARN isolation/OpenRuntimeClass RuntimeClass nvidia");
    var guarded = open.with(Source.VALIDATING_POLICIES, "{metadata: {name: berth-guard-devices}}");
    assertThat(wrong(IsolationCheck.findings(guarded.facts()))).isEmpty();
    assertThat(fine(IsolationCheck.findings(guarded.facts()))).containsExactly("isolation/Guard");
  }

  @Test
  void aDefaultRuntimeOfNvidiaGivesPodsWithoutARequestAllGpus() {
    assertThat(
            wrong(
                IsolationCheck.findings(
                    new Written().gpuNode("a", "kubernetes.azure.com/cluster: mc, ").facts())))
        .containsExactly("WARN isolation/DefaultRuntime node a");
  }

  @Test
  void podsOnGpuNodesThatReachDevicesAreTold() {
    var facts =
        new Written()
            .gpuNode("a")
            .with(Source.NODES, "{metadata: {name: cpu}}")
            .with(Source.PODS, pod("team", "one", "a", "", true))
            .with(Source.PODS, pod("team", "elsewhere", "cpu", "", true))
            .with(Source.PODS, pod("kube-system", "proxy", "a", "", true))
            .with(
                Source.PODS,
                pod("team", "taker", "a", "nvidia.cdi.k8s.io/container.main: x", false))
            .with(
                Source.PODS,
                pod(
                    "team",
                    "share",
                    "a",
                    "nvidia.cdi.k8s.io/container.main: x, berth.dev/gpu-inject: void",
                    false))
            .facts();
    assertThat(wrong(IsolationCheck.findings(facts)))
        .containsExactly(
            "WARN isolation/DeviceAnnotation pod team/taker",
            "WARN isolation/PrivilegedPods namespace team");
    assertThat(IsolationCheck.findings(facts).getLast().sentence()).startsWith("1 privileged");
  }

  private static String pod(
      String namespace, String name, String node, String annotations, boolean privileged) {
    return "{metadata: {name: "
        + name
        + ", namespace: "
        + namespace
        + ", annotations: {"
        + annotations
        + "}}, spec: {nodeName: "
        + node
        + ", containers: [{name: main, securityContext: {privileged: "
        + privileged
        + "}}]}, status: {phase: Running}}";
  }
}
