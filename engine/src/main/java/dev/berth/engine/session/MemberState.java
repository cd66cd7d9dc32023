package dev.berth.engine.session;

import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Pod.VolumeRef;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.VolumeLack;
import dev.berth.engine.model.WrittenPlan;
import java.util.Optional;

/// A member of a group: where it was when the session began, and where it would be now.
public final class MemberState {
  /// What it was when the session began.
  public enum Was {
    /// Without a place, and Berth's to place.
    WAITING,
    /// Without a place, and not Berth's to place yet: foreign gates, a volume that another pod
    /// uses, or left to the extender.
    UNPLANNABLE,
    PLANNED,
    /// Planned onto room that is still being left, and behind its gate: planned again in each
    /// round, and stays as it is unless a preceding group takes the room. Not so where its group is
    /// non-yielding.
    TENTATIVE,
    BOUND,
    /// On its way out, or gone: neither placed nor counted, only its room is still there.
    LEAVING,
    /// Terminating, or gone, to start again elsewhere: in each round placed again, in the ordinary
    /// order and first where the plan that relocated it did, so that no later group takes that room
    /// before it is back. Nothing is decided for it.
    MOVED,
    SUCCEEDED,
    FAILED
  }

  private final Group group;
  private final Member member;
  private final PodClass podClass;
  private final Was was;
  private final Assignment origin;
  private final Assignment promised;
  private Assignment now;
  private Role role;
  private int order;
  private boolean inBlock;
  private boolean waits;
  private Cause cause = Cause.STALE;
  private GroupKey beneficiary = GroupKey.NONE;
  private GroupKey overtakenBy = GroupKey.NONE;

  /// As its member says.
  ///
  /// @param origin where it is
  MemberState(Group group, Member member, PodClass podClass, Assignment origin) {
    this(group, member, podClass, was(group.group(), member), origin, Assignment.NOWHERE);
  }

  private MemberState(
      Group group,
      Member member,
      PodClass podClass,
      Was was,
      Assignment origin,
      Assignment promised) {
    this.group = group;
    this.member = member;
    this.podClass = podClass;
    this.role = group.root();
    this.was = was;
    this.promised = promised;
    this.origin = was == Was.PLANNED || was == Was.BOUND ? origin : Assignment.NOWHERE;
    this.now = this.origin;
  }

  /// One that is placed again.
  ///
  /// @param was `TENTATIVE` or `MOVED`
  static MemberState again(
      Group group, Member member, PodClass podClass, Was was, Assignment promised) {
    return new MemberState(group, member, podClass, was, Assignment.NOWHERE, promised);
  }

  static Was was(PodGroup group, Member member) {
    return switch (member.standing()) {
      case Standing.Waiting() -> isPlannable(group, member.pod()) ? Was.WAITING : Was.UNPLANNABLE;
      case Standing.Planned _ -> Was.PLANNED;
      case Standing.Bound _ -> Was.BOUND;
      case Standing.Leaving _, Standing.Awaited _ -> Was.LEAVING;
      case Standing.Over(boolean succeeded) -> succeeded ? Was.SUCCEEDED : Was.FAILED;
    };
  }

  /// Foreign gates come first: kube-scheduler would not look at the pod. An ungated pod that is a
  /// group of one is the extender's, unless it once had a plan of Berth (released, then lapsed).
  private static boolean isPlannable(PodGroup group, Pod pod) {
    boolean foreignGates = pod.life().gates().size() > (pod.isGated() ? 1 : 0);
    boolean ours = pod.isGated() || !group.single() || !pod.written().plan().isNone();
    return ours && !foreignGates && !pod.life().leaving() && !waitsForOtherPod(pod);
  }

  private static boolean waitsForOtherPod(Pod pod) {
    return lackOfVolume(pod).filter(it -> it.lack() == VolumeLack.OTHER_POD).isPresent();
  }

  /// The first of its volumes that keeps it from every node.
  private static Optional<VolumeRef> lackOfVolume(Pod pod) {
    for (VolumeRef volume : pod.traits().volumes()) {
      if (volume.lack().keepsFromAllNodes()) {
        return Optional.of(volume);
      }
    }
    return Optional.empty();
  }

  public Group group() {
    return group;
  }

  public Role role() {
    return role;
  }

  public Pod pod() {
    return member.pod();
  }

  public Member member() {
    return member;
  }

  public PodClass podClass() {
    return podClass;
  }

  public Was was() {
    return was;
  }

  /// Where it was when the session began.
  public Assignment origin() {
    return origin;
  }

