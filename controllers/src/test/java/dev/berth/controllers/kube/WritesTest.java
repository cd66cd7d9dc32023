package dev.berth.controllers.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.CapacityClient;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.client.PodGroupClient;
import dev.berth.controllers.client.PodWarning;
import dev.berth.controllers.client.ProbeClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.crd.Condition;
import dev.berth.controllers.crd.ForecastStatus;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.controllers.crd.QueueStatus;
import dev.berth.controllers.kube.FakeApiServer.Fault;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.WorkloadPhase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WritesTest {
  private static final PodKey POD = new PodKey("default", "a");
  private static final PodUid UID = new PodUid("uid-a");
  private static final PodUid OTHER_UID = new PodUid("uid-of-another");
  private static final NodeName NODE = new NodeName("n1");
  private static final WriteSettings QUICK =
      new WriteSettings(8, 3, Duration.ofSeconds(2), Duration.ofMillis(5));

  @TempDir private Path folder;
  private FakeApiServer server;
  private KubeCluster cluster;
  private Api api;
  private ApiPods pods;
  private ApiHolders holders;
  private ApiGroups groups;

  @BeforeEach
  void begin() throws IOException {
    server = new FakeApiServer();
    cluster = server.cluster(folder);
    api = new Api(cluster, QUICK, () -> 0.5, Metrics.unseen());
    pods = new ApiPods(api, () -> Instant.parse("2026-01-01T00:00:00.7Z"));
    holders = new ApiHolders(api, HolderPodSettings.DEFAULT);
    groups = new ApiGroups(api);
    server.put(Kind.POD, "default", "a", "uid-a");
    server.put(Kind.NODE, "", "n1", "uid-n1");
  }

  @AfterEach
  void end() {
    cluster.close();
    server.close();
  }

  @Test
  void liftsAGateAndWritesThePlanInOnePatch() throws ClientException {
    pods.lift(POD, UID, 0, "node=n1");
    var patch = last("PATCH", "/pods/a");
    assertThat(patch.body())
        .isEqualTo(
            """
            {"metadata":{"uid":"uid-a","annotations":{"berth.dev/plan":"node=n1",\
            "berth.dev/preemptor":null}},\
            "spec":{"schedulingGates":[{"$patch":"delete","name":"berth.dev/queued"}]}}\
            """);
    assertThat(patch.headers().get("Content-Type"))
        .as("gates of others stay, whatever they are by now")
        .startsWith("application/strategic-merge-patch+json");
    assertThat(patch.headers().get("Accept"))
        .startsWith("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
  }

  @Test
  void aPastPlanIsNotWrittenOverALaterOne() throws ClientException {
    long seen = server.version(Kind.POD, "default", "a");
    pods.lift(POD, UID, seen, "node=n1");
    assertThat(last("PATCH", "/pods/a").body())
        .contains("\"resourceVersion\":\"%d\"".formatted(seen));
    assertThat(failure(() -> pods.lift(POD, UID, seen, "node=n2"))).isEqualTo("CONFLICT");
  }

  @Test
  void aNameThatLooksLikeAUidIsNone() throws ClientException {
    server.put(Kind.POD, "default", "squid", "uid-squid");
    var squid = new PodKey("default", "squid");
    var uid = new PodUid("uid-squid");
    assertThat(failure(() -> pods.lift(squid, uid, 1, "p"))).isEqualTo("CONFLICT");
  }

  @Test
  void nominatesInTheStatus() throws ClientException {
    assertThat(pods.nominate(POD, UID, NODE))
        .as("the version after it")
        .isEqualTo(server.version(Kind.POD, "default", "a"));
    assertThat(last("PATCH", "/pods/a/status").body())
        .isEqualTo(
            """
            {"metadata":{"uid":"uid-a"},"status":{"nominatedNodeName":"n1"}}\
            """);
  }

  @Test
  void marksAPreemptorWithItsOwnUid() throws ClientException {
    pods.markPreemptor(POD, UID, true);
    assertThat(last("PATCH", "/pods/a").body())
        .isEqualTo(
            """
            {"metadata":{"uid":"uid-a","annotations":{"berth.dev/preemptor":"uid-a"}}}\
            """);
    pods.markPreemptor(POD, UID, false);
    assertThat(last("PATCH", "/pods/a").body())
        .isEqualTo(
            """
            {"metadata":{"uid":"uid-a","annotations":{"berth.dev/preemptor":null}}}\
            """);
    assertThat(failure(() -> pods.markPreemptor(POD, OTHER_UID, true))).isEqualTo("GONE");
  }

  @Test
  void tellsInAnAnnotationWhyAPodWaitsAndTakesItAway() throws ClientException {
    var conditions = new ApiPodConditions(api);
    conditions.annotates(POD, UID, "NoRoom: Waits");
    assertThat(last("PATCH", "/pods/a").body())
        .isEqualTo(
            """
            {"metadata":{"uid":"uid-a","annotations":{"berth.dev/waiting":"NoRoom: Waits"}}}\
            """);
    conditions.annotates(POD, UID, "");
    assertThat(last("PATCH", "/pods/a").body())
        .isEqualTo(
            """
            {"metadata":{"uid":"uid-a","annotations":{"berth.dev/waiting":null}}}\
            """);
  }

  @Test
  void tellsInTheStatusThatAPodEndsSoon() throws ClientException {
    var since = Instant.parse("2026-01-01T10:00:00.5Z");
    var warning = new PodWarning("berth.dev/EndsSoon", true, "MaxRuntimeNear", since, "Ends soon");
    pods.warns(POD, UID, warning);
    assertThat(last("PATCH", "/pods/a/status").body())
        .isEqualTo(
            """
            {"metadata":{"uid":"uid-a"},"status":{"conditions":[{"type":"berth.dev/EndsSoon",\
            "status":"True","reason":"MaxRuntimeNear","message":"Ends soon",\
            "lastTransitionTime":"2026-01-01T10:00:00Z"}]}}\
            """);
    assertThat(failure(() -> pods.warns(POD, OTHER_UID, warning))).isEqualTo("GONE");
  }

  @Test
  void tellsInTheStatusWhyAPodWaitsUnlessItHasChanged() throws ClientException {
    long seen = server.version(Kind.POD, "default", "a");
    var conditions = new ApiPodConditions(api);
    conditions.waits(POD, UID, seen, "NoRoom: Waits");
    assertThat(last("PATCH", "/pods/a/status").body())
        .isEqualTo(
            """
            {"metadata":{"uid":"uid-a","resourceVersion":"%d"},"status":{"conditions":[\
            {"type":"PodScheduled","status":"False","reason":"SchedulingGated",\
            "message":"NoRoom: Waits"}]}}\
            """
                .formatted(seen));
    assertThat(failure(() -> conditions.waits(POD, UID, seen, "late"))).isEqualTo("CONFLICT");
    assertThat(failure(() -> conditions.waits(POD, OTHER_UID, seen, "late"))).isEqualTo("GONE");
  }

  @Test
  void requeuesByAnAnnotationOfThisPodAlone() throws ClientException {
    var requeues = new ApiRequeues(api);
    requeues.requeue(POD, UID, Instant.parse("2026-01-01T00:00:07Z"));
    assertThat(last("PATCH", "/pods/a").body())
        .isEqualTo(
            """
            {"metadata":{"uid":"uid-a",\
            "annotations":{"berth.dev/requeued":"2026-01-01T00:00:07Z"}}}\
            """);
    assertThat(failure(() -> requeues.requeue(POD, OTHER_UID, Instant.EPOCH))).isEqualTo("GONE");
  }

  @Test
  void findsTheRequestsForCapacityOfOneBeforeUsAndTakesThemAway() throws ClientException {
    var capacity = new ApiCapacity(api, HolderPodSettings.DEFAULT);
    server.answers(
        "/apis/autoscaling.x-k8s.io/v1/provisioningrequests",
        JsonBodies.object(
            "items",
            List.of(
                JsonBodies.object(
                    "metadata",
                    JsonBodies.object("name", "room", "namespace", "default"),
                    "spec",
                    JsonBodies.object(
                        "podSets",
                        List.of(
                            JsonBodies.object(
                                "podTemplateRef", JsonBodies.object("name", "room-0"))))))));
    var request = new CapacityClient.Request("room", "default", List.of("room-0"));
    assertThat(capacity.requests()).containsExactly(request);
    assertThat(last("GET", "/provisioningrequests").parameter("labelSelector"))
        .as("ours alone")
        .contains("managed-by");
    capacity.clear(request);
    assertThat(server.count("DELETE", "/provisioningrequests/room")).isEqualTo(1);
    assertThat(server.count("DELETE", "/podtemplates/room-0")).isEqualTo(1);
  }

  @Test
  void whereNoRequestsAreServedThereAreNone() throws ClientException {
    server.always("/apis/autoscaling.x-k8s.io/v1/provisioningrequests", 404);
    assertThat(new ApiCapacity(api, HolderPodSettings.DEFAULT).requests()).isEmpty();
  }

  @Test
  void neverTouchesANamesake() {
    assertThat(failure(() -> pods.lift(POD, OTHER_UID, 0, "p"))).isEqualTo("GONE");
    assertThat(failure(() -> pods.nominate(POD, OTHER_UID, NODE))).isEqualTo("GONE");
    assertThat(failure(() -> pods.bind(POD, OTHER_UID, NODE, new TreeMap<>()))).isEqualTo("GONE");
    assertThat(failure(() -> pods.evict(POD, OTHER_UID))).isEqualTo("GONE");
  }

  @Test
  void aMissingPodIsGone() {
    var nobody = new PodKey("default", "nobody");
    assertThat(failure(() -> pods.lift(nobody, UID, 0, "p"))).isEqualTo("GONE");
    assertThat(failure(() -> pods.bind(nobody, UID, NODE, new TreeMap<>()))).isEqualTo("GONE");
    assertThat(failure(() -> pods.evict(nobody, UID))).isEqualTo("GONE");
  }

  @Test
  void bindsWithAnnotationsInOneWrite() throws ClientException {
    pods.bind(POD, UID, NODE, devices());
    assertThat(last("POST", "/pods/a/binding").body())
        .isEqualTo(
            """
            {"apiVersion":"v1","kind":"Binding","metadata":{"name":"a","namespace":"default",\
            "uid":"uid-a","annotations":{"berth.dev/gpu-devices":"GPU-1"}},\
            "target":{"apiVersion":"v1","kind":"Node","name":"n1"}}\
            """);
    assertThat(JsonBodies.at(server.object(Kind.POD, "default", "a"), "spec", "nodeName"))
        .isEqualTo("n1");
  }

  @Test
  void aBindWhoseReplyIsLostIsASuccess() throws ClientException {
    server.once("POST", "/binding", Fault.CUT_AFTER);
    pods.bind(POD, UID, NODE, devices());
    assertThat(JsonBodies.at(server.object(Kind.POD, "default", "a"), "spec", "nodeName"))
        .isEqualTo("n1");
  }

  @Test
  void aBindThatIsRepeatedIsASuccess() throws ClientException {
    pods.bind(POD, UID, NODE, devices());
    pods.bind(POD, UID, NODE, devices());
    assertThat(server.count("GET", "/pods/a")).as("read again").isEqualTo(1);
  }

  @Test
  void boundElsewhereIsAConflict() throws ClientException {
    pods.bind(POD, UID, new NodeName("n2"), devices());
    assertThat(failure(() -> pods.bind(POD, UID, NODE, devices()))).isEqualTo("CONFLICT");
  }

  @Test
  void aServerInTroubleIsAskedAgainButNotForEver() throws ClientException {
    server.once("POST", "/binding", Fault.BROKEN);
    server.once("POST", "/binding", Fault.OVERLOAD);
    pods.bind(POD, UID, NODE, devices());
    assertThat(server.count("POST", "/binding")).isEqualTo(3);

    for (int i = 0; i < 3; i++) {
      server.once("PATCH", "/pods/a", Fault.BROKEN);
    }
    assertThat(failure(() -> pods.lift(POD, UID, 0, "p"))).isEqualTo("UNREACHABLE");
    assertThat(server.count("PATCH", "/pods/a")).isEqualTo(3);
  }

  @Test
  void aRefusalOfALaterAttemptSaysNothingOfOneWithoutAnAnswer() {
    server.once("POST", "/binding", Fault.BROKEN);
    for (int i = 0; i < 2; i++) {
      server.once("POST", "/binding", Fault.OVERLOAD);
    }
    assertThat(failure(() -> pods.bind(POD, UID, NODE, devices())))
        .as("it may be bound yet")
        .isEqualTo("UNREACHABLE");
    assertThat(server.count("GET", "/pods/a")).as("looked whether it is").isEqualTo(1);

    for (int i = 0; i < 3; i++) {
      server.once("POST", "/binding", Fault.OVERLOAD);
    }
    assertThat(failure(() -> pods.bind(POD, UID, NODE, devices())))
        .as("it will not be bound")
        .isEqualTo("NOT_NOW");

    server.once("PATCH", "/pods/a", Fault.BROKEN);
    assertThat(failure(() -> pods.lift(POD, OTHER_UID, 0, "p")))
        .as("of who is gone nothing can be done any more")
        .isEqualTo("GONE");
  }

  @Test
  void evictsThatIncarnation() throws ClientException {
    pods.evict(POD, UID);
    assertThat(last("POST", "/pods/a/eviction").body())
        .isEqualTo(
            """
            {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"a","namespace":"default"},\
            "deleteOptions":{"preconditions":{"uid":"uid-a"}}}\
            """);
  }

  @Test
  void aBudgetThatSaysNoIsNotAskedAgain() {
    server.budgetSaysNo();
    assertThat(failure(() -> pods.evict(POD, UID))).isEqualTo("NOT_NOW");
    assertThat(server.count("POST", "/eviction")).isEqualTo(1);
  }

  /// kube-apiserver answers 500: a pod with two budgets is not asked to leave for ever.
  @Test
  void severalBudgetsForOnePodSayNoAsOneDoes() {
    server.severalBudgets();
    assertThat(failure(() -> pods.evict(POD, UID))).isEqualTo("NOT_NOW");
    assertThat(server.count("POST", "/eviction")).isEqualTo(1);
  }

  /// Nothing helps but a smaller object: it is told as a refusal, and not asked for ever.
  @Test
  void aPodThatHasGrownToWhatEtcdTakesIsRefused() {
    server.tooLargeToKeep();
    assertThat(failure(() -> pods.evict(POD, UID))).isEqualTo("REFUSED");
    assertThat(server.count("POST", "/eviction")).isEqualTo(1);
  }

  @Test
  void anEvictionWithoutAnAnswerIsFoundOut() {
    for (int i = 0; i < 6; i++) {
      server.once("POST", "/eviction", Fault.BROKEN);
    }
    assertThat(failure(() -> pods.evict(POD, UID))).isEqualTo("UNREACHABLE");
    server.mark("/api/v1/pods", "default", "a", "deletionTimestamp", "now");
    assertThat(failure(() -> pods.evict(POD, UID))).isEqualTo("success");
  }

  @Test
  void anEvictionInDoubtStaysInDoubtWhereItsPodMayNotBeRead() {
    server.once("POST", "/eviction", Fault.CUT_AFTER);
    server.once("GET", "/pods/a", Fault.FORBIDDEN);
    assertThat(failure(() -> pods.evict(POD, UID))).isEqualTo("UNREACHABLE");
  }

  @Test
  void aBindingInDoubtStaysInDoubtWhereItsPodMayNotBeRead() {
    for (int i = 0; i < 6; i++) {
      server.once("POST", "/binding", Fault.CUT_AFTER);
      server.once("GET", "/pods/a", Fault.FORBIDDEN);
    }
    assertThat(failure(() -> pods.bind(POD, UID, NODE, devices()))).isEqualTo("UNREACHABLE");
  }

  /// With a grace of zero its object is gone before it can be read again.
  @Test
  void anEvictionWhoseAnswerWasLostIsFoundOutThoughThePodIsGone() {
    server.once("POST", "/eviction", Fault.CUT_AFTER);
    assertThat(failure(() -> pods.evict(POD, UID))).isEqualTo("success");
    assertThat(failure(() -> pods.evict(POD, UID)))
        .as("nothing of ours can have taken it")
        .isEqualTo("GONE");
  }

  @Test
  void createsAHolderOnce() throws ClientException {
    holders.create(NODE, 2, Resource.NVIDIA);
    holders.create(NODE, 2, Resource.NVIDIA);
    var holder = server.objectAt("/api/v1/pods", "berth-system", "holder-n1-2");
    assertThat(JsonBodies.at(holder, "spec", "nodeName")).isEqualTo("n1");
    assertThat(JsonBodies.at(holder, "metadata", "labels", "berth.dev/holder")).isEqualTo("true");
    assertThat(JsonBodies.at(holder, "metadata", "labels", "berth.dev/holder-node"))
        .isEqualTo("n1");
    assertThat(JsonBodies.at(holder, "metadata", "annotations", "berth.dev/holder-slot"))
        .isEqualTo("2");
    assertThat(last("POST", "/pods").body())
        .contains("\"limits\":{\"nvidia.com/gpu\":\"1\"}")
        .contains("d=${d:-$NVIDIA_VISIBLE_DEVICES}\\nprintf %s \\\"$d\\\" > /dev/termination-log")
        .contains("\"kind\":\"Node\",\"name\":\"n1\",\"uid\":\"uid-n1\",\"controller\":true")
        .contains("\"priorityClassName\":\"system-node-critical\"")
        .doesNotContain("initContainers");
  }

  @Test
  void aHolderIsNotCreatedForANodeThatIsGone() {
    server.remove(Kind.NODE, "", "n1");
    assertThat(failure(() -> holders.create(NODE, 0, Resource.NVIDIA))).isEqualTo("GONE");
    assertThat(server.count("POST", "/pods")).isEqualTo(0);
  }

  @Test
  void aProbeCarriesWhatAShareWould() throws ClientException {
    var probes = new ApiProbes(api, HolderPodSettings.DEFAULT);
    var nri = new TreeMap<>(Map.of("nvidia.cdi.k8s.io/container.probe", "x=GPU-1"));
    probes.create(
        new ProbeClient.Probe(
            NODE, "nri", "nvidia", "GPU-1", "void", nri, "abc", "env=A env-cdi=B"));
    var probe = server.objectAt("/api/v1/pods", "berth-system", "probe-n1-2");
    assertThat(JsonBodies.at(probe, "spec", "nodeName")).isEqualTo("n1");
    assertThat(JsonBodies.at(probe, "spec", "restartPolicy")).isEqualTo("Never");
    assertThat(JsonBodies.at(probe, "spec", "runtimeClassName")).isEqualTo("nvidia");
    assertThat(JsonBodies.at(probe, "metadata", "labels", "berth.dev/probe")).isEqualTo("true");
    assertThat(JsonBodies.fields(JsonBodies.fields(probe.get("metadata")).get("annotations")))
        .isEqualTo(
            Map.of(
                "berth.dev/probe-node",
                "n1",
                "berth.dev/probe-mode",
                "nri",
                "berth.dev/probe-class",
                "nvidia",
                "berth.dev/probe-signs",
                "abc",
                "berth.dev/probe-failed",
                "env=A env-cdi=B",
                "berth.dev/gpu-devices",
                "GPU-1",
                "berth.dev/gpu-inject",
                "void",
                "nvidia.cdi.k8s.io/container.probe",
                "x=GPU-1"));
    assertThat(last("POST", "/pods").body())
        .contains("\"fieldPath\":\"metadata.annotations['berth.dev/gpu-inject']\"")
        .doesNotContain("nvidia.com/gpu");
  }

  @Test
  void theRuntimeClassOfSharesIsWrittenWhereThePolicyReadsIt() throws ClientException {
    var probes = new ApiProbes(api, HolderPodSettings.DEFAULT);
    probes.runtimeClass("nvidia");
    assertThat(last("POST", "/configmaps").body())
        .contains("\"data\":{\"runtimeClass\":\"nvidia\"}");
    assertThat(last("PATCH", "/configmaps/berth-shares").body())
        .isEqualTo("{\"data\":{\"runtimeClass\":\"nvidia\"}}");
  }

  @Test
  void stopsAPodWithAGraceThatItsKubeletSees() throws ClientException {
    pods.stop(POD, UID, Duration.ZERO);
    assertThat(last("DELETE", "/pods/a").body())
        .contains("\"gracePeriodSeconds\":1")
        .contains("\"preconditions\":{\"uid\":\"uid-a\"}");
    assertThat(failure(() -> pods.stop(POD, UID, Duration.ofSeconds(2)))).isEqualTo("GONE");
  }

  /// What the Job controller reads must be there before the pod may be gone.
  @Test
  void marksAPodThatItStopsAsDisrupted() throws ClientException {
    pods.stop(POD, UID, Duration.ofSeconds(9));
    assertThat(last("PATCH", "/pods/a/status").body())
        .isEqualTo(
            """
            {"metadata":{"uid":"uid-a"},"status":{"conditions":[{"type":"DisruptionTarget",\
            "status":"True","reason":"DeletionByBerth","message":"Berth deletes the pod",\
            "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
            """);
    assertThat(server.requests().stream().map(request -> request.method()))
        .containsSubsequence("PATCH", "DELETE");
  }

  @Test
  void aPodThatCannotBeMarkedIsNotDeletedUnlessThatIsForbidden() throws ClientException {
    server.once("PATCH", "/pods/a/status", Fault.BROKEN);
    server.once("PATCH", "/pods/a/status", Fault.BROKEN);
    server.once("PATCH", "/pods/a/status", Fault.BROKEN);
    assertThat(failure(() -> pods.stop(POD, UID, Duration.ofSeconds(9)))).isEqualTo("UNREACHABLE");
    assertThat(server.count("DELETE", "/pods/a")).isZero();
    server.always("/api/v1/namespaces/default/pods/a/status", 403);
    pods.stop(POD, UID, Duration.ofSeconds(9));
    assertThat(server.count("DELETE", "/pods/a")).isEqualTo(1);
  }

  @Test
  void theCreationOfAHolderIsTriedOnce() throws ClientException {
    server.once("POST", "/pods", Fault.CUT_AFTER);
    assertThat(failure(() -> holders.create(NODE, 0, Resource.NVIDIA))).isEqualTo("UNREACHABLE");
    assertThat(server.count("POST", "/pods")).isEqualTo(1);
    holders.create(NODE, 0, Resource.NVIDIA);
    assertThat(server.count("POST", "/pods")).isEqualTo(2);
  }

  @Test
  void aHolderThatIsLeavingIsWaitedFor() throws ClientException {
    holders.create(NODE, 0, Resource.NVIDIA);
    server.mark("/api/v1/pods", "berth-system", "holder-n1-0", "deletionTimestamp", "now");
    assertThat(failure(() -> holders.create(NODE, 0, Resource.NVIDIA))).isEqualTo("NOT_NOW");
  }

  @Test
  void deletesAHolderAndDoesNotMindThatItIsGone() throws ClientException {
    holders.create(NODE, 0, Resource.NVIDIA);
    var uid =
        new PodUid(
            JsonBodies.at(
                server.objectAt("/api/v1/pods", "berth-system", "holder-n1-0"), "metadata", "uid"));
    var key = new PodKey("berth-system", "holder-n1-0");
    holders.delete(key, OTHER_UID);
    assertThat(server.objectAt("/api/v1/pods", "berth-system", "holder-n1-0")).isNotEmpty();
    holders.delete(key, uid);
    holders.delete(key, uid);
    assertThat(server.objectAt("/api/v1/pods", "berth-system", "holder-n1-0")).isEmpty();
  }

  /// A label that a tenant wrote makes no pod Berth's.
  @Test
  void deletesHoldersProbesAndPlaceholdersInItsNamespaceAlone() {
    var settings = HolderPodSettings.DEFAULT;
    assertThat(failure(() -> holders.delete(POD, UID))).isEqualTo("REFUSED");
    assertThat(failure(() -> new ApiProbes(api, settings).delete(POD, UID))).isEqualTo("REFUSED");
    assertThat(failure(() -> new ApiCapacity(api, settings).clear(POD))).isEqualTo("REFUSED");
    assertThat(server.objectAt("/api/v1/pods", "default", "a")).isNotEmpty();
  }

  @Test
  void namesOfHoldersAreShortAndDiffer() {
    String base = "gke-a-very-long-cluster-name-and-pool-of-nodes-in-europe.example";
    String one = HolderPod.name(new NodeName(base + ".one"), 10);
    String two = HolderPod.name(new NodeName(base + ".two"), 10);
    assertThat(one).hasSizeLessThanOrEqualTo(63).endsWith("-10").isNotEqualTo(two);
    assertThat(one).matches("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");
  }

  @Test
  void createsAGroupWithItsOwnerAndWritesItsStatus() throws ClientException {
    var key = new GroupKey("default", "train");
    var owner = new PodGroupClient.Owner("batch/v1", "Job", "train", new OwnerUid("uid-job"));
    groups.create(key, 4, new QueueName("research"), owner);
    groups.create(key, 4, QueueName.NONE, PodGroupClient.Owner.NONE);
    assertThat(first("POST", "/podgroups").body())
        .isEqualTo(
            """
            {"apiVersion":"berth.dev/v1alpha1","kind":"PodGroup","metadata":{"name":"train",\
            "namespace":"default","labels":{"app.kubernetes.io/managed-by":"berth"},\
            "ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"train",\
            "uid":"uid-job"}]},"spec":{"minMember":4,"queue":"research"}}\
            """);
  }

  @Test
  void whatAStatusDoesNotSayIsTakenAway() throws ClientException {
    server.put(Kind.POD_GROUP, "default", "train", "uid-train");
    var status =
        new PodGroupStatus(
            WorkloadPhase.QUEUED,
            "OverLimit",
            "",
            Instant.EPOCH,
            Instant.EPOCH,
            3,
            texts("cpu", "4"),
            new PodGroupStatus.Members(4, 4, 0, 0, 0, 0),
            ForecastStatus.NONE,
            List.of(
                new Condition(
                    "Scheduled",
                    false,
                    "OverLimit",
                    "full",
                    Instant.parse("2026-01-01T00:00:00.5Z"))));
    server.acceptAnyUid();
    var before = PodGroupStatus.NONE.with(texts("cpu", "8", "old", "1"));
    groups.status(new GroupKey("default", "train"), before, status);
    assertThat(last("PATCH", "/podgroups/train/status").body())
        .isEqualTo(
            """
            {"status":{"phase":"Queued","reason":"OverLimit","message":null,"staleSince":null,\
            "runsSince":null,\
            "observedGeneration":3,"allocated":{"cpu":"4","old":null},\
            "members":{"required":4,"gated":4,"bound":0,"running":0,"failed":0,"succeeded":0},\
            "forecast":null,\
            "conditions":[{"type":"Scheduled","status":"False","reason":"OverLimit",\
            "message":"full","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
            """);
  }

  @Test
  void ofAQueueOnlyWhatDiffersIsWritten() throws ClientException {
    var before =
        QueueStatus.read(
            JsonBodies.object(
                "status",
                JsonBodies.object(
                    "allocated",
                    JsonBodies.object("gpu", "2", "cpu", "4", "old", 1),
                    "usage",
                    JsonBodies.object("gpu", "0.5"),
                    "usageUntil",
                    "2026-01-01T00:00:00Z",
                    "workloads",
                    JsonBodies.object("pending", 0, "running", 1),
                    "observedGeneration",
                    1)));
    var after =
        new QueueStatus(
            texts("gpu", "3", "cpu", "4"),
            texts(),
            texts("gpu", "3"),
            texts(),
            texts(),
            Instant.EPOCH,
            new QueueStatus.Workloads(2, 1),
            1,
            List.of(
                new Condition("Ready", true, "Ready", "", Instant.parse("2026-01-01T00:00:00Z"))));
    server.put(Kind.QUEUE, "", "research", "uid-q");
    server.acceptAnyUid();
    new ApiQueues(api).status(new QueueName("research"), before, after);
    assertThat(last("PATCH", "/queues/research/status").body())
        .isEqualTo(
            """
            {"status":{"usageUntil":null,"allocated":{"old":null,"gpu":"3"},"requested":{"gpu":"3"},\
            "usage":{"gpu":null},"workloads":{"pending":2},\
            "conditions":[{"type":"Ready","status":"True","reason":"Ready","message":"",\
            "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
            """);
    assertThat(after.patch(after, JsonBodies.NULL)).as("nothing differs").isEmpty();
  }

  private static final List<Duration> SOON =
      List.of(Duration.ofMillis(5), Duration.ofMillis(5), Duration.ofMillis(5));

  private static TreeMap<String, String> texts(String... namesAndTexts) {
    var texts = new TreeMap<String, String>();
    for (int i = 0; i < namesAndTexts.length; i += 2) {
      texts.put(namesAndTexts[i], namesAndTexts[i + 1]);
    }
    return texts;
  }

  @Test
  void tellsAnEventBesideTheCaller() throws InterruptedException {
    new ApiEvents(api, "berth-0", InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")))
        .tell(
            new EventRecorder.Regarding("v1", "Pod", "default", "a", "uid-a"),
            true,
            "Evicted",
            "Evict",
            "so");
    for (int i = 0; i < 2000 && server.count("POST", "/events") == 0; i++) {
      Thread.sleep(5);
    }
    assertThat(last("POST", "/events").body())
        .contains("\"eventTime\":\"2026-01-01T00:00:00.000000Z\"")
        .contains(
            "\"type\":\"Warning\",\"reason\":\"Evicted\",\"action\":\"Evict\",\"note\":\"so\"");
  }

  @Test
  void whatSteersATerminalIsWrittenAsItsNumber() throws InterruptedException {
    new ApiEvents(api, "berth-0", InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")))
        .tell(
            new EventRecorder.Regarding("v1", "Pod", "default", "a", "uid-a"),
            true,
            "Evicted",
            "Evict",
            "so\033[2J\n\202Bé");
    for (int i = 0; i < 2000 && server.count("POST", "/events") == 0; i++) {
      Thread.sleep(5);
    }
    assertThat(last("POST", "/events").body()).contains("\"note\":\"so\\\\u001b[2J \\\\u0082Bé\"");
    var condition =
        Condition.of(List.of(), "Scheduled", false, "NoRoom", "a\u202eb", Instant.EPOCH);
    assertThat(condition.message()).isEqualTo("a\\u202eb");
  }

  @Test
  void anEventThatWasNotWrittenIsTriedAgainUnderItsName() throws InterruptedException {
    server.once("POST", "/events", Fault.BROKEN);
    server.once("POST", "/events", Fault.OVERLOAD);
    new ApiEvents(api, api, "berth-0", InstantSource.system(), SOON)
        .tell(
            new EventRecorder.Regarding("v1", "Pod", "default", "a", "uid-a"),
            false,
            "Evicted",
            "Evict",
            "so");
    for (int i = 0; i < 2000 && server.count("POST", "/events") < 3; i++) {
      Thread.sleep(5);
    }
    assertThat(
            server.requests().stream()
                .filter(request -> request.path().endsWith("/events"))
                .map(FakeApiServer.Request::body)
                .distinct())
        .as("the third try is done")
        .hasSize(1);
    assertThat(server.count("POST", "/events")).isEqualTo(3);
  }

  @Test
  void whatWaitsIsTriedOnceMoreBeforeTheProcessEnds() throws InterruptedException {
    server.once("POST", "/events", Fault.BROKEN);
    var events =
        new ApiEvents(api, api, "berth-0", InstantSource.system(), List.of(Duration.ofHours(1)));
    tell(events, "uid-a", "Evict", "Leaves.");
    awaitEvents(1);
    assertThat(events.hurry(Duration.ofSeconds(10))).as("all are written").isTrue();
    assertThat(server.count("POST", "/events")).isEqualTo(2);
    tell(events, "uid-b", "Evict", "Leaves.");
    assertThat(events.hurry(Duration.ofSeconds(10))).as("one that came later").isTrue();
    assertThat(namesOfEvents()).hasSize(2);
  }

  /// The API server does not answer for a while.
  @Test
  void whatWasDoneIsToldThoughThereIsNoMoreRoomForWhatIsSo() throws InterruptedException {
    for (int i = 0; i < 20; i++) {
      server.once("POST", "/events", Fault.OVERLOAD);
    }
    var events =
        new ApiEvents(api, api, "berth-0", InstantSource.system(), List.of(Duration.ofHours(1)));
    for (int i = 0; i < 400; i++) {
      tell(events, "uid-" + i, "Wait", "NoRoom: 1 of 2");
    }
    tell(events, "uid-deed", "Evict", "Leaves.");
    assertThat(events.hurry(Duration.ofSeconds(30))).as("all events are written in time").isTrue();
    assertThat(server.requests().stream().map(FakeApiServer.Request::body))
        .anyMatch(body -> body.contains("Leaves."));
  }

  @Test
  void theNextLeaderDoesNotTellTheSameAgain() throws InterruptedException {
    for (String leader : List.of("berth-0", "berth-1")) {
      var events = new ApiEvents(api, leader, InstantSource.system());
      tell(events, "uid-a", "Wait", "NoRoom: 1 of 2");
      awaitEvents(leader.equals("berth-0") ? 1 : 2);
    }
    assertThat(namesOfEvents()).as("the API server refuses the second").hasSize(1);
    var events = new ApiEvents(api, "berth-2", InstantSource.system());
    tell(events, "uid-a", "Wait", "NoRoom: 1 of 3");
    tell(events, "uid-b", "Wait", "NoRoom: 1 of 2");
    awaitEvents(4);
    assertThat(namesOfEvents()).as("other words, another object of the name").hasSize(3);
    tell(events, "uid-b", "Wait", "NoRoom: 1 of 2");
    awaitEvents(5);
    assertThat(namesOfEvents()).as("what a process tells again").hasSize(4);
  }

  @Test
  void formerLeaderTellsOnlyWhatItHasDone() throws InterruptedException {
    var deposed = api.behind(closed());
    var events = new ApiEvents(deposed, api, "berth-0", InstantSource.system(), SOON);
    tell(events, "uid-a", "Wait", "NoRoom: 1 of 2");
    Thread.sleep(100);
    tell(events, "uid-a", "Evict", "Leaves.");
    awaitEvents(1);
    Thread.sleep(100);
    assertThat(server.count("POST", "/events")).isEqualTo(1);
    assertThat(last("POST", "/events").body()).contains("Leaves.");
  }

  private static Fence closed() {
    return new Fence() {
      @Override
      public Optional<String> barred() {
        return Optional.of("another leads");
      }

      @Override
      public Duration left() {
        return Duration.ZERO;
      }

      @Override
      public void unanswered() {}
    };
  }

  private static void tell(EventRecorder events, String uid, String action, String note) {
    events.tell(
        new EventRecorder.Regarding("v1", "Pod", "default", "a", uid),
        true,
        "Reason",
        action,
        note);
  }

  private void awaitEvents(int count) throws InterruptedException {
    for (int i = 0; i < 2000 && server.count("POST", "/events") < count; i++) {
      Thread.sleep(5);
    }
    assertThat(server.count("POST", "/events")).isEqualTo(count);
  }

  private Set<String> namesOfEvents() {
    var names = new TreeSet<String>();
    for (var request : server.requests()) {
      if (request.path().endsWith("/events")) {
        names.add(request.body().replaceFirst(".*?\"name\":\"([^\"]*)\".*", "$1"));
      }
    }
    return names;
  }

  @Test
  void noMoreWritesAreInFlightThanAllowed() throws InterruptedException {
    var done = new CountDownLatch(64);
    var failed = new AtomicInteger();
    server.countInFlight(Duration.ofMillis(10));
    for (int i = 0; i < 64; i++) {
      Thread.startVirtualThread(() -> {
        try {
          pods.lift(POD, UID, 0, "p");
        } catch (ClientException broken) {
          failed.incrementAndGet();
        }
        done.countDown();
      });
    }
    done.await();
    assertThat(failed).hasValue(0);
    assertThat(server.mostInFlight()).isLessThanOrEqualTo(QUICK.inFlight());
  }

  @Test
  void manyWritesOfOneNamespaceDoNotStandBeforeThoseOfAnother()
      throws ClientException, InterruptedException {
    server.put(Kind.POD, "another", "b", "uid-b");
    server.countInFlight(Duration.ofMillis(50));
    var done = new CountDownLatch(64);
    for (int i = 0; i < 64; i++) {
      Thread.startVirtualThread(() -> {
        try {
          pods.lift(POD, UID, 0, "p");
        } catch (ClientException broken) {
          return;
        }
        done.countDown();
      });
    }
    while (server.mostInFlight() < QUICK.inFlight()) {
      Thread.sleep(1);
    }
    pods.lift(new PodKey("another", "b"), new PodUid("uid-b"), 0, "p");
    assertThat(done.getCount()).as("writes that still wait").isGreaterThan(16);
    done.await();
  }

  @Test
  void aKubeconfigThatIsNotThereSaysWhichAndWhatToDo() {
    var failure =
        catchThrowableOfType(
            ClientException.class,
            () -> KubeCluster.open(ClusterSettings.DEFAULT.withKubeconfig("/nowhere/config")));
    assertThat(failure)
        .hasMessageContaining("/nowhere/config does not exist")
        .hasMessageContaining("--kubeconfig");
  }

  @Test
  void aServerThatIsAwayIsNamed() {
    server.close();
    assertThat(catchThrowableOfType(ClientException.class, () -> cluster.version()))
        .hasMessageContaining(cluster.server());
  }

  private static TreeMap<String, String> devices() {
    var annotations = new TreeMap<String, String>();
    annotations.put("berth.dev/gpu-devices", "GPU-1");
    return annotations;
  }

  private FakeApiServer.Request first(String method, String end) {
    return matching(method, end).getFirst();
  }

  private FakeApiServer.Request last(String method, String end) {
    return matching(method, end).getLast();
  }

  private List<FakeApiServer.Request> matching(String method, String end) {
    return server.requests().stream()
        .filter(request -> request.method().equals(method) && request.path().endsWith(end))
        .toList();
  }

  private static String failure(Api.Work work) {
    var failed = catchThrowableOfType(ClientException.class, work::run);
    return failed == null ? "success" : failed.kind().name();
  }
}
