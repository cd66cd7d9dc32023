package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The fields by which misspelt ones of hand-written objects are told are those of the Kubernetes
/// client. After an update of the client, `-Dberth.fields=write` writes the table anew.
class KnownFieldsTest {
  private static final Path TABLE =
      Path.of("../simulator/src/main/resources/dev/berth/simulator/scenario/fields.txt");

  private static final String MODELS = "io.kubernetes.client.openapi.models.";

  /// Kind and version, and the class of the client.
  private static final Map<String, String> ROOTS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("Pod v1", "V1Pod"),
              Map.entry("Node v1", "V1Node"),
              Map.entry("Namespace v1", "V1Namespace"),
              Map.entry("PersistentVolume v1", "V1PersistentVolume"),
              Map.entry("PersistentVolumeClaim v1", "V1PersistentVolumeClaim"),
              Map.entry("ReplicationController v1", "V1ReplicationController"),
              Map.entry("Deployment apps/v1", "V1Deployment"),
              Map.entry("ReplicaSet apps/v1", "V1ReplicaSet"),
              Map.entry("StatefulSet apps/v1", "V1StatefulSet"),
              Map.entry("DaemonSet apps/v1", "V1DaemonSet"),
              Map.entry("Job batch/v1", "V1Job"),
              Map.entry("CronJob batch/v1", "V1CronJob"),
              Map.entry("PodDisruptionBudget policy/v1", "V1PodDisruptionBudget"),
              Map.entry("PriorityClass scheduling.k8s.io/v1", "V1PriorityClass"),
              Map.entry("StorageClass storage.k8s.io/v1", "V1StorageClass"),
              Map.entry("ResourceClaim resource.k8s.io/v1", "ResourceV1ResourceClaim"),
              Map.entry("ResourceClaimTemplate resource.k8s.io/v1", "V1ResourceClaimTemplate"),
              Map.entry("ResourceSlice resource.k8s.io/v1", "V1ResourceSlice"),
              Map.entry("DeviceClass resource.k8s.io/v1", "V1DeviceClass")));

  /// Of kinds that the client does not know; what is below `spec` of ours their readers check.
  private static final List<String> OTHERS =
      List.of(
          "PodGroup berth.dev/v1alpha1: Whole",
          "Queue berth.dev/v1alpha1: Whole",
          "Topology berth.dev/v1alpha1: Topology",
          "Topology: apiVersion kind metadata=ObjectMeta spec=TopologySpec status",
          "TopologyLevel: alias nodeLabel",
          "TopologySpec: levels=TopologyLevel",
          "Whole: apiVersion kind metadata=ObjectMeta spec status");

  @Test
  void theTableIsTheClients() throws Exception {
    String table = table();
    if (System.getProperty("berth.fields", "").equals("write")) {
      Files.createDirectories(TABLE.getParent());
      Files.writeString(TABLE, table);
    }
    assertThat(Files.readString(TABLE)).isEqualTo(table);
  }

  @Test
  void levelsOfATopologyAreThoseOfItsSchema() throws IOException {
    String crd = Files.readString(Path.of("../crds/topologies.yaml"));
    assertThat(crd).contains("levels:", "nodeLabel:", "alias:");
  }

  static String table() throws ReflectiveOperationException {
    var lines = new TreeSet<>(OTHERS);
    var next = new ArrayDeque<Class<?>>();
    for (var root : ROOTS.entrySet()) {
      var model = Class.forName(MODELS + root.getValue());
      lines.add(root.getKey() + ": " + name(model));
      next.add(model);
    }
    var seen = new TreeSet<String>();
    while (!next.isEmpty()) {
      var model = next.poll();
      if (seen.add(model.getName())) {
        lines.add(name(model) + ": " + fields(model, next));
      }
    }
    return String.join("\n", lines) + "\n";
  }

  private static String fields(Class<?> model, ArrayDeque<Class<?>> next)
      throws ReflectiveOperationException {
    var fields = new TreeSet<String>();
    for (Field field : model.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers())) {
        continue;
      }
      boolean isMap = Map.class.isAssignableFrom(field.getType());
      var below = innermost(field.getGenericType());
      boolean isModel = below.getName().startsWith(MODELS) && !below.isEnum() && hasFields(below);
      if (isModel) {
        next.add(below);
      }
      fields.add(serialized(field) + (isModel ? (isMap ? "=*" : "=") + name(below) : ""));
    }
    return String.join(" ", fields);
  }

  private static boolean hasFields(Class<?> model) {
    return List.of(model.getDeclaredFields()).stream()
        .anyMatch(field -> !Modifier.isStatic(field.getModifiers()));
  }

  private static Class<?> innermost(Type type) {
    if (type instanceof ParameterizedType generic) {
      var arguments = generic.getActualTypeArguments();
      return innermost(arguments[arguments.length - 1]);
    }
    return type instanceof Class<?> plain ? plain : Object.class;
  }

  private static String serialized(Field field) throws ReflectiveOperationException {
    for (Annotation each : field.getAnnotations()) {
      if (each.annotationType().getSimpleName().equals("SerializedName")) {
        return (String) each.annotationType().getMethod("value").invoke(each);
      }
    }
    return field.getName();
  }

  private static String name(Class<?> model) {
    return model.getSimpleName().replaceFirst("V1", "");
  }
}
