package dev.berth.cli.doctor;

/// What the doctor lists, and where.
public enum Source {
  NODES("nodes", "/api/v1/nodes"),
  PODS("pods", "/api/v1/pods"),
  NODE_EVENTS(
      "events in default",
      "/apis/events.k8s.io/v1/namespaces/default/events",
      "reason=HolderTrouble"),
  NODE_LEASES(
      "leases in kube-node-lease",
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"),
  CLUSTER_POLICIES("clusterpolicies.nvidia.com", "/apis/nvidia.com/v1/clusterpolicies"),
  GPU_CLUSTERS("gpuclusters.nvidia.com", "/apis/nvidia.com/v1alpha1/gpuclusters"),
  RUNTIME_CLASSES("runtimeclasses.node.k8s.io", "/apis/node.k8s.io/v1/runtimeclasses"),
  NAMESPACES("namespaces", "/api/v1/namespaces"),
  QUEUES("queues.berth.dev", "/apis/berth.dev/v1alpha1/queues"),
  CUSTOM_RESOURCES(
      "customresourcedefinitions.apiextensions.k8s.io",
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"),
  MUTATING_POLICIES(
      "mutatingadmissionpolicies.admissionregistration.k8s.io",
      "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies"),
  MUTATING_BINDINGS(
      "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
      "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings"),
  VALIDATING_POLICIES(
      "validatingadmissionpolicies.admissionregistration.k8s.io",
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"),
  VALIDATING_BINDINGS(
      "validatingadmissionpolicybindings.admissionregistration.k8s.io",
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings"),
  PRIORITY_CLASSES(
      "priorityclasses.scheduling.k8s.io", "/apis/scheduling.k8s.io/v1/priorityclasses"),
  DEPLOYMENTS("deployments in berth-system", "/apis/apps/v1/namespaces/berth-system/deployments"),
  LEASES("leases in berth-system", "/apis/coordination.k8s.io/v1/namespaces/berth-system/leases"),
  BUDGETS(
      "poddisruptionbudgets in berth-system",
      "/apis/policy/v1/namespaces/berth-system/poddisruptionbudgets"),
  QUOTAS("resourcequotas in berth-system", "/api/v1/namespaces/berth-system/resourcequotas"),
  LIMIT_RANGES("limitranges in berth-system", "/api/v1/namespaces/berth-system/limitranges"),
  CONFIG_MAPS("configmaps in berth-system", "/api/v1/namespaces/berth-system/configmaps"),
  ENDPOINTS(
      "endpointslices in berth-system",
      "/apis/discovery.k8s.io/v1/namespaces/berth-system/endpointslices");

  private final String resource;
  private final String path;
  private final String fields;

  Source(String resource, String path) {
    this(resource, path, "");
  }

  /// @param fields a field selector
  Source(String resource, String path, String fields) {
    this.resource = resource;
    this.path = path;
    this.fields = fields;
  }

  /// As RBAC and `kubectl auth can-i list` write it.
  String resource() {
    return resource;
  }

  String path() {
    return path;
  }

  /// Which of them; empty = all.
  String fields() {
    return fields;
  }
}
