package dev.berth.e2e;

import static dev.berth.e2e.AdmissionRequests.QUEUES;
import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Two replicas of Berth on 16 nodes × 8 devices that are always full, for `-Dminutes` (30: 10,000
/// pods). Shares, whole devices and gangs of two queues come and end, and the queues take back from
/// each other. All the while leader, standby, kube-scheduler, kube-apiserver and etcd are killed,
/// the lease is stolen, watches break, and of Berth's writes 5 % go wrong: refused, done with their
/// reply lost, or late.
///
/// Then it is calm, and must come to a good end: all pods that are left run and end, no holder
/// stays, a pod for each whole node finds its eight devices (so nothing is counted that is not
/// there), and the queues say what runs. At no time is a device given twice, a gang bound in part
/// for long, or a plan carried out that had lapsed.
///
/// Not part of `verify`: run it with `./mvnw -pl e2e -am verify -Dit.test=ReplicaChaosLoad
/// -Dsurefire.failIfNoSpecifiedTests=false`. `-Dports=N` is the first of its ports, `-Dseed=N`
/// changes what comes and what is hurt (not when: that is the machine's).
class ReplicaChaosLoad {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String HOLDERS =
      "/api/v1/namespaces/berth-system/pods?labelSelector=berth.dev%2Fholder";
  private static final int PORTS = Integer.getInteger("ports", 26500);
  private static final int FAULTS = PORTS + 7;
  private static final Replicas REPLICAS = new Replicas(PORTS + 8);
  private static final int NODES = 16;
  private static final double PODS_PER_SECOND = 10_500 / 1800.0; // the last arrivals wait for room

  /// Pods that live, at the most: about one and a half times what fits.
  private static final int CROWD = 330;

  /// From plan to binding, and the grace of a gang that fell below its minimum.
  private static final double DEADLINE_SECONDS = 120;

  private final TreeSet<String> broken = new TreeSet<>();

  @Test
  void allIsAsTheApiSaysWhenItIsCalmAgain() throws IOException {
    long seed = Long.getLong("seed", 42);
    var time =
        Duration.ofSeconds(
            Math.round(Double.parseDouble(System.getProperty("minutes", "30")) * 60));
    try (var cluster =
        ControlPlane.configured(
            "audit: {period: 5s}\n",
            PORTS,
            "--nodes",
            Integer.toString(NODES),
            "--gpus",
            "8",
            "--replicas",
            "2",
            "--faults",
            "5")) {
      var api = cluster.admin();
      queue(api, "left");
      queue(api, "right");
      var minimum = new TreeMap<String, Integer>();
      var bindings = new Bindings(minimum);
      var arrivals = new Arrivals(api, new Random(seed), bindings, minimum);
      var hurts = new Hurts(cluster, REPLICAS, new Random(seed + 1));
      api.watch(PODS, bindings::seen);
      injectFaults(api, arrivals, hurts, time);
      System.out.println("faults: " + faults("POST", "/faults/stop"));
      hurts.revive();
      calm(api, arrivals);
      System.out.println(arrivals.told() + "\n" + hurts.told());
      System.out.printf(
          Locale.ROOT,
          "longest time a gang was bound in part %.1f s; for more than 20 s: %s%n",
          bindings.longestPartlySeconds(),
          bindings.partlyLongerThan(20));
      var errors = errors(cluster.dir().resolve("logs"));
      errors.forEach(System.out::println);
      nothingIsLeft(api);
      assertThat(errors)
          .as("mistakes of ours, in the logs")
          .noneMatch(line -> line.contains("mistake") || line.contains("cycle dropped"));
      assertThat(broken).as("rules about devices, read from the API alone").isEmpty();
      assertThat(arrivals.late()).as("plans carried out when they had lapsed").isEmpty();
      assertThat(bindings.longestPartlySeconds())
          .as("seconds a gang was bound in part")
          .isLessThan(DEADLINE_SECONDS);
    }
  }

  private void injectFaults(Api api, Arrivals arrivals, Hurts hurts, Duration time) {
    long begun = System.nanoTime();
    var failed = new ArrayList<Throwable>();
    var chaos =
        Thread.ofVirtual()
            .uncaughtExceptionHandler((_, why) -> failed.add(why))
            .start(() -> hurts.until(begun + time.toNanos()));
    while (chaos.isAlive()) {
      double seconds = (System.nanoTime() - begun) / 1e9;
      int owed = (int) (seconds * PODS_PER_SECOND) - arrivals.created();
      if (seconds < time.toSeconds() && owed > 0 && arrivals.alive() < CROWD) {
        arrivals.come(Math.min(owed, 30));
      }
      arrivals.tidy();
      broken.addAll(Truth.broken(api));
      Api.pause(Duration.ofSeconds(1));
    }
    assertThat(failed).as("what went wrong with the chaos itself").isEmpty();
  }

  private void calm(Api api, Arrivals arrivals) {
    ControlPlane.await(
        "all who are left run and end",
        Duration.ofMinutes(8),
        () -> {
          broken.addAll(Truth.broken(api));
          arrivals.tidy();
          Api.pause(Duration.ofSeconds(1));
          return arrivals.alive() == 0;
        },
        () -> arrivals.told() + "; waiting: " + arrivals.waiting());
  }

  private void nothingIsLeft(Api api) {
    ControlPlane.await(
        "no holder stays",
        Duration.ofMinutes(1),
        () -> api.list(HOLDERS).isEmpty(),
        () -> api.list(HOLDERS).toString());
    var whole = new ArrayList<String>();
    for (int i = 0; i < NODES; i++) {
      String queue = i % 2 == 0 ? "left" : "right";
      whole.add(pod("node-" + i).labelled("berth.dev/queue", queue).gpus(8).toString());
    }
    api.createAll(PODS, whole, 4);
    ControlPlane.await(
        "every node has room for all its devices",
        Duration.ofMinutes(2),
        () -> api.list(PODS).stream().filter(Truth::isBound).count() == NODES,
        () -> api.list(PODS).stream().filter(pod -> !Truth.isBound(pod)).toList().toString());
    awaitStatus(api, NODES / 2, 8 * NODES / 2);
    String leader = REPLICAS.leader();
    var metrics = Metrics.of(REPLICAS.port(leader));
    assertThat(metrics.sum("berth_device_drifts{", "")).as("drifts in the last audit").isZero();
    assertThat(metrics.sum("berth_unreadable_objects_total{", "")).as("unreadable").isZero();
    broken.addAll(Truth.broken(api));
    api.delete(PODS + "?gracePeriodSeconds=0");
    awaitStatus(api, 0, 0);
  }

  /// Each of the two queues says so.
  private static void awaitStatus(Api api, int running, int gpus) {
    for (String queue : new String[] {"left", "right"}) {
      ControlPlane.await(
          queue + " says that " + running + " run with " + gpus + " devices",
          Duration.ofSeconds(40),
          () -> {
            var status = api.get(QUEUES + "/" + queue).path("status");
            return status.at("/workloads/running").asInt() == running
                && status.at("/workloads/pending").asInt() == 0
                && status.at("/allocated/gpu").asDouble() == gpus;
          },
          () -> api.get(QUEUES + "/" + queue).toString());
    }
  }

  private static void queue(Api api, String name) {
    api.createOrFail(QUEUES, AdmissionRequests.queueOfGpus(name, 8 * NODES / 2));
  }

  /// What Berth's logs say for which a person must act.
  private static List<String> errors(Path logs) throws IOException {
    var errors = new ArrayList<String>();
    for (String replica : List.of("berth-1", "berth-2")) {
      try (var lines = Files.lines(logs.resolve(replica + ".log"))) {
        lines.filter(line -> line.contains(" ERROR ")).forEach(errors::add);
      }
    }
    return errors;
  }

  private static String faults(String method, String path) {
    try (var http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + FAULTS + path))
                  .method(method, HttpRequest.BodyPublishers.noBody())
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
