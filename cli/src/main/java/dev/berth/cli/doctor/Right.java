package dev.berth.cli.doctor;

import java.util.List;
import java.util.stream.Stream;

/// One thing that an account may do.
///
/// @param group API group; empty = core
/// @param resource with its subresource, `pods/binding`
/// @param namespace empty = all of them
/// @param name of the object; empty = any
/// @param why what does not work without it
public record Right(
    String verb, String group, String resource, String namespace, String name, String why) {
  private static final String HOME = "berth-system";

  /// What Berth's own account needs (manifests/base/rbac-berth.yaml), without optional kinds.
  static List<Right> ofBerth() {
    return Stream.of(
            everywhere("", "nodes", "Berth sees no cluster", "list", "watch"),
            everywhere("", "pods", "Berth sees no cluster", "list", "watch", "patch"),
            everywhere("", "namespaces", "a namespace's queue is unknown", "list", "watch"),
            everywhere("", "pods/binding", "no pod gets its place", "create"),
            everywhere(
                "",
                "pods/status",
                "preemption names no node, and gated pods do not say why they wait",
                "patch"),
            everywhere("", "pods/eviction", "no GPU is ever reclaimed", "create"),
            everywhere("events.k8s.io", "events", "no pod says why it waits", "create"),
            everywhere(
                "events.k8s.io",
                "events",
                "no group says which ResourceQuota refuses its pods",
                "list"),
            everywhere(
                "scheduling.k8s.io", "priorityclasses", "priorities are unknown", "list", "watch"),
            everywhere(
                "policy",
                "poddisruptionbudgets",
                "victims are chosen that may not be evicted",
                "list",
                "watch"),
            everywhere(
                "resource.k8s.io",
                "resourceclaims",
                "claimed devices are not counted",
                "list",
                "watch"),
            everywhere(
                "resource.k8s.io",
                "resourceslices",
                "claimed devices are not counted",
                "list",
                "watch"),
            everywhere("batch", "jobs", "Jobs are no gangs", "get", "list", "watch"),
            everywhere("apps", "replicasets", "owners of pods are unknown", "get"),
            everywhere("berth.dev", "queues", "there are no queues", "list", "watch"),
            everywhere("berth.dev", "topologies", "there are no topologies", "list", "watch"),
            everywhere(
                "berth.dev", "podgroups", "there are no gangs", "list", "watch", "create", "patch"),
            everywhere("berth.dev", "podgroups/status", "groups have no status", "patch"),
            everywhere("berth.dev", "queues/status", "queues have no status", "patch"),
            Stream.of(
                new Right("create", "", "pods", HOME, "", "no GPU is held for shares"),
                new Right("delete", "", "pods", HOME, "", "no GPU is released after shares"),
                new Right("create", "coordination.k8s.io", "leases", HOME, "", "none leads"),
                new Right("patch", "coordination.k8s.io", "leases", HOME, "berth", "none leads")))
        .flatMap(rights -> rights)
        .toList();
  }

  /// What the user that installs Berth needs.
  static List<Right> ofInstaller() {
    return Stream.of(
            everywhere("", "namespaces", "berth-system", "create"),
            everywhere("apiextensions.k8s.io", "customresourcedefinitions", "kinds", "create"),
            everywhere("rbac.authorization.k8s.io", "clusterroles", "rights", "create"),
            everywhere("rbac.authorization.k8s.io", "clusterrolebindings", "rights", "create"),
            everywhere(
                "admissionregistration.k8s.io", "mutatingadmissionpolicies", "gate", "create"),
            everywhere(
                "admissionregistration.k8s.io", "validatingadmissionpolicies", "checks", "create"),
            everywhere("scheduling.k8s.io", "priorityclasses", "priorities", "create"),
            Stream.of(
                new Right("create", "apps", "deployments", HOME, "", "Berth and kube-scheduler"),
                new Right("create", "", "configmaps", HOME, "", "configuration")))
        .flatMap(rights -> rights)
        .toList();
  }

  private static Stream<Right> everywhere(
      String group, String resource, String why, String... verbs) {
    return Stream.of(verbs).map(verb -> new Right(verb, group, resource, "", "", why));
  }

  /// `patch pods`, `patch leases.coordination.k8s.io/berth in berth-system`.
  String words() {
    return verb
        + " "
        + resource
        + (group.isEmpty() ? "" : "." + group)
        + (name.isEmpty() ? "" : "/" + name)
        + (namespace.isEmpty() ? "" : " in " + namespace);
  }
}
