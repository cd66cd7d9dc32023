package dev.berth.controllers.groups;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.World;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.RefusedPodClient.RefusedPod;
import dev.berth.engine.model.CreationRefusal;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Groups that lack pods, and what is read of why.
final class RefusedPodsTest {
  private static final GroupKey TRAIN = new GroupKey("default", "train");
  private static final Reason.TooFewMembers LACKS = new Reason.TooFewMembers("", 1, 4);

  private static final String QUOTA =
      "exceeded quota: team, requested: pods=1, used: pods=4, limited: pods=4";

  private final World world = new World().node("n1", 8);
  private final List<RefusedPod> events = new ArrayList<>();
  private final List<String> read = new ArrayList<>();
  private final Owners owners = new Owners();
  private int news;
  private final RefusedPods pods = new RefusedPods(this::read, owners, world.workers, () -> news++);

  @Test
  void whatTheControllerOfItsPodsWasRefusedIsTold() {
    gang();
    refused("uid-job", 0);
    refused("uid-other", 0);
    assertThat(told()).isEqualTo(CreationRefusal.NONE);
    seconds(1.9);
    assertThat(read).as("most gangs are complete by then").isEmpty();
    seconds(0.2);
    assertThat(read).containsExactly("default");
    assertThat(news).isOne();
    assertThat(pods.news()).containsExactly(TRAIN);
    assertThat(pods.news()).as("told once").isEmpty();
    assertThat(told()).isEqualTo(RefusalWords.read(QUOTA));
    seconds(40);
    assertThat(read).hasSize(3);
    assertThat(news).as("the same").isOne();
    events.clear();
    seconds(20);
    assertThat(news).isEqualTo(2);
    assertThat(told()).isEqualTo(CreationRefusal.NONE);
  }

  /// A quota that was raised: the event stays for an hour.
  @Test
  void aRefusalBeforeTheLastPodIsOver() {
    refused("uid-job", 0);
    world.workers.turn(Duration.ofSeconds(5));
    gang();
    told();
    seconds(3);
    assertThat(told()).isEqualTo(CreationRefusal.NONE);
    refused("uid-job", 0);
    seconds(20);
    assertThat(told().quota()).isEqualTo("team");
  }

  @Test
  void nothingIsReadForGroupsThatLackNoPod() {
    gang();
    told();
    var reason = new Reason.NoSuchGroup(TRAIN);
    assertThat(pods.told(group(), reason)).isSameAs(reason);
    seconds(60);
    var held = new Reason.TooFewMembers("", 1, 2, 1, List.of("a.b/c"));
    assertThat(pods.told(group(), held)).isSameAs(held);
    seconds(60);
    told();
    pods.forget(TRAIN);
    seconds(60);
    assertThat(read).isEmpty();
  }

  /// Its pods tell nothing, as there are none.
  @Test
  void aGroupWithoutAnyPodIsFoundByTheTemplateOfTheirController() {
    world.group("train", 4, "");
    refused("uid-other", 0);
    refused("uid-job", 0);
    owners.groups.put("uid-job", "train");
    owners.groups.put("uid-other", "eval");
    assertThat(pods.ofNone(group())).isEmpty();
    seconds(3);
    assertThat(pods.ofNone(group()))
        .contains(new Reason.TooFewMembers("", 0, 4).refused(RefusalWords.read(QUOTA)));
    owners.groups.clear(); // the Job is deleted; its events stay
    seconds(20);
    assertThat(pods.ofNone(group())).isEmpty();
  }

  @Test
  void objectsAreNotReadWhereEveryGroupHasAPod() {
    gang();
    refused("uid-job", 0);
    told();
    seconds(60);
    assertThat(owners.read).isZero();
  }

  private void gang() {
    world.group("train", 4, "");
    var now = world.workers.time().instant();
    world.pod(
        "a",
        "creationTimestamp: '%s', labels: {'berth.dev/pod-group': 'train'},".formatted(now)
            + " ownerReferences: [{apiVersion: 'batch/v1', kind: 'Job', name: 'job',"
            + " uid: 'uid-job', controller: true}]",
        "schedulingGates: [{name: 'berth.dev/queued'}]",
        "");
  }

  private PodGroup group() {
    return world.snapshot().group(TRAIN).orElseThrow();
  }

  private CreationRefusal told() {
    return ((Reason.TooFewMembers) pods.told(group(), LACKS)).refusal();
  }

  private void refused(String uid, int secondsAgo) {
    Instant last = world.workers.time().instant().minusSeconds(secondsAgo);
    events.removeIf(event -> event.uid().value().equals(uid));
    events.add(
        new RefusedPod(
            "batch/v1",
            "Job",
            uid.substring("uid-".length()),
            new OwnerUid(uid),
            "Error creating: pods \"job-x\" is forbidden: " + QUOTA,
            last));
  }

  private List<RefusedPod> read(String namespace) {
    read.add(namespace);
    return List.copyOf(events);
  }

  private void seconds(double seconds) {
    world.workers.turn(Duration.ofMillis((long) (seconds * 1000)));
  }

  private static final class Owners implements OwnerClient {
    /// That the template of an object names, by its uid.
    final TreeMap<String, String> groups = new TreeMap<>();

    int read;

    @Override
    public Found recall(Wanted wanted) {
      return new Unread();
    }

    @Override
    public Found read(Wanted wanted) {
      read++;
      var group = groups.get(wanted.uid());
      if (group == null) {
        return new Missing();
      }
      var metadata = Map.of("labels", Map.of("berth.dev/pod-group", group));
      var template = Map.of("metadata", metadata, "spec", Map.of());
      return new Present("batch/v1", Map.of("spec", Map.of("template", template)));
    }
  }
}
