package dev.berth.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Invalid values that users write: each is one problem, which names the field and the value, and
/// the object is there all the same.
class BadInputTest {
  private static void assertOneProblem(
      List<Problem> problems, String field, String value, String words) {
    assertThat(problems).hasSize(1);
    Problem problem = problems.getFirst();
    assertThat(problem.field()).isEqualTo(field);
    assertThat(problem.value()).isEqualTo(value);
    assertThat(problem.rule()).contains(words).endsWith(".");
    assertThat(problem.rule()).as("says the rule and not the value").isNotBlank();
  }

  private static List<Problem> ofPod(String metadata, String spec) {
    return PodManifest.read(
            Flow.tree("{metadata: {name: p, " + metadata + "}, spec: {" + spec + "}}"))
        .orElseThrow()
        .problems();
  }

  private static final String MAIN = "containers: [{name: main}]";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gpu-fraction: \"1.5\"                 | gpu-fraction | 1.5 | more than 0 and less than 1",
        "gpu-fraction: \"1\"                   | gpu-fraction | 1 | set resources.limits",
        "gpu-fraction: \"1.0\"                 | gpu-fraction | 1.0 | less than 1",
        "gpu-fraction: \"0\"                   | gpu-fraction | 0 | more than 0",
        "gpu-fraction: \"-0.5\"                | gpu-fraction | -0.5 | more than 0",
        "gpu-fraction: half                    | gpu-fraction | half | like \"0.5\"",
        "gpu-fraction: \"0,5\"                 | gpu-fraction | 0,5 | like \"0.5\"",
        "gpu-fraction: \"50%\"                 | gpu-fraction | 50% | like \"0.5\"",
        "gpu-fraction: \"0.3333\"              | gpu-fraction | 0.3333 | three decimals",
        "gpu-fraction: \"0.0001\"              | gpu-fraction | 0.0001 | three decimals",
        "gpu-fraction: \"\"                    | gpu-fraction | '' | like \"0.5\"",
        "gpu-fraction: NaN                     | gpu-fraction | NaN | like \"0.5\"",
        "gpu-memory: \"0\"                     | gpu-memory | 0 | like \"8192\"",
        "gpu-memory: \"-1\"                    | gpu-memory | -1 | like \"8192\"",
        "gpu-memory: \"0.5\"                   | gpu-memory | 0.5 | like \"8Gi\"",
        "gpu-memory: \"8192m\"                 | gpu-memory | 8192m | like \"8Gi\"",
        "gpu-memory: \"1Ki\"                   | gpu-memory | 1Ki | 1Mi at the least",
        "gpu-memory: 8GB                       | gpu-memory | 8GB | like \"8Gi\"",
        "gpu-memory: much                      | gpu-memory | much | like \"8192\"",
        "gpu-memory: \"99999999999999999999\"  | gpu-memory | 99999999999999999999 | like \"8192\"",
        "gpu-fraction-num-devices: \"2\"       | gpu-fraction-num-devices | 2 | belongs to a share",
        "gpu-fraction-limit: \"0.5\"           | gpu-fraction-limit | 0.5 | belongs to a share",
        "gpu-memory-limit: \"5\"               | gpu-memory-limit | 5 | belongs to a share",
        "gpu-fraction-container-name: main     | gpu-fraction-container-name | main | belongs to",
        "gpu-fraction: \"0.5\", gpu-memory: \"5\" | gpu-memory | 5 | Remove one of them",
        "gpu-fraction: \"0.5\", gpu-fraction-num-devices: \"0\" | gpu-fraction-num-devices | 0 |"
            + " from 1",
        "gpu-fraction: \"0.5\", gpu-fraction-num-devices: two | gpu-fraction-num-devices | two |"
            + " from 1",
        "gpu-fraction: \"0.5\", gpu-fraction-num-devices: \"1.5\" | gpu-fraction-num-devices | 1.5"
            + " | whole number",
        "gpu-fraction: \"0.5\", gpu-fraction-num-devices: \"999\" | gpu-fraction-num-devices | 999"
            + " | no node has",
        "gpu-fraction: \"0.5\", gpu-fraction-container-name: x | gpu-fraction-container-name | x |"
            + " It has main",
        "gpu-fraction: \"0.5\", gpu-fraction-limit: \"0.4\" | gpu-fraction-limit | 0.4 | at least"
            + " its share",
        "gpu-fraction: \"0.5\", gpu-fraction-limit: \"1.1\" | gpu-fraction-limit | 1.1 | at most 1",
        "gpu-fraction: \"0.5\", gpu-memory-limit: \"9\" | gpu-memory-limit | 9 | Set"
            + " gpu-fraction-limit",
        "gpu-memory: \"50\", gpu-memory-limit: \"40\" | gpu-memory-limit | 40 | at least its share",
        "gpu-memory: \"50\", gpu-fraction-limit: \"1\" | gpu-fraction-limit | 1 | Set"
            + " gpu-memory-limit",
        "berth.dev/gpu-isolation: vgpu         | berth.dev/gpu-isolation | vgpu | one of none, mps",
        "berth.dev/gpu-model: \",\"            | berth.dev/gpu-model | , | names device models",
        "berth.dev/min-member: \"0\"           | berth.dev/min-member | 0 | from 1",
        "berth.dev/min-member: four            | berth.dev/min-member | four | whole number",
        "kai.scheduler/batch-min-member: x     | kai.scheduler/batch-min-member | x | whole number",
        "berth.dev/max-runtime: 8 hours        | berth.dev/max-runtime | 8 hours | like \"90s\"",
        "berth.dev/max-runtime: \"-1h\"        | berth.dev/max-runtime | -1h | like \"90s\"",
        "berth.dev/expected-runtime: \"3\"     | berth.dev/expected-runtime | 3 | like \"90s\"",
        "berth.dev/topology-required: rack     | berth.dev/topology-required | rack | Name it with"
            + " berth.dev/topology",
        "kai.scheduler/topology-preferred-placement: rack |"
            + " kai.scheduler/topology-preferred-placement | rack | Topology object",
        "berth.dev/plan: mine                  | berth.dev/plan | mine | only Berth writes it",
        "berth.dev/plan: node=a slots=x        | berth.dev/plan | node=a slots=x | Remove it",
        "berth.dev/plan: node=a millis=5       | berth.dev/plan | node=a millis=5 | Remove it",
        "berth.dev/plan: [a]                   | berth.dev/plan | […] | it is a text",
      })
  void inAnAnnotationOfAPod(String annotation, String field, String value, String words) {
    assertOneProblem(ofPod("annotations: {" + annotation + "}", MAIN), field, value, words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "labels: {berth.dev/preemptibility: never}",
        "labels: {kai.scheduler/preemptibility: x}",
        "annotations: {berth.dev/preemption-delay: soon}",
        "annotations: {kai.scheduler/staleness-grace-period: 1d}",
      })
  void ignoredOnAPod(String metadata) {
    var pod = ofPod(metadata, MAIN);
    assertThat(pod).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "labels: {berth.dev/task-priority: high}   | berth.dev/task-priority | high | whole number",
        "labels: {berth.dev/holder: \"true\"}      | berth.dev/holder | true | Remove the label",
        "labels: [a]                               | metadata.labels | […] | it is an object",
        "annotations: x                            | metadata.annotations | x | it is an object",
        "creationTimestamp: yesterday              | metadata.creationTimestamp | yesterday | looks"
            + " like",
        "creationTimestamp: \"2026-02-30T00:00:00Z\" | metadata.creationTimestamp |"
            + " 2026-02-30T00:00:00Z | looks like",
        "ownerReferences: {}                       | metadata.ownerReferences | {…} | list of"
            + " objects",
        "ownerReferences: [x]                      | metadata.ownerReferences[0] | x | it is an"
            + " object",
        "ownerReferences: [{controller: maybe}]    | metadata.ownerReferences[0].controller | maybe"
            + " | true or false",
      })
  void inTheMetadataOfAPod(String metadata, String field, String value, String words) {
    assertOneProblem(ofPod(metadata, MAIN), field, value, words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "containers: [{resources: {requests: {cpu: x}}}]     |"
            + " spec.containers[0].resources.requests.cpu | x | a quantity looks like",
        "containers: [{resources: {requests: {cpu: \"-1\"}}}]  |"
            + " spec.containers[0].resources.requests.cpu | -1 | 0 or more",
        "containers: [{resources: {requests: {memory: 9Ei}}}] |"
            + " spec.containers[0].resources.requests.memory | 9Ei | at most",
        "containers: [{resources: {limits: {nvidia.com/gpu: 0.5}}}] |"
            + " spec.containers[0].resources.limits.nvidia.com/gpu | 0.5 | annotation gpu-fraction",
        "containers: [{resources: {limits: {example.com/x: 500m}}}] |"
            + " spec.containers[0].resources.limits.example.com/x | 500m | whole units",
        "containers: [{resources: {requests: {cpu: 2}, limits: {cpu: 1}}}] |"
            + " spec.containers[0].resources.limits.cpu | 1 | at least its request, which is 2",
        "containers: [{resources: {limits: {nvidia.com/gpu: 1, amd.com/gpu: 1}}}] | resources"
            + " nvidia.com/gpu | 1 | one kind only",
        "containers: [{resources: {limits: {nvidia.com/gpu: 3000000000}}}] | resources"
            + " nvidia.com/gpu | 3000000000 | no node has",
        "containers: [{resources: x}]                        | spec.containers[0].resources | x |"
            + " it is an object",
        "containers: main                                    | spec.containers | main | list of"
            + " objects",
        "containers: [null]                                  | spec.containers[0] | null | it is an"
            + " object",
        "containers: [{ports: [{hostPort: 70000}]}]          | spec.containers[0].ports[0].hostPort"
            + " | 70000 | 1 to 65535",
        "containers: [{ports: [{hostPort: -1}]}]             | spec.containers[0].ports[0].hostPort"
            + " | -1 | whole number",
        "overhead: {cpu: much}                               | spec.overhead.cpu | much | a"
            + " quantity looks like",
        "resources: {requests: {memory: lots}}               | spec.resources.requests.memory |"
            + " lots | a quantity looks like",
        "priority: high                                      | spec.priority | high | whole number",
        "priority: 3000000000                                | spec.priority | 3000000000 | whole"
            + " number",
        "hostNetwork: yes                                    | spec.hostNetwork | yes | true or"
            + " false",
        "tolerations: [{operator: Near}]                     | spec.tolerations[0].operator | Near"
            + " | Equal or Exists",
        "nodeSelector: [a]                                   | spec.nodeSelector | […] | it is an"
            + " object",
        "nodeSelector: {a: [b]}                              | spec.nodeSelector.a | […] | it is a"
            + " text",
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Is}]}]}}} |"
            + " spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator"
            + " | Is | one of In",
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " {nodeSelectorTerms: [{matchFields: [{key: spec.x, operator: In}]}]}}} |"
            + " spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].key"
            + " | spec.x | metadata.name",
        "schedulingGates: gate                               | spec.schedulingGates | gate | list"
            + " of objects",
        "schedulerName: {a: b}                               | spec.schedulerName | {…} | it is a"
            + " text",
      })
  void inTheSpecOfAPod(String spec, String field, String value, String words) {
    assertOneProblem(ofPod("", spec), field, value, words);
  }

  /// Each would be judged for each node, while all others wait.
  @Test
  void moreTermsThanCanBeJudged() {
    String required = ".requiredDuringSchedulingIgnoredDuringExecution";
    String gt = "{matchExpressions: [{key: kubernetes.io/os, operator: Gt, values: ['%d']}]}";
    assertOneProblem(
        ofPod("", required("nodeAffinity: ", "{nodeSelectorTerms: [", gt, "]}", 101)),
        "spec.affinity.nodeAffinity" + required + ".nodeSelectorTerms",
        "more than can be judged",
        "give those nodes a label");
    String apart = "{topologyKey: host, labelSelector: {matchLabels: {a: x%d}}}";
    assertOneProblem(
        ofPod("", required("podAntiAffinity: ", "[", apart, "]", 65)),
        "spec.affinity.podAntiAffinity" + required,
        "more than can be judged",
        "at most 64 terms");
    assertThat(ofPod("", required("nodeAffinity: ", "{nodeSelectorTerms: [", gt, "]}", 100)))
        .isEmpty();
    assertThat(ofPod("", required("podAntiAffinity: ", "[", apart, "]", 64))).isEmpty();
    String even =
        "{topologyKey: t%d, maxSkew: 1, whenUnsatisfiable: DoNotSchedule, labelSelector: {}}";
    assertOneProblem(
        ofPod("", "topologySpreadConstraints: [" + many(even, 17) + "]"),
        "spec.topologySpreadConstraints",
        "more than can be judged",
        "at most 16");
    String port = "{containerPort: 80, hostPort: %d}";
    assertOneProblem(
        ofPod("", "containers: [{name: main, ports: [" + many(port, 257) + "]}]"),
        "spec.containers",
        "257 host ports",
        "at most 256");
  }

  /// What is kept of a pod and walked for nodes, and for other pods, is bounded all in all: not by
  /// the number of terms alone.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: ["
            + "{topologyKey: a, labelSelector: {matchExpressions: [%]}}, {topologyKey: b,"
            + " labelSelector: {matchLabels: {a: b}}}]}} | {key: k%d, operator: Exists} | 511 |"
            + " spec.affinity",
        "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: ["
            + "{topologyKey: a, labelSelector: {matchExpressions: [{key: k, operator: In,"
            + " values: [%]}]}}]}} | v%d | 1023 | spec.affinity",
        "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: ["
            + "{topologyKey: a, labelSelector: {}, namespaces: [%]}]}} | n%d | 1024 |"
            + " spec.affinity",
        "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: ["
            + "{topologyKey: a, labelSelector: {matchLabels: {%}}}]}} | k%d: v | 512 |"
            + " spec.affinity",
        "topologySpreadConstraints: [{topologyKey: a, maxSkew: 1, whenUnsatisfiable:"
            + " DoNotSchedule, labelSelector: {matchExpressions: [%]}}] | {key: k%d, operator:"
            + " Exists} | 512 | spec.topologySpreadConstraints",
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " {nodeSelectorTerms: [{matchExpressions: [%]}]}}} | {key: k%d, operator: Exists} |"
            + " 128 | spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
            + ".nodeSelectorTerms",
        "tolerations: [%]     | {key: k%d, operator: Exists} | 128 | spec.tolerations",
        "nodeSelector: {%}    | k%d: v | 128 | spec.nodeSelector",
        "volumes: [%] | {name: v, persistentVolumeClaim: {claimName: c%d}} | 128 | spec.volumes",
        "resourceClaims: [%]  | {name: c%d, resourceClaimName: c%d} | 128 | spec.resourceClaims",
        "containers: [{name: a, resources: {limits: {%}}}] | a/r%d: 1 | 64 | spec.resources",
      })
  void moreThanIsWalked(String spec, String item, int most, String field) {
    var good = spec.replace("%", many(item, most));
    assertThat(ofPod("", good)).isEmpty();
    // matchLabels have values, too
    int over = spec.contains("values: [%]") ? most + 2 : most + 1;
    assertOneProblem(
        ofPod("", spec.replace("%", many(item, over))),
        field,
        "more than can be judged",
        "at most");
  }

  @Test
  void moreLabelsAndModelsThanAreLookedAt() {
    assertThat(ofPod("labels: {" + many("k%d: v", 256) + "}", "")).isEmpty();
    assertOneProblem(
        ofPod("labels: {" + many("k%d: v", 257) + "}", ""),
        "metadata.labels",
        "more than can be judged",
        "at most 256");
    String models = "annotations: {berth.dev/gpu-model: \"" + many("m%d", 65) + "\"}";
    assertOneProblem(ofPod(models, ""), "berth.dev/gpu-model", "65 models", "at most 64");
  }

  /// Devices and cores that a pod has are counted, whatever is named before them.
  @Test
  void noPodHidesDevicesBehindOtherResources() {
    var limits = many("a/r%d: 1", 900) + ", nvidia.com/gpu: 2, cpu: 3";
    var pod =
        PodManifest.read(
                Flow.tree(
                    "{metadata: {name: p}, spec: {containers: [{name: a, resources: {limits: {"
                        + limits
                        + "}}}]}}"))
            .orElseThrow();
    var amounts = pod.asks().request().amounts();
    assertThat(amounts.of(Resource.NVIDIA)).isEqualTo(2);
    assertThat(amounts.of(Resource.CPU)).isEqualTo(3000);
    assertThat(amounts.size()).isLessThan(70);
  }

  /// kube-scheduler waits for the volume of each claim, and keeps the room of the pod meanwhile.
  @Test
  void noPodHidesAClaimBehindVolumesOfAnother() {
    var volume = "{name: v%d, persistentVolumeClaim: {claimName: bound}}, ";
    var pod =
        PodManifest.read(
                Flow.tree(
                    "{metadata: {name: p}, spec: {volumes: ["
                        + volume.repeat(200)
                        + "{name: w, persistentVolumeClaim: {claimName: late}}]}}"))
            .orElseThrow();
    assertThat(pod.traits().volumes().stream().map(Pod.VolumeRef::claim))
        .containsExactly("bound", "late");
    assertThat(pod.problems()).isEmpty();
  }

  /// A scheduler places a pod that asks for none of a resource wherever it likes.
  @Test
  void noPodHidesAResourceBehindThoseOfWhichItAsksForNone() {
    var pod =
        PodManifest.read(
                Flow.tree(
                    "{metadata: {name: p}, spec: {containers: [{name: a, resources: {limits: {"
                        + many("a/r%d: 0", 900)
                        + ", nvidia.com/mig-1g.5gb: 1}}}]}}"))
            .orElseThrow();
    assertThat(pod.asks().request().amounts().of(new Resource("nvidia.com/mig-1g.5gb")))
        .isEqualTo(1);
    assertThat(pod.problems()).isEmpty();
  }

  private static String required(String kind, String before, String term, String after, int count) {
    return "affinity: {"
        + kind
        + "{requiredDuringSchedulingIgnoredDuringExecution: "
        + before
        + many(term, count)
        + after
        + "}}";
  }

  private static String many(String item, int count) {
    var items = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      items.add(item.replace("%d", Integer.toString(i + 1)));
    }
    return String.join(", ", items);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "annotations: {gpu-fraction: \"0.5\"} | nvidia.com/gpu | gpu-fraction | 0.5",
        "annotations: {gpu-memory: 8Gi}     | nvidia.com/gpu | gpu-memory | 8Gi",
        "annotations: {gpu-fraction: \"0.5\"} | nvidia.com/mig-1g.5gb | gpu-fraction | 0.5",
      })
  void aShareBesideWholeDevices(String metadata, String resource, String field, String value) {
    String spec = "containers: [{resources: {limits: {" + resource + ": 1}}}]";
    assertOneProblem(ofPod(metadata, spec), field, value, "whole devices too");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "quota: {gpu: many}          | spec.quota.gpu | many | or \"unlimited\"",
        "quota: {gpu: -1}            | spec.quota.gpu | -1 | or \"unlimited\"",
        "limit: {cpu: -1}            | spec.limit.cpu | -1 | or \"unlimited\"",
        "limit: {memory: 1 GB}       | spec.limit.memory | 1 GB | an amount like",
        "quota: {gpu: [1]}           | spec.quota.gpu | […] | it is a text",
        "quota: 8                    | spec.quota | 8 | it is an object",
        "weight: {gpu: -1}           | spec.weight.gpu | -1 | from 0",
        "weight: {gpu: heavy}        | spec.weight.gpu | heavy | from 0",
        "priority: first             | spec.priority | first | whole number",
        "preemptMinRuntime: 5        | spec.preemptMinRuntime | 5 | a duration looks like",
        "reclaimMinRuntime: \"-1h\"  | spec.reclaimMinRuntime | -1h | a duration looks like",
        "maxRuntime: 12 hours       | spec.maxRuntime | 12 hours | a duration looks like",
        "idle: {action: Evict}       | spec.idle.after | not set | 1m to 168h",
        "idle: {after: 10s}          | spec.idle.after | 10s | 1m to 168h",
        "idle: {after: 1 hour}       | spec.idle.after | 1 hour | a duration looks like",
        "idle: {after: 1h, below: 101} | spec.idle.below | 101 | 1 to 100",
        "idle: {after: 1h, below: none} | spec.idle.below | none | number",
        "idle: {after: 1h, action: Kill} | spec.idle.action | Kill | Report or Evict",
        "idle: {after: 1h, warning: soon} | spec.idle.warning | soon | a duration looks like",
        "idle: {after: 1h, utilization: 5} | spec.idle.utilization | 5 | Known are after",
        "maxRuntimeWarning: soon    | spec.maxRuntimeWarning | soon | a duration looks like",
        "maxRuntime: \"-12h\"        | spec.maxRuntime | -12h | a duration looks like",
        "quotas: {gpu: 1}            | spec.quotas | {…} | Known are parent",
        "pools: [{name: a, quota: {gpu: many}}] | spec.pools[0].quota.gpu | many | or"
            + " \"unlimited\"",
        "pools: [{name: a, limit: {gpu: -1}}]   | spec.pools[0].limit.gpu | -1 | or \"unlimited\"",
        "pools: [{name: a, weight: {gpu: x}}]   | spec.pools[0].weight.gpu | x | from 0",
        "pools: [{name: a, quotas: {gpu: 1}}]   | spec.pools[0].quotas | {…} | Known are name",
        "pools: [{name: a}, {name: a}]          | spec.pools[1].name | a | named once",
        "pools: {name: a}                       | spec.pools | {…} | it is a list",
      })
  void inAQueue(String spec, String field, String value, String words) {
    var queue =
        QueueManifest.read(Flow.tree("{metadata: {name: q}, spec: {" + spec + "}}")).orElseThrow();
    assertOneProblem(queue.problems(), field, value, words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "minMember: -1                  | spec.minMember | -1 | whole number",
        "minMember: all                 | spec.minMember | all | whole number",
        "minSubGroup: 1                 | spec.minSubGroup | 1 | Set minMember instead",
        "subGroups: [{name: a}], minSubGroup: 2 | spec.minSubGroup | 2 | 1 sub-groups only",
        "subGroups: [{minMember: 1}]    | spec.subGroups[0].name | '' | has a name",
        "subGroups: [{name: a}, {name: a}] | spec.subGroups[1].name | a | another sub-group",
        "subGroups: [{name: a, parent: b}] | spec.subGroups[0].parent | b | no such sub-group",
        "subGroups: [{name: a, parent: a}] | spec.subGroups[0].parent | a | in a circle",
        "subGroups: [{name: a, minMember: 2}, {name: b, parent: a}] | spec.subGroups[0].minMember |"
            + " 2 | set minSubGroup",
        "subGroups: [{name: a, minSubGroup: 1}] | spec.subGroups[0].minSubGroup | 1 | Set"
            + " minMember",
        "subGroups: [{name: a, size: 2}] | spec.subGroups[0].size | 2 | Known are name",
        "topology: {required: rack}     | spec.topology.required | rack | Topology object",
        "topology: {name: t, need: x}   | spec.topology.need | x | Known are name",
        "preemptibility: sometimes      | spec.preemptibility | sometimes   | NonPreemptible",
        "maxRuntime: 8                  | spec.maxRuntime | 8 | a duration looks like",
        "priorityClass: high            | spec.priorityClass | high | Known are queue",
      })
  void inAGroup(String spec, String field, String value, String words) {
    var group =
        GroupManifest.read(Flow.tree("{metadata: {name: g}, spec: {" + spec + "}}")).orElseThrow();
    assertOneProblem(group.problems(), field, value, words);
  }
}
