package dev.berth.engine.request;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodRequest;
import dev.berth.engine.model.PodRequest.Isolation;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.ShareClaim;
import dev.berth.engine.model.WordsOnPod;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A `v1` Pod. What is invalid in it is a problem of the pod, and what is valid counts: a running
/// pod with a broken annotation still takes its cpu.
///
/// A reader of pods from a watch needs these fields and no others: `metadata` {name, namespace,
/// uid, resourceVersion, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, labels,
/// annotations, ownerReferences}, `spec` {schedulerName, nodeName, priority, preemptionPolicy,
/// terminationGracePeriodSeconds, containers and initContainers {name, resources, ports,
/// restartPolicy}, overhead, resources, hostNetwork, nodeSelector, affinity, tolerations,
/// topologySpreadConstraints, resourceClaims, volumes {name, persistentVolumeClaim, ephemeral},
/// schedulingGates, schedulingGroup, runtimeClassName}, `status` {phase, startTime, conditions,
/// resourceClaimStatuses, containerStatuses {state, lastState, allocatedResourcesStatus}}.
///
/// A preemptibility, delay or grace that is none is ignored; the controllers tell it by an event.
public final class PodManifest {
  private final boolean inPlaceOfKai;
  private final ObjectMeta head;
  private final ManifestTree spec;
  private final ManifestTree status;
  private final Problems problems;
  private final List<ManifestTree> containers;
  private final List<ManifestTree> initContainers;

  private PodManifest(Manifest manifest, boolean inPlaceOfKai) {
    this.inPlaceOfKai = inPlaceOfKai;
    this.head = manifest.head();
    this.spec = manifest.spec();
    this.status = manifest.status();
    this.problems = manifest.problems();
    this.containers = spec.objects("containers");
    this.initContainers = spec.objects("initContainers");
  }

  /// Empty only for a tree without `metadata.name`.
  public static Optional<Pod> read(Map<?, ?> tree) {
    return Manifest.open(tree).map(manifest -> new PodManifest(manifest, false).pod());
  }

  /// The same where Berth runs in the place of KAI: it gave shares of devices to pods that run
  /// still.
  public static Optional<Pod> readInPlaceOfKai(Map<?, ?> tree) {
    return Manifest.open(tree).map(manifest -> new PodManifest(manifest, true).pod());
  }

  private Pod pod() {
    var life = life();
    var asks =
        new Pod.Asks(
            request(),
            NodeRequirements.of(spec, head),
            spec.number("priority", Integer.MIN_VALUE).orElse(0),
            GroupLabels.preemptibility(head.labels(), new Problems()),
            manners());
    return new Pod(
        new PodUid(head.uid()),
        new PodKey(head.namespace(), head.name()),
        head.version(),
        head.created(),
        scheduler(life.node()),
        life,
        asks,
        belonging(),
        written(),
        holding(life.node()),
        PodTraits.of(head, spec, status),
        problems.list());
  }

  /// A share that KAI gave sits on a device that a pod of KAI's reserves and counts for: as long as
  /// it runs, it is KAI's, even if Berth now places pods of that scheduler's name. Any tenant can
  /// write a label: what has a plan or a device of Berth, or is of Berth's own name, is Berth's.
  ///
  /// A placeholder belongs to no scheduler: it requests nothing, and waits for good.
  private String scheduler(NodeName node) {
    if (node.isNone() && head.labels().has(WellKnownNames.PLACEHOLDER)) {
      return WellKnownNames.PLACEHOLDER;
    }
    ManifestTree annotations = head.annotations();
    boolean isShare =
        annotations.has(WellKnownNames.GPU_FRACTION) || annotations.has(WellKnownNames.GPU_MEMORY);
    boolean givenByKai =
        inPlaceOfKai
            && isShare
            && !node.isNone()
            && !annotations.has(WellKnownNames.GPU_DEVICES)
            && !annotations.has(WellKnownNames.PLAN)
            && !spec.text("schedulerName").equals(WellKnownNames.SCHEDULER)
            && head.labels().hasAny(WellKnownNames.KAI_GPU_GROUP);
    return givenByKai ? WellKnownNames.KAI_GPU_GROUP : spec.text("schedulerName");
  }

  private Pod.Manners manners() {
    boolean takesVictims = !spec.text("preemptionPolicy").equals("Never");
    var usual = Pod.Manners.DEFAULT;
    var seconds = spec.number("terminationGracePeriodSeconds", 0);
    if (takesVictims && seconds.isEmpty()) {
      return usual;
    }
    return new Pod.Manners(
        takesVictims, seconds.isEmpty() ? usual.grace() : Duration.ofSeconds(seconds.getAsInt()));
  }

