package dev.berth.cli.doctor;

import static dev.berth.cli.doctor.Written.fine;
import static dev.berth.cli.doctor.Written.wrong;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HolderAndNamespaceCheckTest {
  private static final String POD = " pod berth-system/holder-a-0";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          phase: Running, initContainerStatuses: [{state: {terminated: {reason: Completed, message: GPU-1}}}]
          phase: Running, containerStatuses: [{lastState: {terminated: {message: GPU-1}}}]
          phase: Running, containerStatuses: [{lastState: {terminated: {message: all}}, allocatedResourcesStatus: [{resources: [{resourceID: GPU-1}]}]}]
          phase: Running, initContainerStatuses: [{state: {terminated: {message: void, reason: Completed}}}], containerStatuses: [{allocatedResourcesStatus: [{name: nvidia.com/gpu, resources: [{resourceID: GPU-1}]}]}]
          """)
  void aHolderThatNamesItsGpu(String status) {
    var findings = HolderCheck.findings(holder("a", status, "2026-03-01T11:00:00Z").facts());
    assertThat(wrong(findings)).isEmpty();
    assertThat(fine(findings)).containsExactly("holders/Holding");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          phase: Running, initContainerStatuses: [{state: {terminated: {reason: Completed, message: void}}}] | GpuNotReported
          phase: Running | GpuNotReported
          phase: Running, initContainerStatuses: [{state: {terminated: {reason: Completed, message: 'GPU-1,GPU-2'}}}] | SeveralGpusReported
          phase: Running, initContainerStatuses: [{state: {terminated: {reason: Completed, message: '0'}}}] | IndexDeviceIds
          phase: Running, containerStatuses: [{lastState: {terminated: {message: GPU-1}}, allocatedResourcesStatus: [{resources: [{resourceID: GPU-2}]}]}] | ReportsDiffer
          phase: Running, containerStatuses: [{lastState: {terminated: {message: GPU-1}}, allocatedResourcesStatus: [{resources: [{resourceID: 'GPU-1::3'}]}]}] | ReplicatedGpus
          phase: Running, containerStatuses: [{lastState: {terminated: {message: GPU-1}}, allocatedResourcesStatus: [{resources: [{resourceID: nvidia0}]}]}] | GkeDevicePlugin
          phase: Running, containerStatuses: [{lastState: {terminated: {message: GPU-1}}, allocatedResourcesStatus: [{resources: [{resourceID: GPU-1}, {resourceID: GPU-2}]}]}] | SeveralGpusReported
          phase: Running, containerStatuses: [{lastState: {terminated: {message: MIG-7}}, allocatedResourcesStatus: [{resources: [{resourceID: GPU-1}]}]}] | MigPartitioned
          phase: Running, containerStatuses: [{lastState: {terminated: {message: /var/run/nvidia-container-devices}}}] | VolumeMountsStrategy
          phase: Pending, initContainerStatuses: [{state: {waiting: {reason: ErrImagePull, message: no}}}] | ImageNotPulled
          phase: Failed, reason: UnexpectedAdmissionError, message: no device | NotRunning
          """)
  void aHolderThatDoesNot(String status, String code) {
    assertThat(wrong(HolderCheck.findings(holder("a", status, "2026-03-01T11:00:00Z").facts())))
        .containsExactly("ERROR holders/" + code + POD);
  }

  @Test
  void aYoungHolderMayBeSilentAndAnOrphanIsTold() {
    assertThat(
            wrong(
                HolderCheck.findings(
                    holder("a", "phase: Pending", "2026-03-01T11:59:30Z").facts())))
        .isEmpty();
    assertThat(
            wrong(
                HolderCheck.findings(
                    holder("gone", "phase: Running", "2026-03-01T11:00:00Z").facts())))
        .containsExactly("WARN holders/Orphaned" + POD);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          hard: {limits.cpu: '10'}, used: {limits.cpu: '0'} | QuotaOnUnnamed
          hard: {pods: '4'}, used: {pods: '4'} | QuotaUsedUp
          hard: {requests.nvidia.com/gpu: '0'}, used: {requests.nvidia.com/gpu: '0'} | QuotaUsedUp
          """)
  void aQuotaThatRefusesHolders(String status, String code) {
    assertThat(
            wrong(
                NamespaceCheck.findings(
                    namespace().with(Source.QUOTAS, quota(status, "")).facts())))
        .containsExactly("ERROR namespace/" + code + " resourcequota berth-system/q");
  }

  @Test
  void quotasAndRangesThatDoNot() {
    var fine =
        namespace()
            .with(Source.QUOTAS, quota("hard: {pods: '4'}, used: {pods: '3'}", ""))
            .with(
                Source.QUOTAS,
                quota("hard: {pods: '0'}, used: {pods: '0'}", "scopes: [BestEffort]"))
            .with(
                Source.LIMIT_RANGES,
                "{metadata: {name: r}, spec: {limits: [{type: Pod, min: {cpu: 1}}]}}");
    assertThat(fine(NamespaceCheck.findings(fine.facts()))).containsExactly("namespace/Admits");
    fine.with(
        Source.LIMIT_RANGES,
        "{metadata: {name: r, namespace: berth-system}, spec: {limits: [{type: Container, min:"
            + " {cpu: 100m}}]}}");
    assertThat(wrong(NamespaceCheck.findings(fine.facts())))
        .containsExactly("ERROR namespace/LimitRangeMinimum limitrange berth-system/r");
    assertThat(wrong(NamespaceCheck.findings(new Written().facts())))
        .containsExactly("ERROR namespace/Missing namespace berth-system");
  }

  private static Written namespace() {
    return new Written().with(Source.NAMESPACES, "{metadata: {name: berth-system}}");
  }

  private static String quota(String status, String spec) {
    return "{metadata: {name: q, namespace: berth-system}, spec: {"
        + spec
        + "}, status: {"
        + status
        + "}}";
  }

  private static Written holder(String node, String status, String created) {
    return new Written()
        .gpuNode("a")
        .with(
            Source.PODS,
            "{metadata: {name: holder-a-0, namespace: berth-system, creationTimestamp: '"
                + created
                + "', labels: {berth.dev/holder: 'true'}}, spec: {nodeName: "
                + node
                + "}, status: {"
                + status
                + "}}");
  }
}
