package dev.berth.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Where and with what a benchmark ran.
public final class Host {
  private Host() {}

  public static Map<String, Object> describe(Path home) {
    var host = new LinkedHashMap<String, Object>();
    host.put("commit", commit(home));
    host.put("jdk", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    host.put("flags", ManagementFactory.getRuntimeMXBean().getInputArguments());
    host.put("cpu", line(Path.of("/proc/cpuinfo"), "model name"));
    host.put("cores", Runtime.getRuntime().availableProcessors());
    host.put("memory", line(Path.of("/proc/meminfo"), "MemTotal"));
    return host;
  }

  private static String line(Path file, String key) {
    try (var lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(key))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException | UncheckedIOException e) {
      return "unknown";
    }
  }

  /// With `+` where files differ from it.
  private static String commit(Path home) {
    var commit = git(home, "rev-parse", "--short", "HEAD");
    if (commit.isEmpty()) {
      return "unknown";
    }
    return git(home, "status", "--porcelain").isEmpty() ? commit : commit + "+";
  }

  private static String git(Path home, String... arguments) {
    var command = new ArrayList<>(List.of("git", "-C", home.toString()));
    command.addAll(List.of(arguments));
    try {
      var process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0 ? text.strip() : "";
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
