package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.group;
import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// More than sixty invalid values. Each is refused at creation, or made to wait with one sentence
/// that names the field; afterwards a good pod is placed as if nothing had been.
class BadInputIT {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String GROUPS = "/apis/berth.dev/v1alpha1/namespaces/default/podgroups";
  private static final String QUEUES = "/apis/berth.dev/v1alpha1/queues";
  private static final String TOPOLOGIES = "/apis/berth.dev/v1alpha1/topologies";

  /// @param mentions what the sentence must name
  private record Bad(String name, String path, String object, String mentions) {}

  private static List<Bad> pods() {
    var bad = new ArrayList<Bad>();
    for (String value :
        List.of(
            "1.5",
            "1",
            "0",
            "-0.5",
            "half",
            "",
            "0.12345",
            "50%",
            "0,5",
            "½",
            "1e-1",
            "NaN",
            "Infinity",
            "0.5 ",
            "９",
            "0x1",
            "+0.5")) {
      add(bad, pod("p").annotated("gpu-fraction", value), "gpu-fraction");
    }
    add(bad, pod("p").annotated("gpu-fraction", "9".repeat(3000)), "gpu-fraction");
    for (String value :
        List.of("0", "-1", "lots", "", "1.5", "8Gib", "99999999999999999999", "٨", "0Gi")) {
      add(bad, pod("p").annotated("gpu-memory", value), "gpu-memory");
    }
    for (String value : List.of("0", "-2", "two", "1.5", "99999999999", "")) {
      add(
          bad,
          pod("p").share("0.5").annotated("gpu-fraction-num-devices", value),
          "gpu-fraction-num-devices");
    }
    add(bad, pod("p").annotated("gpu-fraction-num-devices", "2"), "gpu-fraction-num-devices");
    add(bad, pod("p").share("0.5").annotated("gpu-memory", "1000"), "gpu-memory");
    add(bad, pod("p").share("0.5").gpus(1), "devices");
    add(bad, pod("p").annotated("gpu-memory", "1000").gpus(2), "devices");
    add(
        bad,
        pod("p").share("0.5").annotated("gpu-fraction-container-name", "nobody"),
        "gpu-fraction-container-name");
    add(bad, pod("p").share("0.5").annotated("gpu-fraction-limit", "0.2"), "gpu-fraction-limit");
    add(bad, pod("p").share("0.5").annotated("gpu-fraction-limit", "much"), "gpu-fraction-limit");
    add(
        bad,
        pod("p").annotated("gpu-memory", "1000").annotated("gpu-memory-limit", "10"),
        "gpu-memory-limit");
    add(
        bad,
        pod("p").share("0.5").annotated("berth.dev/gpu-isolation", "magic"),
        "berth.dev/gpu-isolation");
    add(bad, pod("p").gpus(1).annotated("berth.dev/min-member", "0"), "berth.dev/min-member");
    add(bad, pod("p").gpus(1).annotated("berth.dev/min-member", "many"), "berth.dev/min-member");
    add(
        bad,
        pod("p").gpus(1).annotated("berth.dev/expected-runtime", "soon"),
        "berth.dev/expected-runtime");
    add(bad, pod("p").gpus(1).annotated("berth.dev/max-runtime", "-5m"), "berth.dev/max-runtime");
    add(
        bad,
        pod("p").gpus(1).annotated("berth.dev/preemption-delay", "5 minutes"),
        "berth.dev/preemption-delay");
    add(
        bad,
        pod("p").gpus(1).annotated("berth.dev/staleness-grace-period", "x"),
        "berth.dev/staleness-grace-period");
    add(
        bad,
        pod("p").gpus(1).labelled("berth.dev/preemptibility", "perhaps"),
        "berth.dev/preemptibility");
    add(bad, pod("p").gpus(1).labelled("berth.dev/queue", "nowhere"), "nowhere");
    add(bad, pod("p").gpus(1).labelled("berth.dev/queue", "ring-a"), "ring-");
    add(bad, pod("p").gpus(1).labelled("berth.dev/queue", "parent"), "parent");
    add(bad, pod("p").gpus(1).labelled("berth.dev/queue", "orphan"), "");
    add(bad, pod("p").gpus(1).in("no-such-group"), "no-such-group");
    add(bad, pod("p").gpus(1).in("roles").labelled("berth.dev/subgroup", "stranger"), "stranger");
    add(bad, pod("p").gpus(1).annotated("berth.dev/plan", "node=x"), "berth.dev/plan");
    add(
        bad,
        pod("p").share("0.5").annotated("berth.dev/gpu-devices", "GPU-stolen"),
        "berth.dev/gpu-devices");
    add(bad, pod("p").share("0.5").annotated("berth.dev/gpu-share", "1"), "berth.dev/gpu-share");
    return bad;
  }

