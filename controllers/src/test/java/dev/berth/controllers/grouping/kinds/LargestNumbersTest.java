package dev.berth.controllers.grouping.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.SubGroup;
import dev.berth.engine.request.SubGroupTree;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every rule with each of the numbers that tenants write in its objects: none of them makes more
/// sub-groups than can be planned, takes long, or overflows.
final class LargestNumbersTest {
  private static final Path KINDS =
      Path.of("src", "main", "java", "dev", "berth", "controllers", "grouping", "kinds");
  private static final List<String> VALUES =
      List.of("-1", "0", "1", "2147483647", "2147483648", "9223372036854775807");

  /// @param owners nearest first; `#` stands for a number
  /// @param further what the pod names or its label leads to
  private record Workload(String rule, List<String> owners, List<String> further, String metadata) {
    int numbers() {
      return (int) all().chars().filter(each -> each == '#').count();
    }

    private String all() {
      return String.join("\n", owners) + String.join("\n", further) + metadata;
    }

    /// @param which number is that one, all others are 2; -1 = all are
    Workload with(String value, int which) {
      String lists = String.join("\1", owners) + "\0" + String.join("\1", further);
      String parts = lists + "\0" + metadata;
      var filled = new StringBuilder();
      int number = 0;
      for (char each : parts.toCharArray()) {
        if (each == '#') {
          filled.append(which == -1 || number == which ? value : "2");
          number++;
        } else {
          filled.append(each);
        }
      }
      String[] now = filled.toString().split("\0", -1);
      return new Workload(rule, list(now[0]), list(now[1]), now[2]);
    }

    private static List<String> list(String joined) {
      return joined.isEmpty() ? List.of() : List.of(joined.split("\1"));
    }
  }

  private static Workload workload(String rule, String owner, String metadata) {
    return new Workload(rule, List.of(owner), List.of(), metadata);
  }

  private static final List<Workload> ALL =
      List.of(
          workload(
              "BatchJobs",
              """
              {apiVersion: batch/v1, kind: Job, metadata: {name: w, annotations:
              {berth.dev/min-member: '#'}}, spec: {parallelism: #, completions: #,
              backoffLimitPerIndex: #}, status: {succeeded: #, failedIndexes: '0-#'}}\
              """,
              ""),
          workload(
              "StatefulSets",
              """
              {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: w, annotations:
              {berth.dev/min-member: '#'}}, spec: {podManagementPolicy: Parallel, replicas: #}}\
              """,
              ""),
          workload(
              "DefaultKind",
              """
              {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: w, annotations:
              {berth.dev/min-member: '#'}}, spec: {replicas: #}}\
              """,
              ""),
          workload(
              "SinglePods",
              "{apiVersion: apps/v1, kind: Deployment, metadata: {name: w}, spec: {replicas: #}}",
              ""),
          workload(
              "KubeflowJobs",
              """
              {apiVersion: kubeflow.org/v1, kind: TFJob, metadata: {name: w}, spec:
              {tfReplicaSpecs: {A: {replicas: #}, B: {replicas: #}}}}\
              """,
              ""),
          workload(
              "PyTorchJobs",
              """
              {apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: w}, spec:
              {pytorchReplicaSpecs: {Master: {replicas: #}, Worker: {replicas: #, template:
              {metadata: {annotations: {berth.dev/segment-size: '#'}}}}}, elasticPolicy:
              {minReplicas: #}}}\
              """,
              "labels: {training.kubeflow.org/replica-type: worker,"
                  + " training.kubeflow.org/replica-index: '#'}"),
          workload(
              "MpiJobs",
              """
              {apiVersion: kubeflow.org/v1, kind: MPIJob, metadata: {name: w}, spec:
              {launcherCreationPolicy: WaitForWorkersReady, mpiReplicaSpecs: {Launcher: {replicas:
              #}, Worker: {replicas: #}}}}\
              """,
              ""),
          workload(
              "JobSets",
              """
              {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: w,
              annotations: {berth.dev/min-member: '#'}}, spec: {replicatedJobs: [{name: a,
              replicas: #, template: {spec: {parallelism: #, completions: #}}}, {name: b,
              replicas: #, dependsOn: [{name: a}]}]}, status: {replicatedJobsStatus: [{name: a,
              ready: #, succeeded: #}]}}\
              """,
              "labels: {jobset.sigs.k8s.io/replicatedjob-name: a, jobset.sigs.k8s.io/job-index:"
                  + " '#'}"),
          workload(
              "RayClusters",
              """
              {apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: w}, spec:
              {workerGroupSpecs: [{groupName: a, replicas: #, minReplicas: #, numOfHosts: #},
              {groupName: b, replicas: #}]}}\
              """,
              "labels: {ray.io/group: a}"),
          workload(
              "LeaderWorkerSets",
              """
              {apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, metadata: {name: w},
              spec: {leaderWorkerTemplate: {size: #, subGroupPolicy: {subGroupSize: #}}}}\
              """,
              "labels: {leaderworkerset.sigs.k8s.io/group-index: '#',"
                  + " leaderworkerset.sigs.k8s.io/worker-index: '#'}"),
          workload(
              "AmlJobs",
              """
              {apiVersion: amlarc.azureml.com/v1alpha1, kind: AmlJob, metadata: {name: w}, spec:
              {job: {options: {envs: {AZUREML_NODE_COUNT: '#'}}}}}\
              """,
              ""),
          workload(
              "VolcanoJobs",
              """
              {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: w}, spec: {tasks:
              [{name: a, replicas: #}, {name: b, replicas: #}]}}\
              """,
              ""),
          new Workload(
              "KnativeServices",
              List.of(
                  """
                  {apiVersion: serving.knative.dev/v1, kind: Revision, metadata: {name: r,
                  annotations: {autoscaling.knative.dev/min-scale: '#'}}}\
                  """,
                  "{apiVersion: serving.knative.dev/v1, kind: Service, metadata: {name: w}}"),
              List.of(),
              "labels: {serving.knative.dev/revision: r}"),
          new Workload(
              "PodGangs",
              List.of("{apiVersion: grove.io/v1alpha1, kind: PodCliqueSet, metadata: {name: w}}"),
              List.of(
                  """
                  {apiVersion: scheduler.grove.io/v1alpha1, kind: PodGang, metadata: {name: g},
                  spec: {podgroups: [{name: a, minReplicas: #}, {name: b, minReplicas: #}]}}\
                  """),
              "labels: {grove.io/podgang: g, grove.io/podclique: a}"),
          new Workload(
              "NativeGroups",
              List.of(),
              List.of(
                  """
                  {apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: g},
                  spec: {schedulingPolicy: {gang: {minCount: #}}}}\
                  """),
              "labels: {scheduling.x-k8s.io/pod-group: g}"),
          new Workload(
              "PluginGroups",
              List.of(),
              List.of(
                  """
                  {apiVersion: scheduling.x-k8s.io/v1alpha1, kind: PodGroup, metadata: {name: g},
                  spec: {minMember: #}}\
                  """),
              "labels: {scheduling.x-k8s.io/pod-group: g}"),
          workload(
              "ConfiguredKind",
              """
              {apiVersion: example.com/v1, kind: Crew, metadata: {name: w}, spec: {roles: [{size:
              #}, {size: #}], heads: #}}\
              """,
              "labels: {role: head}"));

