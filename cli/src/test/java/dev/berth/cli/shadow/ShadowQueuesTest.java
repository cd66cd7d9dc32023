package dev.berth.cli.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Which queue and which gang pods of each scheduler are in.
class ShadowQueuesTest {
  private final List<Map<String, Object>> objects = new ArrayList<>();

  private Map<String, Object> object(
      String apiVersion, String kind, String name, Map<String, Object> more) {
    var object =
        ObjectTree.thaw(
            ObjectTree.of(
                "apiVersion",
                apiVersion,
                "kind",
                kind,
                "metadata",
                ObjectTree.of("name", name, "namespace", "team", "uid", kind + "-" + name)));
    ObjectTree.merge(object, more);
    objects.add(object);
    return object;
  }

  private static Map<String, Object> labels(Object... labels) {
    return ObjectTree.of("metadata", ObjectTree.of("labels", ObjectTree.of(labels)));
  }

  private static Map<String, Object> annotations(Object... annotations) {
    return ObjectTree.of("metadata", ObjectTree.of("annotations", ObjectTree.of(annotations)));
  }

  private static Map<String, Object> spec(Object... fields) {
    return ObjectTree.of("spec", ObjectTree.of(fields));
  }

  private Map<String, Object> ownedBy(String apiVersion, String kind, String name) {
    var owner = ObjectTree.ownedBy(apiVersion, kind, name, kind + "-" + name);
    return ObjectTree.of("metadata", ObjectTree.of("ownerReferences", owner));
  }

  private Map<String, Object> pod(Map<String, Object> more) {
    return object("v1", "Pod", "p", more);
  }

  private String queue(ShadowRules rules, Map<String, Object> pod) {
    new ShadowQueues(rules, objects).settle(pod);
    return ObjectTree.label(pod, "berth.dev/queue");
  }

  private String queue(Map<String, Object> pod) {
    return queue(ShadowRules.DEFAULT, pod);
  }

  @Test
  void aPodThatNamesNoQueueStaysSo() {
    assertThat(queue(pod(Map.of()))).isEmpty();
  }

  @Test
  void whatBerthReadsComesFirst() {
    object("batch/v1", "Job", "j", labels("berth.dev/queue", "research"));
    var pod = pod(ownedBy("batch/v1", "Job", "j"));
    ObjectTree.merge(pod, labels("kueue.x-k8s.io/queue-name", "user-queue"));
    assertThat(queue(pod)).isEmpty();
    assertThat(queue(pod(labels("kai.scheduler/queue", "speech")))).isEmpty();
  }

  @Test
  void ofKueueItIsTheClusterQueueOfTheLocalQueueThatTheJobNames() {
    object("kueue.x-k8s.io/v1beta2", "LocalQueue", "user-queue", spec("clusterQueue", "research"));
    object("batch/v1", "Job", "j", labels("kueue.x-k8s.io/queue-name", "user-queue"));
    assertThat(queue(pod(ownedBy("batch/v1", "Job", "j")))).isEqualTo("research");
    assertThat(queue(pod(labels("kueue.x-k8s.io/queue-name", "unread")))).isEqualTo("unread");
  }

  @Test
  void ofVolcanoItIsThatOfThePodGroupTheAnnotationOrTheJob() {
    object(
        "scheduling.volcano.sh/v1beta1",
        "PodGroup",
        "podgroup-1",
        spec("minMember", 1L, "queue", "vision"));
    assertThat(queue(pod(annotations("scheduling.k8s.io/group-name", "podgroup-1"))))
        .isEqualTo("vision");
    assertThat(queue(pod(annotations("scheduling.volcano.sh/queue-name", "speech"))))
        .isEqualTo("speech");
    object("batch.volcano.sh/v1alpha1", "Job", "v", spec("queue", "batch"));
    assertThat(queue(pod(ownedBy("batch.volcano.sh/v1alpha1", "Job", "v")))).isEqualTo("batch");
  }

  @Test
  void aLabelThatIsNamedIsLookedForOnPodOwnerAndNamespace() {
    var byTeam = new ShadowRules(Collections.emptySortedSet(), "team", false);
    object("v1", "Namespace", "team", labels("team", "of-namespace"));
    object("apps/v1", "Deployment", "d", labels("team", "of-owner"));
    var set = object("apps/v1", "ReplicaSet", "r", ownedBy("apps/v1", "Deployment", "d"));
    assertThat(set).isNotEmpty();
    assertThat(queue(byTeam, pod(labels("berth.dev/queue", "b")))).isEqualTo("of-namespace");
    assertThat(queue(byTeam, pod(ownedBy("apps/v1", "ReplicaSet", "r")))).isEqualTo("of-owner");
    assertThat(queue(byTeam, pod(labels("team", "of-pod")))).isEqualTo("of-pod");
  }

  @Test
  void eachNamespaceMayBeAQueue() {
    var byNamespace = new ShadowRules(Collections.emptySortedSet(), "", true);
    assertThat(queue(byNamespace, pod(labels("berth.dev/queue", "b")))).isEqualTo("team");
  }

  @Test
  void aGangOfKaiNeedsAsManyAsItsPodGroupSays() {
    object(
        "scheduling.run.ai/v2alpha2",
        "PodGroup",
        "pg-train",
        spec("minMember", 4L, "queue", "team-a"));
    var pod = pod(annotations("pod-group-name", "pg-train"));
    assertThat(queue(pod)).isEqualTo("team-a");
    assertThat(ObjectTree.label(pod, "berth.dev/pod-group")).isEqualTo("pg-train");
    assertThat(ObjectTree.annotation(pod, "berth.dev/min-member")).isEqualTo("4");
  }

  /// Berth would wait for a PodGroup that is nowhere.
  @Test
  void aGroupThatCannotBeReadIsLeft() {
    var pod = pod(annotations("pod-group-name", "pg-unread"));
    assertThat(queue(pod)).isEmpty();
    assertThat(ObjectTree.annotation(pod, "pod-group-name")).isEmpty();
  }

  @Test
  void aGroupOfPodsOfKueueIsAGang() {
    var pod = pod(labels("kueue.x-k8s.io/pod-group-name", "g"));
    ObjectTree.merge(pod, annotations("kueue.x-k8s.io/pod-group-total-count", "3"));
    assertThat(queue(pod)).isEmpty();
    assertThat(ObjectTree.label(pod, "berth.dev/pod-group")).isEqualTo("g");
    assertThat(ObjectTree.annotation(pod, "berth.dev/min-member")).isEqualTo("3");
  }
}