  private static void add(List<Bad> all, PodYaml pod, String mentions) {
    String name = "bad-" + all.size();
    all.add(
        new Bad(
            name,
            PODS,
            pod.toString().replace("\"name\": \"p\"", "\"name\": \"" + name + "\""),
            mentions));
  }

  private static List<Bad> objects() {
    return List.of(
        new Bad("zero", GROUPS, group("zero", 0, ""), "minMember"),
        new Bad("negative", GROUPS, group("negative", -3, ""), "minMember"),
        new Bad("both", GROUPS, group("both", 2, "\"minSubGroup\": 1"), "minSubGroup"),
        new Bad(
            "twins",
            GROUPS,
            group("twins", 2, "\"subGroups\": [{\"name\": \"a\"}, {\"name\": \"a\"}]"),
            "subGroups"),
        new Bad(
            "delay", GROUPS, group("delay", 2, "\"preemptionDelay\": \"soon\""), "preemptionDelay"),
        new Bad(
            "kind", GROUPS, group("kind", 2, "\"preemptibility\": \"Maybe\""), "preemptibility"),
        new Bad("self", QUEUES, queue("self", "\"parent\": \"self\""), "parent"),
        new Bad("minus", QUEUES, queue("minus", "\"quota\": {\"gpu\": -1}"), "quota"),
        new Bad("lots", QUEUES, queue("lots", "\"quota\": {\"gpu\": \"lots\"}"), "quota"),
        new Bad("limit", QUEUES, queue("limit", "\"limit\": {\"gpu\": -2}"), "limit"),
        new Bad("weight", QUEUES, queue("weight", "\"weight\": {\"gpu\": -1}"), "weight"),
        new Bad(
            "levels",
            TOPOLOGIES,
            """
            {"apiVersion": "berth.dev/v1alpha1", "kind": "Topology",
             "metadata": {"name": "levels"}, "spec": {"levels": []}}
            """,
            "levels"));
  }

  private static String queue(String name, String spec) {
    return """
    {"apiVersion": "berth.dev/v1alpha1", "kind": "Queue", "metadata": {"name": "%s"},
     "spec": {%s}}
    """
        .formatted(name, spec);
  }

  /// Where no policy refuses them, wrong values of these are told, and count as absent.
  private static final List<String> IGNORED =
      List.of(
          "berth.dev/preemption-delay",
          "berth.dev/staleness-grace-period",
          "berth.dev/preemptibility");

  @Test
  void isRefusedByThePolicies() {
    run(26000, true);
  }

  @Test
  void waitsWithASentenceWithoutThem() {
    run(27000, false);
  }

