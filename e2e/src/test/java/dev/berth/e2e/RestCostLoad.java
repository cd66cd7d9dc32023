package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the REST API and the decision log cost, by hand: a fill of 2,000 pods without them, with
/// both, and with five clients beside that follow all changes; Berth's CPU time and memory of each.
/// Numbers, not verdicts.
class RestCostLoad {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final int PORTS = Integer.getInteger("ports", 28800);
  private static final int FILL = Integer.getInteger("fill", 2000);
  private static final int ROUNDS = Integer.getInteger("rounds", 3);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir private Path decisions = Path.of("");

  @Test
  void fillWithoutWithAndWithFiveFollowers() throws Exception {
    for (boolean enabled : new boolean[] {false, true}) {
      String log = enabled ? decisions.toString() : "";
      try (var cluster =
          ControlPlane.configured(
              "rest: {enabled: " + enabled + "}\ndecisionLog: {directory: \"" + log + "\"}\n",
              PORTS,
              "--nodes",
              "500",
              "--gpus",
              "8",
              "--long-lived")) {
        fill(cluster, "warm");
        for (int round = 0; round < ROUNDS; round++) {
          fill(cluster, (enabled ? "rest-" : "none-") + round);
          if (enabled) {
            var bytes = new AtomicLong();
            var followers = followers(cluster, bytes::addAndGet);
            fill(cluster, "five-" + round);
            followers.forEach(Thread::interrupt);
            assertThat(decisions).as("the decision log").isNotEmptyDirectory();
            System.out.printf(Locale.ROOT, "  five clients read %.1f MB%n", bytes.get() / 1e6);
            assertThat(bytes.get()).as("bytes that they read").isGreaterThan(5L * FILL * 100);
          }
        }
      }
    }
  }

  private static List<Thread> followers(ControlPlane cluster, LongConsumer bytes)
      throws IOException {
    var rest = RestApi.of(HTTP, PORTS + 8, cluster.dir().resolve("admin.kubeconfig"));
    var followers = new ArrayList<Thread>();
    for (int i = 0; i < 5; i++) {
      followers.add(rest.follow(bytes));
    }
    return followers;
  }

  private static void fill(ControlPlane cluster, String prefix) throws IOException {
    var api = cluster.admin();
    var bindings = new Bindings(Map.of());
    var watch = api.watch(PODS, bindings::seen);
    var effort = Effort.upTo(cluster);
    var pods = new ArrayList<String>();
    for (int i = 0; i < FILL; i++) {
      pods.add(pod(prefix + "-" + i).by("berth").gpus(1).toString());
    }
    long begun = System.nanoTime();
    api.createAll(PODS, pods, 16);
    ControlPlane.await(
        prefix + " all bound",
        Duration.ofMinutes(5),
        () -> bindings.count(prefix) == FILL,
        () -> bindings.count(prefix) + " bound");
    double seconds = bindings.lastSeconds(prefix, begun);
    watch.interrupt();
    System.out.printf(
        Locale.ROOT,
        "%s: all bound after %.1f s, resident %s; %s%n",
        prefix,
        seconds,
        resident(cluster.pid("berth")),
        Effort.upTo(cluster).since(effort));
    api.delete(PODS + "?gracePeriodSeconds=0");
    ControlPlane.await(
        "all are gone", () -> api.list(PODS).isEmpty(), () -> api.list(PODS).size() + " pods");
  }

  private static String resident(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
      if (line.startsWith("VmRSS:")) {
        return line.substring("VmRSS:".length()).strip();
      }
    }
    return "?";
  }
}
