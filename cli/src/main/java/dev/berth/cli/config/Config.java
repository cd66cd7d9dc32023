package dev.berth.cli.config;

import dev.berth.cli.config.ConfigKey.Replica;
import dev.berth.cli.config.Section.Longest;
import dev.berth.controllers.audit.AuditSettings;
import dev.berth.controllers.autoscaling.AutoscalingSettings;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.cycle.CycleSettings;
import dev.berth.controllers.cycle.MoveSettings;
import dev.berth.controllers.cycle.UsageSettings;
import dev.berth.controllers.evictions.EvictionSettings;
import dev.berth.controllers.gates.GateSettings;
import dev.berth.controllers.grouping.GroupingSettings;
import dev.berth.controllers.groups.GroupSettings;
import dev.berth.controllers.holders.HolderSettings;
import dev.berth.controllers.injection.InjectionSettings;
import dev.berth.controllers.kube.ClaimTemplateSettings;
import dev.berth.controllers.kube.HolderPodSettings;
import dev.berth.controllers.lease.LeaseSettings;
import dev.berth.controllers.queues.QueueSettings;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.request.PodManifest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Everything that can be set, read from one YAML file. Each module's settings are records there.
///
/// @param holderPods namespace and images of holder pods
/// @param writesInFlight maximum concurrent API writes; at most half of them remove gates
/// @param claimTemplates what is asked of GPUs of which a share is a claim (DRA)
/// @param readsKai whether KAI's objects are read in place, as if they were Berth's
/// @param log how log lines are written
/// @param decisionLog whether and where what was decided is logged, to be planned again
/// @param rest the REST API and its pages
/// @param idle where it is known what GPUs do
public record Config(
    LedgerSettings ledger,
    PlannerSettings planner,
    CycleSettings cycle,
    GateSettings gates,
    HolderSettings holders,
    HolderPodSettings holderPods,
    InjectionSettings injection,
    GroupSettings groups,
    QueueSettings queues,
    GroupingSettings grouping,
    EvictionSettings evictions,
    AuditSettings audit,
    ExtenderConfig extender,
    LeaseSettings lease,
    int writesInFlight,
    boolean readsKai,
    AutoscalingSettings autoscaling,
    ClaimTemplateSettings claimTemplates,
    LogConfig log,
    DecisionLogConfig decisionLog,
    RestConfig rest,
    IdleConfig idle) {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /// What there is to watch.
  public List<Watcher.Kind> kinds() {
    return Stream.of(Watcher.Kind.values()).filter(kind -> readsKai || !kind.isOfKai()).toList();
  }

  /// How pods are read.
  public Optional<Pod> pod(Map<?, ?> tree) {
    return readsKai ? PodManifest.readInPlaceOfKai(tree) : PodManifest.read(tree);
  }

  /// What holds without a file.
  public static Config defaults() {
    try {
      return read(Map.of());
    } catch (ConfigException impossible) {
      throw new IllegalStateException("the defaults are wrong", impossible);
    }
  }

  public static Config read(Path file) throws ConfigException {
    return read(ConfigFile.tree(file));
  }

  /// Reads a file's tree: maps, lists, strings, numbers, booleans.
  public static Config read(Object tree) throws ConfigException {
    var wrongs = new ArrayList<String>();
    var root = new Section(tree, wrongs, new ArrayList<>());
    var config = read(root);
    root.finish();
    if (!wrongs.isEmpty()) {
      throw new ConfigException(wrongs);
    }
    return config;
  }

  static Config read(Section root) {
    var plan = root.section("plan", "From a plan to the Binding.");
    int inFlight =
        root.section("writes", "Writes to the API server.")
            .whole(
                "inFlight",
                "writes",
                "Most concurrent writes to the API server. At most half of them remove gates; the"
                    + " other half is for Bindings and all else.",
                48,
                2,
                1000);
    var status = root.section("status", "What is written to statuses, and told by events.");
    var consolidation =
        root.section(
            "consolidation",
            "Moving running pods to make room for one group (docs/users/policy.md).");
    var fairShare =
        PlannerConfig.fairShare(
            root.section("fairShare", "How past use counts when fair shares are computed."));
    var queues = StatusConfig.queues(status, fairShare);
    var maxRuntimeWarning = PlannerConfig.maxRuntimeWarning(root);
    var cycle =
        new CycleSettings(
            plan.duration(
                "pause",
                "Shortest time between two plans: changes that come meanwhile are planned together."
                    + " After a longer quiet time a change waits half of it.",
                CycleSettings.DEFAULT.pause(),
                Duration.ZERO,
                DAY),
            plan.duration(
                "longestPause",
                "Longest pause after a plan. Pauses keep planning at a fifth of one core in the"
                    + " long run, and searches at a tenth.",
                CycleSettings.DEFAULT.longestPause(),
                Duration.ZERO,
                DAY),
            plan.duration(
                "deadline",
                "A planned pod that is not bound by then gives its room back. No less than"
                    + " `extender.barrier` and `lease.duration`.",
                CycleSettings.DEFAULT.deadline(),
                Duration.ofSeconds(1),
                DAY),
            plan.duration(
                "veto",
                "How long a node that kube-scheduler refused is left out for that pod.",
                CycleSettings.DEFAULT.veto(),
                Duration.ZERO,
                DAY),
            maxRuntimeWarning,
            moves(consolidation),
            new UsageSettings(fairShare, queues.queuePause(), queues.usageStep()));
    var gates =
        new GateSettings(
            plan.whole(
                "nominateFrom",
                "nodes",
                "In clusters with so many nodes or more, pods get `status.nominatedNodeName` before"
                    + " their gate is removed: one more write for each pod, and kube-scheduler does"
                    + " not filter all nodes.",
                GateSettings.DEFAULT.nominateFrom(),
                0,
                Integer.MAX_VALUE),
            inFlight / 2,
            plan.whole(
                "window",
                "pods",
                "Most pods between gate and Binding at once. A larger block goes alone.",
                GateSettings.DEFAULT.window(),
                1,
                1_000_000),
            cycle.deadline(),
            cycle.deadline().dividedBy(4));
    var holders =
        root.section(
            "holders",
            "Holder pods, which keep shared GPUs from the kubelet (docs/operators/devices.md).");
    var half = new Longest(cycle.deadline().dividedBy(2), "half of plan.deadline");
    var keep = HolderConfig.holders(holders, cycle.deadline(), half);
    var holderPods = HolderConfig.pods(holders);
    var leaving = root.section("evictions", "How pods are asked to leave.");
    var ledger =
        new LedgerSettings(
            root.texts(
                "schedulers",
                "Scheduler names whose pods Berth places. The configuration of kube-scheduler has a"
                    + " profile for each.",
                LedgerSettings.DEFAULT.schedulers()),
            new QueueName(
                root.text(
                    "defaultQueue",
                    "Queue of pods for which neither they, their owners nor their namespace name"
                        + " one.",
                    LedgerSettings.DEFAULT.defaultQueue().value())),
            holderPods.namespace(),
            leaving.duration(
                "placeHold",
                "How long the place of a moved pod of a Job is kept once the pod is gone. The Job"
                    + " controller pauses for 10 s and more before it creates the next one.",
                LedgerSettings.DEFAULT.placeHold(),
                Duration.ZERO,
                LedgerSettings.LONGEST_PAUSE),
            plan.duration(
                "volumeBindTimeout",
                "How long the room of a pod is charged for whose volumes kube-scheduler waits. No"
                    + " less than `bindTimeoutSeconds` of its plugin VolumeBinding; the manifests"
                    + " set both to one minute.",
                LedgerSettings.DEFAULT.volumeBindTimeout(),
                SECOND,
                DAY));
    var budgetTimeout =
        leaving.duration(
            "budgetTimeout",
            "How long an eviction that a disruption budget or a webhook refuses is retried. Then"
                + " the victim is given up, or leaves against the budget"
                + " (`reclaim.overrideBudgets`).",
            EvictionSettings.DEFAULT.budgetTimeout(),
            Duration.ZERO,
            DAY);
    var planner =
        PlannerConfig.read(root, ledger.defaultQueue(), fairShare, consolidation, budgetTimeout)
            .with(maxRuntimeWarning);
    var evictions = evictions(leaving, budgetTimeout, planner.stalenessGracePeriod());
    var groups = StatusConfig.groups(status, planner.stalenessGracePeriod());
    var extender =
        ExtenderConfig.read(
            root.section("extender", "How kube-scheduler asks Berth.", Replica.EVERY));
    plan.unless(
        cycle.deadline().compareTo(extender.barrier()) >= 0,
        "deadline",
        Section.text(cycle.deadline()),
        "at least extender.barrier (" + Section.text(extender.barrier()) + ")");
    var lease =
        LeaseConfig.read(
            root.section("lease", "How replicas agree on the one that leads.", Replica.EVERY));
    plan.unless(
        !lease.enabled() || cycle.deadline().compareTo(lease.duration()) >= 0,
        "deadline",
        Section.text(cycle.deadline()),
        "at least lease.duration (" + Section.text(lease.duration()) + ")");
    var shares =
        root.section(
            "shares", "How the containers of shares get their GPU (docs/operators/devices.md).");
    return new Config(
        ledger,
        planner,
        cycle,
        gates,
        keep,
        holderPods,
        HolderConfig.injection(shares, half),
        groups,
        queues,
        WorkloadsConfig.read(root, ledger.schedulers()),
        evictions,
        audit(root.section("audit", "The auditor (docs/operators/audit.md).")),
        extender,
        lease,
        inFlight,
        root.section("kai", "Objects of KAI Scheduler (docs/operators/kai.md).", Replica.EVERY)
            .flag(
                "inPlace",
                "Queues, groups and topologies of KAI Scheduler are read as if they were those of"
                    + " Berth.",
                false),
        autoscaling(
            root.section(
                "autoscaling",
                "Placeholders, which show autoscalers the room that is missing"
                    + " (docs/operators/autoscalers.md).")),
        HolderConfig.claimTemplates(shares),
        LogConfig.read(root.section("log", "Log lines, on stderr.", Replica.EVERY)),
        DecisionLogConfig.read(
            root.section(
                "decisionLog",
                "Every plan with what it was made from (docs/operators/decision-log.md).")),
        RestConfig.read(
            root.section(
                "rest", "The REST API and its pages (docs/operators/rest.md).", Replica.EVERY)),
        IdleConfig.read(
            root.section("idle", "What idle rules of queues need (docs/users/queues.md).")));
  }

  private static EvictionSettings evictions(
      Section section, Duration budgetTimeout, Duration stalenessGracePeriod) {
    var byDefault = EvictionSettings.DEFAULT;
    return new EvictionSettings(
        section.number(
            "perSecond",
            "pods a second",
            "Most pods that are asked to leave, lasting.",
            byDefault.perSecond(),
            0),
        section.whole(
            "burst",
            "pods",
            "Most pods that are asked to leave at once.",
            byDefault.burst(),
            1,
            1_000_000),
        budgetTimeout,
        section.duration(
            "blockedCooldown",
            "How long a victim that was given up is not chosen again, unless a budget that covers"
                + " it is eased before.",
            byDefault.blockedCooldown(),
            Duration.ZERO,
            DAY),
        section.duration(
            "graceMargin",
            "How long a victim may still exist when its grace period is over, before Berth says"
                + " so.",
            byDefault.graceMargin(),
            Duration.ZERO,
            DAY),
        stalenessGracePeriod);
  }

  private static AuditSettings audit(Section section) {
    return new AuditSettings(
        section.duration(
            "period",
            "How often the ledger's view of devices is compared with what holders and pods say.",
            AuditSettings.DEFAULT.period(),
            SECOND,
            DAY));
  }

  private static AutoscalingSettings autoscaling(Section section) {
    var byDefault = AutoscalingSettings.DEFAULT;
    return new AutoscalingSettings(
        section.flag(
            "enabled",
            "Whether autoscalers are shown what another node would help.",
            byDefault.enabled()),
        section.duration(
            "after",
            "How long a group waits for capacity before autoscalers are shown it.",
            byDefault.after(),
            Duration.ZERO,
            DAY),
        section.whole("most", "pods", "Most placeholders at once.", byDefault.most(), 1, 10_000));
  }

  private static MoveSettings moves(Section section) {
    var defaults = MoveSettings.DEFAULT;
    return new MoveSettings(
        section.whole(
            "maxMovesPerHour",
            "pods",
            "Most pods that are moved in any hour, in the whole cluster; 0 means none. A process"
                + " that begins to lead counts anew.",
            defaults.maxMovesPerHour(),
            0,
            Integer.MAX_VALUE),
        section.duration(
            "cooldown",
            "How long a workload stays where it is after one of its pods was moved. A process that"
                + " begins to lead counts anew.",
            defaults.cooldown(),
            Duration.ZERO,
            DAY.multipliedBy(365)));
  }
}
