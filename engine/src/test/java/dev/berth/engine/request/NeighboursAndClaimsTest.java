package dev.berth.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.InterPod;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Constraints.Peers;
import dev.berth.engine.model.Constraints.PodTerm;
import dev.berth.engine.model.Constraints.Spread;
import dev.berth.engine.model.DeviceCapacity;
import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.DeviceClaim.Choice;
import dev.berth.engine.model.DeviceClaim.DeviceId;
import dev.berth.engine.model.DeviceMatch;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.ShareClaim;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What a pod says of other pods and of devices that it claims, and the objects of DRA.
class NeighboursAndClaimsTest {
  private static Pod pod(String labels, String spec, String status) {
    return PodManifest.read(
            Flow.tree(
                "{metadata: {name: p, namespace: ns, labels: "
                    + labels
                    + "}, spec: "
                    + spec
                    + ", status: "
                    + status
                    + "}"))
        .orElseThrow();
  }

  private static InterPod interPod(String spec) {
    return pod("{app: web, hash: abc}", spec, "{}").asks().constraints().interPod();
  }

  private static InterPod apart(String term) {
    return interPod(
        "{affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: ["
            + term
            + "]}}}");
  }

  private static Expression in(String key, String value) {
    return new Expression(false, key, Operator.IN, List.of(value));
  }

  @Test
  void aTermMeansPodsOfItsOwnNamespace() {
    assertThat(apart("{topologyKey: host, labelSelector: {matchLabels: {app: db}}}").apart())
        .isEqualTo(
            List.of(
                new PodTerm("host", new Peers(List.of("ns"), false, List.of(in("app", "db"))))));
  }

  @Test
  void orOfTheNamespacesThatItNames() {
    assertThat(
            apart("{topologyKey: host, labelSelector: {}, namespaces: [x, y]}")
                .apart()
                .getFirst()
                .peers()
                .namespaces())
        .isEqualTo(List.of("x", "y"));
  }

  @Test
  void anEmptyNamespaceSelectorMeansAll() {
    assertThat(
            apart("{topologyKey: host, labelSelector: {}, namespaceSelector: {}}")
                .apart()
                .getFirst()
                .peers()
                .everywhere())
        .as("every namespace is meant")
        .isTrue();
  }

  @Test
  void aTermThatPicksNamespacesByLabelsIsLeftToKubeScheduler() {
    assertThat(
            apart(
                "{topologyKey: host, labelSelector: {}, namespaceSelector: {matchLabels: {team:"
                    + " a}}}"))
        .isEqualTo(InterPod.NONE);
  }

  @Test
  void withoutASelectorNoPodIsMeantWithAnEmptyOneEveryPod() {
    var nobody = apart("{topologyKey: host}").apart().getFirst().peers();
    var everybody = apart("{topologyKey: host, labelSelector: {}}").apart().getFirst().peers();
    assertThat(includes(nobody, pod("{app: web}", "{}", "{}"))).as("no selector, nobody").isFalse();
    assertThat(includes(everybody, pod("{}", "{}", "{}")))
        .as("an empty selector, everybody")
        .isTrue();
  }

  private static boolean includes(Peers peers, Pod pod) {
    return peers.include(pod.key().namespace(), pod.traits().labels());
  }

  @Test
  void expressionsAndOwnLabelsNarrowTheChoice() {
    assertThat(
            apart(
                    "{topologyKey: host, matchLabelKeys: [hash, missing], labelSelector:"
                        + " {matchExpressions: [{key: tier, operator: NotIn, values: [edge]}]}}")
                .apart()
                .getFirst()
                .peers()
                .expressions())
        .isEqualTo(
            List.of(
                new Expression(false, "tier", Operator.NOT_IN, List.of("edge")),
                in("hash", "abc")));
  }

  @Test
  void spreadIsReadWithItsDefaults() {
    var peers = new Peers(List.of("ns"), false, List.of(in("app", "web")));
    assertThat(
            interPod(
                    "{topologySpreadConstraints: [{maxSkew: 2, topologyKey: zone,"
                        + " whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app:"
                        + " web}}},{maxSkew: 1, topologyKey: host, whenUnsatisfiable:"
                        + " DoNotSchedule, minDomains: 3, nodeAffinityPolicy: Ignore,"
                        + " nodeTaintsPolicy: Honor, labelSelector: {matchLabels: {app:"
                        + " web}}},{maxSkew: 1, topologyKey: rack, whenUnsatisfiable:"
                        + " ScheduleAnyway}]}")
                .spread())
        .isEqualTo(
            List.of(
                new Spread("zone", 2, 0, true, false, peers),
                new Spread("host", 1, 3, false, true, peers)));
  }