  private Pod.Lifecycle life() {
    String nodeName = spec.text("nodeName");
    var node = nodeName.isEmpty() ? NodeName.NONE : new NodeName(nodeName);
    var gates = new ArrayList<String>(1);
    for (ManifestTree gate : spec.objects("schedulingGates")) {
      gates.add(gate.text("name"));
    }
    boolean deleted = head.metadata().has("deletionTimestamp");
    boolean leaving = deleted && isGoneSoon(node);
    var phase = phase();
    return new Pod.Lifecycle(
        phase,
        node,
        gates,
        leaving,
        refusal(),
        started(),
        KubeletDevices.of(status),
        deleted && !leaving,
        phase == Pod.Phase.SUCCEEDED || phase == Pod.Phase.FAILED ? finished() : Instant.MAX);
  }

  /// When the last of its containers ended.
  private Instant finished() {
    var last = Instant.EPOCH;
    for (ManifestTree container : status.objects("containerStatuses")) {
      var ended = container.object("state").object("terminated");
      if (ended.has("finishedAt")) {
        var at = ended.time("finishedAt");
        last = at.isAfter(last) ? at : last;
      }
    }
    return known(last);
  }

  /// Whether the room of a deleted pod comes soon. A pod that is deleted with a grace of hours runs
  /// on for hours: that room is not free, nor outside its queue's limit, and no group is to wait
  /// for it.
  private boolean isGoneSoon(NodeName node) {
    return node.isNone() || head.labels().has(WellKnownNames.HOLDER) || isGoneSoon(head.metadata());
  }

  /// Whether a pod that is deleted on its node is given so short a time to end that its room counts
  /// as leaving.
  public static boolean isGoneSoon(ManifestTree metadata) {
    String seconds = metadata.text("deletionGracePeriodSeconds").trim();
    return seconds.length() <= 2 && (seconds.isEmpty() || Integer.parseInt(seconds) <= SOON);
  }

  /// Seconds; the API server writes whole numbers.
  private static final int SOON = 60;

  /// When its kubelet took it; else when it was bound; else, of one that runs, when it was made.
  private Instant started() {
    if (status.has("startTime")) {
      return known(status.time("startTime"));
    }
    for (ManifestTree condition : status.objects("conditions")) {
      if (condition.text("type").equals("PodScheduled")
          && condition.text("status").equals("True")
          && condition.has("lastTransitionTime")) {
        return known(condition.time("lastTransitionTime"));
      }
    }
    return status.text("phase").equals("Running") ? known(head.created()) : Instant.MAX;
  }

  private static Instant known(Instant time) {
    return time.equals(Instant.EPOCH) ? Instant.MAX : time;
  }

  private Pod.Phase phase() {
    String phase = status.text("phase");
    return switch (phase) {
      case "Pending", "" -> Pod.Phase.PENDING;
      case "Running", "Unknown" -> Pod.Phase.RUNNING; // unknown: its node does not answer
      case "Succeeded" -> Pod.Phase.SUCCEEDED;
      case "Failed" -> Pod.Phase.FAILED;
      default -> {
        status.problem("phase", phase, "it is Pending, Running, Succeeded, Failed or Unknown.");
        yield Pod.Phase.PENDING;
      }
    };
  }

  private String refusal() {
    for (ManifestTree condition : status.objects("conditions")) {
      if (condition.text("type").equals("PodScheduled")
          && condition.text("status").equals("False")
          && condition.text("reason").equals("Unschedulable")) {
        return condition.text("message");
      }
    }
    return "";
  }

  private PodRequest request() {
    var asked = Requests.of(spec, containers, initContainers);
    Amounts amounts = asked.amounts();
    ManifestTree annotations = head.annotations();
    var isolation = AcceleratorRequest.isolation(annotations);
    String template = shareTemplate();
    boolean byClaim = !template.isEmpty();
    if (byClaim) {
      AcceleratorRequest.byClaim(annotations, amounts, template);
      isolation = Isolation.NONE;
    }
    String container = AcceleratorRequest.container(annotations, containers, initContainers);
    var devices = byClaim ? DeviceRequest.NONE : AcceleratorRequest.of(annotations, amounts);
    return new PodRequest(
        amounts,
        devices,
        deviceContainer(container, devices.isShare()),
        AcceleratorRequest.models(annotations),
        isolation,
        HostPorts.of(spec, containers, initContainers),
        asked.alignment(),
        devices.isShare() ? spec.text("runtimeClassName") : "");
  }

  /// NVIDIA's agent and its NRI plugin are told it by name.
  private String deviceContainer(String named, boolean isShare) {
    return named.isEmpty() && isShare && !containers.isEmpty()
        ? containers.getFirst().text("name")
        : named;
  }