  /// Where it would be.
  public Assignment now() {
    return now;
  }

  public boolean isPlaced() {
    return now.isSomewhere();
  }

  /// Bound, and not asked to leave.
  public boolean runs() {
    return was == Was.BOUND && isPlaced();
  }

  /// Bound where it is: its room is used as long as it has not left.
  public boolean isAtHome() {
    return was == Was.BOUND && now.isSame(origin);
  }

  /// Without a place, and to be given one.
  public boolean isWaiting() {
    return !now.isSomewhere()
        && switch (was) {
          case WAITING, PLANNED, TENTATIVE, MOVED, BOUND -> true;
          case UNPLANNABLE, LEAVING, SUCCEEDED, FAILED -> false;
        };
  }

  /// Without a place and not on its way out for good, whether or not the place is Berth's to give.
  public boolean isPending() {
    return isWaiting()
        || comesBack()
        || was == Was.UNPLANNABLE && !now.isSomewhere() && !pod().life().leaving();
  }

  /// Pending, and one of its volumes is used by another pod.
  boolean waitsForOtherPod() {
    return isPending() && waitsForOtherPod(pod());
  }

  /// Why it can be on no node, if its volumes say so.
  Optional<Reason> lackOfVolume() {
    return lackOfVolume(pod()).map(volume -> new Reason.VolumeNotReady(pod().key(), volume));
  }

  private boolean comesBack() {
    return was == Was.LEAVING
        && member.standing() instanceof Standing.Leaving(_, _, var comesBack)
        && comesBack;
  }

  /// Of one that is placed again: where it is to be.
  public Assignment promised() {
    return promised;
  }

  /// The preceding group that has the room that it was promised; none = not known to have it.
  public GroupKey overtakenBy() {
    return overtakenBy;
  }

  /// A preceding group has its room.
  public void setOvertakenBy(GroupKey taker) {
    overtakenBy = taker;
  }

  /// Whether it is placed again in each round, since it was given a place in an earlier one.
  public boolean isPromised() {
    return was == Was.TENTATIVE || was == Was.MOVED;
  }

  /// A tentative one that does not stay as it was.
  public boolean isBroken() {
    return was == Was.TENTATIVE && !now.isSame(promised);
  }

  /// Got its place in this session.
  public boolean isNew() {
    return now.isSomewhere() && (!origin.isSomewhere() || isWithdrawn()) && !isPromised();
  }

  /// It is not created anew once it is evicted.
  public boolean isOrphan() {
    return pod().belonging().owner().isNone();
  }

  /// Was bound when the session began, and is elsewhere or nowhere now.
  public boolean isVictim() {
    return was == Was.BOUND && !now.isSame(origin);
  }

  /// Was planned when the session began, and is elsewhere or nowhere now: its plan is given back.
  public boolean isWithdrawn() {
    return was == Was.PLANNED && !now.isSame(origin);
  }

  /// The plan that it had when the session began; none = it had none.
  public WrittenPlan planned() {
    return member.standing() instanceof Standing.Planned(var plan, _) ? plan : WrittenPlan.NONE;
  }

  /// Whether it is to leave for a plan that was made before, and is not on its way.
  public boolean isToBeAsked() {
    return member.standing() instanceof Standing.Leaving && !pod().life().leaving();
  }

  /// Deleted, and still there: charged to no queue, though it may run on for its grace.
  boolean isEnding() {
    return was == Was.LEAVING
        && pod().life().leaving()
        && member.standing() instanceof Standing.Leaving;
  }

  /// Of a new one: whether it starts together with the rest of a block.
  public boolean isInBlock() {
    return inBlock;
  }

  /// Of a new one: whether its place must be left by others first.
  public boolean waits() {
    return waits;
  }

  void waits(boolean forOthers) {
    waits = forOthers;
  }

  /// Of a victim: why it leaves.
  public Cause cause() {
    return cause;
  }

  /// Of a victim: its beneficiary.
  public GroupKey beneficiary() {
    return beneficiary;
  }

  void belong(Role leaf) {
    role = leaf;
    order = leaf.seats().size();
    leaf.join(this);
  }

  /// Its number among the members of its leaf.
  int order() {
    return order;
  }

  void move(Assignment to) {
    role.moves(this, now.isSomewhere(), to.isSomewhere());
    now = to;
  }

  void mark(boolean block, Cause why, GroupKey gainer) {
    inBlock = block;
    cause = why;
    beneficiary = gainer;
  }

  @Override
  public String toString() {
    return member.pod().key() + " " + was + " " + origin + " -> " + now;
  }
}
