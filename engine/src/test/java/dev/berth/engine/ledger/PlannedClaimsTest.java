package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.SOON;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.ledger.view.BindCommit;
import dev.berth.engine.model.ClaimKey;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.DeviceClaim.Allocation;
import dev.berth.engine.model.DeviceClaim.Ask;
import dev.berth.engine.model.DeviceClaim.Choice;
import dev.berth.engine.model.DeviceClaim.DeviceId;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Standing;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A claim of devices that is deleted and made anew, for more, while a pod that names it is
/// planned.
class PlannedClaimsTest {
  private static final ClaimKey KEY = new ClaimKey("default", "c");
  private static final Allocation ON_A =
      new Allocation(
          at("a"), List.of(DeviceClaim.Result.whole(new DeviceId("gpu.nvidia.com", "a", "gpu-0"))));
  private static final Allocation TWO_ON_A =
      new Allocation(
          at("a"),
          List.of(
              DeviceClaim.Result.whole(new DeviceId("gpu.nvidia.com", "a", "gpu-0")),
              DeviceClaim.Result.whole(new DeviceId("gpu.nvidia.com", "a", "gpu-1"))));
  private static final BindCommit NO_PLAN =
      new BindCommit.Refused(BindCommit.Why.NO_PLAN, NodeName.NONE);

  private final Told told = new Told();
  private long versions = 10;

  private void sees(int devices, Allocation allocation) {
    var ask = new Ask(List.of(new Choice("gpu.nvidia.com", devices, false, false, List.of())));
    told.ledger.record(
        new Fact.ClaimSeen(
            new DeviceClaim(KEY, versions++, new QueueName("q"), List.of(ask), allocation)));
  }

  private void isDeleted() {
    told.ledger.record(new Fact.ClaimGone(KEY, versions++));
  }

  /// By decisions that are made of what the ledger shows now.
  private Optional<Standing> planned(long version) {
    var decisions = List.of(Told.alone("p", Placement.on(at("a"))));
    return told.ledger
        .assume(List.of(), decisions, SOON, version)
        .getFirst()
        .map(_ -> told.standing("p"));
  }

  /// What queues may have was asked, of what the ledger shows now.
  private void queuesAreAsked() {
    told.ledger.giveBack(List.of(), told.ledger.version());
  }

  private long begins() {
    told.nodes(4, "a");
    told.sees(pod("p").claims("c"));
    sees(1, Allocation.NONE);
    return told.ledger.version();
  }

  @Test
  void aClaimThatStaysAsItWasIsBoundOnceItIsAllocated() {
    long version = begins();
    assertThat(planned(version)).get().isInstanceOf(Standing.Planned.class);
    assertThat(told.ledger.commit(uid("p"), at("a"))).isInstanceOf(BindCommit.AwaitsClaims.class);
    sees(1, ON_A);
    queuesAreAsked();
    assertThat(told.ledger.commit(uid("p"), at("a"))).isInstanceOf(BindCommit.Ready.class);
  }

  /// What is left may be charged for what others had.
  @Test
  void noClaimIsBoundAsLongAsPlansAreGivenBack() {
    long version = begins();
    planned(version);
    told.sees(pod("other"));
    var other = Told.alone("other", Placement.on(at("a")));
    told.ledger.assume(List.of(), List.of(other), SOON, told.ledger.version());
    sees(1, ON_A);
    var withdrawn =
        new Decision.Withdrawn(uid("other"), new PodKey("default", "other"), told.planOf("other"));
    assertThat(told.ledger.giveBack(List.of(withdrawn), told.ledger.version())).hasSize(1);
    assertThat(told.ledger.commit(uid("p"), at("a"))).isInstanceOf(BindCommit.AwaitsClaims.class);
    queuesAreAsked();
    assertThat(told.ledger.commit(uid("p"), at("a"))).isInstanceOf(BindCommit.Ready.class);
  }

  /// More may be allocated than the plan was charged for.
  @Test
  void noClaimIsBoundBeforeQueuesAreAskedForWhatItIsAllocated() {
    long version = begins();
    planned(version);
    queuesAreAsked();
    sees(1, ON_A);
    assertThat(told.ledger.commit(uid("p"), at("a"))).isInstanceOf(BindCommit.AwaitsClaims.class);
    int wakes = told.wakes.get();
    queuesAreAsked();
    assertThat(told.wakes.get()).as("the Binding is tried again").isEqualTo(wakes + 1);
    queuesAreAsked();
    assertThat(told.wakes.get()).as("nothing is new").isEqualTo(wakes + 1);
    sees(1, TWO_ON_A);
    assertThat(told.ledger.commit(uid("p"), at("a"))).isInstanceOf(BindCommit.AwaitsClaims.class);
    queuesAreAsked();
    assertThat(told.ledger.commit(uid("p"), at("a"))).isInstanceOf(BindCommit.Ready.class);
  }

  @Test
  void whatWasPlannedForAnotherClaimIsNotBound() {
    long version = begins();
    planned(version);
    isDeleted();
    sees(8, Allocation.NONE);
    sees(8, ON_A);
    assertThat(told.ledger.commit(uid("p"), at("a"))).isEqualTo(NO_PLAN);
    assertThat(told.standing("p")).isEqualTo(new Standing.Waiting());
  }

  @Test
  void whatWasPlannedForAClaimThatIsGoneIsNotBound() {
    long version = begins();
    planned(version);
    isDeleted();
    assertThat(told.ledger.commit(uid("p"), at("a"))).isEqualTo(NO_PLAN);
  }

  /// Also where it was not known to be deleted.
  @Test
  void aClaimThatAsksForSomethingElseIsAnother() {
    long version = begins();
    planned(version);
    sees(8, ON_A);
    assertThat(told.ledger.commit(uid("p"), at("a"))).isEqualTo(NO_PLAN);
  }

  @Test
  void aPlanOfASnapshotThatShowsAnotherClaimIsNotKept() {
    long version = begins();
    isDeleted();
    sees(8, Allocation.NONE);
    assertThat(planned(version)).isEmpty();
    assertThat(planned(told.ledger.version())).isPresent();
  }

  /// By another label, or a device: what it asks for is the same.
  @Test
  void whatElseIsSaidOfAClaimEndsNoPlan() {
    long version = begins();
    planned(version);
    sees(1, Allocation.NONE);
    sees(1, ON_A);
    queuesAreAsked();
    assertThat(told.ledger.commit(uid("p"), at("a"))).isInstanceOf(BindCommit.Ready.class);
  }
}
