package dev.berth.controllers.groups;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.World;
import dev.berth.engine.explain.Sentences;
import dev.berth.engine.ledger.view.HeldUp;
import dev.berth.engine.ledger.view.PendingEvictions;
import dev.berth.engine.ledger.view.Provisioning;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.ledger.view.Unasked;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Injection;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PersistentVolumeClaim;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What a share with a place is told until it starts.
final class HeldUpGroupsTest {
  private static final GroupKey WEB = new GroupKey("default", "web");
  private static final SlotKey SLOT = new SlotKey(new NodeName("n1"), 0);

  private final World world = new World().node("n1", 4);
  private final TreeMap<PodUid, HeldUpGroups.Blocked> refused = new TreeMap<>();

  @Test
  void aHolderIsCreatedAndStarts() {
    assertThat(sentence(held(Optional.empty(), false, "")))
        .isEqualTo(
            "Waits: a place is found, 1 GPU must be held first: the holder of device 0 on node"
                + " n1 is created. Helps: nothing to do: it starts by itself.");
    assertThat(sentence(held(Optional.of(holder("ContainerCreating", "")), false, "")))
        .contains("pod default/holder-0 on node n1 starts. Helps: nothing to do");
  }

  @Test
  void anImageOfAHolderThatCannotBePulledIsNamedWithTheWayOut() {
    var holder = holder("ErrImagePull", "failed to pull image registry/no:1: not found");
    assertThat(sentence(held(Optional.of(holder), false, "")))
        .contains(
            "pod default/holder-0 on node n1 does not start: ErrImagePull: failed to pull image"
                + " registry/no:1: not found. Helps: Set holders.image to an image that the node"
                + " can pull, such as a mirror of busybox.");
  }

  @Test
  void aProbeTellsItsMode() {
    assertThat(sentence(held(Optional.empty(), true, "pod probe-n1-0 tries mode env")))
        .isEqualTo(
            "Waits: a place is found: pod probe-n1-0 tries mode env. Helps: nothing to do: it"
                + " starts by itself.");
    assertThat(sentence(held(Optional.empty(), true, "")))
        .contains("node n1 is probed before its first share");
  }

  @Test
  void leavingPodIsNamed() {
    world.pod("done", "deletionTimestamp: '2026-01-01T00:00:00Z'", "nodeName: 'n1'", "");
    for (int i = 0; i < 4; i++) {
      world.pod("old-" + i, "labels: {'a': 'b'}", "nodeName: 'n1'", "");
    }
    var leaving = new ArrayList<Pod>();
    for (var name : List.of("done", "old-0", "old-1", "old-2", "old-3")) {
      leaving.add(world.ledger.pod(new PodUid("uid-" + name)).orElseThrow());
    }
    var node = new NodeName("n1");
    assertThat(
            sentence(
                new PendingEvictions(WEB, new PodUid("uid-0"), node, leaving, List.of()),
                new PendingEvictions(WEB, new PodUid("uid-1"), node, leaving, List.of())))
        .as("two members with the same victims")
        .isEqualTo(
            "Waits: places for 2 members are found, 5 pods must leave first: pod default/done"
                + " leaves; pod default/old-0 is asked to leave; pod default/old-1 is asked to"
                + " leave; and 2 more. Helps: nothing to do: it starts by itself.");
    assertThat(sentence(new PendingEvictions(WEB, new PodUid("uid-0"), node, List.of(), List.of())))
        .isEqualTo(
            "Waits: a place is found: pods leave node n1. Helps: nothing to do: it starts by"
                + " itself.");
  }

  @Test
  void aPodThatIsNotEvictedIsNamedFirstWithTheAnswerAndTheWayOut() {
    var leaving = new ArrayList<Pod>();
    for (var name : List.of("free", "kept")) {
      world.pod(name, "labels: {'a': 'b'}", "nodeName: 'n1'", "");
      leaving.add(world.ledger.pod(new PodUid("uid-" + name)).orElseThrow());
    }
    refused.put(
        new PodUid("uid-kept"),
        new HeldUpGroups.Blocked("denied the request (403)", "a webhook that allows it"));
    var gone = List.of(new PodUid("uid-x"), new PodUid("uid-y"), new PodUid("uid-z"));
    assertThat(
            sentence(
                new PendingEvictions(WEB, new PodUid("uid-0"), new NodeName("n1"), leaving, gone)))
        .isEqualTo(
            "Waits: a place is found, 3 of 5 pods have left and 2 must still leave: pod"
                + " default/kept is not evicted: denied the request (403); pod default/free is"
                + " asked to leave. Helps: a webhook that allows it.");
  }

