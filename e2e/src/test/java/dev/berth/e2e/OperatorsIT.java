package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// JobSet and LeaderWorkerSet with their own controllers and webhooks: the examples live through
/// creation, suspension, scaling, failure, reclaim and their end (docs/operators/operators.md).
class OperatorsIT {
  private static final String JOBSETS = "/apis/jobset.x-k8s.io/v1alpha2/namespaces/default/jobsets";
  private static final String SETS =
      "/apis/leaderworkerset.x-k8s.io/v1/namespaces/default/leaderworkersets";

  @AutoClose private static OperatorWorld world;

  @BeforeAll
  static void up() {
    world = OperatorWorld.up(31200, "jobset", "lws");
  }

  @AfterEach
  void clean() {
    world.clean();
  }

  /// With three GPUs free in each rack the second block would be split, did it not share a rack.
  @Test
  void aJobSet() {
    world.leaveFree(3, 3);
    var set = world.example("jobset");
    var spec = (ObjectNode) set.path("spec");
    spec.put("suspend", true);
    spec.putObject("failurePolicy").put("maxRestarts", 1);
    for (JsonNode job : spec.path("replicatedJobs")) { // so that one failure is one restart
      ((ObjectNode) job.at("/template/spec")).put("backoffLimit", 0);
    }
    world.create(JOBSETS, set);
    world.await("it is suspended", () -> world.condition(JOBSETS + "/llm", "Suspended"));
    assertThat(world.pods("llm-")).isEmpty();

    world.api.patch(JOBSETS + "/llm", "{\"spec\": {\"suspend\": false}}");
    world.awaitBound("llm-", 5);
    assertThat(world.group("llm").at("/spec/subGroups")).as("a tree of Jobs").hasSize(5);
    assertThat(world.ownerOfGroup("llm")).isEqualTo("JobSet llm");
    for (int block = 0; block < 2; block++) {
      world.expectOneRack("llm-workers-" + block + "-", 2);
    }
    world.giveBack();

    var before = world.uids("llm-");
    world.fail("llm-workers-1-0");
    world.await("the JobSet restarts", () -> world.restarts(JOBSETS + "/llm") == 1);
    world.awaitBound("llm-", 5);
    assertThat(world.uids("llm-")).as("pods of the next try").doesNotContainAnyElementsOf(before);

    var running = world.uids("llm-");
    world.reclaim("llm-", 5);
    assertThat(world.uids("llm-")).as("pods anew").doesNotContainAnyElementsOf(running);
    assertThat(world.restarts(JOBSETS + "/llm")).as("evictions do not count").isEqualTo(1);

    world.finish("llm-");
    world.await("it is complete", () -> world.condition(JOBSETS + "/llm", "Completed"));
  }

  @Test
  void aJobSetThatIsSuspendedWhileItRunsReservesNothing() {
    world.create(JOBSETS, world.example("jobset"));
    world.awaitBound("llm-", 5);
    expectNotScaled(world, JOBSETS + "/llm", 1);
    world.patch(JOBSETS + "/llm", "{\"spec\": {\"suspend\": true}}");
    world.await("its pods are gone", () -> world.pods("llm-").isEmpty());
    assertThat(world.groups("llm")).as("its group").hasSize(1);
    world.claim("llm-");
    world.unclaim();
    world.patch(JOBSETS + "/llm", "{\"spec\": {\"suspend\": false}}");
    world.awaitBound("llm-", 5);
  }

  /// The webhook of JobSet refuses other `replicas` and another `parallelism` of a replicatedJob.
  static void expectNotScaled(OperatorWorld world, String set, int job) {
    for (String field : List.of("replicas", "template/spec/parallelism")) {
      var answer =
          world.api.call(
              "PATCH",
              set,
              "application/json-patch+json",
              "[{\"op\": \"replace\", \"path\": \"/spec/replicatedJobs/%d/%s\", \"value\": 7}]"
                  .formatted(job, field));
      assertThat(answer.message())
          .as(field + " of a JobSet that runs: " + answer.status())
          .contains("spec.replicatedJobs", "field is immutable");
    }
  }

  @Test
  void aJobSetWhoseJobsComeInStages() {
    world.create(JOBSETS, world.example("jobset-stages"));
    world.awaitBound("staged-fetch-", 1);
    assertThat(world.pods("staged-train-")).as("the next stage").isEmpty();
    world.finish("staged-fetch-");
    world.awaitBound("staged-train-", 2);
    world.finish("staged-train-");
    world.await("it is complete", () -> world.condition(JOBSETS + "/staged", "Completed"));
  }

  @Test
  void aLeaderWorkerSet() {
    world.create(SETS, world.example("leaderworkerset"));
    world.awaitBound("vllm-", 6);
    assertThat(world.groups("vllm-group-")).as("a group for each replica").hasSize(2);
    assertThat(world.ownerOfGroup("vllm-group-0")).isEqualTo("LeaderWorkerSet vllm");

    world.liveOfReplicas(SETS + "/vllm", 3, 3);
  }

  @Test
  void workersThatComeWhenTheirLeaderIsReady() {
    world.create(SETS, world.example("leaderworkerset-leaderready"));
    world.awaitBound("ready-", 6);
    world.api.delete(OperatorWorld.PODS + "/ready-0");
    world.await(
        "the replica is made anew",
        () ->
            world.pods("ready-0").size() == 3
                && world.pods("ready-0").stream().allMatch(Truth::isBound));
  }

  /// With six GPUs free in each rack the first segment of the second replica would be split, did it
  /// not share a rack.
  @Test
  void segmentsShareARackEach() {
    world.leaveFree(6, 6);
    world.create(SETS, world.example("leaderworkerset-segments"));
    world.awaitBound("cut-", 10);
    var keys = new TreeSet<String>();
    world
        .group("cut-group-0")
        .at("/spec/subGroups")
        .forEach(role -> keys.add(role.path("name").asText()));
    assertThat(keys).contains("segment-0", "segment-1");
    for (int replica = 0; replica < 2; replica++) {
      expectOneRack(replica, 0, 3); // its leader is of the first
      expectOneRack(replica, 1, 2);
    }
  }

  private static void expectOneRack(int replica, int segment, int count) {
    var pods =
        world.pods("cut-").stream()
            .filter(pod -> label(pod, "group-index").equals(Integer.toString(replica)))
            .filter(pod -> label(pod, "subgroup-index").equals(Integer.toString(segment)))
            .toList();
    world.expectOneRack("segment " + segment + " of replica " + replica, pods, count);
  }

  private static String label(JsonNode pod, String name) {
    return pod.at("/metadata/labels").path("leaderworkerset.sigs.k8s.io/" + name).asText();
  }
}
