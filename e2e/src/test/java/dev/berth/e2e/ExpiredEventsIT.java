package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.group;
import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// kube-apiserver keeps an event for an hour, here for seconds. Afterwards pods that wait and their
/// PodGroups say the same as before. (That Berth tells an event again before that hour is over:
/// `GroupKeeperTest`.)
class ExpiredEventsIT {
  private static final int PORTS = 22300;
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String GROUPS = "/apis/berth.dev/v1alpha1/namespaces/default/podgroups";
  private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";

  /// One that waits by itself, members of a gang that finds no room, and one of a gang that is not
  /// complete.
  private static final List<String> WAITING = List.of("alone", "gang-0", "gang-1", "first-0");

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  @BeforeAll
  static void up() {
    cluster =
        ControlPlane.up(
            PORTS, "--nodes", "1", "--gpus", "4", "--apiserver-flags", "--event-ttl=25s");
    api = cluster.admin();
  }

  @Test
  void podsAndGroupsSayWhyTheyWaitWhenTheirEventsHaveExpired() {
    for (String name : List.of("gang", "first")) {
      api.createOrFail(GROUPS, group(name, 3, ""));
    }
    api.createOrFail(PODS, pod("alone").gpus(8).toString());
    for (int i = 0; i < 3; i++) {
      api.createOrFail(PODS, pod("gang-" + i).in("gang").gpus(2).toString());
    }
    api.createOrFail(PODS, pod("first-0").in("first").gpus(1).toString());
    ControlPlane.await(
        "each has an event that says what the pod says, and so has its PodGroup",
        () -> WAITING.stream().allMatch(ExpiredEventsIT::hasItsEvent),
        ExpiredEventsIT::state);
    var pods = new TreeMap<String, String>();
    WAITING.forEach(pod -> pods.put(pod, words(pod)));
    var groups = new TreeMap<String, String>();
    List.of("gang", "first").forEach(name -> groups.put(name, wordsOfGroup(name)));
    assertThat(pods.get("alone")).startsWith("NeverFits: Waits: ");
    assertThat(pods.get("gang-0")).endsWith(" (PodGroup gang)");
    assertThat(pods.get("first-0"))
        .isEqualTo(
            "TooFewMembers: Waits: the group has 1 of the 3 members that start together. Helps: 2"
                + " more pods, or a minimum of 1. (PodGroup first)");

    ControlPlane.await(
        "all events expire", () -> api.list(EVENTS).isEmpty(), ExpiredEventsIT::state);
    pods.forEach((pod, words) -> assertThat(words(pod)).as(pod).isEqualTo(words));
    groups.forEach((name, words) -> assertThat(wordsOfGroup(name)).as(name).isEqualTo(words));
    pods.forEach((pod, words) -> {
      if (!pod.equals("alone")) {
        String group = pod.replaceAll("-\\d$", "");
        assertThat(words).isEqualTo(groups.get(group) + " (PodGroup " + group + ")");
      }
    });
  }

  private static boolean hasItsEvent(String pod) {
    String words = words(pod);
    return !words.isEmpty()
        && api.list(EVENTS).stream()
            .filter(event -> event.at("/regarding/name").asText().equals(pod))
            .anyMatch(event ->
                words.equals(event.path("reason").asText() + ": " + event.path("note").asText()));
  }

  /// Of the condition `PodScheduled`.
  private static String words(String pod) {
    for (JsonNode condition : api.get(PODS + "/" + pod).at("/status/conditions")) {
      if (condition.path("type").asText().equals("PodScheduled")) {
        return condition.path("message").asText();
      }
    }
    return "";
  }

  private static String wordsOfGroup(String name) {
    var status = api.get(GROUPS + "/" + name).path("status");
    return status.path("reason").asText() + ": " + status.path("message").asText();
  }

  private static String state() {
    return api.list(PODS) + "\n" + api.list(GROUPS) + "\n" + api.list(EVENTS);
  }
}
