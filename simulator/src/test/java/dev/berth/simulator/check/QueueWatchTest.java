package dev.berth.simulator.check;

import static dev.berth.simulator.world.Objects.annotated;
import static dev.berth.simulator.world.Objects.node;
import static dev.berth.simulator.world.Objects.onNode;
import static dev.berth.simulator.world.Objects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.KeptRoom;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QueueWatchTest {
  private static final Map<String, Object> N1 = node("n1", 2);
  private static final Map<String, Object> N2 = node("n2", 2);
  private static final String MOST = "24000"; // of 40000 MiB

  private final QueueWatch watch = new QueueWatch(Duration.ofSeconds(20));

  @BeforeEach
  void oneDeviceForTheQueue() {
    comes(Kind.NODE, N1);
    comes(Kind.NODE, N2);
    comes(
        Kind.QUEUE,
        ObjectTree.of(
            "metadata",
            ObjectTree.of("name", "team"),
            "spec",
            ObjectTree.of("quota", ObjectTree.of("gpu", 1L))));
  }

  private void comes(Kind kind, Map<String, Object> object) {
    watch.changed(ObjectRef.to(kind, object), Optional.empty(), Optional.of(object), Instant.EPOCH);
  }

  private void goes(Kind kind, Map<String, Object> object) {
    watch.changed(ObjectRef.to(kind, object), Optional.of(object), Optional.empty(), Instant.EPOCH);
  }

  private static Map<String, Object> firm(String name, String node, String asks, String amount) {
    var pod = annotated(pod(name, "berth"), asks, amount);
    var labels = ObjectTree.under(ObjectTree.under(pod, "metadata"), "labels");
    labels.put("berth.dev/queue", "team");
    labels.put("berth.dev/preemptibility", "non-preemptible");
    return onNode(pod, node);
  }

  private void assertBeyondTheQuota() {
    assertThat(watch.broken())
        .isEqualTo(
            List.of("queue team takes 1200 thousandths with team/b, beyond its quota of 1000"));
  }

  @Test
  void findsAPodBoundBeyondTheQuotaOfItsQueue() {
    comes(Kind.POD, firm("a", "n1", "gpu-fraction", "0.6"));
    assertThat(watch.broken()).isEqualTo(List.of());
    comes(Kind.POD, firm("b", "n2", "gpu-fraction", "0.6"));
    assertBeyondTheQuota();
  }

  @Test
  void aShareOfMemoryCountsAsMuchAsItIsOnItsNode() {
    comes(Kind.POD, firm("a", "n1", "gpu-memory", MOST));
    comes(Kind.POD, firm("b", "n2", "gpu-memory", MOST));
    assertBeyondTheQuota();
  }

  @Test
  void aShareOfMemoryOnANodeThatIsGoneDoesNotCount() {
    comes(Kind.POD, firm("a", "n1", "gpu-memory", MOST));
    goes(Kind.NODE, N1);
    comes(Kind.POD, firm("b", "n2", "gpu-memory", MOST));
    assertThat(watch.broken()).isEqualTo(List.of());
  }

  @Test
  void aShareOfMemoryThatComesToANodeThatIsGoneDoesNotCount() {
    goes(Kind.NODE, N1);
    comes(Kind.POD, firm("a", "n1", "gpu-memory", MOST));
    comes(Kind.POD, firm("b", "n2", "gpu-memory", MOST));
    assertThat(watch.broken()).isEqualTo(List.of());
  }

  @Test
  void aPartOfADeviceCountsThoughItsNodeIsGone() {
    comes(Kind.POD, firm("a", "n1", "gpu-fraction", "0.6"));
    goes(Kind.NODE, N1);
    comes(Kind.POD, firm("b", "n2", "gpu-fraction", "0.6"));
    assertBeyondTheQuota();
  }

  @Test
  void whatAPodIsChargedAsIsWhatItsPlanSays() {
    var charged =
        annotated(
            firm("a", "n1", "gpu-fraction", "0.6"),
            "berth.dev/plan",
            "node=n1 charge=team/50/non-preemptible until=2026-01-01T00:00:30Z");
    ObjectTree.under(ObjectTree.under(charged, "metadata"), "labels")
        .put("berth.dev/queue", "another");
    comes(Kind.POD, charged);
    comes(Kind.POD, firm("b", "n2", "gpu-fraction", "0.6"));
    assertBeyondTheQuota();
  }

  /// The queue is above its quota already: another binding breaks that only if it adds to it.
  @Test
  void aBindingThatAddsNothingBreaksNoBound() {
    comes(Kind.POD, firm("a", "n1", "gpu-fraction", "0.6"));
    comes(Kind.POD, firm("b", "n2", "gpu-fraction", "0.6"));
    assertBeyondTheQuota();
    var without = pod("c", "berth");
    var labels = ObjectTree.under(ObjectTree.under(without, "metadata"), "labels");
    labels.put("berth.dev/queue", "team");
    labels.put("berth.dev/preemptibility", "non-preemptible");
    comes(Kind.POD, onNode(without, "n1"));
    var borrowing = firm("d", "n1", "gpu-fraction", "0.1");
    ObjectTree.under(ObjectTree.under(borrowing, "metadata"), "labels")
        .put("berth.dev/preemptibility", "preemptible");
    comes(Kind.POD, borrowing);
    assertThat(watch.broken()).isEqualTo(List.of());
    comes(Kind.POD, firm("e", "n2", "gpu-fraction", "0.1"));
    assertThat(watch.broken())
        .isEqualTo(
            List.of("queue team takes 1300 thousandths with team/e, beyond its quota of 1000"));
  }

  @Test
  void aQuotaThatWasLargerAMomentAgoMayNotBeKnownYet() {
    comes(
        Kind.QUEUE,
        ObjectTree.of(
            "metadata",
            ObjectTree.of("name", "team"),
            "spec",
            ObjectTree.of("quota", ObjectTree.of("gpu", 2L))));
    comes(
        Kind.QUEUE,
        ObjectTree.of(
            "metadata",
            ObjectTree.of("name", "team"),
            "spec",
            ObjectTree.of("quota", ObjectTree.of("gpu", 1L))));
    comes(Kind.POD, firm("a", "n1", "gpu-fraction", "0.6"));
    comes(Kind.POD, firm("b", "n2", "gpu-fraction", "0.6"));
    assertThat(watch.broken()).isEqualTo(List.of());
  }

  private void limitLongSince() {
    var queue =
        ObjectTree.of(
            "metadata",
            ObjectTree.of("name", "team"),
            "spec",
            ObjectTree.of("quota", ObjectTree.of("gpu", 2L), "limit", ObjectTree.of("gpu", 1L)));
    var before = Instant.EPOCH.minus(Duration.ofHours(1));
    watch.changed(ObjectRef.to(Kind.QUEUE, queue), Optional.empty(), Optional.of(queue), before);
  }

  private static Map<String, Object> deleted(Map<String, Object> pod) {
    ObjectTree.under(pod, "metadata").put("deletionTimestamp", "2026-01-01T00:00:00Z");
    return pod;
  }

  @Test
  void aDeletedPodCountsTowardsTheLimitUntilItIsGone() {
    limitLongSince();
    comes(Kind.POD, firm("a", "n1", "gpu-fraction", "0.6"));
    comes(Kind.POD, deleted(firm("a", "n1", "gpu-fraction", "0.6")));
    comes(Kind.POD, firm("b", "n2", "gpu-fraction", "0.6"));
    assertThat(watch.broken())
        .isEqualTo(
            List.of("queue team takes 1200 thousandths with team/b, beyond its limit of 1000"));
    goes(Kind.POD, firm("a", "n1", "gpu-fraction", "0.6"));
    comes(Kind.POD, deleted(firm("b", "n2", "gpu-fraction", "0.6")));
    comes(Kind.POD, firm("c", "n2", "gpu-fraction", "0.4"));
    assertThat(watch.broken()).isEqualTo(List.of());
  }

  @Test
  void aDeletedPodOnANodeThatDoesNotAnswerDoesNotCount() {
    limitLongSince();
    comes(Kind.POD, firm("a", "n1", "gpu-fraction", "0.6"));
    comes(Kind.POD, deleted(firm("a", "n1", "gpu-fraction", "0.6")));
    var silent = node("n1", 2);
    ObjectTree.under(silent, "status")
        .put("conditions", List.of(ObjectTree.of("type", "Ready", "status", "Unknown")));
    comes(Kind.NODE, silent);
    comes(Kind.POD, firm("b", "n2", "gpu-fraction", "0.6"));
    assertThat(watch.broken()).isEqualTo(List.of());
  }

  @Test
  void newLeaderMayNotKnowForWhichPodsPlansWait() {
    limitLongSince();
    comes(Kind.POD, firm("a", "n1", "gpu-fraction", "0.6"));
    comes(Kind.POD, deleted(firm("a", "n1", "gpu-fraction", "0.6")));
    watch.anotherLeads(Instant.EPOCH);
    comes(Kind.POD, firm("b", "n2", "gpu-fraction", "0.6"));
    assertThat(watch.broken()).isEqualTo(List.of());
  }

  // What kube-scheduler keeps for pods that are not bound

  private static final Instant KNOWN = Instant.EPOCH.plusSeconds(20);

  private static Map<String, Object> unbound(String name) {
    var pod = firm(name, "n1", "gpu-fraction", "0.6");
    ObjectTree.under(pod, "spec").remove("nodeName");
    return pod;
  }

  private void keeps(Map<String, Object> pod) {
    var room = new KeptRoom(pod, "n1", Instant.EPOCH);
    watch.keeper(() -> List.of(room));
    watch.keeps(room, Instant.EPOCH);
  }

  private void isBound(String name, Instant when) {
    var pod = firm(name, "n2", "gpu-fraction", "0.6");
    watch.changed(ObjectRef.to(Kind.POD, pod), Optional.empty(), Optional.of(pod), when);
  }

  @Test
  void findsAPodBoundBesideWhatIsKept() {
    limitLongSince();
    keeps(unbound("a"));
    isBound("b", KNOWN);
    assertThat(watch.broken())
        .isEqualTo(
            List.of(
                "queue team takes 1200 thousandths with team/b and what else kube-scheduler keeps"
                    + " for volumes, beyond its limit of 1000"));
  }

  @Test
  void whatIsKeptSinceAMomentMayNotBeKnownYet() {
    limitLongSince();
    keeps(unbound("a"));
    isBound("b", KNOWN.minusMillis(1));
    assertThat(watch.broken()).isEqualTo(List.of());
  }

  @Test
  void whatIsKeptNoMoreDoesNotCount() {
    limitLongSince();
    keeps(unbound("a"));
    watch.keeper(List::of);
    isBound("b", KNOWN);
    assertThat(watch.broken()).isEqualTo(List.of());
  }

  @Test
  void podBoundWhereRoomWasKeptCountsOnce() {
    limitLongSince();
    keeps(unbound("a"));
    isBound("a", KNOWN);
    assertThat(watch.broken()).isEqualTo(List.of());
  }

  @Test
  void findsWhatIsKeptBesideWhatWasKept() {
    limitLongSince();
    keeps(unbound("a"));
    watch.keeps(new KeptRoom(unbound("b"), "n2", KNOWN), KNOWN);
    assertThat(watch.broken())
        .isEqualTo(
            List.of(
                "queue team takes 1200 thousandths with team/b, for which kube-scheduler keeps"
                    + " room, and what else kube-scheduler keeps for volumes, beyond its limit of"
                    + " 1000"));
  }
}
