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

  @Test
  void sharesOfOtherSchedulersAreCounted() {
    var written =
        new Written()
            .gpuNode("a")
            .runtimeClass()
            .with(Source.VALIDATING_POLICIES, "{metadata: {name: berth-guard-devices}}")
            .with(Source.PODS, share("one", "kai-scheduler", "gpu-fraction: '0.5'", "Running"))
            .with(Source.PODS, share("two", "kai-scheduler", "gpu-memory: '8192'", "Pending"))
            .with(Source.PODS, share("over", "other", "gpu-fraction: '0.5'", "Succeeded"))
            .with(Source.PODS, share("ours", "berth", "gpu-fraction: '0.5'", "Running"))
            .with(
                Source.PODS, share("forgot", "default-scheduler", "gpu-fraction: '.5'", "Pending"));
    var findings = IsolationCheck.findings(written.facts());
    assertThat(wrong(findings))
        .containsExactly(
            "WARN isolation/SharesOfOthers scheduler default-scheduler",
            "WARN isolation/SharesOfOthers scheduler kai-scheduler");
    assertThat(findings.getLast().sentence())
        .startsWith("2 pods of it ask for a share of a GPU by annotation");
    var inPlace =
        written.with(
            Source.CONFIG_MAPS,
            "{metadata: {name: berth, namespace: berth-system}, data: {berth.yaml: 'schedulers:"
                + " [berth, kai-scheduler]'}}");
    assertThat(wrong(IsolationCheck.findings(inPlace.facts())))
        .containsExactly("WARN isolation/SharesOfOthers scheduler default-scheduler");
  }

  private static String share(String name, String scheduler, String annotation, String phase) {
    return "{metadata: {name: "
        + name
        + ", namespace: team, annotations: {"
        + annotation
        + "}}, spec: {schedulerName: "
        + scheduler
        + ", containers: [{name: main}]}, status: {phase: "
        + phase
        + "}}";
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