  private void run(int ports, boolean policies) {
    var options = new ArrayList<>(List.of("--nodes", "2", "--gpus", "8"));
    if (!policies) {
      options.add("--no-policies");
    }
    try (var cluster = ControlPlane.up(ports, options.toArray(String[]::new))) {
      var api = cluster.as(policies ? "alice" : "admin");
      var admin = cluster.admin();
      for (String name : List.of("ring-a", "ring-b", "child", "parent", "orphan")) {
        String parent =
            Map.of("ring-a", "ring-b", "ring-b", "ring-a", "child", "parent", "orphan", "gone")
                .getOrDefault(name, "");
        admin.createOrFail(
            QUEUES, queue(name, parent.isEmpty() ? "" : "\"parent\": \"" + parent + "\""));
      }
      admin.createOrFail(
          GROUPS,
          group("roles", 1, "\"subGroups\": [{\"name\": \"leader\", \"minMember\": 1}]")
              .replace("\"minMember\": 1, \"sub", "\"minSubGroup\": 1, \"sub"));
      var waiting = new TreeMap<String, Bad>();
      var silent = new ArrayList<String>();
      int refused = 0;
      for (var bad : pods()) {
        if (!policies && isHarmless(bad)) {
          continue;
        }
        var answer = api.create(bad.path(), bad.object());
        if (answer.isOk()) {
          waiting.put(bad.name(), bad);
        } else {
          refused++;
          check(bad, answer.message(), silent);
        }
      }
      for (var bad : objects()) {
        var answer = admin.create(bad.path(), bad.object());
        assertThat(answer.status()).as(bad.name() + " is refused").isBetween(400, 499);
        check(bad, answer.message(), silent);
      }
      admin.createOrFail(PODS, pod("good").share("0.5").toString());
      ControlPlane.await(
          "a good pod is placed",
          Duration.ofSeconds(60),
          () -> Truth.isBound(admin.get(PODS + "/good")),
          () -> admin.get(PODS + "/good").toString());
      var told = new TreeMap<String, String>();
      ControlPlane.await(
          "each that was let in says why it waits",
          Duration.ofSeconds(90),
          () -> {
            notes(admin, told);
            return silentOnes(waiting, told).isEmpty();
          },
          () -> "silent, or say something else: " + silentOnes(waiting, told));
      for (var bad : waiting.values()) {
        if (!IGNORED.contains(bad.mentions())) {
          assertThat(Truth.isBound(admin.get(PODS + "/" + bad.name())))
              .as(bad.name() + " is bound: " + bad.object())
              .isFalse();
        }
      }
      assertThat(silent).as("sentences that do not name what is wrong").isEmpty();
      System.out.println(
          "bad inputs: "
              + (refused + objects().size())
              + " refused, "
              + waiting.size()
              + " wait with a sentence");
    }
  }

  /// Refused by the policies for the sake of one spelling, or because only Berth writes it. Without
  /// them the parser takes `+0.5` for what it says, and a plan that is none is not read.
  private static boolean isHarmless(Bad bad) {
    return List.of("1e-1", "0.5 \"", "+0.5", "berth.dev/plan", "gpu-devices", "gpu-share").stream()
        .anyMatch(bad.object()::contains);
  }

  /// A pod without a gate is refused by the extender, and kube-scheduler tells it in its words.
  private static void check(Bad bad, String sentence, List<String> silent) {
    if (!sentence.contains(bad.mentions())) {
      silent.add(bad.object() + " → " + sentence);
    }
  }

  /// Those whose last word does not name what is wrong. A group is told once before its first
  /// member came, so the first word need not be the last.
  private static List<String> silentOnes(Map<String, Bad> waiting, Map<String, String> told) {
    var silent = new ArrayList<String>();
    waiting.values().forEach(bad -> check(bad, told.getOrDefault(bad.name(), ""), silent));
    return silent;
  }

  /// The note of the last event on each pod, and on each group for its members: events are listed
  /// by name, which says nothing about time.
  private static void notes(Api api, Map<String, String> told) {
    told.clear();
    var ofGroups = new TreeMap<String, String>();
    var events = new ArrayList<>(api.list("/apis/events.k8s.io/v1/namespaces/default/events"));
    events.sort(Comparator.comparing(event -> event.path("eventTime").asText()));
    for (var event : events) {
      if (!event.path("reportingController").asText().startsWith("berth.dev")) {
        continue;
      }
      String name = event.at("/regarding/name").asText();
      if (event.at("/regarding/kind").asText().equals("PodGroup")) {
        ofGroups.put(name, event.path("note").asText());
      } else {
        told.put(name, event.path("note").asText());
      }
    }
    for (JsonNode pod : api.list(PODS)) {
      String group = pod.path("metadata").path("labels").path("berth.dev/pod-group").asText();
      if (ofGroups.containsKey(group)) {
        told.putIfAbsent(Api.name(pod), ofGroups.get(group));
      }
      for (JsonNode condition : pod.at("/status/conditions")) {
        if (condition.path("message").asText().contains("berth: ")) {
          told.putIfAbsent(Api.name(pod), condition.path("message").asText());
        }
      }
    }
  }
}
