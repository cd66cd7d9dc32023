package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.group;
import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Two replicas with a lease of 3 s, as Berth is shipped, behind a front that leads to the leader.
/// The leader is killed while gangs and shares arrive, and later its successor is asked to go,
/// while more do.
class FailoverIT {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String GROUPS = "/apis/berth.dev/v1alpha1/namespaces/default/podgroups";
  private static final int PORTS = 23800;
  private static final Replicas REPLICAS = new Replicas(PORTS + 8);

  private static final int LEASE_SECONDS = 3;

  /// The aim is 5 s at p99 ([FailoverLoad] counts it), on a machine that is not busy.
  private static final double LONGEST_SECONDS = 8;

  /// To tell how long it takes where it takes longer.
  private static final Duration PATIENCE = Duration.ofSeconds(LEASE_SECONDS + 75);

  private final Random random = new Random(7);
  private final Map<String, Integer> minimum = new ConcurrentSkipListMap<>(); // the watch reads it
  private final Bindings bindings = new Bindings(minimum);
  private int pods;

  @Test
  void nothingIsLostAndNothingIsGivenTwiceWhenTheLeaderChanges() {
    try (var cluster = up()) {
      var api = cluster.admin();
      var watch = api.watch(PODS, bindings::seen);
      var failover = whileMoreArrive(api, "a", cluster::killNow);
      cluster.restart(failover.from());
      ControlPlane.await(
          "the one that was killed is back, says that it stands by, and is Ready",
          () ->
              standsBy(REPLICAS.leadz(failover.from()).body())
                  && REPLICAS.readyz(failover.from()).status() == 200,
          () -> REPLICAS.leadz(failover.from()) + " " + REPLICAS.readyz(failover.from()));
      var handover = whileMoreArrive(api, "b", cluster::restart);
      watch.interrupt();
      System.out.printf(
          Locale.ROOT,
          "fail-over after a kill: %.1f s (lease of %d s); handover: %.1f s; %d pods bound;"
              + " longest time a gang was bound in part %.2f s%n",
          failover.seconds(),
          LEASE_SECONDS,
          handover.seconds(),
          pods,
          bindings.longestPartlySeconds());
      assertThat(failover.seconds())
          .as("seconds from the end of %s until another led", failover.from())
          .isLessThanOrEqualTo(LONGEST_SECONDS);
    }
  }

  private static ControlPlane up() {
    String lease = Integer.toString(LEASE_SECONDS);
    return ControlPlane.up(
        PORTS, "--nodes", "20", "--gpus", "8", "--replicas", "2", "--lease", lease);
  }

  private static boolean standsBy(String words) {
    return words.startsWith("berth is not ready: ")
        && words.contains("holds the lease, this one stands by");
  }

  /// @param from the leader before
  /// @param seconds from when it was hurt until another answered the verbs
  private record Change(String from, double seconds) {}

  private Change whileMoreArrive(Api api, String prefix, Consumer<String> hurt) {
    var objects = objects(api, prefix);
    pods += objects.size();
    var failed = new AtomicReference<Throwable>();
    var beside = Thread.ofVirtual().uncaughtExceptionHandler((_, why) -> failed.set(why));
    var arriving = beside.start(() -> api.createAll(PODS, objects, 4));
    ControlPlane.await(
        "some of them are bound",
        () -> bindings.count(prefix) >= objects.size() / 10,
        () -> bindings.count(prefix) + " of " + objects.size());
    String before = someLeader();
    long begun = System.nanoTime();
    var hurting = beside.start(() -> hurt.accept(before));
    ControlPlane.await(
        "another leads than " + before,
        PATIENCE,
        () -> isAnother(REPLICAS.leader(), before),
        () -> REPLICAS.leadz("berth-1") + " " + REPLICAS.leadz("berth-2"));
    double seconds = (System.nanoTime() - begun) / 1e9;
    var broken = new ArrayList<String>();
    ControlPlane.await(
        "every pod is bound",
        Duration.ofSeconds(240),
        () -> {
          broken.addAll(Truth.broken(api));
          return !arriving.isAlive() && bindings.count(prefix) >= objects.size();
        },
        () -> bindings.count(prefix) + " of " + objects.size() + " bound");
    Hurts.join(hurting);
    assertThat(failed.get())
        .as("what went wrong beside: pods that arrive, and the end of " + before)
        .isNull();
    broken.addAll(Truth.broken(api));
    assertThat(broken).as("rules about devices, read from the API alone").isEmpty();
    return new Change(before, seconds);
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

  private static String someLeader() {
    var leader = new AtomicReference<String>("");
    ControlPlane.await(
        "somebody leads",
        () -> !leader.updateAndGet(_ -> REPLICAS.leader()).isEmpty(),
        () -> REPLICAS.leadz("berth-1") + " " + REPLICAS.leadz("berth-2"));
    return leader.get();
  }

  private static boolean isAnother(String leader, String before) {
    return !leader.isEmpty() && !leader.equals(before);
  }
}
