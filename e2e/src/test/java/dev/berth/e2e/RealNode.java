package dev.berth.e2e;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A real node that `e2e/node/node` runs: kubelet, containerd, runc, and NVIDIA's software for GPUs
/// that do not exist. Its control plane runs with `--real-nodes` and is closed after it.
final class RealNode implements AutoCloseable {
  private static final String SCRIPT = ControlPlane.root().resolve("e2e/node/node").toString();
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final String name;
  private final Path base;

  private RealNode(String name, Path base) {
    this.name = name;
    this.base = base;
  }

  /// A component that can be stopped and started by itself.
  enum Component {
    CONTAINERD,
    KUBELET,
    DEVICE_PLUGIN,
    NRI_PLUGIN;

    private String word() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
  }

  /// A GPU of the node.
  ///
  /// @param health as the device plugin tells it: `healthy`, `unhealthy` or `gone`
  record Gpu(int minor, String uuid, String health) {}

  /// What the kubelet gave to a container.
  ///
  /// @param pod namespace/name
  record Allocation(String pod, String container, List<String> devices) {}

  /// Skips the test where no real node can run. Builds the programs the first time.
  static void require() {
    var check = ControlPlane.run(PATIENCE, List.of(SCRIPT, "check"));
    assumeTrue(check.status() == 0, "no real node: " + check.output().strip());
    var built =
        ControlPlane.run(
            Duration.ofMinutes(40),
            List.of(ControlPlane.root().resolve("e2e/control-plane/build").toString(), "node"));
    assumeTrue(built.status() == 0, "no real node: " + built.output().strip());
  }

  /// Starts a node and waits until it is Ready and offers its GPUs.
  ///
  /// @param port the kubelet's; the next one is used, too
  /// @param options of `e2e/node/node up`
  static RealNode up(ControlPlane cluster, String name, int port, String... options) {
    var node = new RealNode(name, cluster.dir().resolve("nodes"));
    var words = new ArrayList<>(List.of("--cluster", cluster.dir().toString()));
    words.addAll(List.of("--port", Integer.toString(port)));
    words.addAll(List.of(options));
    try {
      node.script("up", words.toArray(String[]::new));
    } catch (IllegalStateException failed) {
      var logs = node.logs();
      node.close();
      throw new IllegalStateException(failed.getMessage() + "\n" + logs, failed);
    }
    return node;
  }

  String name() {
    return name;
  }

  void start(Component component) {
    script("start", component.word());
  }

  /// Ends a component with SIGTERM and waits until it is gone.
  void stop(Component component) {
    script("stop", component.word());
  }

  /// Ends a component with SIGKILL.
  void kill(Component component) {
    script("kill", component.word());
  }

  /// Ends all processes of the node at once and starts the node anew; returns when the kubelet is
  /// healthy. The device plugin starts `pluginLate` later.
  void reboot(Duration pluginLate) {
    script("reboot", "--plugin-late", Long.toString(pluginLate.toSeconds()));
  }

  void off() {
    script("off");
  }

  void on(Duration pluginLate) {
    script("on", "--plugin-late", Long.toString(pluginLate.toSeconds()));
  }

  /// In the order of their minor numbers.
  List<Gpu> gpus() {
    return script("gpus")
        .lines()
        .map(line -> line.split(" "))
        .map(words -> new Gpu(Integer.parseInt(words[0]), words[1], words[2]))
        .toList();
  }

  /// @param health `healthy`, `unhealthy` or `gone`
  void health(int gpu, String health) {
    script("gpu", Integer.toString(gpu), health);
  }

  /// Puts another GPU in the place of one.
  ///
  /// @return its UUID
  String replace(int gpu) {
    script("gpu", Integer.toString(gpu), "replace");
    return gpus().get(gpu).uuid();
  }

  /// Deletes an image of the node. Nothing can be pulled here, so it is gone until
  /// [#restoreImages()].
  void forget(String image) {
    run("ctr", "-n", "k8s.io", "images", "rm", "--sync", image);
  }

