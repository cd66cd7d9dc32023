package dev.berth.controllers.grouping.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.GroupSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What kinds of training and batch frameworks say of their pods.
final class TrainingKindsTest {
  private static final String KUBEFLOW =
      "training.kubeflow.org/job-name: train, training.kubeflow.org/replica-type: %s,"
          + " training.kubeflow.org/replica-index: '%d'";

  private static Workshop kubeflow(String file, String... roles) {
    var shop = Workshop.of(file);
    add(shop, roles);
    return shop;
  }

  private static void add(Workshop shop, String... roles) {
    for (String role : roles) {
      int dash = role.indexOf('-');
      String kind = role.substring(0, dash);
      shop.pod(
          "train-" + role,
          KUBEFLOW.formatted(kind, Integer.parseInt(role.substring(dash + 1)))
              + (kind.equals("master") ? ", training.kubeflow.org/job-role: master" : ""),
          shop.object());
    }
  }

  @Test
  void aPyTorchJobIsMasterAndWorkersInSegments() {
    assertThat(kubeflow("pytorchjob.yaml", "master-0", "worker-0", "worker-3").told())
        .containsExactly(
            "train: master 1, worker 2 of (worker-0 2 in fabric/rack, worker-1 2 in fabric/rack)"
                + " of research",
            "train-master-0: master of train, first",
            "train-worker-0: worker-0 of train",
            "train-worker-3: worker-1 of train");
  }

  @Test
  void aMemberWithoutARoleIsSurplus() {
    var shop = Workshop.of("jobset-stages.yaml");
    assertThat(
            new GangShape(
                    0,
                    2,
                    shop.pod("p", jobSet("fetch", 0), shop.object()).gang().subGroups(),
                    GroupSpec.TopologyAsk.NONE,
                    "",
                    GroupSpec.Completions.NONE)
                .withSurplus("surplus")
                .minSubGroup())
        .as("two, and the surplus, which is always complete")
        .isEqualTo(3);
    var job = Workshop.of("pytorchjob-elastic.yaml");
    job.pod("train-worker-0", KUBEFLOW.formatted("worker", 0), job.object());
    job.pod("train-helper", "", job.object());
    assertThat(job.told())
        .containsExactly(
            "elastic: worker 2, surplus 0 of research",
            "train-worker-0: worker of elastic",
            "train-helper: surplus of elastic");
  }

  @Test
  void aSegmentOfAWorkerWithoutNumberIsAnError() {
    var shop = Workshop.of("pytorchjob.yaml");
    shop.pod("train-worker-x", "training.kubeflow.org/replica-type: worker", shop.object());
    assertThat(shop.told())
        .containsExactly(
            "train-worker-x: alone of research, wrong: training.kubeflow.org/replica-index");
  }

  @Test
  void anElasticPyTorchJobStartsWithItsLeastWorkers() {
    var shop = kubeflow("pytorchjob-elastic.yaml", "worker-0");
    assertThat(shop.told().getFirst()).isEqualTo("elastic: worker 2 of research");
    shop.but("spec: {runPolicy: {schedulingPolicy: {minAvailable: 3}}}");
    assertThat(again(shop, "worker-0")).isEqualTo("elastic: worker 3 of research");
  }

  @Test
  void ofAnElasticJobInSegmentsTheFirstAreMandatory() {
    var shop = Workshop.of("pytorchjob.yaml").but("spec: {elasticPolicy: {minReplicas: 3}}");
    assertThat(again(shop, "worker-0"))
        .isEqualTo(
            "train: master 1, worker 2 of (worker-0 2 in fabric/rack, worker-1 0 in fabric/rack)"
                + " of research");
  }

