package dev.berth.controllers.grouping.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What serving, interactive and wrapping kinds say of their pods.
final class ServingKindsTest {
  private static KubeObject revision(Workshop shop, String name, int minScale) {
    return shop.thing(
        "{apiVersion: serving.knative.dev/v1, kind: Revision, metadata: {name: %s, annotations:"
                .formatted(name)
            + " {autoscaling.knative.dev/min-scale: '%d'}}}".formatted(minScale));
  }

  @Test
  void eachRevisionOfAKnativeServiceIsAGangOfItsLeastScale() {
    var shop = Workshop.of("knative-service.yaml");
    var configuration = shop.owner("serving.knative.dev/v1 Configuration", "hello");
    for (int scale = 1; scale <= 2; scale++) {
      String name = "hello-0000" + scale;
      shop.pod(
          name + "-a",
          "serving.knative.dev/revision: " + name,
          shop.owner("apps/v1 ReplicaSet", name + "-rs"),
          shop.owner("apps/v1 Deployment", name + "-deployment"),
          revision(shop, name, scale),
          configuration,
          shop.object());
    }
    assertThat(shop.told())
        .containsExactly(
            "hello-hello-00002: 2 of product",
            "hello-00001-a: alone of product, inference",
            "hello-00002-a: hello-hello-00002");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "seldondeployment.yaml       | apps/v1 Deployment  | p: alone",
        "notebook.yaml               | apps/v1 StatefulSet | p: alone of research, build",
        "devworkspace.yaml           | apps/v1 Deployment  | p: alone",
        "virtualmachineinstance.yaml | v1 Pod              | p: alone",
        "spotrequest.yaml            | v1 Pod              | p: alone, inference",
        "inferenceservice.yaml       | apps/v1 Deployment  | p: alone",
      })
  void kindsWhosePodsAreAlone(String file, String between, String told) {
    var shop = Workshop.of(file);
    shop.pod("p", "", shop.owner(between, "between"), shop.object());
    assertThat(shop.told()).containsExactly(told);
  }

  private static KubeObject gang(Workshop shop) {
    return shop.thing(
        """
        apiVersion: scheduler.grove.io/v1alpha1
        kind: PodGang
        metadata: {name: serving-0}
        spec:
          priorityClassName: inference
          topologyConstraint: {packConstraint: {preferred: zone}}
          podgroups:
          - name: serving-0-prefill
            minReplicas: 2
            podReferences:
            - {namespace: default, name: serving-0-prefill-a}
            - {namespace: default, name: serving-0-prefill-b}
            topologyConstraint: {packConstraint: {required: rack}}
          - name: serving-0-decode
            minReplicas: 1
            podReferences: [{namespace: default, name: serving-0-decode-a}]
          topologyConstraintGroupConfigs:
          - name: near
            podGroupNames: [serving-0-prefill]
            topologyConstraint: {packConstraint: {required: block}}
        """);
  }

  @Test
  void aPodCliqueSetIsWhatItsPodGangSays() {
    var shop = Workshop.of("podcliqueset.yaml");
    var clique = shop.owner("grove.io/v1alpha1 PodClique", "serving-0-prefill");
    shop.pod("serving-0-prefill-a", "grove.io/podgang: serving-0", clique, shop.object());
    shop.pod("serving-0-decode-a", "grove.io/podgang: serving-0", clique, shop.object());
    shop.given(gang(shop));
    assertThat(shop.told())
        .containsExactly(
            "serving-serving-0: near 1 of (serving-0-prefill 2 in fabric/rack) in fabric/block,"
                + " serving-0-decode 1 of product in fabric/~zone, inference",
            "serving-0-prefill-a: serving-0-prefill of serving-serving-0",
            "serving-0-decode-a: serving-0-decode of serving-serving-0");
  }

  @Test
  void aPodOfGroveAsksForItsPodGang() {
    var shop = Workshop.of("podcliqueset.yaml");
    var pod =
        shop.thing(
            "{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {grove.io/podgang: g}}}");
    assertThat(shop.verdicts.wants(WorkloadPod.of(pod, java.util.List.of(shop.object()))))
        .extracting(OwnerReference::toString)
        .containsExactly("scheduler.grove.io/v1alpha1 PodGang default/g ");
  }

  @Test
  void aReferenceToAPodOfAnotherNamespaceIsRefused() {
    var shop = Workshop.of("podcliqueset.yaml");
    shop.pod("p", "grove.io/podgang: g", shop.object());
    shop.given(
        shop.thing(
            "{apiVersion: scheduler.grove.io/v1alpha1, kind: PodGang, metadata: {name: g}, spec:"
                + " {podgroups: [{name: a, minReplicas: 1, podReferences: [{namespace: other, name:"
                + " p}]}]}}"));
    assertThat(shop.told().getFirst())
        .isEqualTo("p: alone of product, wrong: spec.podgroups[0].podReferences[0].namespace");
  }

  @Test
  void aDynamoGraphDeploymentIsSkipped() {
    var shop = Workshop.of("dynamographdeployment.yaml");
    var set =
        Workshop.of("podcliqueset.yaml").but("metadata: {labels: {berth.dev/queue: ''}}").object();
    shop.pod("serving-0-decode-a", "grove.io/podgang: serving-0", set, shop.object());
    shop.given(gang(shop));
    assertThat(shop.told().getFirst())
        .startsWith("serving-serving-0: near 1")
        .contains(" of product");
  }

  @ParameterizedTest
  @CsvSource({
    "TrainingWorkload",
    "InteractiveWorkload",
    "DistributedWorkload",
    "InferenceWorkload",
    "DistributedInferenceWorkload"
  })
  void wrappersAreSkippedInAnyVersion(String kind) {
    var shop = Workshop.with();
    var wrapper =
        shop.thing(
            "{apiVersion: run.ai/v9, kind: %s, metadata: {name: w, labels: {berth.dev/queue: q}}}"
                .formatted(kind));
    var job = Workshop.of("volcanojob.yaml").object();
    assertThat(shop.pod("p", "", job, wrapper).told())
        .containsExactly("volcano: 3 of q", "p: volcano");
  }

  @Test
  void aWrappedJobIsGroupedAsThatJob() {
    var shop = Workshop.of("appwrapper.yaml");
    var job =
        shop.thing(
            "{apiVersion: batch/v1, kind: Job, metadata: {name: inner, annotations:"
                + " {berth.dev/min-member: '2'}}, spec: {parallelism: 2}}");
    assertThat(shop.pod("inner-a", "", job, shop.object()).told())
        .containsExactly("inner: 2 of research", "inner-a: inner");
  }

  @Test
  void aRevisionThatNoRouteLeadsToDoesNotWaitForItsLeastScale() {
    var shop = Workshop.of("knative-service.yaml");
    var old =
        shop.thing(
            "{apiVersion: serving.knative.dev/v1, kind: Revision, metadata: {name: hello-00001,"
                + " labels: {serving.knative.dev/routingState: reserve}, annotations:"
                + " {autoscaling.knative.dev/min-scale: '4'}}}");
    shop.pod("p", "serving.knative.dev/revision: hello-00001", old, shop.object());
    assertThat(shop.gang().minMember()).isEqualTo(1);
  }

  @Test
  void labelsAndAnnotationsOfAPodGangCountBeforeThoseOfItsSet() {
    var shop = Workshop.of("podcliqueset.yaml");
    var clique = shop.owner("grove.io/v1alpha1 PodClique", "serving-0-prefill");
    var dynamo =
        shop.thing(
            "{apiVersion: nvidia.com/v1alpha1, kind: DynamoGraphDeployment, metadata: {name: d,"
                + " labels: {kai.scheduler/preemptibility: preemptible, priorityClassName:"
                + " train}}}");
    shop.pod("a", "grove.io/podgang: g, grove.io/podclique: c", clique, shop.object(), dynamo);
    shop.given(
        shop.thing(
            "{apiVersion: scheduler.grove.io/v1alpha1, kind: PodGang, metadata: {name: g, labels:"
                + " {kai.scheduler/queue: own, priorityClassName: build,"
                + " kai.scheduler/preemptibility: non-preemptible}, annotations:"
                + " {kai.scheduler/topology: t, kai.scheduler/topology-required-placement: rack}},"
                + " spec: {podgroups: [{name: c, minReplicas: 1}]}}"));
    assertThat(shop.told().getFirst()).isEqualTo("serving-g: c 1 of own in t/rack, build");
    assertThat(shop.gang().preemptibility().name()).isEqualTo("NON_PREEMPTIBLE");
  }

  @Test
  void whatAPodGangLacksItsSetAndDynamoSay() {
    var shop = Workshop.of("podcliqueset.yaml").but("metadata: {labels: {berth.dev/queue: ''}}");
    var dynamo =
        shop.thing(
            "{apiVersion: nvidia.com/v1beta1, kind: DynamoGraphDeployment, metadata: {name: d,"
                + " labels: {kai.scheduler/queue: q, kai.scheduler/preemptibility: preemptible,"
                + " priorityClassName: build}}}");
    shop.pod("a", "grove.io/podgang: g, grove.io/podclique: c", shop.object(), dynamo);
    shop.given(
        shop.thing(
            "{apiVersion: scheduler.grove.io/v1alpha1, kind: PodGang, metadata: {name: g}, spec:"
                + " {podgroups: [{name: c, minReplicas: 1}]}}"));
    assertThat(shop.told().getFirst()).isEqualTo("serving-g: c 1 of q, build");
    assertThat(shop.gang().preemptibility().name()).isEqualTo("PREEMPTIBLE");
  }
}