  void restoreImages() {
    run("ctr", "-n", "k8s.io", "images", "import", base.resolve("images.tar").toString());
  }

  /// Restarts the kubelet with a threshold below which it evicts pods; the others stay at none.
  ///
  /// @param signal such as `memory.available`
  void evictBelow(String signal, String threshold) {
    thresholds(signal + ": \"0%\"", signal + ": \"" + threshold + "\"");
  }

  /// Restarts the kubelet without thresholds, if it has any.
  void restoreThresholds() {
    thresholds("available: \"[^\"]*\"", "available: \"0%\"");
  }

  private boolean isAnswering() {
    try {
      allocations();
      return true;
    } catch (IllegalStateException notYet) {
      return false;
    }
  }

  private void thresholds(String pattern, String replacement) {
    try {
      var file = base.resolve(name).resolve("kubelet.yaml");
      String before = Files.readString(file);
      var lines =
          before
              .lines()
              .map(line ->
                  line.startsWith("evictionHard:") ? line.replaceAll(pattern, replacement) : line)
              .toList();
      String after = String.join("\n", lines) + "\n";
      if (!after.equals(before)) {
        kill(Component.KUBELET);
        Files.writeString(file, after);
        start(Component.KUBELET);
        ControlPlane.await("the kubelet answers", this::isAnswering, this::logs);
      }
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }

  /// Runs a command in the node's namespaces, like `ctr -n k8s.io images rm …`.
  ///
  /// @return what it printed
  String run(String... command) {
    return script("in", command);
  }

  /// What the kubelet has given out, by its PodResources API.
  List<Allocation> allocations() {
    return run("simulated-nvidia", "pod-resources")
        .lines()
        .filter(line -> !line.startsWith("allocatable "))
        .map(line -> List.of(line.split(" ")))
        .map(words -> new Allocation(words.get(0), words.get(1), words.subList(3, words.size())))
        .toList();
  }

  /// What a container of a pod of this node printed, over all its restarts.
  String podLog(String namespace, String pod, String container) {
    var text = new StringBuilder();
    var pods = base.resolve(name).resolve("varlog/pods");
    try (var folders = Files.list(pods)) {
      for (Path folder : folders.sorted().toList()) {
        var logs = folder.resolve(container);
        if (folder.getFileName().toString().startsWith(namespace + "_" + pod + "_")
            && Files.isDirectory(logs)) {
          appendLogs(logs, text);
        }
      }
      return text.toString();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /// Each line of a container runtime's log is: time, stream, P or F, text.
  private static void appendLogs(Path folder, StringBuilder text) throws IOException {
    try (var files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        for (String line : Files.readAllLines(file)) {
          var words = line.split(" ", 4);
          text.append(words[3]).append(words[2].equals("F") ? "\n" : "");
        }
      }
    }
  }

  /// The last lines of the logs of all components.
  String logs() {
    var text = new StringBuilder();
    try (var files = Files.list(base.resolve(name).resolve("log"))) {
      for (Path file : files.sorted().toList()) {
        var lines = Files.readAllLines(file);
        text.append("--- ").append(file.getFileName()).append('\n');
        lines
            .subList(Math.max(0, lines.size() - 20), lines.size())
            .forEach(line -> text.append(line).append('\n'));
      }
    } catch (IOException unreadable) {
      text.append(unreadable);
    }
    return text.toString();
  }

  private String script(String verb, String... words) {
    var command = new ArrayList<>(List.of(SCRIPT, verb, "--dir", base.toString(), name));
    Collections.addAll(command, words);
    var ran = ControlPlane.run(PATIENCE, command);
    if (ran.status() != 0) {
      throw new IllegalStateException(String.join(" ", command) + ":\n" + ran.output());
    }
    return ran.output();
  }

  @Override
  public void close() {
    script("down");
  }
}
