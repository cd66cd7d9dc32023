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
    return Tree.text(object, "metadata", "namespace") + "/" + Tree.name(object);
  }

  public void start() {
    if (!templates.isEmpty()) {
      world.watch(EnumSet.of(Kind.POD), this);
    }
  }

  @Override
  public void seen(Kind kind, Map<String, ?> pod) {
    var made = new ArrayList<Object>();
    for (var claim : Tree.maps(pod, "spec", "resourceClaims")) {
      String template = Tree.text(claim, "resourceClaimTemplateName");
      String namespace = Tree.text(pod, "metadata", "namespace");
      if (templates.containsKey(namespace + "/" + template)) {
        String name = Tree.text(claim, "name");
        made.add(Tree.of("name", name, "resourceClaimName", Tree.name(pod) + "-" + name));
      }
    }
    if (made.isEmpty() || Tree.has(pod, "status", "resourceClaimStatuses")) {
      return;
    }
    try {
      for (var claim : Tree.maps(pod, "spec", "resourceClaims")) {
        make(pod, claim);
      }
      world.patchStatus(
          Ref.to(Kind.POD, pod),
          Tree.of(
              "metadata",
              Tree.of("uid", Tree.uid(pod)),
              "status",
              Tree.of("resourceClaimStatuses", made)));
    } catch (ApiRefusal gone) {
      if (gone.status() != 404 && gone.status() != 409) {
        throw gone;
      }
    }
  }

  private void make(Map<String, ?> pod, Map<String, ?> claim) {
    String namespace = Tree.text(pod, "metadata", "namespace");
    var template = templates.get(namespace + "/" + Tree.text(claim, "resourceClaimTemplateName"));
    String name = Tree.name(pod) + "-" + Tree.text(claim, "name");
    if (template == null || world.find(new Ref(Kind.RESOURCE_CLAIM, namespace, name)).isPresent()) {
      return;
    }
    var metadata = Tree.thaw(Tree.map(template, "spec", "metadata"));
    metadata.put("namespace", namespace);
    metadata.put("name", name);
    Tree.under(metadata, "annotations").put(MADE_FOR, Tree.text(claim, "name"));
    metadata.put("ownerReferences", Tree.ownedBy("v1", "Pod", Tree.name(pod), Tree.uid(pod)));
    world.create(
        Kind.RESOURCE_CLAIM,
        Tree.of(
            "apiVersion",
            "resource.k8s.io/v1",
            "kind",
            "ResourceClaim",
            "metadata",
            metadata,
            "spec",
            Tree.map(template, "spec", "spec")));
  }

  @Override
  public void gone(Kind kind, Map<String, ?> pod) {
    for (var made : Tree.maps(pod, "status", "resourceClaimStatuses")) {
      var ref =
          new Ref(
              Kind.RESOURCE_CLAIM,
              Tree.text(pod, "metadata", "namespace"),
              Tree.text(made, "resourceClaimName"));
      boolean its =
          world.find(ref).stream()
              .flatMap(claim -> Tree.maps(claim, "metadata", "ownerReferences").stream())
              .anyMatch(owner -> Tree.uid(Tree.of("metadata", owner)).equals(Tree.uid(pod)));
      if (its) {
        world.delete(ref);
      }
    }
  }

  @Override
  public void synced(Kind kind) {}
}
