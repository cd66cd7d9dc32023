package dev.berth.e2e;

import java.util.Map;
import java.util.TreeMap;

/// A pod as a user writes it.
final class PodYaml {
  private final String name;
  private final Map<String, String> annotations = new TreeMap<>();
  private final Map<String, String> labels = new TreeMap<>();
  private final Map<String, String> limits = new TreeMap<>();
  private String scheduler = "berth";
  private String cpu = "100m";
  private String memory = "64Mi";
  private String extra = "";

  private PodYaml(String name) {
    this.name = name;
  }

  static PodYaml pod(String name) {
    return new PodYaml(name);
  }

  /// One that names a queue and asks for so many GPUs.
  static PodYaml pod(String name, String queue, int gpus) {
    return pod(name).labelled("berth.dev/queue", queue).gpus(gpus);
  }

  PodYaml gpus(int count) {
    limits.put("nvidia.com/gpu", Integer.toString(count));
    return this;
  }

  PodYaml share(String fraction) {
    return annotated("gpu-fraction", fraction);
  }

  PodYaml annotated(String key, String value) {
    annotations.put(key, value);
    return this;
  }

  PodYaml labelled(String key, String value) {
    labels.put(key, value);
    return this;
  }

  PodYaml in(String group) {
    return labelled("berth.dev/pod-group", group);
  }

  PodYaml by(String scheduler) {
    this.scheduler = scheduler;
    return this;
  }

  PodYaml asking(String cpu, String memory) {
    this.cpu = cpu;
    this.memory = memory;
    return this;
  }

  /// Further fields of the pod's spec, as a line of JSON without braces.
  PodYaml with(String specFields) {
    extra = ", " + specFields;
    return this;
  }

  /// It has the volume of a PersistentVolumeClaim.
  PodYaml volume(String claim) {
    return with(
        "\"volumes\": [{\"name\": \"data\", \"persistentVolumeClaim\": {\"claimName\": \"%s\"}}]"
            .formatted(claim));
  }

  @Override
  public String toString() {
    return """
    {"apiVersion": "v1", "kind": "Pod",
     "metadata": {"name": "%s", "labels": %s, "annotations": %s},
     "spec": {"schedulerName": "%s", "terminationGracePeriodSeconds": 0,
      "containers": [{"name": "main", "image": "workload",
       "resources": {"requests": {"cpu": "%s", "memory": "%s"}, "limits": %s}}]%s}}
    """
        .formatted(
            name, json(labels), json(annotations), scheduler, cpu, memory, json(limits), extra);
  }

  private static String json(Map<String, String> map) {
    return Api.JSON.valueToTree(map).toString();
  }

  static String group(String name, int minMember, String specFields) {
    return """
    {"apiVersion": "berth.dev/v1alpha1", "kind": "PodGroup", "metadata": {"name": "%s"},
     "spec": {"minMember": %d%s}}
    """
        .formatted(name, minMember, specFields.isEmpty() ? "" : ", " + specFields);
  }
}
