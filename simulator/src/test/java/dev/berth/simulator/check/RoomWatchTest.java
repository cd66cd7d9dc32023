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
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.WorldHolders;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RoomWatchTest {
  private static final Duration BLIND = Duration.ofSeconds(20);
  private static final String DEVICE = "GPU-0";

  private final RoomWatch watch = new RoomWatch(BLIND);
  private final Map<String, Object> holder = holder();
  private final Map<String, Object> share = share();
  private Instant now = Instant.EPOCH;

  private static Map<String, Object> holder() {
    var holder = onNode(withUid(pod("holder", "")), "n1");
    ObjectTree.under(ObjectTree.under(holder, "metadata"), "labels").put(WorldHolders.LABEL, "");
    var told = ObjectTree.of("terminated", ObjectTree.of("message", DEVICE));
    holder.put(
        "status", ObjectTree.of("containerStatuses", List.of(ObjectTree.of("lastState", told))));
    return holder;
  }

  private static Map<String, Object> share() {
    var share = annotated(withUid(pod("share", "berth")), "gpu-fraction", "0.5");
    return onNode(annotated(share, DeviceWatch.DEVICES, DEVICE), "n1");
  }

  private static Map<String, Object> withUid(Map<String, Object> pod) {
    ObjectTree.under(pod, "metadata").put("uid", "uid-" + ObjectTree.name(pod));
    return pod;
  }

  @BeforeEach
  void aShareRunsOnADeviceThatIsHeld() {
    comes(Kind.NODE, node("n1", 1));
    comes(Kind.POD, holder);
    comes(Kind.POD, share);
    assertThat(watch.broken()).isEqualTo(List.of());
  }

  private void comes(Kind kind, Map<String, Object> object) {
    watch.changed(ObjectRef.to(kind, object), Optional.empty(), Optional.of(object), now);
  }

  private void goes(Map<String, Object> object) {
    watch.changed(ObjectRef.to(Kind.POD, object), Optional.of(object), Optional.empty(), now);
  }

  private void isPutBack(Map<String, Object> object) {
    watch.restored(ObjectRef.to(Kind.POD, object), Optional.empty(), Optional.of(object), now);
  }

  private static List<String> unheld() {
    return List.of("team/share on n1 names GPU-0, which no holder there reports");
  }

  @Test
  void aShareWhoseHolderBerthDeletesIsFound() {
    goes(holder);
    assertThat(watch.broken()).isEqualTo(unheld());
  }

  @Test
  void aShareWhoseHolderOthersDeleteRunsOnUntilItIsStopped() {
    watch.losesHolder(PodView.of(holder), now);
    goes(holder);
    assertThat(watch.broken()).isEqualTo(List.of());
    assertThat(watch.atRest()).isEqualTo(unheld());
  }

  @Test
  void soItDoesWhenARestorePutsItBackAfterItWasStopped() {
    watch.losesHolder(PodView.of(holder), now);
    goes(holder);
    goes(share);
    now = now.plus(BLIND);
    isPutBack(share);
    assertThat(watch.broken()).isEqualTo(List.of());
    assertThat(watch.atRest()).isEqualTo(unheld());
  }

  @Test
  void aShareThatIsBoundAnewAfterARestoreNeedsAHolder() {
    watch.losesHolder(PodView.of(holder), now);
    goes(holder);
    goes(share);
    now = now.plus(BLIND);
    comes(Kind.POD, share);
    assertThat(watch.broken()).isEqualTo(unheld());
  }

  @Test
  void findsAPodBoundWhereKubeSchedulerKeepsTheRoom() {
    var waits = withUid(pod("waits", "berth", "nvidia.com/gpu", "1"));
    watch.keeper(() -> List.of(new KeptRoom(waits, "n2", Instant.EPOCH)));
    comes(Kind.NODE, node("n2", 1));
    now = now.plus(BLIND).minusMillis(1);
    var first = onNode(withUid(pod("first", "berth", "nvidia.com/gpu", "1")), "n2");
    comes(Kind.POD, first);
    assertThat(watch.broken()).as("it may not be known yet").isEqualTo(List.of());
    goes(first);
    now = now.plusMillis(1);
    comes(Kind.POD, onNode(withUid(pod("next", "berth", "nvidia.com/gpu", "1")), "n2"));
    assertThat(watch.broken())
        .isEqualTo(
            List.of(
                "node n2 gives out 2 of its 1 nvidia.com/gpu with team/next and what kube-scheduler"
                    + " keeps for volumes of team/waits"));
  }
}