  /// The template of the claim that admission made of the share in the annotations: such a share is
  /// counted by its claim alone. Empty = there is none.
  private String shareTemplate() {
    boolean asksShare =
        head.annotations().has(WellKnownNames.GPU_MEMORY)
            || head.annotations().has(WellKnownNames.GPU_FRACTION);
    for (ManifestTree claim : spec.objects("resourceClaims")) {
      if (asksShare && claim.text("name").equals(ShareClaim.NAME)) {
        return claim.text("resourceClaimTemplateName");
      }
    }
    return "";
  }

  private Pod.Belonging belonging() {
    ManifestTree labels = head.labels();
    ManifestTree annotations = head.annotations();
    return new Pod.Belonging(
        GroupLabels.queue(labels),
        GroupLabels.group(head.namespace(), labels, annotations, spec),
        GroupLabels.minMember(annotations),
        GroupLabels.subGroup(labels),
        owner(),
        labels
            .number(
                labels.spoken(WellKnownNames.TASK_PRIORITY, WellKnownNames.TASK_PRIORITY_ALIAS),
                Integer.MIN_VALUE)
            .orElse(0),
        labels.text(WellKnownNames.PRIORITY_CLASS),
        GroupLabels.topology(annotations),
        GroupLabels.patience(annotations, new Problems()));
  }

  private Pod.Owner owner() {
    for (ManifestTree reference : head.metadata().objects("ownerReferences")) {
      if (reference.flag("controller")) {
        String kind = reference.text("kind");
        String name = reference.text("name");
        return new Pod.Owner(
            ownerUid(reference.text("uid"), head.namespace(), kind, name),
            reference.text("apiVersion"),
            kind,
            name);
      }
    }
    return Pod.Owner.NONE;
  }

  /// Where a file gives no UID: a stand-in that is the same for the object and for its pods.
  static OwnerUid ownerUid(String uid, String namespace, String kind, String name) {
    return new OwnerUid(uid.isEmpty() ? namespace + "/" + kind + "/" + name : uid);
  }

  private Pod.Written written() {
    String plan = head.annotations().text(WellKnownNames.PLAN);
    String devices = head.annotations().text(WellKnownNames.GPU_DEVICES);
    String preemptor = head.annotations().text(WellKnownNames.PREEMPTOR);
    var words =
        new WordsOnPod(
            isConditionTaken(), head.annotations().has(WellKnownNames.WAITING), warned(), notice());
    boolean isSilent = words.equals(WordsOnPod.NONE);
    if (plan.isEmpty() && devices.isEmpty() && preemptor.isEmpty() && isSilent) {
      return Pod.Written.NOTHING;
    }
    return new Pod.Written(
        plan.isEmpty() ? WrittenPlan.NONE : plan(plan),
        CommaList.of(devices),
        preemptor.equals(head.uid()), // a copy of another pod's manifest says nothing
        words);
  }

  private Instant warned() {
    return StatusConditions.of(status, WordsOnPod.ENDS_SOON)
        .filter(StatusConditions::isTrue)
        .findFirst()
        .map(each -> each.time("lastTransitionTime"))
        .orElse(Instant.EPOCH);
  }

  private Idleness.Notice notice() {
    return StatusConditions.of(status, Idleness.Notice.POD_CONDITION)
        .filter(StatusConditions::isTrue)
        .findFirst()
        .map(IdleConditions::read)
        .orElse(Idleness.Notice.NONE);
  }

  private boolean isConditionTaken() {
    for (ManifestTree condition : status.objects("conditions")) {
      if (condition.text("type").equals("PodScheduled")
          && condition.text("status").equals("False")) {
        return !condition.text("reason").equals("SchedulingGated");
      }
    }
    return false;
  }

  private WrittenPlan plan(String text) {
    var plan = WrittenPlan.parse(text);
    if (plan.isEmpty()) {
      head.annotations()
          .problem(
              WellKnownNames.PLAN,
              text,
              "only Berth writes it, and this is none of its. Remove it.");
    }
    return plan.orElse(WrittenPlan.NONE);
  }

  private Pod.Holding holding(NodeName node) {
    if (!head.labels().text(WellKnownNames.HOLDER).equals("true")) {
      return Pod.Holding.NONE;
    }
    var slot = head.annotations().number(WellKnownNames.HOLDER_SLOT, 0);
    if (slot.isEmpty() || node.isNone()) {
      head.labels()
          .problem(
              WellKnownNames.HOLDER,
              "true",
              "a holder is made by Berth, with spec.nodeName and the annotation "
                  + WellKnownNames.HOLDER_SLOT
                  + ". Remove the label.");
      return Pod.Holding.NONE;
    }
    var report = HolderReport.of(status);
    return new Pod.Holding(node, slot.getAsInt(), report.device(), report.trouble());
  }
}