  @Test
  void aPodClaimsByNameAndByTemplate() {
    assertThat(
            pod(
                    "{}",
                    "{resourceClaims: [{name: a, resourceClaimName: shared}, {name: b,"
                        + " resourceClaimTemplateName: one}, {name: c, resourceClaimTemplateName:"
                        + " two}]}",
                    "{resourceClaimStatuses: [{name: b, resourceClaimName: p-own-x7}]}")
                .traits()
                .claims())
        .isEqualTo(
            List.of(
                new Pod.ClaimRef("shared", ""),
                new Pod.ClaimRef("p-own-x7", "one"),
                new Pod.ClaimRef("", "two")));
  }

  @Test
  void aClaimSaysWhatItAsksAndWhatItHas() {
    var claim =
        ClaimManifest.read(
                Flow.tree(
                    "{metadata: {name: c, namespace: ns, labels: {berth.dev/queue: a}}, spec:"
                        + " {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, count:"
                        + " 2}}, {name: s, firstAvailable: [{name: big, deviceClassName: big},"
                        + " {name: small, deviceClassName: small, count: 4}]}]}}, status:"
                        + " {allocation: {devices: {results: [{request: r, driver: d, pool: n1,"
                        + " device: x}]}, nodeSelector: {nodeSelectorTerms: [{matchFields: [{key:"
                        + " metadata.name, operator: In, values: [n1]}]}]}}}}"))
            .orElseThrow();
    assertThat(claim.queue()).isEqualTo(new QueueName("a"));
    assertThat(claim.asks().getFirst().choices())
        .isEqualTo(List.of(new Choice("gpu", 2, false, false, List.of())));
    assertThat(claim.asks().getLast().choices())
        .isEqualTo(
            List.of(
                new Choice("big", 1, false, false, List.of()),
                new Choice("small", 4, false, false, List.of())));
    assertThat(claim.allocation().node()).isEqualTo(new NodeName("n1"));
    assertThat(claim.allocation().devices()).isEqualTo(List.of(new DeviceId("d", "n1", "x")));
  }

  @Test
  void ofASelectorTheEqualitiesAreUnderstood() {
    var attributes = new TreeMap<String, String>(Map.of("gpu.nvidia.com/type", "gpu"));
    assertThat(
            DeviceClassManifest.read(
                    Flow.tree(
                        "{metadata: {name: gpu.nvidia.com}, spec: {selectors: [{cel: {expression:"
                            + " \"device.driver == 'gpu.nvidia.com' &&"
                            + " device.attributes['gpu.nvidia.com'].type == 'gpu'\"}}]}}"))
                .orElseThrow()
                .matches())
        .isEqualTo(List.of(new DeviceMatch("gpu.nvidia.com", attributes)));
  }

  @Test
  void whatElseASelectorSaysIsLeftToKubeScheduler() {
    assertThat(
            DeviceClassManifest.read(
                    Flow.tree(
                        "{metadata: {name: big}, spec: {selectors: [{cel: {expression:"
                            + " \"device.driver == 'a' || device.driver == 'b'\"}}]}}"))
                .orElseThrow()
                .matches())
        .isEqualTo(List.of());
  }

  @Test
  void aSliceNamesDevicesAndTheirAttributes() {
    var slice =
        SliceManifest.read(
                Flow.tree(
                    "{metadata: {name: s}, spec: {driver: d.io, nodeName: n1, pool: {name: n1,"
                        + " generation: 3}, devices: [{name: x, attributes: {type: {string: gpu},"
                        + " other.io/slots: {int: 4}}}]}}"))
            .orElseThrow();
    assertThat(slice.node()).isEqualTo(new NodeName("n1"));
    assertThat(slice.generation()).isEqualTo(3);
    assertThat(slice.devices().getFirst().attributes())
        .isEqualTo(Map.of("d.io/type", "gpu", "other.io/slots", "4"));
  }

  @Test
  void aClaimSaysWhatItAsksOfTheCapacityAndWhatItConsumes() {
    var claim =
        ClaimManifest.read(
                Flow.tree(
                    "{metadata: {name: c}, spec: {devices: {requests: [{name: r, exactly:"
                        + " {deviceClassName: gpu, count: 2, capacity: {requests: {memory:"
                        + " 8Gi}}}}], constraints: [{distinctAttribute: d/uuid}]}}, status:"
                        + " {allocation: {devices: {results: [{request: r, driver: d, pool: n1,"
                        + " device: x, shareID: a1, consumedCapacity: {memory: 8200Mi}}, {request:"
                        + " r, driver: d, pool: n1, device: y}]}}}}"))
            .orElseThrow();
    assertThat(claim.distinct()).as("no device twice").isTrue();
    assertThat(claim.asks().getFirst().choices().getFirst().memoryBytes()).isEqualTo(8L << 30);
    assertThat(claim.allocation().results())
        .isEqualTo(
            List.of(
                new DeviceClaim.Result(
                    new DeviceId("d", "n1", "x"),
                    new TreeMap<>(Map.of("memory", 8200L << 20)),
                    "a1"),
                DeviceClaim.Result.whole(new DeviceId("d", "n1", "y"))));
  }

