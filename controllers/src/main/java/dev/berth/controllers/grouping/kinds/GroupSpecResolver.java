package dev.berth.controllers.grouping.kinds;

import dev.berth.controllers.client.OwnerClient;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Problem;
import dev.berth.engine.request.GroupNames;
import dev.berth.engine.request.Problems;
import dev.berth.engine.request.SubGroupTree;
import dev.berth.engine.request.WellKnownNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What owners say of pods: the rule of their kind, and the labels and annotations that mean the
/// same on every kind.
public final class GroupSpecResolver {
  /// The sub-group of members of a tree that have no role in it.
  private static final String SURPLUS = "surplus";

  private final Rules rules;

  public GroupSpecResolver(Rules rules) {
    this.rules = rules;
  }

  public Rules rules() {
    return rules;
  }

  /// A group of another scheduler's kind that the pod names: it takes the place of owners. Empty
  /// where it names none, or one of Berth.
  public static Optional<OwnerReference> named(KubeObject pod) {
    String ofPlugins = pod.label(WellKnownNames.POD_GROUP_LABEL);
    if (!ofPlugins.isEmpty()) {
      return Optional.of(
          OwnerReference.named("scheduling.x-k8s.io/", "PodGroup", pod.namespace(), ofPlugins));
    }
    String ofKubernetes = pod.spec(new Problems()).object("schedulingGroup").text("podGroupName");
    return ofKubernetes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            OwnerReference.named("scheduling.k8s.io/", "PodGroup", pod.namespace(), ofKubernetes));
  }

  /// Whether it names a PodGroup of Berth: then its owners are not asked.
  public static boolean isOfOurGroup(KubeObject pod) {
    return !pod.label(WellKnownNames.POD_GROUP).isEmpty()
        || pod.annotations().containsKey(WellKnownNames.POD_GROUP)
        || pod.annotations().containsKey(WellKnownNames.POD_GROUP_ALIAS);
  }

  /// The PodGroup of Berth that it names.
  public static GroupKey ourGroup(KubeObject pod) {
    String name = pod.label(WellKnownNames.POD_GROUP);
    for (String key : List.of(WellKnownNames.POD_GROUP, WellKnownNames.POD_GROUP_ALIAS)) {
      name = name.isEmpty() ? pod.annotations().getOrDefault(key, "") : name;
    }
    return name.isEmpty() ? GroupKey.NONE : new GroupKey(pod.namespace(), name);
  }

  /// Whether it names a group of another scheduler that could not be read.
  public static boolean lacksItsGroup(WorkloadPod pod) {
    return named(pod.pod()).isPresent() && !isNamed(pod);
  }

  /// What its rule must read besides its owners.
  public List<OwnerReference> wants(WorkloadPod pod) {
    if (!pod.further().isEmpty() || isLeftAlone(pod)) {
      return List.of();
    }
    KubeObject subject = rules.subject(pod);
    return rules.of(subject).wants(subject, pod);
  }

  /// Where a pod belongs.
  ///
  /// @param pod with the group that it names (see [#named]) among its further objects, if it does
  public AssignedPod seat(WorkloadPod pod) {
    var problems = new Problems();
    boolean named = isNamed(pod);
    KubeObject subject = named ? pod.further().getFirst() : rules.subject(pod);
    if (isLeftAlone(pod)) {
      return alone(pod, subject, List.of());
    }
    for (KubeObject owner : pod.owners()) {
      if (owner.owners().size() > 1) {
        problems.add(
            "metadata.ownerReferences of " + owner,
            Integer.toString(owner.owners().size()),
            "it is not known which of several owners says what its pods are. Keep one of them.");
      }
    }
    for (KubeObject each : pod.others()) {
      Object bytes = each.fields().get(OwnerClient.TOO_LARGE);
      if (bytes != null) {
        problems.add(
            "size of " + each,
            bytes.toString(),
            "an owner takes 2 MiB of memory at most. Split it.");
      }
    }
    var rule = rules.of(subject);
    RoleAssignment seat = rule.seat(subject, pod, problems);
    if (seat.alone() || !problems.list().isEmpty()) {
      return alone(pod, subject, problems.list());
    }
    String namespace = pod.pod().namespace();
    var group =
        named
            ? new GroupKey(namespace, subject.name())
            : GroupNames.of(namespace, subject.name(), seat.part(), new OwnerUid(subject.uid()));
    var trait = new Trait(rule.trait(subject, pod), seat.role().isEmpty(), said(pod, subject));
    return new AssignedPod(pod, subject, seat, group, trait, List.of());
  }

  private AssignedPod alone(WorkloadPod pod, KubeObject subject, List<Problem> problems) {
    var trait = new Trait(Rule.SAME, true, said(pod, subject));
    return new AssignedPod(pod, subject, RoleAssignment.ALONE, GroupKey.NONE, trait, problems);
  }

  private OwnerLabels said(WorkloadPod pod, KubeObject subject) {
    var owners = isNamed(pod) ? List.of(subject) : pod.owners();
    int from = Math.max(owners.indexOf(subject), 0);
    var lower = owners.subList(0, from);
    return OwnerLabels.of(
        pod.pod(), rules.of(subject).speakers(pod), lower, owners.subList(from, owners.size()));
  }

  private static boolean isNamed(WorkloadPod pod) {
    return pod.owners().isEmpty()
        && !pod.further().isEmpty()
        && pod.further().getFirst().kind().equals("PodGroup");
  }

  private static boolean isLeftAlone(WorkloadPod pod) {
    for (KubeObject each : pod.chain()) {
      if (isTrue(each, WellKnownNames.LEFT_ALONE)
          || isTrue(each, WellKnownNames.LEFT_ALONE_ALIAS)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isTrue(KubeObject thing, String key) {
    return thing.label(key).equals("true")
        || thing.annotations().getOrDefault(key, "").equals("true");
  }

  /// What is said of a pod that is a group of one.
  public Membership alone(AssignedPod pod) {
    var said = pod.trait().said();
    var problems = new ArrayList<>(pod.problems());
    var spec = spec(GroupKey.NONE, GangShape.of(1), said, said.nearestClass(), problems);
    return new Membership(spec, "", false, usualClass(pod));
  }

  /// What is said of one member of a gang.
  public Membership member(AssignedPod pod, GroupSpec gang) {
    String role = pod.seat().role();
    boolean surplus = role.isEmpty() && !gang.subGroups().isEmpty();
    return new Membership(gang, surplus ? SURPLUS : role, pod.seat().leads(), usualClass(pod));
  }

  /// What a gang is.
  ///
  /// @param seated the first of each trait that its known members have, at least one
  /// @param count of all of them
  public ShapedGang gang(List<AssignedPod> seated, int count) {
    var problems = new Problems();
    var whole = gang(seated, problems);
    int parts = whole.subGroups().size();
    int enough = ShapedGang.enough(parts);
    if (count >= enough) {
      return new ShapedGang(whole, parts, Integer.MAX_VALUE);
    }
    int required = whole.required();
    var first = seated.getFirst();
    if (count >= required) {
      first
          .subject()
          .tree(problems)
          .problem(
              "number of sub-groups",
              Integer.toString(parts),
              "for so many it has " + enough + " pods, and there are " + count + ". Lower it.");
    }
    int next = count < required ? Math.min(enough, required) : enough;
    var flat = GangShape.of(count < required ? required : 1).within(whole.topology());
    return new ShapedGang(spec(seated, flat.of(whole.priorityClass()), problems), parts, next);
  }

  private GroupSpec gang(List<AssignedPod> seated, Problems problems) {
    var first = seated.getFirst();
    var members = seated.stream().map(AssignedPod::member).toList();
    var family = new GangMembers(first.subject(), first.seat().part(), members);
    GangShape shape = rules.of(first.subject()).shape(family, problems);
    boolean surplus = seated.stream().anyMatch(each -> each.trait().surplus());
    if (surplus && !shape.subGroups().isEmpty()) {
      shape = shape.withSurplus(SURPLUS);
    }
    var about = first.subject().tree(problems);
    shape =
        shape.withTree(
            SubGroupTree.of(
                shape.subGroups(),
                (_, field, value, rule) -> about.problem("sub-group " + field, value, rule)));
    return spec(seated, shape, problems);
  }

  private static GroupSpec spec(List<AssignedPod> seated, GangShape shape, Problems problems) {
    var first = seated.getFirst();
    return spec(
        first.group(),
        shape,
        first.trait().said(),
        priorityClass(seated),
        new ArrayList<>(problems.list()));
  }

  /// What the workload of a pod asks for and its kind cannot do.
  public List<Problem> advice(KubeObject subject) {
    return rules.of(subject).advice(subject);
  }

  /// The class of its kind, where none is named.
  public String usualClass(AssignedPod pod) {
    return rules.of(pod.subject()).priorityClass();
  }

  private static GroupSpec spec(
      GroupKey key,
      GangShape shape,
      OwnerLabels said,
      String priorityClass,
      List<Problem> problems) {
    problems.addAll(said.problems());
    return new GroupSpec(
            key,
            "",
            0,
            Instant.EPOCH,
            said.queue(),
            shape.minMember(),
            shape.minSubGroup(),
            shape.subGroups(),
            shape.topology().equals(TopologyAsk.NONE) ? said.topology() : shape.topology(),
            shape.priorityClass().isEmpty() ? priorityClass : shape.priorityClass(),
            said.preemptibility(),
            said.patience(),
            Instant.EPOCH,
            problems)
        .with(shape.completions());
  }

  /// The class that the workload names, else the one that all objects below it name, else that of
  /// the pods: the label on one Job of many says nothing of the others.
  private static String priorityClass(List<AssignedPod> seated) {
    var first = seated.getFirst().trait().said();
    if (!first.ownClass().isEmpty()) {
      return first.ownClass();
    }
    String lower = first.lowerClass();
    boolean agreed = true;
    for (AssignedPod each : seated) {
      agreed &= each.trait().said().lowerClass().equals(lower);
    }
    return agreed && !lower.isEmpty() ? lower : first.podClass();
  }
}
