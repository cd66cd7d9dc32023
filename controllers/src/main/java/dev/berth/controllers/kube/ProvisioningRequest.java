package dev.berth.controllers.kube;

import dev.berth.controllers.client.CapacityClient.CapacityUnit;
import dev.berth.controllers.client.CapacityClient.Request;
import dev.berth.controllers.client.CapacityClient.Want;
import dev.berth.engine.model.Constraints;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The `autoscaling.x-k8s.io/v1` ProvisioningRequest of a gang: all of it or nothing, which
/// placeholders cannot say. Pieces that are alike are one set of pods, with a PodTemplate.
final class ProvisioningRequest {
  private static final String ALL_OR_NOTHING = "best-effort-atomic-scale-up.autoscaling.x-k8s.io";

  private ProvisioningRequest() {}

  /// @param name of its PodTemplate
  record PodSet(String name, CapacityUnit unit, int count) {
    Map<String, Object> tree() {
      return JsonBodies.object("podTemplateRef", JsonBodies.object("name", name), "count", count);
    }
  }

  static List<PodSet> podSets(Want want) {
    var sets = new ArrayList<PodSet>();
    for (CapacityUnit unit : want.units()) {
      int like = 0;
      while (like < sets.size() && !isAlike(sets.get(like).unit(), unit)) {
        like++;
      }
      if (like == sets.size()) {
        sets.add(new PodSet(want.name() + "-" + like, unit, 1));
      } else {
        var set = sets.get(like);
        sets.set(like, new PodSet(set.name(), set.unit(), set.count() + 1));
      }
    }
    return sets;
  }

  private static boolean isAlike(CapacityUnit one, CapacityUnit two) {
    return one.requests().equals(two.requests())
        && one.models().equals(two.models())
        && mayBeOnTheSameNodes(one.constraints(), two.constraints());
  }

  /// By what a template says of nodes: it does not say which pods must be near each other.
  private static boolean mayBeOnTheSameNodes(Constraints one, Constraints two) {
    return one.nodeSelector().equals(two.nodeSelector())
        && one.required().equals(two.required())
        && one.tolerations().equals(two.tolerations());
  }

  /// @param like a pod of the set as the API server has it
  /// @param owner the object with which it is collected
  static Map<String, Object> template(
      PodSet set, Map<String, ?> like, Map<String, ?> owner, HolderPodSettings settings) {
    return JsonBodies.object(
        "apiVersion",
        "v1",
        "kind",
        "PodTemplate",
        "metadata",
        metadata(set.name(), owner),
        "template",
        JsonBodies.object("spec", PlaceholderPod.spec(set.unit(), like, settings)));
  }

  static Map<String, Object> body(
      String name, List<Map<String, Object>> podSets, Map<String, ?> owner) {
    return JsonBodies.object(
        "apiVersion",
        "autoscaling.x-k8s.io/v1",
        "kind",
        "ProvisioningRequest",
        "metadata",
        metadata(name, owner),
        "spec",
        JsonBodies.object("provisioningClassName", ALL_OR_NOTHING, "podSets", podSets));
  }

  /// What a list of them tells.
  static List<Request> in(Map<String, ?> list) {
    var requests = new ArrayList<Request>();
    if (list.get("items") instanceof List<?> items) {
      for (Object item : items) {
        if (item instanceof Map<?, ?>) {
          var request = JsonBodies.fields(item);
          requests.add(
              new Request(
                  JsonBodies.at(request, "metadata", "name"),
                  JsonBodies.at(request, "metadata", "namespace"),
                  templates(request)));
        }
      }
    }
    return requests;
  }

  private static List<String> templates(Map<String, ?> request) {
    var names = new ArrayList<String>();
    if (JsonBodies.fields(request.get("spec")).get("podSets") instanceof List<?> sets) {
      for (Object set : sets) {
        if (set instanceof Map<?, ?>) {
          names.add(JsonBodies.at(JsonBodies.fields(set), "podTemplateRef", "name"));
        }
      }
    }
    return names;
  }

  private static Map<String, Object> metadata(String name, Map<String, ?> owner) {
    return JsonBodies.object(
        "name",
        name,
        "labels",
        JsonBodies.object("app.kubernetes.io/managed-by", "berth"),
        "ownerReferences",
        List.of(
            JsonBodies.object(
                "apiVersion",
                "v1",
                "kind",
                "Pod",
                "name",
                JsonBodies.at(owner, "metadata", "name"),
                "uid",
                JsonBodies.at(owner, "metadata", "uid"))));
  }
}
