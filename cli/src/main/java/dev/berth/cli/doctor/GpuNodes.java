package dev.berth.cli.doctor;

import dev.berth.engine.injection.GpuNode;
import dev.berth.engine.injection.GpuStack;
import dev.berth.engine.injection.InjectionGuess;
import dev.berth.engine.injection.InjectionSigns;
import dev.berth.engine.request.Tree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The nodes with NVIDIA GPUs, by name, with guess and proof of each.
///
/// @param runtimeClass of shares, for the whole cluster; empty = none
record GpuNodes(GpuStack stack, String runtimeClass, List<Guessed> nodes) {
  private static final String PROBE = "berth.dev/probe";

  /// Where a node stands on its way to the first share.
  enum Proof {
    /// A probe saw the one GPU that it carried.
    PROVEN("proven"),
    /// It was proven, and something was changed since.
    OUTDATED("proven before a change"),
    FAILED("failed"),
    RUNNING("probe is running"),
    NONE("not yet");

    private final String words;

    Proof(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  /// @param mode of the newest probe; empty = there is none
  /// @param said the probe's own words or its kubelet's
  record Guessed(
      GpuNode node,
      InjectionGuess guess,
      Proof proof,
      String mode,
      String provenClass,
      String said) {
    String object() {
      return "node " + node.name();
    }
  }

  static GpuNodes of(ClusterFacts facts) {
    var stack =
        GpuStack.of(
            facts.items(Source.CLUSTER_POLICIES),
            facts.items(Source.GPU_CLUSTERS),
            facts.items(Source.RUNTIME_CLASSES));
    var all = new ArrayList<GpuNode>();
    for (Map<?, ?> item : facts.items(Source.NODES)) {
      all.add(GpuNode.of(item));
    }
    String runtimeClass = ofShares(facts, stack, all);
    var probes = probes(facts);
    var guessed = new ArrayList<Guessed>();
    for (GpuNode node : all) {
      if (node.gpus() > 0 || node.migDevices() > 0 || node.sharedGpus() > 0 || labelled(node)) {
        var guess = InjectionGuess.of(node, stack, runtimeClass);
        var probe = Optional.ofNullable(probes.get(node.name()));
        guessed.add(
            probe
                .map(pod -> probed(pod, node, guess, stack))
                .orElse(new Guessed(node, guess, Proof.NONE, "", "", "")));
      }
    }
    guessed.sort(Comparator.comparing(one -> one.node().name()));
    return new GpuNodes(stack, runtimeClass, List.copyOf(guessed));
  }

  /// Has GPUs by its labels, whatever the device plugin offers.
  private static boolean labelled(GpuNode node) {
    return node.label("nvidia.com/gpu.present").equals("true");
  }

  /// What admission writes on shares, where Berth has written it already; else what `auto` leads
  /// to.
  private static String ofShares(ClusterFacts facts, GpuStack stack, List<GpuNode> nodes) {
    for (Tree map : facts.trees(Source.CONFIG_MAPS)) {
      if (ClusterFacts.name(map).equals("berth-shares")) {
        return map.object("data").text("runtimeClass");
      }
    }
    return InjectionGuess.runtimeClass(stack, nodes);
  }

  /// The newest probe of each node.
  private static Map<String, Tree> probes(ClusterFacts facts) {
    var probes = new TreeMap<String, Tree>();
    for (Tree pod : facts.trees(Source.PODS)) {
      if (ClusterFacts.labels(pod).has(PROBE)
          && ClusterFacts.namespace(pod).equals(ClusterFacts.NAMESPACE)) {
        String node = ClusterFacts.annotations(pod).text("berth.dev/probe-node");
        probes.merge(
            node.isEmpty() ? pod.object("spec").text("nodeName") : node,
            pod,
            (one, other) -> created(one).compareTo(created(other)) >= 0 ? one : other);
      }
    }
    return probes;
  }

  private static String created(Tree pod) {
    return pod.object("metadata").text("creationTimestamp");
  }

  private static Guessed probed(Tree probe, GpuNode node, InjectionGuess guess, GpuStack stack) {
    Tree annotations = ClusterFacts.annotations(probe);
    boolean same =
        annotations.text("berth.dev/probe-signs").equals(InjectionSigns.of(node, stack).hash());
    Proof proof =
        switch (probe.object("status").text("phase")) {
          case "Succeeded" ->
              !same ? Proof.OUTDATED : sawItsGpu(probe) ? Proof.PROVEN : Proof.FAILED;
          case "Failed" -> Proof.FAILED;
          default -> Proof.RUNNING;
        };
    return new Guessed(
        node,
        guess,
        proof,
        annotations.text("berth.dev/probe-mode"),
        annotations.text("berth.dev/probe-class"),
        PodWords.of(probe.object("status")));
  }

  /// A probe ends well whatever it saw.
  private static boolean sawItsGpu(Tree probe) {
    for (Tree container : probe.object("status").objects("containerStatuses")) {
      return container
          .object("state")
          .object("terminated")
          .text("message")
          .trim()
          .equals(ClusterFacts.annotations(probe).text("berth.dev/gpu-devices"));
    }
    return false;
  }
}
