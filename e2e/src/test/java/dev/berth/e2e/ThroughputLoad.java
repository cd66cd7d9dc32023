package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.group;
import static dev.berth.e2e.PodYaml.pod;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Numbers, not verdicts: 500 nodes × 8 devices on this machine. Not part of `verify`: run it with
/// `./mvnw -pl e2e -am verify -Dit.test=ThroughputLoad -Dsurefire.failIfNoSpecifiedTests=false`.
class ThroughputLoad {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String GROUPS = "/apis/berth.dev/v1alpha1/namespaces/default/podgroups";
  private static final int PORTS = 25000;
  private static final int EXTENDER = PORTS + Integer.getInteger("extenderOffset", 8);
  private static final int FILL = 4000;

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  @BeforeAll
  static void up() {
    cluster =
        ControlPlane.up(
            PORTS, "--nodes", "500", "--gpus", "8", "--plain-scheduler", "--long-lived");
    api = cluster.admin();
  }

  @Test
  void fillBesideThePlainScheduler() {
    var ratios = new ArrayList<Double>();
    int pairs = Integer.getInteger("pairs", 5);
    fill("warm-plain", "default-scheduler");
    fill("warm-berth", "berth");
    for (int pair = 0; pair < pairs; pair++) {
      double plain = fill("plain-" + pair, "default-scheduler");
      double berth = fill("berth-" + pair, "berth");
      ratios.add(plain / berth);
      System.out.printf(
          Locale.ROOT,
          "pair %d: plain %.1f s, berth %.1f s, ratio of rates %.2f%n",
          pair,
          plain,
          berth,
          plain / berth);
    }
    Collections.sort(ratios);
    System.out.printf(
        Locale.ROOT,
        "fill: median ratio %.2f (%.2f to %.2f)%n",
        ratios.get(ratios.size() / 2),
        ratios.getFirst(),
        ratios.getLast());
  }

  private double fill(String prefix, String scheduler) {
    boolean ours = scheduler.equals("berth");
    var before = Metrics.of(EXTENDER);
    var effort = Effort.upTo(cluster);
    var bindings = new Bindings(Map.of());
    var watch = api.watch(PODS, bindings::seen);
    var pods = new ArrayList<String>();
    for (int i = 0; i < FILL; i++) {
      pods.add(pod(prefix + "-" + i).by(scheduler).gpus(1).toString());
    }
    long begun = System.nanoTime();
    api.createAll(PODS, pods, 16);
    double created = (System.nanoTime() - begun) / 1e9;
    ControlPlane.await(
        prefix + " all bound",
        Duration.ofMinutes(5),
        () -> bindings.count(prefix) == FILL,
        () -> bindings.count(prefix) + " bound");
    double seconds = bindings.lastSeconds(prefix, begun);
    watch.interrupt();
    System.out.printf(
        Locale.ROOT, "%s: created in %.1f s, all bound after %.1f s%n", prefix, created, seconds);
    System.out.println("  " + Effort.upTo(cluster).since(effort));
    if (ours) {
      report(before, Metrics.of(EXTENDER), FILL);
    }
    wipe();
    return seconds;
  }

  private static void report(Metrics before, Metrics after, int pods) {
    System.out.printf(
        Locale.ROOT,
        "  API writes per pod %.3f; filter calls per pod %.2f%n",
        (after.sum("berth_api_writes_total", "") - before.sum("berth_api_writes_total", "")) / pods,
        (after.sum("berth_verb_seconds_count", "filter")
                - before.sum("berth_verb_seconds_count", "filter"))
            / pods);
    for (String verb : List.of("filter", "prioritize", "bind")) {
      System.out.println(
          "  "
              + verb
              + " p50 "
              + after.quantile(before, "berth_verb_seconds", verb, 0.5)
              + ", p99 "
              + after.quantile(before, "berth_verb_seconds", verb, 0.99));
    }
  }

