package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// A control plane that `e2e/cluster` runs for one test class: starts it, stops it, hurts it.
final class ControlPlane implements AutoCloseable {
  /// For what a quiet machine does in a second or two: a busy one may be slow, and is not wrong.
  static final Duration SOON = Duration.ofSeconds(120);

  private static final Path SCRIPT = root().resolve("e2e/cluster");

  private final Path dir;
  private final Api admin;

  private ControlPlane(Path dir) {
    this.dir = dir;
    this.admin = Api.of(dir.resolve("admin.kubeconfig"));
  }

  /// Skips the test where no control plane can run.
  static void require() {
    var built =
        run(Duration.ofMinutes(40), List.of(root().resolve("e2e/control-plane/build").toString()));
    assumeTrue(built.status == 0, "no control plane: " + built.output.strip());
  }

  /// Starts one, or skips the test where none can run.
  static ControlPlane up(int portBase, String... options) {
    require();
    try {
      var dir = Files.createTempDirectory("berth-e2e-");
      var command = new ArrayList<>(List.of(SCRIPT.toString(), "up", "--dir", dir.toString()));
      command.addAll(List.of("--port-base", Integer.toString(portBase)));
      command.addAll(List.of(options));
      var started = run(Duration.ofMinutes(12), command);
      if (started.status != 0) {
        run(Duration.ofMinutes(5), List.of(SCRIPT.toString(), "down", "--dir", dir.toString()));
        throw new IllegalStateException("e2e/cluster up failed:\n" + started.output);
      }
      return new ControlPlane(dir);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /// The same with a configuration of Berth.
  ///
  /// @param config in YAML, which takes the place of the keys that it sets
  static ControlPlane configured(String config, int portBase, String... options) {
    try {
      var file = Files.createTempFile("berth-e2e-", ".yaml");
      try {
        Files.writeString(file, config);
        var all = Stream.concat(Stream.of(options), Stream.of("--berth-config", file.toString()));
        return up(portBase, all.toArray(String[]::new));
      } finally {
        Files.delete(file);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  Api admin() {
    return admin;
  }

  /// Another user of the same cluster: `alice` or `berth`.
  Api as(String user) {
    return Api.of(dir.resolve(user + ".kubeconfig"));
  }

  Path dir() {
    return dir;
  }

  /// Of a component's process; zero = it was killed, or is not part of this cluster.
  long pid(String component) {
    Path file = dir.resolve("pids").resolve(component);
    try {
      return Files.exists(file) ? Long.parseLong(Files.readAllLines(file).getFirst()) : 0;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /// Brings a kind in, and waits until it is served.
  ///
  /// @param definition file below `src/test/resources`
  /// @param path of its objects
  void define(String definition, String path) {
    try {
      admin.createOrFail(
          "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
          Files.readString(root().resolve("e2e/src/test/resources").resolve(definition)));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    await(
        "the kind is served",
        () -> admin.call("GET", path, "application/json", "").isOk(),
        () -> "");
  }

  void kill(String component) {
    script("kill", component);
  }

  /// The same without the time that the script takes before it.
  void killNow(String component) {
    assertThat(ProcessHandle.of(pid(component)).filter(ProcessHandle::destroyForcibly))
        .as(component)
        .isPresent();
  }

  void restart(String component) {
    script("restart", component);
  }

  /// Adds fake nodes until there are so many.
  void nodes(int count) {
    script("nodes", Integer.toString(count));
  }

  private void script(String verb, String component) {
    var done =
        run(
            Duration.ofMinutes(8),
            List.of(SCRIPT.toString(), verb, component, "--dir", dir.toString()));
    if (done.status != 0) {
      throw new IllegalStateException(
          "e2e/cluster " + verb + " " + component + ":\n" + done.output);
    }
  }

  /// Waits until something holds; fails with the words and the last state otherwise. The last look
  /// begins when the patience is over, however long the looks before it took.
  static void await(String what, Duration patience, BooleanSupplier holds, Supplier<String> state) {
    long giveUp = System.nanoTime() + patience.toNanos();
    while (true) {
      boolean isLast = System.nanoTime() > giveUp;
      if (holds.getAsBoolean()) {
        return;
      }
      if (isLast) {
        throw new AssertionError("after " + patience + " not: " + what + "\n" + state.get());
      }
      Api.pause(Duration.ofMillis(100));
    }
  }

  /// The same, for what a quiet machine does in a second or two.
  static void await(String what, BooleanSupplier holds, Supplier<String> state) {
    await(what, SOON, holds, state);
  }

  /// With `-Dkeep=true` the folder stays, with the logs of all components.
  @Override
  public void close() {
    var down = new ArrayList<>(List.of(SCRIPT.toString(), "down", "--dir", dir.toString()));
    if (Boolean.getBoolean("keep")) {
      down.add("--keep");
    }
    run(Duration.ofMinutes(5), down);
  }

  /// How a program ended: its exit status, and what it printed.
  record Run(int status, String output) {}

  /// Runs a program to its end; exit status 124 = it was still running after `patience`.
  static Run run(Duration patience, List<String> command) {
    try {
      var output = Files.createTempFile("berth-e2e-", ".out");
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroy(); // `up` stops then what it has started
        process.waitFor(1, TimeUnit.MINUTES);
        return new Run(124, Files.readString(output) + "\nstill running after " + patience);
      }
      var text = Files.readString(output);
      Files.delete(output);
      return new Run(process.exitValue(), text);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  static Path root() {
    var here = Path.of("").toAbsolutePath();
    while (!Files.exists(here.resolve("mvnw"))) {
      here = here.getParent();
    }
    return here;
  }
}