  @Test
  void aVolumeThatIsProvisionedIsTold() {
    var claim = new PersistentVolumeClaim.Key("ml", "data");
    var waits =
        HeldUpGroups.with(
            new TreeMap<>(),
            List.of(),
            List.of(),
            List.of(
                new Provisioning(
                    WEB, new PodUid("uid-web"), claim, "local-ssd", new NodeName("n1"))),
            List.of(),
            this::blocked);
    assertThat(Sentences.of(java.util.Objects.requireNonNull(waits.get(WEB))))
        .isEqualTo(
            "Waits: a place is found: StorageClass local-ssd has no volume yet for"
                + " PersistentVolumeClaim data on node n1. Helps: a volume from the provisioner of"
                + " that class: kubectl -n ml describe pvc data tells why there is none.");
  }

  private Optional<HeldUpGroups.Blocked> blocked(PodUid uid) {
    return Optional.ofNullable(refused.get(uid));
  }

  private String sentence(PendingEvictions... pending) {
    var reason =
        HeldUpGroups.with(
                new TreeMap<>(), List.of(pending), List.of(), List.of(), List.of(), this::blocked)
            .get(WEB);
    return Sentences.of(java.util.Objects.requireNonNull(reason));
  }

  private static String unasked(String refusal) {
    var unasked =
        new Unasked(WEB, new PodUid("uid-web"), new PodKey("default", "web-0"), "berth", refusal);
    var reasons =
        HeldUpGroups.with(
            new TreeMap<>(),
            List.of(),
            List.of(),
            List.of(),
            List.of(unasked),
            _ -> Optional.empty());
    return Sentences.of(java.util.Objects.requireNonNull(reasons.get(WEB)));
  }

  @Test
  void podRefusedBeforeBerthIsAskedSaysWhatKubeSchedulerSays() {
    assertThat(
            unasked(
                "0/4 nodes are available: 4 node(s) didn't find available persistent volumes to"
                    + " bind.\n"))
        .isEqualTo(
            "Waits: a place is found: kube-scheduler finds no node for pod default/web-0 before it"
                + " asks Berth: 0/4 nodes are available: 4 node(s) didn't find available"
                + " persistent volumes to bind. Helps: what kube-scheduler names there.");
  }

  @Test
  void podThatIsNotAskedForSaysThatKubeSchedulerIsSilent() {
    assertThat(unasked("0/4 nodes are available: 4 berth: planned on another node."))
        .isEqualTo(unasked(""));
    assertThat(unasked(""))
        .isEqualTo(
            "Waits: a place is found: kube-scheduler has not asked for pod default/web-0 since its"
                + " gate was lifted, and its plan lapsed. Helps: a kube-scheduler that runs, with a"
                + " profile berth and Berth as its extender (docs/operators/install.md).");
  }

  @Test
  void groupThatHasAReasonKeepsIt() {
    var waits = new TreeMap<GroupKey, Reason>();
    waits.put(WEB, new Reason.NoSuchQueue(new QueueName("lost")));
    assertThat(
            HeldUpGroups.with(
                waits,
                List.of(),
                List.of(held(Optional.empty(), false, "")),
                List.of(),
                List.of(),
                _ -> Optional.empty()))
        .isEqualTo(waits);
  }

  private static HeldUp held(Optional<Pod> holder, boolean told, String probing) {
    return new HeldUp(
        WEB, new PodUid("uid-web"), SLOT, holder, told, Injection.probing("", probing));
  }

  private Pod holder(String reason, String message) {
    world.pod(
        "holder-0",
        "labels: {'berth.dev/holder': 'true'}, annotations: {'berth.dev/holder-slot': '0'}",
        "nodeName: 'n1', containers: [{name: 'hold', resources: {limits: {'nvidia.com/gpu':"
            + " '1'}}}]",
        "phase: 'Pending', containerStatuses: [{name: 'hold', state: {waiting: {reason: '%s',"
                .formatted(reason)
            + " message: '%s'}}}]".formatted(message));
    return world.ledger.pod(new PodUid("uid-holder-0")).orElseThrow();
  }

  private static String sentence(HeldUp held) {
    var reason =
        HeldUpGroups.with(
                new TreeMap<>(),
                List.of(),
                List.of(held),
                List.of(),
                List.of(),
                _ -> Optional.empty())
            .get(WEB);
    return Sentences.of(java.util.Objects.requireNonNull(reason));
  }
}