  @Test
  void aGangOf512() {
    for (int round = 0; round < 4; round++) {
      String name = "gang-" + round;
      var bindings = new Bindings(Map.of(name, 512));
      var watch = api.watch(PODS, bindings::seen);
      var before = Metrics.of(EXTENDER);
      long begun = System.nanoTime();
      api.createOrFail(GROUPS, group(name, 512, ""));
      var members = new ArrayList<String>();
      for (int i = 0; i < 512; i++) {
        members.add(pod(name + "-" + i).in(name).gpus(1).toString());
      }
      api.createAll(PODS, members, 16);
      double created = (System.nanoTime() - begun) / 1e9;
      ControlPlane.await(
          name + " bound",
          Duration.ofMinutes(2),
          () -> bindings.count(name) == 512,
          () -> bindings.count(name) + " bound");
      System.out.printf(
          Locale.ROOT,
          "%s: created in %.1f s, last bound %.1f s after the first creation, %.1f s after the"
              + " last; bound in part for %.2f s%n",
          name,
          created,
          bindings.lastSeconds(name, begun),
          bindings.lastSeconds(name, begun) - created,
          bindings.longestPartlySeconds());
      report(before, Metrics.of(EXTENDER), 512);
      watch.interrupt();
      wipe();
    }
  }

  @Test
  void aGangThatCannotFit() {
    api.createAll(PODS, pods("full", FILL), 16);
    ControlPlane.await(
        "the cluster is full",
        Duration.ofMinutes(2),
        () -> api.list(PODS).stream().filter(Truth::isBound).count() == FILL,
        () -> "");
    var before = Metrics.of(EXTENDER);
    api.createOrFail(GROUPS, group("late", 16, ""));
    var members = new ArrayList<String>();
    for (int i = 0; i < 16; i++) {
      members.add(pod("late-" + i).in("late").gpus(1).toString());
    }
    api.createAll(PODS, members, 16);
    long begun = System.nanoTime();
    ControlPlane.await(
        "the group says why",
        Duration.ofSeconds(30),
        () -> api.get(GROUPS + "/late").at("/status/reason").asText().equals("NoRoom"),
        () -> api.get(GROUPS + "/late").toString());
    System.out.printf(
        Locale.ROOT,
        "says why %.2f s after its last member: %s%n",
        (System.nanoTime() - begun) / 1e9,
        api.get(GROUPS + "/late").at("/status/message").asText());
    Api.pause(Duration.ofSeconds(10));
    double filters =
        Metrics.of(EXTENDER).sum("berth_verb_seconds_count", "filter")
            - before.sum("berth_verb_seconds_count", "filter");
    System.out.printf(Locale.ROOT, "filter calls in the 10 s after: %.0f%n", filters);
    begun = System.nanoTime();
    for (int i = 0; i < 16; i++) {
      api.delete(PODS + "/full-" + i);
    }
    var bindings = new Bindings(Map.of("late", 16));
    var watch = api.watch(PODS, bindings::seen);
    ControlPlane.await(
        "the gang starts when room appears",
        Duration.ofSeconds(60),
        () -> bindings.count("late") == 16,
        () -> bindings.count("late") + " bound");
    System.out.printf(
        Locale.ROOT,
        "bound %.2f s after the room was asked for%n",
        bindings.lastSeconds("late", begun));
    watch.interrupt();
    wipe();
  }

  private static List<String> pods(String prefix, int count) {
    var pods = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      pods.add(pod(prefix + "-" + i).gpus(1).toString());
    }
    return pods;
  }

  /// A collection is deleted one by one, which may take longer than a call may last.
  private static void wipe() {
    api.delete(GROUPS);
    ControlPlane.await(
        "wiped",
        Duration.ofMinutes(5),
        () -> {
          api.delete(PODS + "?gracePeriodSeconds=0&timeout=25s");
          return api.list(PODS).isEmpty();
        },
        () -> "pods remain");
    Api.pause(Duration.ofSeconds(2));
  }
}