  private static String again(Workshop shop, String... roles) {
    var anew = Workshop.with();
    for (String role : roles) {
      anew.pod("train-" + role, KUBEFLOW.formatted(role.replaceAll("-.*", ""), 0), shop.object());
    }
    return anew.told().getFirst();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tfjob.yaml      | chief-0  | tf: 4 of research",
        "xgboostjob.yaml | master-0 | xgb: 3 of research",
        "jaxjob.yaml     | worker-0 | jax: 4 of research in fabric/rack",
        "paddlejob.yaml  | worker-0 | paddle: 3 of research",
      })
  void otherJobsOfKubeflowCountAllReplicas(String file, String pod, String group) {
    assertThat(kubeflow(file, pod).told().getFirst()).isEqualTo(group);
  }

  @Test
  void aRoleThatIsMissingWhereRequiredIsAnError() {
    var shop =
        Workshop.of("xgboostjob.yaml").but("spec: {xgbReplicaSpecs: {Master: {replicas: 0}}}");
    assertThat(again(shop, "worker-0"))
        .isEqualTo("xgb: 2 of research, wrong: spec.xgbReplicaSpecs.Master.replicas");
  }

  /// Their operators accept jobs without workers.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "xgboostjob.yaml | spec: {xgbReplicaSpecs: {Worker: {replicas: 0}}} | xgb: 1 of research",
        "mpijob.yaml     | spec: {mpiReplicaSpecs: {Worker: {replicas: 0}}, launcherCreationPolicy:"
            + " AtStartup} | mpi: 1 of research",
      })
  void aMasterOrLauncherAloneIsAJob(String file, String change, String group) {
    var shop = Workshop.of(file).but(change);
    assertThat(again(shop, "master-0")).isEqualTo(group);
  }

  /// Nor need they name the role.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kubeflow.org/v1      | XGBoostJob | xgbReplicaSpecs: {Master: {replicas: 1}}",
        "kubeflow.org/v1      | XGBoostJob | xgbReplicaSpecs: {Master: {}}",
        "kubeflow.org/v2beta1 | MPIJob     | mpiReplicaSpecs: {Launcher: {replicas: 1}}",
        "kubeflow.org/v2beta1 | MPIJob     | mpiReplicaSpecs: {Launcher: {}},"
            + " launcherCreationPolicy: WaitForWorkersReady",
      })
  void aJobWithoutTheRoleWorkerIsItsMasterOrLauncher(String version, String kind, String spec) {
    var shop = Workshop.with();
    var job =
        shop.thing(
            "{apiVersion: %s, kind: %s, metadata: {name: solo}, spec: {%s}}"
                .formatted(version, kind, spec));
    shop.pod("train-master-0", KUBEFLOW.formatted("master", 0), job);
    assertThat(shop.told().getFirst()).isEqualTo("solo: 1");
  }

  @Test
  void aLauncherThatWaitsForWorkersCountsOnceItIsThere() {
    var shop = kubeflow("mpijob.yaml", "worker-0", "worker-1");
    assertThat(shop.told().getFirst()).isEqualTo("mpi: 2 of research");
    var launcher = shop.owner("batch/v1 Job", "train-launcher");
    shop.pod(
        "train-launcher-a", "training.kubeflow.org/job-role: launcher", launcher, shop.object());
    assertThat(shop.told()).contains("mpi: 3 of research", "train-launcher-a: mpi, first");
  }

  /// Its Job exists since the workers were ready first, and makes its pod anew after a pause.
  @Test
  void aLauncherThatWasEvictedCountsBeforeItIsMadeAnew() {
    var shop = Workshop.of("mpijob.yaml").but("status: {replicaStatuses: {Launcher: {failed: 1}}}");
    assertThat(again(shop, "worker-0", "worker-1")).isEqualTo("mpi: 3 of research");
    var finished =
        Workshop.of("mpijob.yaml")
            .but(
                "status: {completionTime: '2026-01-01T00:00:00Z', replicaStatuses: {Launcher:"
                    + " {succeeded: 1}}}");
    assertThat(again(finished, "worker-0", "worker-1"))
        .as("no more comes of a launcher that has finished")
        .isEqualTo("mpi: 2 of research");
  }

  @Test
  void aLauncherThatIsLeavingDoesNotCount() {
    var shop = kubeflow("mpijob.yaml", "worker-0");
    shop.pod(
        "train-launcher",
        "deletionTimestamp: '2026-01-01T00:00:00Z', labels: {training.kubeflow.org/job-role:"
            + " launcher}",
        "",
        "",
        shop.object());
    assertThat(shop.told().getFirst()).isEqualTo("mpi: 2 of research");
  }

  private static String jobSet(String replicatedJob, int index) {
    return "jobset.sigs.k8s.io/replicatedjob-name: %s, jobset.sigs.k8s.io/job-index: '%d'"
        .formatted(replicatedJob, index);
  }

  @Test
  void aJobSetIsATreeOfItsJobs() {
    var shop = Workshop.of("jobset.yaml");
    var job = shop.owner("batch/v1 Job", "llm-workers-1");
    shop.pod("llm-driver-0-0-a", jobSet("driver", 0), job, shop.object());
    shop.pod("llm-workers-1-0-a", jobSet("workers", 1), job, shop.object());
    assertThat(shop.told())
        .containsExactly(
            "llm: driver 1 of (driver-replica-0 1), workers 2 of (workers-replica-0 2 in"
                + " fabric/rack, workers-replica-1 2 in fabric/rack) of research",
            "llm-driver-0-0-a: driver-replica-0 of llm",
            "llm-workers-1-0-a: workers-replica-1 of llm");
  }

  @Test
  void aPodOfAJobSetWithoutItsLabelsIsAnError() {
    var shop = Workshop.of("jobset.yaml");
    assertThat(shop.pod("p", "", shop.object()).told())
        .containsExactly("p: alone of research, wrong: jobset.sigs.k8s.io/replicatedjob-name");
  }

  @Test
  void ofAJobSetInOrderTheFirstIsEnough() {
    var shop =
        Workshop.of("jobset.yaml").but("spec: {startupPolicy: {startupPolicyOrder: InOrder}}");
    assertThat(shop.pod("p", jobSet("driver", 0), shop.object()).told().getFirst())
        .startsWith("llm: any 1 of driver 1 of");
  }

  @Test
  void aJobSetSaysItselfHowManyOfItsJobsItTakes() {
    var shop =
        Workshop.of("jobset.yaml").but("metadata: {annotations: {berth.dev/min-member: '1'}}");
    assertThat(shop.pod("p", jobSet("driver", 0), shop.object()).told().getFirst())
        .startsWith("llm: any 1 of driver");
    shop = Workshop.of("jobset.yaml").but("metadata: {annotations: {berth.dev/min-member: '7'}}");
    assertThat(shop.pod("p", jobSet("driver", 0), shop.object()).told().getFirst())
        .startsWith("llm: driver");
  }

  @Test
  void whatDependsOnOthersCountsWhenItCanExist() {
    var shop = Workshop.of("jobset-stages.yaml");
    assertThat(shop.pod("p", jobSet("fetch", 0), shop.object()).told().getFirst())
        .isEqualTo(
            "staged: any 1 of fetch 1 of (fetch-replica-0 1), train 1 of (train-replica-0 2)");
    shop.but("status: {replicatedJobsStatus: [{name: fetch, succeeded: 1}]}");
    assertThat(Workshop.with().pod("p", jobSet("train", 0), shop.object()).told().getFirst())
        .as("what is complete counts no more")
        .isEqualTo("staged: train 1 of (train-replica-0 2)");
  }

  @Test
  void aReplicaThatIsCompleteLeavesTheMinimum() {
    var shop =
        Workshop.of("jobset.yaml")
            .but("status: {replicatedJobsStatus: [{name: workers, succeeded: 1}]}");
    var done =
        shop.thing(
            "{apiVersion: batch/v1, kind: Job, metadata: {name: llm-workers-1}, status:"
                + " {conditions: [{type: Complete, status: 'True'}]}}");
    shop.pod("d", jobSet("driver", 0), shop.object());
    shop.pod("w-1", jobSet("workers", 1), done, shop.object());
    assertThat(shop.told().getFirst())
        .contains("workers 1 of (workers-replica-0 2 in fabric/rack)");
    var gone = Workshop.with().pod("w-0", jobSet("workers", 0), shop.object());
    assertThat(gone.told().getFirst())
        .as("though its pods are gone")
        .contains("workers 1 of (workers-replica-0 2 in fabric/rack)");
  }

  @Test
  void aTrainJobIsSkippedAndFillsInWhatItsJobSetLacks() {
    var shop = Workshop.of("trainjob.yaml");
    var set =
        shop.thing(
            "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: tune}, spec:"
                + " {replicatedJobs: [{name: node, template: {spec: {parallelism: 2}}}]}}");
    var job = shop.owner("batch/v1 Job", "tune-node-0");
    shop.pod("tune-node-0-0-a", jobSet("node", 0), job, set, shop.object("TrainJob"));
    assertThat(shop.told())
        .containsExactly(
            "tune: node 1 of (node-replica-0 2) of research",
            "tune-node-0-0-a: node-replica-0 of tune");
  }

  private static final String RAY = "ray.io/cluster: ray, ray.io/node-type: %s, ray.io/group: %s";
  private static final String RAY_SHAPE = "headgroup 1, small 2, pair 2 in fabric/rack";

  @Test
  void aRayClusterIsItsHeadAndTheLeastOfItsWorkers() {
    var shop = Workshop.of("raycluster.yaml");
    shop.pod("ray-head", RAY.formatted("head", "headgroup"), shop.object());
    shop.pod("ray-small-a", RAY.formatted("worker", "small"), shop.object());
    assertThat(shop.told())
        .containsExactly(
            "ray: " + RAY_SHAPE + " of research, build",
            "ray-head: headgroup of ray, first",
            "ray-small-a: small of ray");
  }

  @Test
  void anAutoscaledRayClusterStartsWithWhatItNeverHasLessOf() {
    var shop = Workshop.of("raycluster.yaml").but("spec: {enableInTreeAutoscaling: true}");
    shop.pod("ray-head", RAY.formatted("head", "headgroup"), shop.object());
    assertThat(shop.told().getFirst())
        .startsWith("ray: headgroup 1, small 2, pair 0 in fabric/rack of");
  }

  @Test
  void suspendedWorkersOfARayClusterAreLeftOut() {
    var shop =
        Workshop.of("raycluster.yaml")
            .but(
                "spec: {workerGroupSpecs: [{groupName: now, replicas: 1}, {groupName: later,"
                    + " replicas: 2, suspend: true}]}");
    shop.pod("ray-head", RAY.formatted("head", "headgroup"), shop.object());
    assertThat(shop.told().getFirst()).startsWith("ray: headgroup 1, now 1 of");
  }

  @Test
  void moreLeastReplicasThanReplicasAreAnError() {
    var shop =
        Workshop.of("raycluster.yaml")
            .but("spec: {workerGroupSpecs: [{groupName: w, replicas: 1, minReplicas: 2}]}");
    shop.pod("ray-head", RAY.formatted("head", "headgroup"), shop.object());
    assertThat(shop.told().getFirst()).endsWith("wrong: spec.workerGroupSpecs[0].minReplicas");
  }

  private static KubeObject cluster(Workshop shop, String name) {
    var example =
        Workshop.of("raycluster.yaml")
            .but("metadata: {name: %s, labels: {berth.dev/queue: ''}}".formatted(name));
    return shop.thing(new org.yaml.snakeyaml.Yaml().dump(example.object().fields()));
  }

  @Test
  void aRayJobIsItsClusterAndTheSubmitterIsSurplus() {
    var shop = Workshop.of("rayjob.yaml").but("status: {rayClusterName: report-c1}");
    var cluster = cluster(shop, "report-c1");
    shop.pod("head", RAY.formatted("head", "headgroup"), cluster, shop.object());
    shop.pod("submit", "", shop.owner("batch/v1 Job", "report"), shop.object());
    assertThat(shop.told())
        .containsExactly(
            "report-report-c1: " + RAY_SHAPE + ", surplus 0 of research",
            "head: headgroup of report-report-c1, first",
            "submit: surplus of report-report-c1");
  }

  @Test
  void eachClusterOfARayServiceIsAGang() {
    var shop = Workshop.of("rayservice.yaml");
    shop.pod("a", RAY.formatted("head", "headgroup"), cluster(shop, "serve-old"), shop.object());
    shop.pod("b", RAY.formatted("head", "headgroup"), cluster(shop, "serve-new"), shop.object());
    assertThat(shop.told())
        .contains(
            "serve-serve-new: " + RAY_SHAPE + " of product",
            "serve-serve-old: " + RAY_SHAPE + " of product");
  }

  private static String lws(int group, int worker) {
    return "leaderworkerset.sigs.k8s.io/group-index: '%d', leaderworkerset.sigs.k8s.io/worker-index:"
            .formatted(group)
        + " '%d'".formatted(worker);
  }

  @Test
  void eachReplicaOfALeaderWorkerSetIsAGang() {
    var shop = Workshop.of("leaderworkerset.yaml");
    var set = shop.owner("apps/v1 StatefulSet", "vllm");
    var leader = shop.thing("{apiVersion: v1, kind: Pod, metadata: {name: vllm-1}}");
    var workers = shop.owner("apps/v1 StatefulSet", "vllm-1");
    shop.pod("vllm-0", lws(0, 0), set, shop.object());
    shop.pod("vllm-1", lws(1, 0), set, shop.object());
    shop.pod("vllm-1-2", lws(1, 2), workers, leader, set, shop.object());
    assertThat(shop.told())
        .containsExactly(
            "vllm-group-0: leader 1, workers 2 of product",
            "vllm-group-1: leader 1, workers 2 of product",
            "vllm-0: leader of vllm-group-0, first",
            "vllm-1: leader of vllm-group-1, first",
            "vllm-1-2: workers of vllm-group-1");
  }

  @Test
  void workersThatComeWhenTheirLeaderIsReadyDoNotCountBefore() {
    var shop = Workshop.of("leaderworkerset-leaderready.yaml");
    shop.pod("ready-0", lws(0, 0), shop.object());
    assertThat(shop.told().getFirst()).isEqualTo("ready-group-0: leader 1, workers 0 of product");
    var runs = Workshop.with();
    runs.pod(
        "ready-0",
        "labels: {%s}".formatted(lws(0, 0)),
        "nodeName: n1",
        "conditions: [{type: Ready, status: 'True'}]",
        shop.object());
    assertThat(runs.told().getFirst()).isEqualTo("ready-group-0: leader 1, workers 2 of product");
    shop.pod("ready-0-1", lws(0, 1), shop.object());
    assertThat(shop.told().getFirst())
        .as("a worker is there")
        .isEqualTo("ready-group-0: leader 1, workers 2 of product");
  }

  @Test
  void aLeaderThatIsPlacedWithoutItsWorkersIsTold() {
    var shop = Workshop.of("leaderworkerset-leaderready.yaml");
    assertThat(shop.verdicts.advice(shop.object()))
        .singleElement()
        .satisfies(told -> {
          assertThat(told.field()).isEqualTo("spec.startupPolicy");
          assertThat(told.value()).isEqualTo("LeaderReady");
          assertThat(told.rule()).contains("no room is kept", "LeaderCreated");
        });
    var alone =
        Workshop.of("leaderworkerset-leaderready.yaml")
            .but("spec: {leaderWorkerTemplate: {size: 1}}");
    assertThat(alone.verdicts.advice(alone.object())).as("no workers").isEmpty();
    var together = Workshop.of("leaderworkerset.yaml");
    assertThat(together.verdicts.advice(together.object())).as("LeaderCreated").isEmpty();
  }

  @Test
  void theSizeOnThePodCountsBeforeThatOfTheSpec() {
    var shop = Workshop.of("leaderworkerset.yaml");
    shop.pod(
        "vllm-0",
        "labels: {%s}, annotations: {leaderworkerset.sigs.k8s.io/size: '5'}".formatted(lws(0, 0)),
        "",
        "",
        shop.object());
    assertThat(shop.told().getFirst()).isEqualTo("vllm-group-0: leader 1, workers 4 of product");
  }

  @Test
  void theLeaderSitsInTheFirstSegmentOrAlone() {
    var shop = Workshop.of("leaderworkerset-segments.yaml");
    for (int worker = 0; worker < 5; worker++) {
      shop.pod("cut-0-" + worker, lws(0, worker), shop.object());
    }
    assertThat(shop.told())
        .containsExactly(
            "cut-group-0: segment-0 2 of (leader 1, workers 2) in fabric/rack, segment-1 2 in"
                + " fabric/rack of product",
            "cut-0-0: leader of cut-group-0, first",
            "cut-0-1: workers of cut-group-0",
            "cut-0-2: workers of cut-group-0",
            "cut-0-3: segment-1 of cut-group-0",
            "cut-0-4: segment-1 of cut-group-0");
    shop.but(
        "spec: {leaderWorkerTemplate: {subGroupPolicy: {subGroupPolicyType: LeaderExcluded}}}");
    var excluded = Workshop.with();
    excluded.pod("cut-0-0", lws(0, 0), shop.object()).pod("cut-0-2", lws(0, 2), shop.object());
    assertThat(excluded.told())
        .containsExactly(
            "cut-group-0: leader 1, segment-0 2 in fabric/rack, segment-1 2 in fabric/rack of"
                + " product",
            "cut-0-0: leader of cut-group-0, first",
            "cut-0-2: segment-0 of cut-group-0");
  }

  @Test
  void segmentsThatTheLeaderFillsUpHaveItAmongThem() {
    var shop =
        Workshop.of("leaderworkerset-segments.yaml").but("spec: {leaderWorkerTemplate: {size: 4}}");
    for (int worker = 0; worker < 4; worker++) {
      shop.pod("cut-0-" + worker, lws(0, worker), shop.object());
    }
    assertThat(shop.told())
        .contains("cut-0-1: workers of cut-group-0", "cut-0-2: segment-1 of cut-group-0");
    assertThat(shop.told().getFirst())
        .startsWith(
            "cut-group-0: segment-0 2 of (leader 1, workers 1) in fabric/rack, segment-1 2");
  }

  @Test
  void aSegmentLargerThanTheReplicaIsAnError() {
    var shop =
        Workshop.of("leaderworkerset-segments.yaml").but("spec: {leaderWorkerTemplate: {size: 1}}");
    assertThat(shop.pod("cut-0", lws(0, 0), shop.object()).told().getFirst())
        .contains("wrong: spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "amljob.yaml     | azure: 2",
        "volcanojob.yaml | volcano: 3",
      })
  void jobsThatSayTheirSize(String file, String group) {
    var shop = Workshop.of(file);
    assertThat(shop.pod("p", "", shop.object()).told().getFirst()).isEqualTo(group);
  }

  @Test
  void anAmlJobWithoutItsSizeIsAnError() {
    var shop = Workshop.with();
    var job = shop.owner("amlarc.azureml.com/v1alpha1 AmlJob", "azure");
    assertThat(shop.pod("p", "", job).told().getFirst())
        .isEqualTo("azure: 1, wrong: spec.job.options.envs.AZUREML_NODE_COUNT");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "runaijob.yaml    | batch/v1 Job       | p: alone",
        "workflow.yaml    |                    | p: alone of research",
        "scheduledworkflow.yaml | argoproj.io/v1alpha1 Workflow | p: alone of research",
        "pipelinerun.yaml | tekton.dev/v1 TaskRun | p: alone of research",
        "taskrun.yaml     |                    | p: alone",
      })
  void kindsWhosePodsComeByThemselves(String file, String between, String told) {
    var shop = Workshop.of(file);
    if (between == null) {
      shop.pod("p", "", shop.object());
    } else {
      shop.pod("p", "", shop.owner(between, "between"), shop.object());
    }
    assertThat(shop.told()).containsExactly(told);
  }

  @Test
  void aJobOfAStepOfAWorkflowIsGroupedAsThatJob() {
    var shop = Workshop.of("workflow.yaml");
    var job = Workshop.of("tfjob.yaml").but("metadata: {labels: {berth.dev/queue: ''}}").object();
    shop.pod("train-chief-0", KUBEFLOW.formatted("chief", 0), job, shop.object());
    assertThat(shop.told()).containsExactly("tf: 4 of research", "train-chief-0: tf");
  }

  @Test
  void anUnknownKindAboveAKnownOneSaysOnlyQueueAndLabels() {
    var shop = Workshop.of("pytorchjob.yaml").but("metadata: {labels: {berth.dev/queue: ''}}");
    var trial =
        shop.thing(
            "{apiVersion: kubeflow.org/v1beta1, kind: Trial, metadata: {name: trial, labels:"
                + " {berth.dev/queue: q}}}");
    var experiment = shop.owner("kubeflow.org/v1beta1 Experiment", "experiment");
    shop.pod(
        "train-master-0",
        "training.kubeflow.org/replica-type: master",
        shop.object(),
        trial,
        experiment);
    assertThat(shop.told().getFirst())
        .startsWith("train: master 1, worker 2 of (")
        .endsWith(" of q");
  }

  @Test
  void theHighestKnownKindDecides() {
    var shop = Workshop.of("rayjob.yaml");
    var cluster = Workshop.of("raycluster.yaml").object();
    var above = shop.owner("example.com/v1 Pipeline", "pipeline");
    shop.pod("head", "ray.io/group: headgroup", cluster, shop.object(), above);
    assertThat(shop.gang().key().name()).startsWith(shop.object().name() + "-");
  }

  @Test
  void anUnknownKindWithAMinimumOfItsOwnIsTheGang() {
    var shop = Workshop.with();
    var fleet =
        shop.thing(
            "{apiVersion: example.com/v1, kind: Fleet, metadata: {name: fleet, annotations:"
                + " {berth.dev/min-member: '3'}}}");
    var job = shop.owner("batch/v1 Job", "ship");
    assertThat(shop.pod("ship-0", "", job, fleet).told())
        .containsExactly("fleet: 3", "ship-0: fleet");
  }

  @Test
  void aDeploymentThatIsOwnedIsNoWorkloadOfItsOwn() {
    var shop = Workshop.with();
    var owner = shop.owner("example.com/v1 Site", "site");
    shop.pod(
        "p",
        "",
        shop.owner("apps/v1 ReplicaSet", "rs"),
        shop.owner("apps/v1 Deployment", "d"),
        owner);
    assertThat(shop.told()).as("not inference").containsExactly("p: alone");
  }

  /// A master, then two workers; the tasks of the example start together.
  @Test
  void aTaskOfAVolcanoJobThatDependsOnOthersCountsOnceItIsThere() {
    var shop = Workshop.with();
    var job =
        shop.thing(
            "{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: v}, spec:"
                + " {minAvailable: 3, tasks: [{name: master, replicas: 1}, {name: worker, replicas:"
                + " 4, dependsOn: {name: [master]}}]}}");
    shop.pod("v-master-0", "volcano.sh/task-spec: master", job);
    assertThat(shop.gang().minMember()).isEqualTo(1);
    shop.pod("v-worker-0", "volcano.sh/task-spec: worker", job);
    assertThat(shop.gang().minMember()).isEqualTo(3);
  }

  @Test
  void anIndexOfAJobOfASetThatFailedForGoodDoesNotCount() {
    var shop = Workshop.with();
    var set =
        shop.thing(
            "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: s}, spec:"
                + " {replicatedJobs: [{name: w, replicas: 2, template: {spec: {parallelism: 4,"
                + " completions: 4, backoffLimitPerIndex: 1}}}]}}");
    for (int i = 0; i < 2; i++) {
      var job =
          shop.thing(
              "{apiVersion: batch/v1, kind: Job, metadata: {name: s-w-%d}, spec:".formatted(i)
                  + " {backoffLimitPerIndex: 1}, status: {failedIndexes: '%s'}}"
                      .formatted(i == 0 ? "2" : ""));
      shop.pod(
          "s-w-" + i,
          "jobset.sigs.k8s.io/replicatedjob-name: w, jobset.sigs.k8s.io/job-index: '%d'"
              .formatted(i),
          job,
          set);
    }
    assertThat(shop.told().getFirst()).isEqualTo("s: w 2 of (w-replica-0 3, w-replica-1 4)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "replicas: 0                     | w 0",
        "replicas: 0, minReplicas: 2     | w 0",
        "minReplicas: 2                  | w 2",
        "replicas: 3, minReplicas: 0     | w 3",
        "replicas: 0, numOfHosts: 4      | w 0",
      })
  void aWorkerGroupOfRayAtZeroCountsNothing(String group, String told) {
    var shop = Workshop.with();
    var cluster =
        shop.thing(
            "{apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: r}, spec: {headGroupSpec:"
                + " {}, workerGroupSpecs: [{groupName: w, %s}]}}".formatted(group));
    shop.pod("head", RAY.formatted("head", "headgroup"), cluster);
    assertThat(shop.told().getFirst()).isEqualTo("r: headgroup 1, " + told);
  }

  private static Workshop setWithClasses(String ofSet, String... ofJobs) {
    var shop = Workshop.with();
    var set =
        shop.thing(
            "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: s, labels:"
                + " {%s}}, spec: {replicatedJobs: [{name: w, replicas: 2}]}}".formatted(ofSet));
    for (int i = 0; i < ofJobs.length; i++) {
      var job =
          shop.thing(
              "{apiVersion: batch/v1, kind: Job, metadata: {name: s-w-%d, labels: {%s}}}"
                  .formatted(i, ofJobs[i]));
      shop.pod(
          "s-w-" + i,
          "jobset.sigs.k8s.io/replicatedjob-name: w, jobset.sigs.k8s.io/job-index: '%d'"
              .formatted(i),
          job,
          set);
    }
    return shop;
  }

  @Test
  void theClassOfAGangIsThatOfItsWorkload() {
    String build = "priorityClassName: build";
    String inference = "priorityClassName: inference";
    assertThat(setWithClasses(build, inference, "").gang().priorityClass()).isEqualTo("build");
    assertThat(setWithClasses("", build, build).gang().priorityClass()).isEqualTo("build");
    assertThat(setWithClasses("", build, "").gang().priorityClass()).as("of one Job").isEmpty();
    assertThat(setWithClasses("", "", build).gang().priorityClass()).as("of one Job").isEmpty();
  }
}
