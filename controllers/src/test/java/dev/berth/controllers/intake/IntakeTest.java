package dev.berth.controllers.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.Numa;
import dev.berth.engine.model.Numa.Policy;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.request.PodManifest;
import io.prometheus.client.CollectorRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IntakeTest {
  private final CollectorRegistry registry = new CollectorRegistry();
  private final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
  private final Intake intake =
      new Intake(
          ledger,
          List.of(Kind.POD, Kind.NODE, Kind.JOB),
          new Metrics(registry),
          "berth-system",
          PodManifest::read);

  @Test
  void isSyncedWhenEveryKindHasDelivered() {
    intake.synced(Kind.POD);
    intake.synced(Kind.NODE);
    assertThat(intake.isSynced()).as("the intake is synced").isFalse();
    assertThat(intake.awaited()).containsExactly("jobs");
    intake.synced(Kind.JOB);
    assertThat(intake.isSynced()).as("the intake is synced").isTrue();
    assertThat(intake.whenSynced()).isCompleted();
  }

  @Test
  void aPodIsKnownAndForgotten() {
    intake.seen(Kind.POD, pod("a", "1", List.of()));
    assertThat(ledger.pod(new PodUid("uid-a"))).isPresent();
    intake.gone(Kind.POD, pod("a", "2", List.of()));
    assertThat(ledger.pod(new PodUid("uid-a"))).isEmpty();
  }

  @Test
  void whatIsToldOfVolumesCountsForTheirPods() {
    var named = Map.of("name", "d", "persistentVolumeClaim", Map.of("claimName", "data"));
    var spec = Map.of("schedulerName", "berth", "volumes", List.of(named));
    intake.seen(Kind.POD, whole("a", "1", Map.of("spec", spec)));
    var zone = Map.of("key", "zone", "operator", "In", "values", List.of("a"));
    var terms = Map.of("nodeSelectorTerms", List.of(Map.of("matchExpressions", List.of(zone))));
    var steps =
        List.<Runnable>of(
            () -> intake.seen(Kind.VOLUME_CLAIM, object("data", "uid-1", "11")),
            () ->
                intake.seen(
                    Kind.VOLUME_CLAIM,
                    whole("data", "12", Map.of("spec", Map.of("storageClassName", "local")))),
            () ->
                intake.seen(
                    Kind.STORAGE_CLASS,
                    whole("local", "13", Map.of("volumeBindingMode", "WaitForFirstConsumer"))),
            () -> intake.gone(Kind.STORAGE_CLASS, object("local", "uid-2", "14")),
            () ->
                intake.seen(
                    Kind.VOLUME,
                    whole(
                        "v",
                        "15",
                        Map.of("spec", Map.of("nodeAffinity", Map.of("required", terms))))),
            () ->
                intake.seen(
                    Kind.VOLUME_CLAIM,
                    whole("data", "16", Map.of("spec", Map.of("volumeName", "v")))),
            () -> intake.gone(Kind.VOLUME, object("v", "uid-3", "17")),
            () -> intake.gone(Kind.VOLUME_CLAIM, object("data", "uid-1", "18")));
    Stream.of(Kind.VOLUME_CLAIM, Kind.VOLUME, Kind.STORAGE_CLASS)
        .forEach(kind -> intake.readable(kind, true));
    var changes = new ArrayList<Boolean>();
    for (Runnable step : steps) {
      long before = version();
      step.run();
      changes.add(version() > before);
    }
    // the volume means nothing before a claim names it
    assertThat(changes).containsExactly(true, true, true, true, false, true, true, true);
  }

  /// What is made again under the name of a deleted one counts, and a deletion that comes late does
  /// not take it away.
  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"NODE", "QUEUE", "POD_GROUP", "TOPOLOGY", "RESOURCE_CLAIM"})
  void aSuccessorOfTheSameNameCounts(Kind kind) {
    long before = version();
    intake.seen(kind, object("x", "uid-1", "11"));
    long there = version();
    assertThat(there).as("seen").isGreaterThan(before);
    intake.gone(kind, object("x", "uid-1", "12"));
    long gone = version();
    assertThat(gone).as("gone").isGreaterThan(there);
    intake.seen(kind, object("x", "uid-2", "14"));
    long again = version();
    assertThat(again).as("its successor").isGreaterThan(gone);
    intake.gone(kind, object("x", "uid-1", "13"));
    assertThat(version()).as("a late deletion").isEqualTo(again);
  }

  private long version() {
    return ledger.snapshot(Instant.EPOCH).version();
  }

  private static Map<String, Object> object(String name, String uid, String version) {
    return Map.of(
        "metadata",
        Map.of("name", name, "namespace", "default", "uid", uid, "resourceVersion", version));
  }

  @Test
  void aHolderIsBelievedInItsNamespaceAlone() {
    intake.seen(Kind.POD, holder("berth-system"));
    assertThat(ledger.pod(new PodUid("uid-berth-system")).orElseThrow().isHolder()).isTrue();
    intake.seen(Kind.POD, holder("team-a"));
    assertThat(ledger.pod(new PodUid("uid-team-a")).orElseThrow().isHolder())
        .as("a pod of a tenant with the label of a holder")
        .isFalse();
  }

  private static Map<String, ?> holder(String namespace) {
    return Map.of(
        "metadata",
        Map.of(
            "name",
            "holder-n1-0",
            "namespace",
            namespace,
            "uid",
            "uid-" + namespace,
            "labels",
            Map.of("berth.dev/holder", "true"),
            "annotations",
            Map.of("berth.dev/holder-slot", "0")),
        "spec",
        Map.of("nodeName", "n1"));
  }

  /// The label with which KAI marks pods that have a share of its devices, on a pod whose share is
  /// a claim, so that it names no device of ours.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPodWithTheLabelOfKaiIsChargedToItsQueue(boolean inPlaceOfKai) {
    var intake =
        new Intake(
            ledger,
            List.of(Kind.POD, Kind.NODE),
            new Metrics(new CollectorRegistry()),
            "berth-system",
            inPlaceOfKai ? PodManifest::readInPlaceOfKai : PodManifest::read);
    intake.seen(Kind.NODE, node("n1", 8));
    intake.seen(Kind.POD, share("planned", Map.of("berth.dev/plan", "node=n1 queue=research")));
    intake.seen(Kind.POD, share("bare", Map.of()));
    var snapshot = ledger.snapshot(Instant.EPOCH);
    assertThat(
            snapshot.groups().stream().map(group -> group.members().getFirst().pod().key().name()))
        .containsExactly("bare", "planned");
    assertThat(snapshot.groups())
        .extracting(PodGroup::queue)
        .containsOnly(new QueueName("research"));
    assertThat(snapshot.strangers()).as("whom KAI gave a share").isEmpty();
  }

  private Map<String, ?> share(String name, Map<String, String> annotations) {
    var all = new HashMap<>(annotations);
    all.put("gpu-memory", "8192");
    return Map.of(
        "metadata",
        metadata(
            name,
            String.valueOf(++version),
            Map.of(
                "labels",
                Map.of("runai-gpu-group", "g1", "berth.dev/queue", "research"),
                "annotations",
                all)),
        "spec",
        Map.of(
            "schedulerName",
            "berth",
            "nodeName",
            "n1",
            "resourceClaims",
            List.of(Map.of("name", "berth-gpu", "resourceClaimTemplateName", "berth-gpu-8192mi"))),
        "status",
        Map.of("phase", "Running"));
  }

  @Test
  void anObjectThatCannotBeReadStopsNothing() {
    intake.seen(Kind.POD, Map.of());
    intake.seen(Kind.POD, Map.of("metadata", "not an object"));
    intake.seen(Kind.NODE, Map.of("metadata", Map.of("name", 7), "status", List.of()));
    intake.seen(Kind.POD, pod("a", "1", List.of()));
    assertThat(ledger.pod(new PodUid("uid-a"))).isPresent();
  }

  /// A pod that a mistake of ours keeps from being read may run on any GPU of its node.
  @Test
  void theNodeOfAPodThatCannotBeReadIsClosed() {
    var broken = new AtomicBoolean(true);
    var careless =
        new Intake(
            ledger,
            List.of(Kind.POD),
            new Metrics(new CollectorRegistry()),
            "berth-system",
            object -> {
              if (broken.get()) {
                throw new ArrayIndexOutOfBoundsException("as the test wants it");
              }
              return PodManifest.read(object);
            });
    intake.seen(Kind.NODE, node("n1", 8));
    careless.seen(Kind.POD, on("a", "n1", "Running"));
    assertThat(freePlaces()).as("beside what nobody can read").isNegative();
    broken.set(false);
    careless.seen(Kind.POD, on("a", "n1", "Running"));
    assertThat(freePlaces()).as("read at last").isEqualTo(109);
    broken.set(true);
    careless.seen(Kind.POD, on("b", "n1", "Running"));
    assertThat(freePlaces()).isNegative();
    careless.seen(Kind.POD, on("b", "n1", "Succeeded"));
    assertThat(freePlaces()).as("it is over").isEqualTo(109);
    careless.seen(Kind.POD, on("c", "n1", "Running"));
    careless.gone(Kind.POD, on("c", "n1", "Running"));
    assertThat(freePlaces()).as("it is gone").isEqualTo(109);
    careless.seen(Kind.POD, on("d", "", "Pending"));
    assertThat(freePlaces()).as("it has no node").isEqualTo(109);
  }

  private int version = 1;

  private Map<String, ?> on(String name, String node, String phase) {
    return Map.of(
        "metadata",
        metadata(name, String.valueOf(++version), Map.of()),
        "spec",
        Map.of("nodeName", node),
        "status",
        Map.of("phase", phase));
  }

  private static Map<String, ?> node(String name, int gpus) {
    return Map.of(
        "metadata",
        Map.of("name", name, "resourceVersion", "1"),
        "status",
        Map.of("allocatable", Map.of("pods", "110", "nvidia.com/gpu", String.valueOf(gpus))));
  }

  private long freePlaces() {
    var room = ledger.snapshot(Instant.EPOCH).nodes().getFirst();
    return room.node().allocatable().of(Resource.PODS) - room.used().of(Resource.PODS);
  }

  @Test
  void zonesOfANodeAreKnownAndForgotten() {
    intake.seen(Kind.NODE, named("n1", "1"));
    intake.seen(Kind.NODE_RESOURCE_TOPOLOGY, zones("2", "restricted", "4"));
    assertThat(numa().policy()).isEqualTo(Policy.RESTRICTED);
    intake.gone(Kind.NODE_RESOURCE_TOPOLOGY, named("n1", "3"));
    assertThat(numa()).isEqualTo(Numa.NONE);
  }

  @Test
  void zonesThatCannotBeMeantTakeBackWhatWasSaidAndStopNothing() {
    intake.seen(Kind.NODE, named("n1", "1"));
    intake.seen(Kind.NODE_RESOURCE_TOPOLOGY, zones("2", "restricted", "4"));
    intake.seen(Kind.NODE_RESOURCE_TOPOLOGY, zones("3", "strict", "4"));
    assertThat(numa()).isEqualTo(Numa.NONE);
    intake.seen(Kind.NODE_RESOURCE_TOPOLOGY, zones("4", "restricted", "many"));
    intake.seen(Kind.NODE_RESOURCE_TOPOLOGY, Map.of());
    assertThat(numa()).isEqualTo(Numa.NONE);
    assertThat(unreadable()).as("told, and counted").isEqualTo(3);
    intake.seen(Kind.NODE_RESOURCE_TOPOLOGY, zones("5", "restricted", "4"));
    assertThat(numa().policy()).isEqualTo(Policy.RESTRICTED);
  }

  private Numa numa() {
    return ledger.snapshot(Instant.EPOCH).nodes().getFirst().numa();
  }

  private double unreadable() {
    return registry.getSampleValue(
        "berth_unreadable_objects_total",
        new String[] {"kind"},
        new String[] {"node_resource_topology"});
  }

  private static Map<String, ?> named(String name, String version) {
    return Map.of("metadata", Map.of("name", name, "resourceVersion", version));
  }

  private static Map<String, ?> zones(String version, String policy, String devices) {
    var resource = Map.of("name", "nvidia.com/gpu", "allocatable", devices, "available", "0");
    return Map.of(
        "metadata",
        Map.of("name", "n1", "resourceVersion", version),
        "attributes",
        List.of(Map.of("name", "topologyManagerPolicy", "value", policy)),
        "zones",
        List.of(Map.of("name", "node-0", "type", "Node", "resources", List.of(resource))));
  }

  private static Map<String, ?> whole(String name, String version, Map<String, ?> more) {
    var object = new HashMap<String, Object>(more);
    object.put("metadata", metadata(name, version, Map.of()));
    return object;
  }

  private static Map<String, ?> metadata(String name, String version, Map<String, ?> more) {
    var all = new HashMap<String, Object>(more);
    all.putAll(
        Map.of(
            "name",
            name,
            "namespace",
            "default",
            "uid",
            "uid-" + name,
            "resourceVersion",
            version));
    return all;
  }

  private static Map<String, ?> pod(String name, String version, List<?> owners) {
    return Map.of(
        "metadata",
        metadata(name, version, Map.of("ownerReferences", owners)),
        "spec",
        Map.of("schedulerName", "berth", "containers", List.of(Map.of("name", "main"))),
        "status",
        Map.of("phase", "Pending"));
  }
}
