package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.group;
import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Two replicas with a lease of 6 s, behind a front that leads to whichever is Ready. The leader is
/// killed while gangs and shares arrive, and later its successor is asked to go, while more do.
class FailoverIT {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String GROUPS = "/apis/berth.dev/v1alpha1/namespaces/default/podgroups";
  private static final int PORTS = 23800;
  private static final int FRONT = PORTS + 8;

  /// The lease, a look of the standby, the lists, and a crowded machine.
  private static final double FAILOVER_SECONDS = 30;

  /// A look of the standby and the lists.
  private static final double HANDOVER_SECONDS = 20;

  private final Random random = new Random(7);
  private final Replicas replicas = new Replicas(FRONT);
  private final TreeMap<String, Integer> minimum = new TreeMap<>();
  private final Bindings bindings = new Bindings(minimum);
  private int pods;

  @Test
  void nothingIsLostAndNothingIsGivenTwiceWhenTheLeaderChanges() {
    String missing = ControlPlane.missing();
    assumeTrue(missing.isEmpty(), missing);
    try (var cluster = ControlPlane.up(PORTS, "--nodes", "20", "--gpus", "8", "--replicas", "2")) {
      var api = cluster.admin();
      api.watch(PODS, bindings::seen);

      String killed = replicas.leader();
      double failover = whileMoreArrive(api, "a", () -> cluster.kill(killed));
      String next = replicas.leader();
      assertThat(next).as("who leads after the kill of " + killed).isNotEqualTo(killed);
      cluster.restart(killed);
      assertThat(replicas.readyz(killed).body())
          .as("what the one says that stands by")
          .startsWith("berth is not ready: ")
          .contains("holds the lease, this one stands by");

      double handover = whileMoreArrive(api, "b", () -> cluster.restart(next));
      assertThat(replicas.leader())
          .as("who leads after " + next + " was asked to go")
          .isEqualTo(killed);
      System.out.printf(
          Locale.ROOT,
          "fail-over after a kill: %.1f s (lease of 6 s); handover: %.1f s; %d pods bound;"
              + " longest time a gang was bound in part %.2f s%n",
          failover,
          handover,
          pods,
          bindings.longestPartlySeconds());
      assertThat(failover).as("seconds until somebody was ready").isLessThan(FAILOVER_SECONDS);
      assertThat(handover).as("seconds until somebody was ready").isLessThan(HANDOVER_SECONDS);
    }
  }

  /// @return seconds from when the leader was hurt until another was Ready
  private double whileMoreArrive(Api api, String prefix, Runnable hurt) {
    String before = replicas.leader();
    var objects = objects(api, prefix);
    pods += objects.size();
    var arriving = Thread.ofVirtual().start(() -> api.createAll(PODS, objects, 4));
    ControlPlane.await(
        "some of them are bound",
        Duration.ofSeconds(60),
        () -> bindings.count(prefix) >= objects.size() / 10,
        () -> bindings.count(prefix) + " of " + objects.size());
    long begun = System.nanoTime();
    var hurting = Thread.ofVirtual().start(hurt);
    ControlPlane.await(
        "another leads",
        Duration.ofSeconds(90),
        () -> !replicas.leader().isEmpty() && !replicas.leader().equals(before),
        () -> "leader: " + replicas.leader());
    double seconds = (System.nanoTime() - begun) / 1e9;
    var broken = new ArrayList<String>();
    ControlPlane.await(
        "every pod is bound",
        Duration.ofSeconds(180),
        () -> {
          broken.addAll(Truth.broken(api));
          return !arriving.isAlive() && bindings.count(prefix) >= objects.size();
        },
        () -> bindings.count(prefix) + " of " + objects.size() + " bound");
    join(hurting);
    broken.addAll(Truth.broken(api));
    assertThat(broken).as("rules about devices, read from the API alone").isEmpty();
    return seconds;
  }

  /// Ten gangs of four with half a device each, and forty shares.
  private List<String> objects(Api api, String prefix) {
    var objects = new ArrayList<String>();
    for (int gang = 0; gang < 10; gang++) {
      String name = prefix + "-gang-" + gang;
      minimum.put(name, 4);
      api.createOrFail(GROUPS, group(name, 4, ""));
      for (int member = 0; member < 4; member++) {
        objects.add(pod(name + "-" + member).in(name).share("0.5").toString());
      }
    }
    for (int single = 0; single < 40; single++) {
      objects.add(
          pod(prefix + "-single-" + single).share("0." + (2 + random.nextInt(6))).toString());
    }
    Collections.shuffle(objects, random);
    return objects;
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
