package dev.berth.controllers.kube;

import dev.berth.controllers.client.CapacityClient.CapacityUnit;
import dev.berth.engine.request.WellKnownNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The pod that shows an autoscaler a want of room: it requests the room, and has the scheduler,
/// the node selector, the node affinity and the tolerations of the pod that waits for it. It has no
/// priority class, so it preempts no pod, and is never bound.
final class PlaceholderPod {
  /// Annotation of a pod that Berth writes: on a placeholder, the group that lacks the room.
  private static final String FOR = "berth.dev/room-for";

  private PlaceholderPod() {}

  /// The same for the same want, so that a repeated creation collides.
  static String name(String want, int unit) {
    return want + "-" + unit;
  }

  /// @param like the pod as the API server has it
  static Map<String, Object> body(
      String want, int number, CapacityUnit unit, Map<String, ?> like, HolderPodSettings settings) {
    var spec = spec(unit, like, settings);
    spec.put("schedulerName", JsonBodies.at(like, "spec", "schedulerName"));
    spec.put("terminationGracePeriodSeconds", 0);
    return JsonBodies.object(
        "apiVersion",
        "v1",
        "kind",
        "Pod",
        "metadata",
        JsonBodies.object(
            "name",
            name(want, number),
            "namespace",
            settings.namespace(),
            "labels",
            JsonBodies.object(
                "app.kubernetes.io/managed-by", "berth", WellKnownNames.PLACEHOLDER, want),
            "annotations",
            JsonBodies.object(FOR, unit.like().toString())),
        "spec",
        spec);
  }

  /// What an autoscaler looks at.
  static Map<String, Object> spec(
      CapacityUnit unit, Map<String, ?> like, HolderPodSettings settings) {
    var is = JsonBodies.fields(like.get("spec"));
    var limits = new LinkedHashMap<String, Object>();
    unit.requests()
        .forEach((resource, quantity) -> {
          if (resource.contains("/")) {
            limits.put(resource, quantity);
          }
        });
    var spec =
        JsonBodies.object(
            "automountServiceAccountToken",
            false,
            "enableServiceLinks",
            false,
            "securityContext", // it never runs, but its namespace may ask
            JsonBodies.object(
                "runAsNonRoot",
                true,
                "runAsUser",
                65532,
                "seccompProfile",
                JsonBodies.object("type", "RuntimeDefault")),
            "containers",
            List.of(
                JsonBodies.object(
                    "name",
                    "room",
                    "image",
                    settings.image(),
                    "resources",
                    JsonBodies.object("requests", unit.requests(), "limits", limits),
                    "securityContext",
                    JsonBodies.object(
                        "allowPrivilegeEscalation",
                        false,
                        "capabilities",
                        JsonBodies.object("drop", List.of("ALL"))))));
    for (String same : List.of("nodeSelector", "tolerations")) {
      Object value = is.get(same);
      if (value != null) {
        spec.put(same, value);
      }
    }
    var affinity = new LinkedHashMap<String, Object>();
    Object required =
        JsonBodies.fields(JsonBodies.fields(is.get("affinity")).get("nodeAffinity"))
            .get("requiredDuringSchedulingIgnoredDuringExecution");
    var terms = terms(JsonBodies.fields(required).get("nodeSelectorTerms"), unit.models());
    if (!terms.isEmpty()) {
      affinity.put(
          "nodeAffinity",
          JsonBodies.object(
              "requiredDuringSchedulingIgnoredDuringExecution",
              JsonBodies.object("nodeSelectorTerms", terms)));
      spec.put("affinity", affinity);
    }
    return spec;
  }

  /// Each of the terms asks for the models, too.
  private static List<Object> terms(@Nullable Object said, List<String> models) {
    var terms = new ArrayList<Object>();
    if (said instanceof List<?> list) {
      terms.addAll(list);
    }
    if (models.isEmpty()) {
      return terms;
    }
    if (terms.isEmpty()) {
      terms.add(JsonBodies.object());
    }
    var model =
        JsonBodies.object("key", WellKnownNames.DEVICE_MODEL, "operator", "In", "values", models);
    var narrowed = new ArrayList<Object>();
    for (Object term : terms) {
      var with = new LinkedHashMap<String, Object>(JsonBodies.fields(term));
      var expressions = new ArrayList<Object>();
      if (with.get("matchExpressions") instanceof List<?> list) {
        expressions.addAll(list);
      }
      expressions.add(model);
      with.put("matchExpressions", expressions);
      narrowed.add(with);
    }
    return narrowed;
  }
}
