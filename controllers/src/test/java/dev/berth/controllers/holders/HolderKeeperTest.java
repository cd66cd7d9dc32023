package dev.berth.controllers.holders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.World;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.HolderClient;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HolderKeeperTest {
  private static final String PULLING =
      "Pending', containerStatuses: [{name: 'hold', state: {waiting: {reason: 'ErrImagePull',"
          + " message: 'no image docker.io/busybox:1.37'}}}], x: '";

  private final World world = new World().node("n1", 8);
  private final InMemoryHolders holders = new InMemoryHolders();

  HolderKeeperTest() {
    world.changed.add(keeper(0)::changed);
  }

  private HolderKeeper keeper(int warm) {
    return HolderParts.keeper(
        world,
        holders,
        world.workers,
        new HolderSettings(
            Duration.ofSeconds(2),
            Duration.ofSeconds(30),
            warm,
            Duration.ofSeconds(20),
            Duration.ofSeconds(5),
            Duration.ofSeconds(2)));
  }

  @Test
  void aPlannedSlotGetsItsHolderOnceThoughTheWatchIsSlow() {
    share("a", 0);
    seconds(0.1);
    share("b", 1);
    seconds(0.1);
    assertThat(holders.calls).containsExactly("create n1/0", "create n1/1");
    holder(0, "Running");
    holder(1, "Running");
    seconds(60);
    assertThat(holders.calls).as("it is seen by now").hasSize(2);
  }

  @Test
  void aCreationThatFailsComesAgainAndNotAtOnce() {
    holders.failures.add(ClientException.Kind.NOT_NOW);
    holders.failures.add(ClientException.Kind.UNREACHABLE);
    share("a", 0);
    seconds(0.1);
    share("b", 0); // a change does not shorten the pause
    seconds(0.3);
    assertThat(holders.calls).hasSize(1);
    seconds(1.4);
    assertThat(holders.calls).hasSize(3).containsOnly("create n1/0");
  }

  @Test
  void aHolderThatNoPodUsesLeavesAfterAWhile() {
    holder(0, "Running");
    seconds(1);
    share("a", 0); // a share came in time
    seconds(10);
    assertThat(holders.calls).isEmpty();
    world.podGone("a");
    seconds(1.9);
    assertThat(holders.calls).isEmpty();
    seconds(0.2);
    assertThat(holders.calls).containsExactly("delete holder-0");
    seconds(60);
    assertThat(holders.calls).as("retired, and the watch is slow").hasSize(1);
  }

  /// The keeper did not look while it was used, and its date came then.
  @Test
  void aHolderThatWasUsedForTheMomentOfItsDateLeavesAfterAnother() {
    holder(0, "Running");
    seconds(2.015);
    share("a", 0);
    seconds(0.010);
    world.podGone("a");
    seconds(1.9);
    assertThat(holders.calls).isEmpty();
    seconds(0.2);
    assertThat(holders.calls).containsExactly("delete holder-0");
  }

  @Test
  void anIdleHolderLeavesAtOnceWhereMoreIsGivenOutThanThereIs() {
    whole("most", 7, "phase: 'Running'");
    share("a", 0);
    seconds(0.1);
    holder(0, "Running");
    whole("stranger", 1, "phase: 'Pending'"); // its scheduler saw our holder too late
    assertThat(world.ledger.collapse())
        .as("the plan goes: its device was given away")
        .extracting(each -> each.pod().key().name())
        .containsExactly("a");
    seconds(0.1);
    seconds(0.5);
    assertThat(holders.calls).containsExactly("create n1/0", "delete holder-0");
  }

  @Test
  void anIdleHolderLeavesBeforeAPlanIsGivenBackForItsDevice() {
    whole("most", 5, "phase: 'Running'");
    holder(0, "Running");
    holder(1, "Running");
    holder(2, "Running");
    share("a", 0);
    seconds(0.1);
    whole("stranger", 1, "phase: 'Pending'");
    assertThat(world.ledger.collapse()).isEmpty();
    seconds(0.1);
    assertThat(holders.calls).as("one is enough").containsExactly("delete holder-1");
  }

  @Test
  void anIdleHolderLeavesAtOnceForAPlanThatWaitsForItsDevice() {
    holder(0, "Running");
    whole("most", 6, "phase: 'Running'");
    seconds(0.1);
    planned("two", 2);
    seconds(0.1);
    assertThat(holders.calls).containsExactly("delete holder-0");
  }

  @Test
  void anIdleHolderOfASlotOrANodeThatIsGoneLeavesAtOnce() {
    holder(0, "Running");
    holder(8, "Running");
    seconds(0.1);
    assertThat(holders.calls).as("of eight slots").containsExactly("delete holder-8");
    world.nodeGone("n1");
    seconds(0.1);
    assertThat(holders.calls).containsExactly("delete holder-8", "delete holder-0");
  }

  @Test
  void anIdleHolderMayStayWhereAPlanWaitsForAnotherPod() {
    holder(0, "Running");
    whole("leaver", 7, "phase: 'Running'", ", deletionTimestamp: '2026-01-01T00:00:00Z'");
    seconds(0.1);
    planned("two", 2);
    seconds(1);
    assertThat(holders.calls).isEmpty();
  }

  @Test
  void aHolderThatDiedIsClearedAwayThoughItsSlotIsUsed() {
    holder(0, "Running");
    seconds(0.1);
    share("a", 0);
    holder(0, "Failed");
    seconds(0.1);
    assertThat(holders.calls).containsExactly("delete holder-0");
  }

  @Test
  void aDeletionThatFailsLeavesTheSlotOpenAndComesAgain() {
    holders.failures.add(ClientException.Kind.NOT_NOW);
    holder(0, "Running");
    seconds(2.1);
    assertThat(holders.calls).containsExactly("delete holder-0");
    assertThat(world.ledger.idleHolders()).as("open again").hasSize(1);
    seconds(5);
    assertThat(holders.calls).containsExactly("delete holder-0", "delete holder-0");
  }

  @Test
  void aDeletionWithUnknownOutcomeKeepsTheSlotClosedAndComesAgain() {
    holders.failures.add(ClientException.Kind.UNREACHABLE);
    holder(0, "Running");
    seconds(2.1);
    assertThat(holders.calls).containsExactly("delete holder-0");
    assertThat(world.ledger.idleHolders()).as("its holder may be gone").isEmpty();
    seconds(5);
    assertThat(holders.calls).containsExactly("delete holder-0", "delete holder-0");
  }

  @Test
  void aSecondDeletionThatDidNotHappenSaysNothingOfTheFirst() {
    holders.failures.add(ClientException.Kind.UNREACHABLE);
    holders.failures.add(ClientException.Kind.NOT_NOW);
    holder(0, "Running");
    seconds(3);
    assertThat(holders.calls).hasSize(2);
    assertThat(world.ledger.idleHolders()).as("closed: the first may be done yet").isEmpty();
    seconds(5);
    assertThat(holders.calls).as("until one is heard").hasSize(3);
    assertThat(world.ledger.idleHolders()).isEmpty();
  }

  @Test
  void aCreationWithUnknownOutcomeKeepsTheDevice() {
    holders.failures.add(ClientException.Kind.UNREACHABLE);
    share("a", 0);
    seconds(0.1);
    world.podGone("a"); // no share uses it any more
    assertThat(devicesUsed()).isEqualTo(1);
    seconds(19);
    assertThat(devicesUsed()).isEqualTo(1);
    seconds(2);
    assertThat(devicesUsed()).isZero();
  }

  @Test
  void aHolderThatTheWatchHasNotShownKeepsTheDevice() {
    share("a", 0);
    seconds(0.1);
    assertThat(holders.calls).containsExactly("create n1/0");
    world.podGone("a"); // no share uses it any more
    assertThat(devicesUsed()).isEqualTo(1);
    holder(0, "Running");
    seconds(2.5);
    assertThat(holders.calls).containsExactly("create n1/0", "delete holder-0");
    world.podGone("holder-0");
    assertThat(devicesUsed()).as("it came and went").isZero();
  }

  @Test
  void aSecondCreationThatIsRefusedSaysNothingOfTheFirst() {
    share("a", 0);
    seconds(0.1);
    holders.failures.add(ClientException.Kind.NOT_NOW);
    seconds(0.6);
    assertThat(holders.calls).containsExactly("create n1/0", "create n1/0");
    world.podGone("a");
    assertThat(devicesUsed()).isEqualTo(1);
  }

  @Test
  void aCreationThatDidNotHappenKeepsNothing() {
    holders.failures.add(ClientException.Kind.NOT_NOW);
    share("a", 0);
    seconds(0.1);
    world.podGone("a");
    assertThat(devicesUsed()).isZero();
  }

  @Test
  void staleEyesTouchNothingUntilTheyAreBack() {
    world.fresh = false;
    share("a", 0);
    seconds(10);
    assertThat(holders.calls).isEmpty();
    world.fresh = true;
    seconds(0.4);
    assertThat(holders.calls).containsExactly("create n1/0");
  }

  @Test
  void aHolderThatDoesNotTellItsDeviceSendsItsSharesElsewhere() {
    share("a", 0);
    seconds(0.3);
    holder(0, PULLING);
    seconds(28.7);
    assertThat(standing("a")).as("it may take a while").isInstanceOf(Standing.Planned.class);
    seconds(1.5);
    assertThat(standing("a")).isInstanceOf(Standing.Waiting.class);
    assertThat(trouble())
        .isEqualTo(
            "pod default/holder-0 does not start: ErrImagePull: no image docker.io/busybox:1.37");
    assertThat(holders.calls).containsExactly("create n1/0", "delete holder-0");
    world.podGone("holder-0");
    seconds(58);
    assertThat(trouble()).as("for a minute").isNotEmpty();
    seconds(3);
    assertThat(trouble()).as("tried again").isEmpty();
  }

  @Test
  void troublesOfANodeLastLongerEachTime() {
    share("a", 0);
    seconds(31);
    world.podGone("a");
    seconds(60);
    assertThat(trouble()).isEmpty();
    share("b", 0);
    seconds(31);
    world.podGone("b");
    assertThat(trouble()).isNotEmpty();
    seconds(110);
    assertThat(trouble()).as("two minutes").isNotEmpty();
    seconds(15);
    assertThat(trouble()).isEmpty();
  }

  @Test
  void aHolderThatCannotBeCreatedSaysWhy() {
    for (int i = 0; i < 100; i++) {
      holders.failures.add(ClientException.Kind.REFUSED);
    }
    share("a", 0);
    seconds(31);
    assertThat(trouble()).isEqualTo("create n1/0");
    assertThat(standing("a")).isInstanceOf(Standing.Waiting.class);
  }

  @Test
  void podThatRunsOnADeviceStaysCountedWhileItsHolderIsAway() {
    holder(0, "Running");
    runs("a", 0);
    seconds(1);
    world.podGone("holder-0"); // it was evicted or deleted from outside
    seconds(0.1);
    assertThat(holders.calls).as("another one").containsExactly("create n1/0");
    seconds(300);
    assertThat(trouble()).as("it did not come").isNotEmpty();
    var room = world.snapshot().nodes().getFirst();
    assertThat(room.used().of(Resource.NVIDIA)).isEqualTo(1);
    assertThat(room.slots())
        .singleElement()
        .matches(slot -> slot.usedMillis() == 300 && !slot.isOpen(), "used, and nobody joins");
  }

  @Test
  void aHolderThatItsKubeletRefusesComesAgainLessAndLessOften() {
    share("a", 0);
    for (int i = 0; i < 14; i++) {
      seconds(0.5);
      int made = created();
      holder(0, "uid-" + i, "Failed', reason: 'UnexpectedAdmissionError', message: 'no device");
      seconds(0.6);
      world.podGone("holder-0", "uid-" + i); // as the keeper asked
      while (created() == made && standing("a") instanceof Standing.Planned) {
        seconds(0.1);
      }
    }
    assertThat(created()).as("in 30 s").isBetween(8, 16);
    assertThat(trouble()).contains("default/holder-0 refused by its kubelet: Unexpected");
    assertThat(standing("a")).isInstanceOf(Standing.Waiting.class);
  }

  @Test
  void aTroubleEndsWhenTheNodeChanges() {
    share("a", 0);
    seconds(31);
    assertThat(trouble()).isNotEmpty();
    world.node("n1", 7);
    assertThat(trouble()).isEmpty();
  }

  @Test
  void theHoldersOfANodeThatIsGoneAreCollected() {
    holder(0, "Running");
    seconds(0.1);
    world.nodeGone("n1");
    seconds(3);
    assertThat(holders.calls).containsExactly("delete holder-0");
  }

  @Test
  void aBlindMomentIsNobodysSilence() {
    share("a", 0);
    seconds(1);
    world.fresh = false;
    seconds(60);
    world.fresh = true;
    seconds(20);
    assertThat(standing("a")).isInstanceOf(Standing.Planned.class);
    seconds(15);
    assertThat(standing("a")).isInstanceOf(Standing.Waiting.class);
  }

  @Test
  void aNodeThatServesSharesKeepsHoldersWarm() {
    warm(2);
    seconds(10);
    assertThat(holders.calls).as("nobody shares").isEmpty();
    holder(0, "Running");
    runs("a", 0);
    seconds(0.1);
    assertThat(holders.calls).containsExactly("create n1/1");
    seconds(0.3);
    holder(1, "Running");
    seconds(0.4);
    assertThat(holders.calls).containsExactly("create n1/1", "create n1/2");
    holder(2, "Running");
    seconds(60);
    assertThat(holders.calls).as("they stay, and are enough").hasSize(2);
    share("b", 1);
    seconds(0.1);
    assertThat(holders.calls).endsWith("create n1/3");
    world.podGone("a");
    world.podGone("b");
    seconds(3);
    assertThat(holders.calls)
        .as("nobody shares any more")
        .contains("delete holder-0", "delete holder-1", "delete holder-2");
  }

  @Test
  void warmHoldersGiveWayAndDoNotComeBackWhereNoDeviceIsLeft() {
    warm(1);
    holder(0, "Running");
    holder(1, "Running");
    runs("a", 0);
    whole("most", 6, "phase: 'Running'");
    seconds(5);
    assertThat(holders.calls).isEmpty();
    planned("one", 1);
    seconds(0.1);
    assertThat(holders.calls).containsExactly("delete holder-1");
    world.podGone("holder-1");
    seconds(60);
    assertThat(holders.calls).as("the device is taken").hasSize(1);
  }

  private void warm(int most) {
    world.changed.clear();
    world.changed.add(keeper(most)::changed);
  }

  private int created() {
    return (int) holders.calls.stream().filter("create n1/0"::equals).count();
  }

  private long devicesUsed() {
    return world.snapshot().nodes().getFirst().used().of(Resource.NVIDIA);
  }

  private String trouble() {
    return world.snapshot().nodes().getFirst().trouble();
  }

  private Standing standing(String name) {
    return world.ledger.standing(new PodUid("uid-" + name)).orElseThrow();
  }

  private void runs(String name, int slot) {
    world.pod(
        name,
        "annotations: {'gpu-fraction': '0.3', 'berth.dev/gpu-devices': 'GPU-0', 'berth.dev/plan':"
            + " 'node=n1 slots=%d millis=300 until=2027-01-01T00:00:00Z'}".formatted(slot),
        "nodeName: 'n1'",
        "phase: 'Running'");
  }

  private void share(String name, int slot) {
    world.pod(
        name,
        "annotations: {'gpu-fraction': '0.3', 'berth.dev/plan':"
            + " 'node=n1 slots=%d millis=300 until=2027-01-01T00:00:00Z'}".formatted(slot),
        "",
        "");
  }

  private void whole(String name, int devices, String status) {
    whole(name, devices, status, "");
  }

  private void whole(String name, int devices, String status, String more) {
    world.pod(
        name,
        "labels: {}" + more,
        "nodeName: 'n1', containers: [{name: 'main', resources: {limits: {'nvidia.com/gpu': '%d'}}}]"
            .formatted(devices),
        status);
  }

  private void planned(String name, int devices) {
    world.pod(
        name,
        "annotations: {'berth.dev/plan': 'node=n1 until=2027-01-01T00:00:00Z'}",
        "containers: [{name: 'main', resources: {limits: {'nvidia.com/gpu': '%d'}}}]"
            .formatted(devices),
        "");
  }

  private void holder(int slot, String phase) {
    holder(slot, "uid-holder-" + slot, phase);
  }

  private void holder(int slot, String uid, String phase) {
    world.pod(
        "holder-" + slot,
        uid,
        "labels: {'berth.dev/holder': 'true'}, annotations: {'berth.dev/holder-slot': '%d'}"
            .formatted(slot),
        "nodeName: 'n1', containers: [{name: 'hold', resources: {limits: {'nvidia.com/gpu':"
            + " '1'}}}]",
        "phase: '%s'".formatted(phase) + (phase.equals("Running") ? reported(slot) : ""));
  }

  private static String reported(int slot) {
    return ", containerStatuses: [{state: {terminated: {exitCode: 0, message: 'GPU-%d'}}}]"
        .formatted(slot);
  }

  private void seconds(double seconds) {
    world.workers.turn(Duration.ofMillis((long) (seconds * 1000)));
  }

  private static final class InMemoryHolders implements HolderClient {
    final List<String> calls = new ArrayList<>();
    final ArrayDeque<ClientException.Kind> failures = new ArrayDeque<>();

    @Override
    public String namespace() {
      return "default";
    }

    @Override
    public void create(NodeName node, int slot, Resource device) throws ClientException {
      called("create " + node + "/" + slot);
    }

    @Override
    public void delete(PodKey holder, PodUid uid) throws ClientException {
      called("delete " + holder.name());
    }

    private void called(String call) throws ClientException {
      calls.add(call);
      if (!failures.isEmpty()) {
        throw new ClientException(failures.remove(), call);
      }
    }
  }
}
