package dev.berth.controllers.grouping.kinds;

import dev.berth.controllers.grouping.kinds.GangShape.Roles;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Problem;
import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;
import java.util.List;
import java.util.Optional;

/// `leaderworkerset.x-k8s.io` LeaderWorkerSet: each replica is a gang of `size`, one leader and the
/// workers.
///
/// With `startupPolicy: LeaderReady` workers are created when the leader is ready, so until then,
/// or until the first of them is there, the leader alone is the minimum.
///
/// With `subGroupPolicy.subGroupSize` (or `berth.dev/segment-size`) the pods form segments: the
/// leader sits in the first one, which is one larger where the workers divide evenly, or stands
/// alone (`LeaderExcluded`). What segments there are is decided by the size that the spec says,
/// whatever the minimum is at the moment.
final class LeaderWorkerSets implements Rule {
  private static final String LABELS = "leaderworkerset.sigs.k8s.io/";
  private static final String LEADER = "leader";
  private static final String WORKERS = "workers";
  private static final String POLICY = "startupPolicy";

  /// How a replica is cut.
  ///
  /// @param leaderExcluded the leader stands alone
  private record Cut(Segments segments, boolean leaderExcluded, int size) {
    /// The leader is one more in its segment.
    boolean isLeaderExtra() {
      return (size - 1) % segments.size() == 0;
    }

    /// Pods that are counted into blocks.
    int pods() {
      return isLeaderExtra() ? size - 1 : size;
    }

    int segmentOf(int worker) {
      return (isLeaderExtra() ? worker - 1 : worker) / segments.size();
    }
  }

  @Override
  public RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems) {
    String group = pod.label(LABELS + "group-index");
    String text = pod.label(LABELS + "worker-index");
    if (group.isEmpty() || !text.matches("[0-9]{1,9}")) {
      problems.add(
          LABELS + (group.isEmpty() ? "group-index" : "worker-index"),
          group.isEmpty() ? group : text,
          "the controller writes both labels, and without them Berth does not know the pod's"
              + " role.");
      return RoleAssignment.ALONE;
    }
    int worker = Integer.parseInt(text);
    var cut = cut(subject, pod, problems);
    String role = worker == 0 ? LEADER : WORKERS;
    if (cut.isPresent() && worker > 0) {
      int segment = cut.get().segmentOf(worker);
      role = segment == 0 && !cut.get().leaderExcluded() ? WORKERS : "segment-" + segment;
    }
    return RoleAssignment.of(role).in("group-" + group).leading(worker == 0);
  }

  @Override
  public GangShape shape(GangMembers family, Problems problems) {
    var first = family.first();
    int size = size(family.subject(), first, problems);
    boolean leaderAlone = isLeaderAlone(family, problems);
    var cut = cut(family.subject(), first, problems);
    var roles = new Roles();
    if (cut.isEmpty()) {
      roles.leaf(LEADER, 1);
      if (size > 1) {
        roles.leaf(WORKERS, leaderAlone ? 0 : size - 1);
      }
      return roles.shape();
    }
    addSegments(roles, cut.get(), leaderAlone);
    return roles.shape();
  }

  private record Trait(String size, List<String> segments, boolean pastTheLeader) {}

  @Override
  public Object trait(KubeObject subject, WorkloadPod pod) {
    return new Trait(
        pod.annotation(LABELS + "size"), Segments.said(pod), isWorkerOrReadyLeader(pod));
  }

  private static void addSegments(Roles roles, Cut cut, boolean leaderAlone) {
    var segments = cut.segments();
    if (cut.leaderExcluded()) {
      roles.leaf(LEADER, 1);
    }
    for (int i = 0; i < segments.count(cut.pods()); i++) {
      int pods = segments.pods(i, cut.pods());
      String name = "segment-" + i;
      if (i == 0 && !cut.leaderExcluded()) {
        int workers = cut.isLeaderExtra() ? pods : pods - 1;
        roles.parent(name, 2, segments.topology());
        roles.leaf(LEADER, name, 1, TopologyAsk.NONE);
        roles.leaf(WORKERS, name, leaderAlone ? 0 : workers, TopologyAsk.NONE);
      } else {
        roles.leaf(name, "", leaderAlone ? 0 : pods, segments.topology());
      }
    }
  }

  @Override
  public List<Problem> advice(KubeObject subject) {
    var spec = subject.spec(new Problems());
    int size = spec.object("leaderWorkerTemplate").number("size", 1).orElse(1);
    return size > 1 && isLeaderFirst(subject, new Problems())
        ? List.of(
            new Problem(
                "spec." + POLICY,
                "LeaderReady",
                "its workers are created when the leader is ready, so no room is kept for them, and"
                    + " a leader whose workers find none leaves again after its staleness grace. "
                    + POLICY
                    + ": LeaderCreated places all pods of a replica together."))
        : List.of();
  }

  private static boolean isLeaderFirst(KubeObject subject, Problems problems) {
    return subject.spec(problems).text(POLICY).equals("LeaderReady");
  }

  private static boolean isLeaderAlone(GangMembers family, Problems problems) {
    if (!isLeaderFirst(family.subject(), problems)) {
      return false;
    }
    return family.members().stream().noneMatch(LeaderWorkerSets::isWorkerOrReadyLeader);
  }

  private static boolean isWorkerOrReadyLeader(WorkloadPod member) {
    boolean leads = member.label(LABELS + "worker-index").equals("0");
    return member.isAlive() && (!leads || member.state().scheduled() && member.state().ready());
  }

  /// The pod's own annotation first: a rolling update may change the size.
  private static int size(KubeObject subject, WorkloadPod pod, Problems problems) {
    var own = pod.pod().annotations(problems).number(LABELS + "size", 1);
    if (own.isPresent()) {
      return own.getAsInt();
    }
    ManifestTree template = subject.spec(problems).object("leaderWorkerTemplate");
    var size = template.number("size", 1);
    if (size.isEmpty()) {
      template.problem("size", template.text("size"), "a replica has one pod at least.");
    }
    return size.orElse(1);
  }

  private static Optional<Cut> cut(KubeObject subject, WorkloadPod pod, Problems problems) {
    ManifestTree template = subject.spec(problems).object("leaderWorkerTemplate");
    ManifestTree policy = template.object("subGroupPolicy");
    var annotations =
        List.of(
            subject.annotations(problems),
            template.object("workerTemplate").object("metadata").words("annotations"));
    var said = policy.number("subGroupSize", 1);
    var asked = said.isPresent() ? said : Segments.size(annotations);
    if (asked.isEmpty()) {
      return Optional.empty();
    }
    int size = size(subject, pod, problems);
    var segments =
        new Segments(
            asked.getAsInt(),
            Segments.topology(
                List.of(
                    pod.pod().annotations(problems), annotations.get(1), annotations.getFirst())));
    boolean excluded = policy.text("subGroupPolicyType").equals("LeaderExcluded");
    String field = "subGroupSize";
    String value = Integer.toString(segments.size());
    if (segments.size() < 2 || segments.size() > size) {
      policy.problem(field, value, "a segment has from 2 pods to the " + size + " of a replica.");
      return Optional.empty();
    }
    var cut = new Cut(segments, excluded, size);
    if (excluded && !cut.isLeaderExtra()) {
      policy.problem(
          field, value, "with LeaderExcluded it must divide the " + (size - 1) + " workers.");
      return Optional.empty();
    }
    return segments.isSane(size, policy, field) ? Optional.of(cut) : Optional.empty();
  }
}
