package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the REST API and the decision log cost, by hand: fills of so many pods by turns on a
/// cluster without them, on one with both, and on that with five clients that follow all changes;
/// the medians of each, and what Berth keeps in memory after a collection. Both clusters stand
/// beside each other in one run, so that a machine that is slow for a while is slow for both.
/// Numbers, not verdicts.
class RestCostLoad {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final int PORTS = Integer.getInteger("ports", 28800);
  private static final int FILL = Integer.getInteger("fill", 2000);
  private static final int ROUNDS = Integer.getInteger("rounds", 5);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Map<String, List<Double>> seconds = new LinkedHashMap<>();
  private final Map<String, List<Double>> berth = new LinkedHashMap<>();
  @TempDir private Path decisions = Path.of("");

  @Test
  void fillWithoutWithAndWithFiveFollowers() throws Exception {
    try (var none = cluster("rest: {enabled: false}\n", PORTS);
        var rest =
            cluster(
                "rest: {enabled: true}\ndecisionLog: {directory: \"" + decisions + "\"}\n",
                PORTS + 100)) {
      fill(none, "warm-none", 0);
      fill(rest, "warm-rest", 0);
      for (int round = 0; round < ROUNDS; round++) {
        fill(none, "none", round);
        fill(rest, "rest", round);
        var bytes = new AtomicLong();
        var followers = followers(rest, bytes::addAndGet);
        fill(rest, "five", round);
        followers.forEach(Thread::interrupt);
        System.out.printf(Locale.ROOT, "  five clients read %.1f MB%n", bytes.get() / 1e6);
        assertThat(bytes.get()).as("bytes that they read").isGreaterThan(5L * FILL * 100);
      }
      assertThat(decisions).as("the decision log").isNotEmptyDirectory();
      for (String kind : List.of("none", "rest", "five")) {
        System.out.printf(
            Locale.ROOT,
            "%s: median of %d fills %.1f s, of Berth's CPU time %.1f s%n",
            kind,
            ROUNDS,
            median(seconds.get(kind)),
            median(berth.get(kind)));
      }
      System.out.printf(
          Locale.ROOT,
          "after a collection: none %.1f MB, rest %.1f MB; resident %s, %s%n",
          live(none.pid("berth")) / 1e6,
          live(rest.pid("berth")) / 1e6,
          resident(none.pid("berth")),
          resident(rest.pid("berth")));
    }
  }

  private static ControlPlane cluster(String configuration, int ports) throws IOException {
    return ControlPlane.configured(
        configuration, ports, "--nodes", "500", "--gpus", "8", "--long-lived");
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private static List<Thread> followers(ControlPlane cluster, LongConsumer bytes)
      throws IOException {
    var rest = RestApi.of(HTTP, PORTS + 100 + 8, cluster.dir().resolve("admin.kubeconfig"));
    var followers = new ArrayList<Thread>();
    for (int i = 0; i < 5; i++) {
      followers.add(rest.follow(bytes));
    }
    return followers;
  }

  private void fill(ControlPlane cluster, String kind, int round) throws IOException {
    String prefix = kind + "-" + round;
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
    double taken = bindings.lastSeconds(prefix, begun);
    watch.interrupt();
    var effortNow = Effort.upTo(cluster);
    seconds.computeIfAbsent(kind, _ -> new ArrayList<>()).add(taken);
    berth.computeIfAbsent(kind, _ -> new ArrayList<>()).add(effortNow.of("berth", effort));
    System.out.printf(
        Locale.ROOT, "%s: all bound after %.1f s; %s%n", prefix, taken, effortNow.since(effort));
    api.delete(PODS + "?gracePeriodSeconds=0");
    ControlPlane.await(
        "all are gone", () -> api.list(PODS).isEmpty(), () -> api.list(PODS).size() + " pods");
  }

  /// Bytes of objects that are in use, by a histogram, which collects first.
  private static long live(long pid) throws IOException {
    var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    var process =
        new ProcessBuilder(jcmd, Long.toString(pid), "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    try (var lines = process.inputReader()) {
      String total =
          lines.lines().filter(line -> line.startsWith("Total")).findFirst().orElseThrow();
      return Long.parseLong(total.split("\\s+")[2]);
    }
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
