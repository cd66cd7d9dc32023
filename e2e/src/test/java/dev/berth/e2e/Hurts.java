package dev.berth.e2e;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// What befalls a cluster with two replicas of Berth: one of its processes after the other is
/// killed (KILL), and leases are stolen. Whatever ended is started again, as a kubelet would.
///
/// It measures how long no process answered: from the kill of a leader, or from when its lease was
/// another's, until some process of Berth is Ready that was not the leader before.
final class Hurts {
  private static final String LEASE =
      "/apis/coordination.k8s.io/v1/namespaces/berth-system/leases/berth";
  private static final List<String> RUNNING =
      List.of("etcd", "kube-apiserver", "kwok", "kube-scheduler", "berth-1", "berth-2");
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private enum Hurt {
    LEADER,
    STANDBY,
    SCHEDULER,
    API_SERVER,
    ETCD,
    LEASE
  }

  private final ControlPlane cluster;
  private final Replicas replicas;
  private final Random random;
  private final Map<Hurt, Integer> done = new TreeMap<>();
  private final List<Double> afterKills = Collections.synchronizedList(new ArrayList<>());
  private final Map<Long, Thread> comingBack = new TreeMap<>(); // by the pids that ended
  private final List<Double> afterThefts = Collections.synchronizedList(new ArrayList<>());

  Hurts(ControlPlane cluster, Replicas replicas, Random random) {
    this.cluster = cluster;
    this.replicas = replicas;
    this.random = random;
  }

  /// One after the other, each of the six once a round, until the time is up; then all runs.
  void until(long endNanos) {
    var round = new ArrayList<Hurt>();
    while (System.nanoTime() < endNanos) {
      Api.pause(Duration.ofMillis(4000 + random.nextInt(9000)));
      if (round.isEmpty()) {
        round.addAll(List.of(Hurt.values()));
        Collections.shuffle(round, random);
      }
      hurt(round.removeLast());
      revive();
    }
  }

  private void hurt(Hurt hurt) {
    System.out.println("hurt: " + hurt);
    switch (hurt) {
      case LEADER -> killLeader();
      case STANDBY ->
          Replicas.NAMES.stream()
              .filter(name -> !replicas.leads(name))
              .findFirst()
              .ifPresent(this::blink);
      case SCHEDULER -> blink("kube-scheduler");
      case API_SERVER -> blink("kube-apiserver");
      case ETCD -> blink("etcd");
      case LEASE -> steal();
    }
    done.merge(hurt, 1, Integer::sum);
  }

  private void blink(String name) {
    kill(name);
    Api.pause(Duration.ofMillis(random.nextInt(1500)));
    cluster.restart(name);
  }

  /// A process that lost the lease to an earlier fault may end by itself before this one.
  private void kill(String name) {
    try {
      cluster.kill(name);
    } catch (IllegalStateException notKilled) {
      if (isAlive(cluster.pid(name))) {
        throw notKilled;
      }
    }
  }

  private void killLeader() {
    String leader = awaitLeader();
    long begun = System.nanoTime();
    kill(leader);
    var back = Thread.ofVirtual().start(() -> cluster.restart(leader));
    awaitLeader();
    afterKills.add((System.nanoTime() - begun) / 1e9);
    join(back);
  }

  /// As an operator's mistake, or an unknown third process: it never renews.
  private void steal() {
    String leader = awaitLeader();
    long pid = cluster.pid(leader);
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString().replace("Z", ".000000Z");
    long begun = System.nanoTime();
    cluster
        .admin()
        .patch(
            LEASE,
            "{\"spec\": {\"holderIdentity\": \"thief\", \"leaseDurationSeconds\": 6,"
                + " \"renewTime\": \"%s\"}}".formatted(now));
    ControlPlane.await(
        "who lost the lease ends", PATIENCE, () -> !isAlive(pid), () -> leader + " runs");
    awaitLeader();
    afterThefts.add((System.nanoTime() - begun) / 1e9);
  }

  /// Starts what has ended.
  void revive() {
    comingBack.values().forEach(Hurts::join);
    for (String name : RUNNING) {
      if (!isAlive(cluster.pid(name))) {
        cluster.restart(name);
      }
    }
  }

  private String awaitLeader() {
    ControlPlane.await(
        "somebody leads",
        PATIENCE,
        () -> {
          Replicas.NAMES.forEach(this::comeBack);
          return !replicas.leader().isEmpty();
        },
        () -> "nobody Ready; ended: " + comingBack.keySet());
    return replicas.leader();
  }

  /// A replica that ended by itself, for its lease was lost, is started again beside us.
  private void comeBack(String replica) {
    long pid = cluster.pid(replica);
    if (pid > 0 && !isAlive(pid)) {
      comingBack.computeIfAbsent(
          pid, _ -> Thread.ofVirtual().start(() -> cluster.restart(replica)));
    }
  }

  private static boolean isAlive(long pid) {
    return pid > 0 && ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  /// What was done, and how long no process answered.
  String told() {
    return done
        + "\nfail-over after a kill: "
        + quantiles(afterKills)
        + "\nafter a stolen lease:   "
        + quantiles(afterThefts);
  }

  private static String quantiles(List<Double> seconds) {
    if (seconds.isEmpty()) {
      return "none";
    }
    var sorted = seconds.stream().sorted().toList();
    return String.format(
        Locale.ROOT,
        "p50 %.1f s, p99 %.1f s, of %d",
        sorted.get((sorted.size() - 1) / 2),
        sorted.get((int) Math.ceil(sorted.size() * 0.99) - 1),
        sorted.size());
  }
}
