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
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// 1,500 pods with shares, 100 gangs among them, on 100 nodes × 8 devices, while Berth is killed
/// ten times, kube-scheduler twice and kube-apiserver once. Not part of `verify`: run it with
/// `./mvnw -pl e2e -am verify -Dit.test=ChaosLoad -Dsurefire.failIfNoSpecifiedTests=false`.
class ChaosLoad {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final int COUNT = 1500;
  private static final int GANGS = 100;

  /// From plan to binding, and the grace of a gang that fell below its minimum.
  private static final double DEADLINE_SECONDS = 60;

  @Test
  void nothingIsLostAndNothingIsGivenTwice() {
    long seed = Long.getLong("seed", 42);
    System.out.println("seed " + seed);
    var random = new Random(seed);
    try (var cluster = ControlPlane.up(24000, "--nodes", "100", "--gpus", "8")) {
      var api = cluster.admin();
      var minimum = new TreeMap<String, Integer>();
      var objects = objects(random, minimum);
      for (var gang : minimum.entrySet()) {
        api.createOrFail(
            "/apis/berth.dev/v1alpha1/namespaces/default/podgroups",
            group(gang.getKey(), gang.getValue(), ""));
      }
      var bindings = new Bindings(minimum);
      api.watch(PODS, bindings::seen);
      long begun = System.nanoTime();
      var chaos = Thread.ofVirtual().start(() -> hurt(cluster, new Random(seed + 1)));
      api.createAll(PODS, objects, 8);
      System.out.printf(
          Locale.ROOT, "created %d pods in %.1f s%n", COUNT, (System.nanoTime() - begun) / 1e9);
      var broken = new ArrayList<String>();
      ControlPlane.await(
          "every pod runs",
          Duration.ofMinutes(12),
          () -> {
            broken.addAll(Truth.broken(api));
            Api.pause(Duration.ofSeconds(2));
            return !chaos.isAlive() && bindings.count("") >= COUNT;
          },
          () -> bindings.count("") + " of " + COUNT + " bound; waiting: " + waiting(api));
      System.out.printf(
          Locale.ROOT,
          "all %d bound after %.1f s; longest time a gang was bound in part %.2f s%n",
          COUNT,
          bindings.lastSeconds("", begun),
          bindings.longestPartlySeconds());
      System.out.println("in part for more than 10 s: " + bindings.partlyLongerThan(10));
      broken.addAll(Truth.broken(api));
      assertThat(broken).as("rules about devices, read from the API alone").isEmpty();
      assertThat(bindings.longestPartlySeconds())
          .as("seconds a gang was bound in part")
          .isLessThan(DEADLINE_SECONDS);
    }
  }

  private static List<String> waiting(Api api) {
    return api.list(PODS).stream()
        .filter(pod -> !Truth.isBound(pod))
        .limit(5)
        .map(Object::toString)
        .toList();
  }

  /// Ten times Berth, twice kube-scheduler, once kube-apiserver, in a random order.
  private static void hurt(ControlPlane cluster, Random random) {
    var victims = new ArrayList<>(Collections.nCopies(10, "berth"));
    victims.addAll(List.of("kube-scheduler", "kube-scheduler", "kube-apiserver"));
    Collections.shuffle(victims, random);
    for (String victim : victims) {
      Api.pause(Duration.ofMillis(2000 + random.nextInt(4000)));
      cluster.kill(victim);
      Api.pause(Duration.ofMillis(random.nextInt(1500)));
      cluster.restart(victim);
      System.out.println("killed and restarted " + victim);
    }
  }

  private static List<String> objects(Random random, Map<String, Integer> minimum) {
    var objects = new ArrayList<String>();
    for (int gang = 0; gang < GANGS; gang++) {
      String name = "gang-" + gang;
      int size = 2 + random.nextInt(15);
      minimum.put(name, size);
      for (int member = 0; member < size; member++) {
        var pod = pod(name + "-" + member).in(name);
        objects.add((gang % 8 == 0 ? pod.gpus(1) : share(pod, random, 400)).toString());
      }
    }
    for (int single = 0; objects.size() < COUNT; single++) {
      var pod = pod("single-" + single);
      objects.add(
          switch (random.nextInt(10)) {
            case 0 -> pod.gpus(1).toString();
            case 1 ->
                pod.annotated("gpu-memory", Integer.toString(8192 + random.nextInt(32768)))
                    .toString();
            case 2 -> share(pod, random, 200).annotated("gpu-fraction-num-devices", "2").toString();
            default -> share(pod, random, random.nextInt(4) == 0 ? 800 : 400).toString();
          });
    }
    Collections.shuffle(objects, random);
    return objects;
  }

  /// A share from 0.1 to `most` more thousandths.
  private static PodYaml share(PodYaml pod, Random random, int most) {
    return pod.share(String.format(Locale.ROOT, "%.3f", (100 + random.nextInt(most)) / 1000.0));
  }
}
