package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which pods come of manifests of which kinds, and that these form the groups of a cluster.
class OfferKindsTest {
  private static final String CLUSTER =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: n1, labels: {rack: r1}}
      status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "16"}}
      ---
      {apiVersion: berth.dev/v1alpha1, kind: Topology, metadata: {name: fabric}, spec: {levels: [{nodeLabel: rack}]}}
      ---
      {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: research}, spec: {quota: {gpu: 8}}}
      ---
      {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: product}, spec: {quota: {gpu: 8}}}
      ---
      {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: default}, spec: {quota: {gpu: 8}}}
      """;

  private static final Path EXAMPLES = Path.of("..", "examples", "workloads");

  private final CommandOutput output = new CommandOutput();

  @TempDir Path folder;

  private int offer(Path workload) throws IOException {
    Path cluster = Files.writeString(folder.resolve("cluster.yaml"), CLUSTER);
    return output.run(
        OfferCommand::new, "-f", workload.toString(), "--dump", cluster.toString(), "-n", "team");
  }

  private int offer(String manifest) throws IOException {
    return offer(Files.writeString(folder.resolve("workload.yaml"), manifest));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jobset.yaml | JobSet team/llm: 5 pods, queue research",
        "jobset-stages.yaml | JobSet team/staged: 1 pod, ",
        "leaderworkerset.yaml | LeaderWorkerSet team/vllm, group vllm",
        "leaderworkerset-leaderready.yaml | : 1 pod, queue product",
        "leaderworkerset-segments.yaml | LeaderWorkerSet team/",
        "pytorchjob.yaml | PyTorchJob team/train: 5 pods, queue research",
        "pytorchjob-elastic.yaml | PyTorchJob team/",
        "tfjob.yaml | TFJob team/",
        "xgboostjob.yaml | XGBoostJob team/",
        "jaxjob.yaml | JAXJob team/",
        "paddlejob.yaml | PaddleJob team/",
        "mpijob.yaml | MPIJob team/mpi: 2 pods, queue research",
        "notebook.yaml | Notebook team/lab, pod lab-0: 1 pod, queue research",
        "raycluster.yaml | RayCluster team/",
        "rayjob.yaml | RayJob team/report: 6 pods, queue research",
        "rayservice.yaml | RayService team/",
        "volcanojob.yaml | Job team/volcano: 4 pods",
        "workflow.yaml | Workflow team/pipeline, pod pipeline-0-0: 1 pod, queue research",
      })
  void eachKindMakesThePodsOfItsExample(String file, String title) throws IOException {
    assertThat(offer(EXAMPLES.resolve(file))).as(output.wrong()).isZero();
    assertThat(output.told()).contains(title).contains("  Starts now: ").doesNotContain("Waits");
  }

  @Test
  void aMemberThatComesLaterIsNotCounted() throws IOException {
    String mpi = Files.readString(EXAMPLES.resolve("mpijob.yaml"));
    assertThat(offer(mpi.replace("launcherCreationPolicy: WaitForWorkersReady", ""))).isZero();
    assertThat(output.told()).contains(": 3 pods, queue research").contains("Starts now: 3 pods");
    output.reset();
    String set = Files.readString(EXAMPLES.resolve("jobset.yaml"));
    assertThat(
            offer(
                set.replace(
                    "  replicatedJobs:",
                    "  startupPolicy: {startupPolicyOrder: InOrder}\n  replicatedJobs:")))
        .isZero();
    assertThat(output.told()).contains("JobSet team/llm: 1 pod, queue research");
  }

  @Test
  void aRoleIsAGroupOfItsOwnAndWaitsWithTheOthers() throws IOException {
    String set = Files.readString(EXAMPLES.resolve("jobset.yaml"));
    assertThat(offer(set.replace("nvidia.com/gpu: 1", "nvidia.com/gpu: 8"))).isZero();
    assertThat(output.told())
        .contains("JobSet team/llm: 5 pods", "As it is: Waits: ")
        .contains("another node like n1: ");
  }

  private static final String WORKFLOW =
      """
      apiVersion: argoproj.io/v1alpha1
      kind: Workflow
      metadata: {name: flow}
      spec:
        entrypoint: main
        schedulerName: berth
        nodeSelector: {rack: r1}
        templates:
        - name: main
          dag:
            tasks:
            - {name: a, template: work, withItems: [1, 2, 3]}
            - {name: b, template: work}
            - {name: c, template: work, depends: a && b}
        - {name: work, container: {image: work, resources: {limits: {nvidia.com/gpu: 1}}}}
      """;

  @Test
  void ofAGraphTheTasksThatDependOnNoneAreMade() throws IOException {
    assertThat(offer(WORKFLOW)).as(output.wrong()).isZero();
    assertThat(output.told().lines().filter(each -> each.startsWith("Workflow team/flow, pod")))
        .hasSize(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "template: work} | template: work, when: x} | step b depends on its when: leave it out",
        "withItems: [1, 2, 3] | withParam: x | step a depends on its withParam",
        "image: work | image: \"{{inputs.x}}\" | has parameters ({{…}}) in its pods: write their"
            + " values",
        "entrypoint: main | entrypoint: man | there is no template \"man\" in spec.templates",
        "template: work, withItems | template: main, withItems | template main calls itself",
        "entrypoint: main | workflowTemplateRef: {name: x} | those of a WorkflowTemplate",
      })
  void aWorkflowWhosePodsAreNotToldIsRefused(String from, String to, String told)
      throws IOException {
    assertThat(offer(WORKFLOW.replaceFirst(Pattern.quote(from), to))).isEqualTo(2);
    assertThat(output.wrong())
        .contains("Workflow team/flow: it is not known which pods come of it: ")
        .contains(told);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "trainjob.yaml | TrainJob | give the JobSet of a run",
        "sparkapplication.yaml | SparkApplication | its driver asks for executors when it runs",
        "appwrapper.yaml | AppWrapper | give what it wraps",
        "pipelinerun.yaml | PipelineRun | give Pod, Job, CronJob",
      })
  void aKindWhosePodsAreNotToldIsNamedWithTheWayOut(String file, String kind, String told)
      throws IOException {
    assertThat(offer(EXAMPLES.resolve(file))).isEqualTo(2);
    assertThat(output.wrong())
        .contains(kind + " ", ": it is not known which pods come of it; ")
        .contains(told);
  }

  @Test
  void numbersThatAreTooLargeAreRefused() throws IOException {
    String set = Files.readString(EXAMPLES.resolve("jobset.yaml"));
    assertThat(
            offer(
                set.replace("replicas: 2", "replicas: 2147483647")
                    .replace("parallelism: 2", "parallelism: 9223372036854775807")
                    .replace("completions: 2", "completions: 9223372036854775807")))
        .isEqualTo(2);
    assertThat(output.wrong()).contains("more than 10000 pods cannot be looked at");
    output.reset();
    String ray = Files.readString(EXAMPLES.resolve("rayjob.yaml"));
    assertThat(offer(ray.replace("numOfHosts: 2", "numOfHosts: 9223372036854775807"))).isEqualTo(2);
    assertThat(output.wrong()).contains("more than 10000 pods cannot be looked at");
  }
}
