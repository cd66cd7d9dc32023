package dev.berth.cli.doctor;

import dev.berth.engine.injection.InjectionGuess.DefaultRuntime;
import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.WellKnownNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What reaches GPUs without having been given them.
final class IsolationCheck {
  private static final String GROUP = "isolation/";
  private static final String GUARD = "berth-guard";

  /// Annotations by which NRI plugins and GKE give devices to any pod.
  private static final List<String> ANNOTATIONS =
      List.of(
          "nvidia.cdi.k8s.io/container.",
          "cdi.k8s.io/",
          "cdi-devices.noderesource.dev/",
          "devices.noderesource.dev/",
          "devices.gke.io/container.");

  /// Namespaces of components that are meant to reach the node.
  private static final List<String> SYSTEM =
      List.of("kube-system", "gpu-operator", "nvidia", "openshift-", "calico-system", "cilium");

  /// By which pods ask for shares.
  private static final List<String> SHARES = List.of("gpu-fraction", "gpu-memory");

  /// `schedulers: [a, b]` in Berth's configuration.
  private static final Pattern SCHEDULERS = Pattern.compile("(?m)^schedulers:\\s*\\[([^\\]]*)\\]");

  private IsolationCheck() {}

  static List<Finding> findings(ClusterFacts facts) {
    var nodes = GpuNodes.of(facts);
    var findings = new ArrayList<Finding>();
    if (nodes.nodes().isEmpty()) {
      return findings;
    }
    boolean guarded = guards(facts, findings);
    for (GpuNodes.Guessed node : nodes.nodes()) {
      if (node.defaultRuntime() == DefaultRuntime.NVIDIA && !guarded) {
        findings.add(
            Finding.warn(
                GROUP + "DefaultRuntime",
                node.object(),
                "NVIDIA's runtime is the default one: a pod of a CUDA image that asks for no GPU"
                    + " sees all of them",
                "Apply the guard policies, which give such pods NVIDIA_VISIBLE_DEVICES=void, or set"
                    + " cdi.enabled in the ClusterPolicy (GPU Operator 25.10 or later)."));
      }
    }
    if (!guarded) {
      nodes
          .stack()
          .classes()
          .forEach((name, handler) -> {
            if (handler.startsWith("nvidia")) {
              findings.add(
                  Finding.warn(
                      GROUP + "OpenRuntimeClass",
                      "RuntimeClass " + name,
                      "any pod may name it and set NVIDIA_VISIBLE_DEVICES=all",
                      "Apply the guard policies, which refuse the class to pods without GPUs."));
            }
          });
    }
    pods(facts, nodes, findings);
    sharesOfOthers(facts, findings);
    return findings;
  }

  /// Shares that Berth does not count: another scheduler gives them out, or ignores what they ask.
  private static void sharesOfOthers(ClusterFacts facts, List<Finding> findings) {
    var ours = schedulers(facts);
    var others = new TreeMap<String, Integer>();
    for (ManifestTree pod : facts.trees(Source.PODS)) {
      String phase = pod.object("status").text("phase");
      ManifestTree annotations = ClusterFacts.annotations(pod);
      boolean asks = SHARES.stream().anyMatch(annotations::has);
      if (asks && !phase.equals("Succeeded") && !phase.equals("Failed")) {
        String named = pod.object("spec").text("schedulerName");
        others.merge(WellKnownNames.scheduler(named), 1, Integer::sum);
      }
    }
    others.keySet().removeAll(ours);
    others.forEach((scheduler, count) ->
        findings.add(
            Finding.warn(
                GROUP + "SharesOfOthers",
                "scheduler " + scheduler,
                (count == 1 ? "1 pod of it asks" : count + " pods of it ask")
                    + " for a share of a GPU by annotation; Berth neither places nor counts "
                    + (count == 1 ? "it" : "them"),
                "Set spec.schedulerName: berth, add the scheduler to schedulers in Berth's"
                    + " configuration if Berth takes its place, or keep its nodes apart.")));
  }

  /// Whose pods Berth plans.
  private static Set<String> schedulers(ClusterFacts facts) {
    var ours = new TreeSet<String>(Set.of("berth"));
    for (ManifestTree map : facts.trees(Source.CONFIG_MAPS)) {
      map.object("data")
          .eachText((_, text) -> {
            var list = SCHEDULERS.matcher(text);
            if (list.find()) {
              Stream.of(list.group(1).split("[,\\s\"']+", -1))
                  .filter(name -> !name.isEmpty())
                  .forEach(ours::add);
            }
          });
    }
    return ours;
  }

  private static boolean guards(ClusterFacts facts, List<Finding> findings) {
    var there = new TreeSet<String>();
    for (Source source : List.of(Source.VALIDATING_POLICIES, Source.MUTATING_POLICIES)) {
      for (ManifestTree policy : facts.trees(source)) {
        if (ClusterFacts.name(policy).startsWith(GUARD)) {
          there.add(ClusterFacts.name(policy));
        }
      }
    }
    if (!there.isEmpty()) {
      findings.add(
          Finding.ok(GROUP + "Guard", "cluster", "guarded by " + String.join(", ", there)));
    }
    return !there.isEmpty();
  }

  private static void pods(ClusterFacts facts, GpuNodes nodes, List<Finding> findings) {
    var gpuNodes = new TreeSet<String>();
    nodes.nodes().forEach(node -> gpuNodes.add(node.node().name()));
    var privileged = new TreeMap<String, Integer>();
    for (ManifestTree pod : facts.trees(Source.PODS)) {
      String phase = pod.object("status").text("phase");
      if (!gpuNodes.contains(pod.object("spec").text("nodeName"))
          || phase.equals("Succeeded")
          || phase.equals("Failed")) {
        continue;
      }
      if (isPrivileged(pod) && SYSTEM.stream().noneMatch(ClusterFacts.namespace(pod)::startsWith)) {
        privileged.merge(ClusterFacts.namespace(pod), 1, Integer::sum);
      }
      ClusterFacts.annotations(pod)
          .eachText((key, _) -> {
            if (ANNOTATIONS.stream().anyMatch(key::startsWith)
                && !ClusterFacts.annotations(pod).has("berth.dev/gpu-inject")) {
              findings.add(
                  Finding.warn(
                      GROUP + "DeviceAnnotation",
                      "pod " + ClusterFacts.key(pod),
                      "annotation " + key + " takes a device past the device plugin and Berth",
                      "Ask for nvidia.com/gpu or a share in its place; the guard policies refuse"
                          + " it."));
            }
          });
    }
    privileged.forEach((namespace, count) ->
        findings.add(
            Finding.warn(
                GROUP + "PrivilegedPods",
                "namespace " + namespace,
                count + " privileged pods on GPU nodes see every device of their node",
                "Enforce Pod Security baseline there, or move them off GPU nodes.")));
  }

  private static boolean isPrivileged(ManifestTree pod) {
    for (String list : List.of("containers", "initContainers")) {
      for (ManifestTree container : pod.object("spec").objects(list)) {
        if (container.object("securityContext").flag("privileged")) {
          return true;
        }
      }
    }
    return false;
  }
}