  private static Workshop shop(Workload workload) {
    var shop =
        Workshop.with(
            new ConfiguredKind(
                "example.com",
                "Crew",
                "",
                List.of(
                    new ConfiguredKind.Component("crew", ".spec.roles[*].size", "role", "crew"),
                    new ConfiguredKind.Component("head", ".spec.heads", "role", "head")),
                ""));
    var owners = workload.owners().stream().map(shop::thing).toArray(KubeObject[]::new);
    var further = workload.further().stream().map(shop::thing).toArray(KubeObject[]::new);
    String metadata = workload.metadata().isEmpty() ? "labels: {}" : workload.metadata();
    return shop.pod("p-0", metadata, "", "", owners).given(further);
  }

  @Test
  void noNumberMakesMoreThanCanBePlanned() {
    for (Workload workload : ALL) {
      for (int which = -1; which < workload.numbers(); which++) {
        for (String value : VALUES) {
          String what = workload.rule() + ", " + value + " as number " + which;
          var shop = shop(workload.with(value, which));
          long before = cpu();
          var specs = shop.specs();
          assertThat(Duration.ofNanos(cpu() - before)).as(what).isLessThan(Duration.ofSeconds(1));
          assertThat(specs).as(what).isNotEmpty();
          specs.forEach(spec -> check(what, spec));
        }
      }
    }
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static void check(String what, GroupSpec spec) {
    assertThat(spec.subGroups()).as(what).hasSizeLessThanOrEqualTo(SubGroupTree.MOST);
    assertThat(spec.minMember()).as(what).isNotNegative();
    assertThat(spec.minSubGroup()).as(what).isNotNegative();
    assertThat(spec.required()).as(what).isNotNegative();
    for (SubGroup each : spec.subGroups()) {
      assertThat(each.minMember()).as(what).isNotNegative();
      assertThat(each.minSubGroup()).as(what).isNotNegative();
    }
  }

  /// One that overflowed would be smaller.
  @Test
  void whatIsTheLargestNumberIsNotLessThanWhatIsTwo() {
    for (Workload workload : ALL) {
      int small = required(shop(workload.with("2", -1)));
      var large = shop(workload.with("2147483647", -1));
      boolean told = large.specs().stream().anyMatch(spec -> !spec.problems().isEmpty());
      assertThat(told || required(large) >= small).as(workload.rule()).isTrue();
    }
  }

  private static int required(Workshop shop) {
    return shop.specs().stream().mapToInt(GroupSpec::required).sum();
  }

  @Test
  void everyRuleIsTried() throws IOException {
    var rules = new TreeSet<String>();
    try (Stream<Path> files = Files.list(KINDS)) {
      for (Path file : files.toList()) {
        if (Files.readString(file).contains("implements Rule {")) {
          rules.add(file.getFileName().toString().replace(".java", ""));
        }
      }
    }
    var tried = new ArrayList<String>();
    for (Workload workload : ALL) {
      var subject = shop(workload.with("2", -1)).subject();
      var rule = shop(workload.with("2", -1)).verdicts.rules().of(subject);
      assertThat(rule.getClass().getSimpleName()).isEqualTo(workload.rule());
      tried.add(workload.rule());
    }
    assertThat(tried).containsExactlyInAnyOrderElementsOf(rules);
  }
}
