package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.group;
import static dev.berth.e2e.PodYaml.pod;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;

/// The users of a chaotic cluster: two queues whose turn to be hungry changes, shares, whole
/// devices and gangs, pods that end and make room.
///
/// Evicted pods are not created again. A gang that lost a member gives up: the rest of it is
/// deleted, as a Job does that fails.
final class Arrivals {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String GROUPS = "/apis/berth.dev/v1alpha1/namespaces/default/podgroups";
  private static final List<String> QUEUES = List.of("left", "right");

  /// How long after its deadline a Binding may arrive that was sent before: the longest write.
  private static final Duration LATE = Duration.ofSeconds(6);

  private final Api api;
  private final Random random;
  private final Bindings bindings;
  private final Map<String, Integer> minimum;
  private final Map<String, String> gangOf = new LinkedHashMap<>(); // live pods; "" = no gang
  private final TreeSet<String> late = new TreeSet<>();
  private int created;
  private int ended;
  private int evicted;
  private int gaveUp;

  /// @param minimum of gangs; filled here
  Arrivals(Api api, Random random, Bindings bindings, Map<String, Integer> minimum) {
    this.api = api;
    this.random = random;
    this.bindings = bindings;
    this.minimum = minimum;
  }

  int created() {
    return created;
  }

  int alive() {
    return gangOf.size();
  }

  /// Plans that were carried out when they had long lapsed.
  List<String> late() {
    return List.copyOf(late);
  }

  String told() {
    return String.format(
        Locale.ROOT,
        "%d pods: %d ran to their end, %d were evicted, %d given up by gangs that lost a member, %d"
            + " are there",
        created,
        ended,
        evicted,
        gaveUp,
        alive());
  }

  /// So many pods or some more. The hungry queue changes every half minute.
  void come(int count) {
    String hungry = QUEUES.get((int) (System.nanoTime() / 30_000_000_000L % 2));
    var objects = new ArrayList<String>();
    while (objects.size() < count) {
      String queue = random.nextInt(5) == 0 ? QUEUES.get(random.nextInt(2)) : hungry;
      if (random.nextInt(8) == 0) {
        gang(queue, objects);
      } else {
        String name = "single-" + created++;
        gangOf.put(name, "");
        objects.add(sized(ending(pod(name), queue), random.nextInt(10)).toString());
      }
    }
    api.createAll(PODS, objects, 4);
  }

  private void gang(String queue, List<String> objects) {
    String name = "gang-" + created;
    int size = 2 + random.nextInt(7);
    int shape = random.nextInt(8);
    synchronized (bindings) {
      minimum.put(name, size);
    }
    api.create(GROUPS, group(name, size, "\"queue\": \"" + queue + "\"")); // or it is there already
    for (int member = 0; member < size; member++) {
      String each = name + "-" + member;
      created++;
      gangOf.put(each, name);
      objects.add(sized(ending(pod(each), queue).in(name), shape).toString());
    }
  }

  private PodYaml ending(PodYaml pod, String queue) {
    return pod.labelled("berth.dev/queue", queue)
        .annotated("e2e/duration", 5 + random.nextInt(30) + "s");
  }

  private PodYaml sized(PodYaml pod, int shape) {
    return switch (shape) {
      case 0, 1, 2 -> pod.gpus(1);
      case 3 -> pod.gpus(2);
      case 4 -> share(pod, 200).annotated("gpu-fraction-num-devices", "2");
      case 5 -> pod.annotated("gpu-memory", Integer.toString(8192 + random.nextInt(32768)));
      case 8 -> pod.gpus(4);
      case 9 -> pod.gpus(8);
      default -> share(pod, 700);
    };
  }

  private PodYaml share(PodYaml pod, int most) {
    return pod.share(String.format(Locale.ROOT, "%.3f", (100 + random.nextInt(most)) / 1000.0));
  }

  /// One look at all pods: pods that are over are deleted, and a gang that lost a member gives up.
  void tidy() {
    var pods = new HashMap<String, JsonNode>();
    api.list(PODS).forEach(pod -> pods.put(Api.name(pod), pod));
    var broken = new TreeSet<String>();
    var over = new ArrayList<String>();
    for (var each : gangOf.entrySet()) {
      var pod = pods.get(each.getKey());
      if (pod == null) {
        evicted++;
        over.add(each.getKey());
        broken.add(each.getValue());
        continue;
      }
      check(pod);
      if (Truth.isOver(pod)) {
        ended++;
        over.add(each.getKey());
        delete(each.getKey());
      }
    }
    var ends = new TreeSet<String>();
    over.forEach(name -> ends.add(gangOf.remove(name)));
    ends.remove("");
    broken.remove("");
    broken.forEach(this::giveUp);
    ends.removeAll(broken);
    ends.removeAll(gangOf.values());
    ends.forEach(gang -> api.delete(GROUPS + "/" + gang)); // its last member is over
  }

  private void check(JsonNode pod) {
    String plan = pod.path("metadata").path("annotations").path("berth.dev/plan").asText();
    int until = plan.indexOf("until=");
    for (JsonNode condition : pod.at("/status/conditions")) {
      boolean bound =
          condition.path("type").asText().equals("PodScheduled")
              && condition.path("status").asText().equals("True");
      if (bound && until >= 0) {
        var when = Instant.parse(condition.path("lastTransitionTime").asText());
        if (when.isAfter(Instant.parse(plan.substring(until + 6)).plus(LATE))) {
          late.add(Api.name(pod) + " bound at " + when + " by " + plan);
        }
      }
    }
  }

  private void giveUp(String gang) {
    bindings.forget(gang);
    for (String name : List.copyOf(gangOf.keySet())) {
      if (gang.equals(gangOf.get(name))) {
        gangOf.remove(name);
        gaveUp++;
        delete(name);
      }
    }
    api.delete(GROUPS + "/" + gang);
  }

  private void delete(String name) {
    api.delete(PODS + "/" + name + "?gracePeriodSeconds=0");
  }

  /// The waiting pods, with their messages, for diagnosis.
  List<String> waiting() {
    return api.list(PODS).stream()
        .filter(pod -> !Truth.isBound(pod))
        .limit(5)
        .map(JsonNode::toString)
        .toList();
  }
}
