package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulator.scenario.ScenarioFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A misspelt field of an object that was written by hand is an error: it would be dropped, and the
/// test would pass.
final class MisspeltFieldsTest {
  private static final String OBJECTS =
      """
      apiVersion: berth.dev/v1alpha1
      kind: Scenario
      metadata: {name: one}
      spec:
        objects:
          - apiVersion: v1
            kind: Node
            metadata: {name: n, labels: {gpu-node: "yes"}}
            spec: {unschedulable: false, taints: [{key: a, effect: NoSchedule}]}
            status: {allocatable: {cpu: "8", memory: 8Gi, pods: "9", nvidia.com/gpu: "2"}}
          - apiVersion: v1
            kind: Pod
            metadata: {name: p, labels: {app: web}, annotations: {gpu-fraction: "0.5", note: mine}}
            spec:
              schedulerName: berth
              nodeSelector: {any-key: "1"}
              tolerations: [{key: a, operator: Exists}]
              affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}}
              volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]
              containers: [{name: main, image: work, resources: {limits: {cpu: 1}}}]
          - apiVersion: v1
            kind: List
            items:
              - {apiVersion: apps/v1, kind: Deployment, metadata: {name: d, namespace: default}, spec: {replicas: 1, template: {metadata: {labels: {a: b}}, spec: {priorityClassName: train}}}}
              - {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: j}, spec: {whatever: 1}}
      """;

  @TempDir private Path folder;

  private String wrong(String text) throws IOException {
    return ScenarioFiles.read(Files.writeString(folder.resolve("a.yaml"), text)).wrong();
  }

  @Test
  void fieldsOfKubernetesPass() throws IOException {
    assertThat(wrong(OBJECTS)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "schedulerName, schedulername, objects[1].spec.schedulername on Pod p is not a field of Pod,",
    "unschedulable, unschedulabel, objects[0].spec.unschedulabel on Node n is not a field of Node,",
    "taints, taint, objects[0].spec.taint on Node n is not a field of Node,",
    "annotations, anotations, objects[1].metadata.anotations on Pod p is not a field of Pod,",
    "nodeSelector:, nodSelector:, objects[1].spec.nodSelector on Pod p is not a field of Pod,"
        + " nodeSelector",
    "resources, resource, objects[1].spec.containers[0].resource on Pod p is not a field of Pod,",
    "allocatable, alocatable, objects[0].status.alocatable on Node n is not a field of Node,",
    "gpu-fraction, gpu-fracton, objects[1].metadata.annotations.gpu-fracton on Pod p is not a"
        + " field of Pod,",
    "claimName, claimname, objects[1].spec.volumes[0].persistentVolumeClaim.claimname on Pod p is"
        + " not a field of Pod,",
    "priorityClassName, priorityClasName,"
        + " objects[2].items[0].spec.template.spec.priorityClasName on Deployment d is not a field"
        + " of Deployment,"
  })
  void aMisspeltOneIsAnErrorThatNamesTheRightOne(
      String right, String typed, String words, String meant) throws IOException {
    assertThat(wrong(OBJECTS.replace(right, typed)))
        .isEqualTo(
            ("one: spec." + words + " (did you mean ") + (meant == null ? right : meant) + "?)");
  }

  /// A newer API server may know more fields.
  @Test
  void whatAnApiServerServedPasses() throws IOException {
    String served = OBJECTS.replace("name: p,", "name: p, resourceVersion: \"12\",");
    assertThat(wrong(served.replace("schedulerName", "futureField"))).isEmpty();
  }
}
