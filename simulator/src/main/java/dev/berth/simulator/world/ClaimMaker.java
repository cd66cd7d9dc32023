package dev.berth.simulator.world;

import dev.berth.controllers.client.Watcher;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The resource claim controller: makes the claims of pods that name a template, writes their names
/// into the pods' status, and takes them away with their pods.
public final class ClaimMaker implements Watcher {
  private static final String MADE_FOR = "resource.kubernetes.io/pod-claim-name";

  private final World world;
  private final TreeMap<String, Map<String, Object>> templates = new TreeMap<>();

  /// @param templates ResourceClaimTemplates
  public ClaimMaker(World world, List<Map<String, Object>> templates) {
    this.world = world;
    templates.forEach(template -> this.templates.put(key(template), template));
  }

  private static String key(Map<String, ?> object) {
    return ObjectTree.text(object, "metadata", "namespace") + "/" + ObjectTree.name(object);
  }

  public void start() {
    if (!templates.isEmpty()) {
      world.watch(EnumSet.of(Kind.POD), this);
    }
  }

  @Override
  public void seen(Kind kind, Map<String, ?> pod) {
    var made = new ArrayList<Object>();
    for (var claim : ObjectTree.maps(pod, "spec", "resourceClaims")) {
      String template = ObjectTree.text(claim, "resourceClaimTemplateName");
      String namespace = ObjectTree.text(pod, "metadata", "namespace");
      if (templates.containsKey(namespace + "/" + template)) {
        String name = ObjectTree.text(claim, "name");
        made.add(
            ObjectTree.of("name", name, "resourceClaimName", ObjectTree.name(pod) + "-" + name));
      }
    }
    if (made.isEmpty() || ObjectTree.has(pod, "status", "resourceClaimStatuses")) {
      return;
    }
    try {
      for (var claim : ObjectTree.maps(pod, "spec", "resourceClaims")) {
        make(pod, claim);
      }
      world.patchStatus(
          ObjectRef.to(Kind.POD, pod),
          ObjectTree.of(
              "metadata",
              ObjectTree.of("uid", ObjectTree.uid(pod)),
              "status",
              ObjectTree.of("resourceClaimStatuses", made)));
    } catch (ApiRefusal gone) {
      if (gone.status() != 404 && gone.status() != 409) {
        throw gone;
      }
    }
  }

  private void make(Map<String, ?> pod, Map<String, ?> claim) {
    String namespace = ObjectTree.text(pod, "metadata", "namespace");
    var template =
        templates.get(namespace + "/" + ObjectTree.text(claim, "resourceClaimTemplateName"));
    String name = ObjectTree.name(pod) + "-" + ObjectTree.text(claim, "name");
    if (template == null
        || world.find(new ObjectRef(Kind.RESOURCE_CLAIM, namespace, name)).isPresent()) {
      return;
    }
    var metadata = ObjectTree.thaw(ObjectTree.map(template, "spec", "metadata"));
    metadata.put("namespace", namespace);
    metadata.put("name", name);
    ObjectTree.under(metadata, "annotations").put(MADE_FOR, ObjectTree.text(claim, "name"));
    metadata.put(
        "ownerReferences",
        ObjectTree.ownedBy("v1", "Pod", ObjectTree.name(pod), ObjectTree.uid(pod)));
    world.create(
        Kind.RESOURCE_CLAIM,
        ObjectTree.of(
            "apiVersion",
            "resource.k8s.io/v1",
            "kind",
            "ResourceClaim",
            "metadata",
            metadata,
            "spec",
            ObjectTree.map(template, "spec", "spec")));
  }

  @Override
  public void gone(Kind kind, Map<String, ?> pod) {
    for (var made : ObjectTree.maps(pod, "status", "resourceClaimStatuses")) {
      var ref =
          new ObjectRef(
              Kind.RESOURCE_CLAIM,
              ObjectTree.text(pod, "metadata", "namespace"),
              ObjectTree.text(made, "resourceClaimName"));
      boolean its =
          world.find(ref).stream()
              .flatMap(claim -> ObjectTree.maps(claim, "metadata", "ownerReferences").stream())
              .anyMatch(owner ->
                  ObjectTree.uid(ObjectTree.of("metadata", owner)).equals(ObjectTree.uid(pod)));
      if (its) {
        world.delete(ref);
      }
    }
  }

  @Override
  public void synced(Kind kind) {}
}
