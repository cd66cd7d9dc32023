package dev.berth.cli.doctor;

import dev.berth.engine.injection.GpuNode;
import dev.berth.engine.injection.GpuStack;
import dev.berth.engine.injection.InjectionFault;
import dev.berth.engine.injection.InjectionGuess;
import dev.berth.engine.injection.InjectionGuess.DefaultRuntime;
import dev.berth.engine.injection.InjectionMode;
import dev.berth.engine.injection.InjectionSigns;
import dev.berth.engine.request.ManifestTree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The nodes with NVIDIA GPUs, by name, with guess and proof of each.
///
/// @param runtimeClass of shares, for the whole cluster; empty = none
record GpuNodes(GpuStack stack, String runtimeClass, List<Guessed> nodes) {
  private static final String PROBE = "berth.dev/probe";
  private static final Pattern PCI_LABEL =
      Pattern.compile("feature\\.node\\.kubernetes\\.io/pci-(030[02]_)?10de\\.present");

  /// Where a node stands on its way to the first share.
  enum Proof {
    /// A probe saw the one GPU that it carried.
    PROVEN("proven"),
    /// It was proven, and something was changed since.
    OUTDATED("proven before a change"),
    FAILED("failed"),
    /// It failed, and something was changed since.
    FAILED_BEFORE("failed before a change"),
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

  /// @param probe name of the newest probe pod; empty = there is none
  /// @param mode of it
  /// @param said the probe's own words or its kubelet's
  /// @param missed what a probe that ended well saw in place of its GPU
  record Guessed(
      GpuNode node,
      InjectionGuess guess,
      Proof proof,
      String probe,
      String mode,
      String provenClass,
      String said,
      Optional<InjectionFault> missed) {
    String object() {
      return "node " + node.name();
    }

    /// A share without a runtime class saw its GPU by the variable, so the default runtime read it.
    DefaultRuntime defaultRuntime() {
      boolean byVariable = mode.startsWith(InjectionMode.ENV.word());
      return proof == Proof.PROVEN && provenClass.isEmpty() && byVariable
          ? DefaultRuntime.NVIDIA
          : guess.defaultRuntime();
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
    var abandoned = abandoned(facts);
    for (GpuNode node : all) {
      boolean offers = node.gpus() > 0 || node.migDevices() > 0 || node.sharedGpus() > 0;
      if (offers || labelled(node) || abandoned.contains(node.name())) {
        var guess = InjectionGuess.of(node, stack, runtimeClass);
        var probe = Optional.ofNullable(probes.get(node.name()));
        guessed.add(
            probe
                .map(pod -> probed(pod, node, guess, stack))
                .orElse(new Guessed(node, guess, Proof.NONE, "", "", "", "", Optional.empty())));
      }
    }
    guessed.sort(Comparator.comparing(one -> one.node().name()));
    return new GpuNodes(stack, runtimeClass, List.copyOf(guessed));
  }

  /// Has GPUs by its labels, whatever the device plugin offers: those of GPU feature discovery and
  /// of node feature discovery (PCI vendor 10de, class 0300 or 0302 where it is named).
  private static boolean labelled(GpuNode node) {
    return node.label("nvidia.com/gpu.present").equals("true")
        || node.labels().entrySet().stream()
            .anyMatch(label ->
                PCI_LABEL.matcher(label.getKey()).matches() && label.getValue().equals("true"));
  }

  /// Names of nodes that had a device plugin: the kubelet still counts GPUs.
  private static Set<String> abandoned(ClusterFacts facts) {
    var names = new TreeSet<String>();
    for (ManifestTree node : facts.trees(Source.NODES)) {
      String capacity = node.object("status").object("capacity").text("nvidia.com/gpu");
      if (!capacity.isEmpty() && !capacity.equals("0")) {
        names.add(ClusterFacts.name(node));
      }
    }
    return names;
  }

  /// What admission writes on shares, where Berth has written it already; else what `auto` leads
  /// to.
  private static String ofShares(ClusterFacts facts, GpuStack stack, List<GpuNode> nodes) {
    for (ManifestTree map : facts.trees(Source.CONFIG_MAPS)) {
      if (ClusterFacts.name(map).equals("berth-shares")) {
        return map.object("data").text("runtimeClass");
      }
    }
    return InjectionGuess.runtimeClass(stack, nodes);
  }

  /// The newest probe of each node.
  private static Map<String, ManifestTree> probes(ClusterFacts facts) {
    var probes = new TreeMap<String, ManifestTree>();
    for (ManifestTree pod : facts.trees(Source.PODS)) {
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

  private static String created(ManifestTree pod) {
    return pod.object("metadata").text("creationTimestamp");
  }

  private static Guessed probed(
      ManifestTree probe, GpuNode node, InjectionGuess guess, GpuStack stack) {
    ManifestTree annotations = ClusterFacts.annotations(probe);
    boolean same =
        annotations.text("berth.dev/probe-signs").equals(InjectionSigns.of(node, stack).hash());
    String phase = probe.object("status").text("phase");
    var missed =
        phase.equals("Succeeded")
            ? InjectionFault.ofProbe(seen(probe), annotations.text("berth.dev/gpu-devices"))
            : Optional.<InjectionFault>empty();
    Proof proof =
        switch (phase) {
          case "Succeeded" ->
              missed.isEmpty()
                  ? same ? Proof.PROVEN : Proof.OUTDATED
                  : same ? Proof.FAILED : Proof.FAILED_BEFORE;
          case "Failed" -> Proof.FAILED;
          default -> Proof.RUNNING;
        };
    return new Guessed(
        node,
        guess,
        proof,
        ClusterFacts.name(probe),
        annotations.text("berth.dev/probe-mode"),
        annotations.text("berth.dev/probe-class"),
        PodWords.of(probe.object("status")),
        missed);
  }

  /// UUIDs separated by commas. A probe ends well whatever it saw.
  private static String seen(ManifestTree probe) {
    for (ManifestTree container : probe.object("status").objects("containerStatuses")) {
      return container.object("state").object("terminated").text("message").trim();
    }
    return "";
  }
}