  @Test
  void aSliceSaysWhichDevicesAreSharedAndHowMuchTheyHave() {
    var device =
        SliceManifest.read(
                Flow.tree(
                    "{metadata: {name: s}, spec: {driver: d.io, nodeName: n1, pool: {name: n1},"
                        + " devices: [{name: x, allowMultipleAllocations: true, capacity: {memory:"
                        + " {value: 80Gi, requestPolicy: {default: 80Gi, validRange: {min: 1Gi,"
                        + " step: 1Gi, max: 80Gi}}}, slots: {value: 8, requestPolicy: {default: 1,"
                        + " validValues: [1, 2, 4]}}, lanes: {value: 16}}}]}}"))
            .orElseThrow()
            .devices()
            .getFirst();
    assertThat(device.shared()).as("several claims may have parts of it").isTrue();
    assertThat(device.memoryBytes()).isEqualTo(80L << 30);
    var memory = device.capacity().get("memory");
    assertThat(memory.consumedBy((8L << 30) + 1)).as("rounded up to the step").isEqualTo(9L << 30);
    assertThat(memory.consumedBy(1)).as("the least").isEqualTo(1L << 30);
    assertThat(memory.consumedBy(81L << 30))
        .as("more than the most")
        .isEqualTo(DeviceCapacity.NEVER);
    assertThat(memory.usual()).as("what a claim takes that names none").isEqualTo(80L << 30);
    var slots = device.capacity().get("slots");
    assertThat(slots.consumedBy(3)).as("the next valid value").isEqualTo(4);
    assertThat(slots.consumedBy(5))
        .as("no valid value is so large")
        .isEqualTo(DeviceCapacity.NEVER);
    assertThat(device.capacity().get("lanes").usual())
        .as("without a rule: all of it")
        .isEqualTo(16);
  }

  @Test
  void aSliceSaysWhichCountersItsDevicesConsumeTogether() {
    var slice =
        SliceManifest.read(
                Flow.tree(
                    "{metadata: {name: s}, spec: {driver: d.io, nodeName: n1, pool: {name: n1},"
                        + " sharedCounters: [{name: gpu-0-counter-set, counters: {memory: {value:"
                        + " 80Gi}, memory-slice-0: {value: 1}}}], devices: [{name: x,"
                        + " consumesCounters: [{counterSet: gpu-0-counter-set, counters: {memory:"
                        + " {value: 10Gi}, memory-slice-0: {value: 1}}}]}]}}"))
            .orElseThrow();
    assertThat(slice.counters())
        .isEqualTo(Map.of("gpu-0-counter-set", Map.of("memory", 80L << 30, "memory-slice-0", 1L)));
    assertThat(slice.devices().getFirst().consumes())
        .isEqualTo(Map.of("gpu-0-counter-set", Map.of("memory", 10L << 30, "memory-slice-0", 1L)));
  }

  private static Pod byClaim(String annotations, String ofContainer) {
    return PodManifest.read(
            Flow.tree(
                "{metadata: {name: p, namespace: ns, annotations: "
                    + annotations
                    + "}, spec: {resourceClaims: [{name: berth-gpu, resourceClaimTemplateName:"
                    + " berth-gpu-8192mi}], containers: [{name: main"
                    + ofContainer
                    + "}]}}"))
        .orElseThrow();
  }

  @Test
  void aShareThatIsAClaimIsCountedByItsClaimAlone() {
    var pod = byClaim("{gpu-memory: 8Gi}", "");
    assertThat(pod.asks().request().devices()).isEqualTo(DeviceRequest.NONE);
    assertThat(pod.traits().claims()).isEqualTo(List.of(new Pod.ClaimRef("", "berth-gpu-8192mi")));
    assertThat(pod.problems()).isEqualTo(List.of());
  }

