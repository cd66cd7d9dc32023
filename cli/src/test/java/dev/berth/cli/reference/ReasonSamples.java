package dev.berth.cli.reference;

import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.ClaimKey;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.LabelSelector;
import dev.berth.engine.model.LabelSelector.Operator;
import dev.berth.engine.model.LabelSelector.Requirement;
import dev.berth.engine.model.Pod.VolumeRef;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.BudgetsKeep;
import dev.berth.engine.model.Reason.Free;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.model.Reason.Sought;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.VolumeLack;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Reasons with numbers as they may be: each at least once, and more often where what helps, or
/// whether it ends by itself, depends on the numbers.
final class ReasonSamples {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final QueueName TEAM = new QueueName("team");
  private static final QueueName OTHER = new QueueName("research");
  private static final PodKey POD = new PodKey("default", "train-0");
  private static final GroupKey HEAD = new GroupKey("default", "large");
  private static final ClaimKey CLAIM = new ClaimKey("default", "one-gpu");

  private static final NoRoom ROOM =
      new NoRoom(
          1,
          0,
          3,
          List.of(new Shortfall(Obstacle.DEVICES, "nvidia.com/gpu", 3)),
          new Free(2, 1000, 0, 3, 0, 0, List.of(0, 3)));

  static final List<Reason> ALL =
      List.of(
          new Reason.BadRequest(
              "pod default/train-0",
              new Problem("gpu-fraction", "1.5", "a share is more than 0 and less than 1")),
          new Reason.NoSuchQueue(new QueueName("teem"), TEAM),
          new Reason.NotALeaf(new QueueName("org"), new QueueName("org.team")),
          new Reason.BrokenQueue(TEAM, new QueueName("org"), false),
          new Reason.BrokenQueue(TEAM, new QueueName("org"), true),
          new Reason.QueueNotAllowed(
              TEAM,
              "default",
              TEAM,
              new LabelSelector(List.of(new Requirement("team", Operator.IN, List.of("vision"))))),
          new Reason.NamespaceTerminating("default"),
          new Reason.NoSuchGroup(new GroupKey("default", "trian"), "train"),
          new Reason.NoSuchSubGroup(POD, "prefil", List.of("decode", "prefill"), "prefill"),
          new Reason.NoSuchTopology("fabrik", "fabric"),
          new Reason.NoSuchTopology("fabric", "rak", List.of("zone", "rack"), "rack"),
          new Reason.OwnerUnknown(POD, "Job", "train"),
          new Reason.NoSuchClaim(POD, "one-gpu", ""),
          new Reason.VolumeNotReady(POD, new VolumeRef("data", false, "", VolumeLack.MISSING)),
          new Reason.NoSuchDevices(CLAIM, "gpu.example.com"),
          new Reason.ClaimOfOtherQueue(CLAIM, OTHER, TEAM, new PodKey("default", "x")),
          new Reason.TooFewMembers("", 2, 4),
          new Reason.OverLimit(TEAM, Resource.GPU, 16_000, 4_000, 16_000),
          new Reason.OverLimit(TEAM, Resource.GPU, 0, 20_000, 16_000),
          new Reason.NonPreemptibleOverQuota(TEAM, Resource.GPU, 6_000, 4_000, 8_000),
          new Reason.NonPreemptibleOverQuota(TEAM, Resource.GPU, 0, 10_000, 8_000),
          ROOM,
          new NoRoom(1, 0, 3, List.of(new Shortfall(Obstacle.UNSCHEDULABLE, "", 3))),
          new Reason.FairShareReached(ROOM, TEAM, Resource.GPU, 6_000, 2_000, 6_000),
          new Reason.NothingToTakeBack(ROOM, TEAM),
          new Reason.VictimsProtected(ROOM, 2, NOON),
          new Reason.BudgetsForbid(
              ROOM,
              3,
              List.of(new DisruptionBudget.Key("default", "keep")),
              List.of(),
              BudgetsKeep.until(NOON)),
          new Reason.PreemptionDelayed(ROOM, NOON),
          new Reason.NeverPreempts(ROOM),
          new Reason.EvictionBackoff(
              ROOM, new Backoff("", 2, "1 node(s) had volume node affinity conflict", NOON)),
          new Reason.BorrowingBackoff(
              TEAM, Resource.GPU, 6_000, 4_000, 8_000, new Backoff("", 1, "", NOON)),
          new Reason.VolumesOverdue(TEAM, Resource.GPU, 6_000, 4_000, 8_000, "default"),
          new Reason.NeverFits(
              new NoRoom(4, 0, 3, List.of(new Shortfall(Obstacle.DEVICES, "nvidia.com/gpu", 3))),
              3),
          new Reason.MovesSpent(ROOM, NOON),
          new Reason.WouldDelay(HEAD, NOON, Duration.ZERO),
          new Reason.WouldDelay(HEAD, NOON, Duration.ofHours(2)),
          new Reason.HeldForHead(HEAD, 8, NOON),
          new Reason.NoSuchPool("example.com/pool", "h200", List.of("a100", "h100")),
          new Reason.NotProven(Sought.NODES, 1_000, 5_000),
          new Reason.NotProven(Sought.VICTIM_SETS, 250, 400),
          new Reason.NotProven(Sought.VICTIMS, 90, 400),
          new Reason.Starting(4, 2, 0),
          new Reason.Starting(1, 0, 1));

  private ReasonSamples() {}
}