  @Test
  void aShareThatIsAClaimMustSayTheSameAndNothingThatIsNotKept() {
    assertThat(problem("{gpu-memory: 4Gi}", ""))
        .isEqualTo(
            "spec.resourceClaims berth-gpu is \"berth-gpu-8192mi\" on pod ns/p, but gpu-memory 4Gi"
                + " is the template berth-gpu-4096mi. Leave spec.resourceClaims to admission.");
    assertThat(problem("{gpu-fraction: 0.5}", ""))
        .isEqualTo(
            "gpu-fraction is \"0.5\" on pod ns/p, but the GPU share of the pod is a claim (DRA)."
                + " Set gpu-memory instead, like \"8Gi\".");
    assertThat(problem("{gpu-memory: 8Gi, berth.dev/gpu-isolation: nvidia}", ""))
        .isEqualTo(
            "berth.dev/gpu-isolation is \"nvidia\" on pod ns/p, but the GPU share of the pod is a"
                + " claim (DRA). Nothing enforces it there. Remove the annotation.");
    assertThat(problem("{gpu-memory: 8Gi}", ", resources: {limits: {nvidia.com/gpu: 1}}"))
        .isEqualTo(
            "gpu-memory is \"8Gi\" on pod ns/p, but the GPU share of the pod is a claim (DRA)."
                + " Remove the GPUs from resources, or the annotation.");
  }

  private static String problem(String annotations, String ofContainer) {
    var problems = byClaim(annotations, ofContainer).problems();
    assertThat(problems.size()).as(problems::toString).isEqualTo(1);
    return problems.getFirst().on("pod ns/p");
  }

  @Test
  void theNameOfATemplateSaysWhatItAsks() {
    assertThat(ShareClaim.of("berth-gpu-8192mi")).isEqualTo(Optional.of(new ShareClaim(8192, 1)));
    assertThat(ShareClaim.of("berth-gpu-8192mi-x2"))
        .isEqualTo(Optional.of(new ShareClaim(8192, 2)));
    for (String other : List.of("berth-gpu-0mi", "berth-gpu-8192mi-x1", "berth-gpu-8gi", "gpu")) {
      assertThat(ShareClaim.of(other)).as(other).isEqualTo(Optional.empty());
    }
    assertThat(new ShareClaim(4096, 3).template()).isEqualTo("berth-gpu-4096mi-x3");
  }

  private static DeviceClaim withRequests(int requests, String each) {
    var list = String.join(", ", Collections.nCopies(requests, each));
    return ClaimManifest.read(
            Flow.tree(
                "{metadata: {name: c, namespace: ns}, spec: {devices: {requests: ["
                    + list
                    + "]}}}"))
        .orElseThrow();
  }

  @Test
  void aClaimOfTooManyAlternativesIsNotRead() {
    var three = "{firstAvailable: [{deviceClassName: a}, {deviceClassName: b}, {count: 2}]}";
    assertThat(withRequests(21, three).asks().size()).isEqualTo(21);
    var tooMany = withRequests(22, three);
    assertThat(tooMany.asks()).isEqualTo(List.of());
    assertThat(tooMany.problems().getFirst().field()).isEqualTo("spec.devices.requests");
  }

  @Test
  void aClaimOfTooManySelectorsIsNotRead() {
    var selector = "{cel: {expression: \"device.driver == 'a' && device.driver == 'a'\"}}";
    var selectors = String.join(", ", Collections.nCopies(4, selector));
    var each = "{exactly: {deviceClassName: a, selectors: [" + selectors + "]}}";
    assertThat(withRequests(21, each).asks().size()).isEqualTo(21);
    var tooMany = withRequests(22, each);
    assertThat(tooMany.asks()).isEqualTo(List.of());
    assertThat(tooMany.problems().getFirst().field()).isEqualTo("spec.devices.requests");
  }

  /// The sum of what its requests need at least: kube-scheduler allocates no more to a claim.
  @Test
  void aClaimOfMoreThanThirtyTwoDevicesIsToldSo() {
    assertThat(withRequests(2, "{exactly: {deviceClassName: a, count: 16}}").problems()).isEmpty();
    assertThat(withRequests(33, "{deviceClassName: a, allocationMode: All}").asks()).isEmpty();
    var tooMany = withRequests(3, "{exactly: {deviceClassName: a, count: 11}}");
    assertThat(tooMany.asks()).isEqualTo(List.of());
    assertThat(tooMany.problems().getFirst().on("claim ns/c"))
        .isEqualTo(
            "spec.devices.requests is \"33 devices\" on claim ns/c, but kube-scheduler allocates"
                + " at most 32 devices to a claim. Ask for fewer, or for the others by another"
                + " claim.");
    assertThat(withRequests(1, "{count: 2147483647}").problems().size()).isEqualTo(1);
    assertThat(withRequests(2, "{count: 2147483647}").asks()).isEqualTo(List.of());
  }

  @Test
  void anAlternativeThatIsTooManyDevicesIsLeftOut() {
    var each = "{firstAvailable: [{count: 7000}, {count: 17}, {count: 16}, {count: 9}]}";
    var counts =
        withRequests(2, each).asks().getLast().choices().stream().map(Choice::count).toList();
    assertThat(counts).isEqualTo(List.of(17, 16, 9));
    counts = withRequests(3, each).asks().getLast().choices().stream().map(Choice::count).toList();
    assertThat(counts).isEqualTo(List.of(9));
  }
}
