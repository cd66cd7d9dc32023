package dev.berth.cli.config;

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
import dev.berth.engine.fairness.FairShareSettings;
import dev.berth.engine.injection.InjectionMode;
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
    RestConfig rest) {
  private static final String AUTO = "auto";

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
    var root = new Section("", tree, wrongs);
    var config = read(root);
    root.finish();
    if (!wrongs.isEmpty()) {
      throw new ConfigException(wrongs);
    }
    return config;
  }

  private static Config read(Section root) {
    var plan = root.section("plan");
    int inFlight = root.section("writes").whole("inFlight", 48, 2, 1000);
    var status = root.section("status");
    var consolidation = root.section("consolidation");
    var fairShare = PlannerConfig.fairShare(root.section("fairShare"));
    var queues = queues(status, fairShare);
    var cycle =
        new CycleSettings(
            plan.duration("pause", CycleSettings.DEFAULT.pause(), Duration.ZERO, DAY),
            plan.duration("longestPause", CycleSettings.DEFAULT.longestPause(), Duration.ZERO, DAY),
            plan.duration("deadline", CycleSettings.DEFAULT.deadline(), Duration.ofSeconds(1), DAY),
            plan.duration("veto", CycleSettings.DEFAULT.veto(), Duration.ZERO, DAY),
            moves(consolidation),
            new UsageSettings(fairShare, queues.queuePause(), queues.usageStep()));
    var gates =
        new GateSettings(
            plan.whole("nominateFrom", GateSettings.DEFAULT.nominateFrom(), 0, Integer.MAX_VALUE),
            inFlight / 2, // the other half is for bindings and all else
            plan.whole("window", GateSettings.DEFAULT.window(), 1, 1_000_000),
            cycle.deadline(),
            cycle.deadline().dividedBy(4));
    var holders = root.section("holders");
    // later it would be the deadline that gives back
    var half = new Longest(cycle.deadline().dividedBy(2), "half of plan.deadline");
    var keep =
        new HolderSettings(
            holders.duration("keepIdle", HolderSettings.DEFAULT.keepIdle(), Duration.ZERO, DAY),
            holders.duration(
                "readyTimeout",
                shorter(HolderSettings.DEFAULT.readyTimeout(), half.most()),
                SECOND,
                half),
            holders.whole("warm", HolderSettings.DEFAULT.warm(), 0, 64),
            cycle.deadline(),
            holders.duration("lossGrace", HolderSettings.DEFAULT.lossGrace(), Duration.ZERO, DAY),
            holders.duration(
                "lossTermination", HolderSettings.DEFAULT.lossTermination(), SECOND, DAY));
    var holderPods =
        new HolderPodSettings(
            holders.text("namespace", HolderPodSettings.DEFAULT.namespace()),
            holders.text("image", HolderPodSettings.DEFAULT.image()),
            holders.text("priorityClass", HolderPodSettings.DEFAULT.priorityClass()),
            holders.text("runtimeClass", ""));
    var leaving = root.section("evictions");
    var ledger =
        new LedgerSettings(
            root.texts("schedulers", LedgerSettings.DEFAULT.schedulers()),
            new QueueName(root.text("defaultQueue", LedgerSettings.DEFAULT.defaultQueue().value())),
            holderPods.namespace(),
            leaving.duration(
                "placeHold",
                LedgerSettings.DEFAULT.placeHold(),
                Duration.ZERO,
                LedgerSettings.LONGEST_PAUSE),
            plan.duration(
                "volumeBindTimeout", LedgerSettings.DEFAULT.volumeBindTimeout(), SECOND, DAY));
    var budgetTimeout =
        leaving.duration(
            "budgetTimeout", EvictionSettings.DEFAULT.budgetTimeout(), Duration.ZERO, DAY);
    var planner =
        PlannerConfig.read(root, ledger.defaultQueue(), fairShare, consolidation, budgetTimeout);
    var evictions =
        new EvictionSettings(
            leaving.number("perSecond", EvictionSettings.DEFAULT.perSecond(), 0),
            leaving.whole("burst", EvictionSettings.DEFAULT.burst(), 1, 1_000_000),
            budgetTimeout,
            leaving.duration(
                "blockedCooldown", EvictionSettings.DEFAULT.blockedCooldown(), Duration.ZERO, DAY),
            leaving.duration(
                "graceMargin", EvictionSettings.DEFAULT.graceMargin(), Duration.ZERO, DAY),
            planner.stalenessGracePeriod());
    var groups =
        new GroupSettings(
            status.duration("pause", GroupSettings.DEFAULT.pause(), Duration.ZERO, DAY),
            status.duration(
                "podReasonDelay", GroupSettings.DEFAULT.podReasonDelay(), Duration.ZERO, DAY),
            status.number("eventsPerSecond", GroupSettings.DEFAULT.eventsPerSecond(), 0),
            status.number("conditionsPerSecond", GroupSettings.DEFAULT.conditionsPerSecond(), 0),
            status.number("forecastsPerSecond", GroupSettings.DEFAULT.forecastsPerSecond(), 0),
            planner.stalenessGracePeriod());
    var extender = ExtenderConfig.read(root.section("extender"));
    plan.unless(
        cycle.deadline().compareTo(extender.barrier()) >= 0,
        "deadline",
        Section.text(cycle.deadline()),
        "at least extender.barrier (" + Section.text(extender.barrier()) + ")");
    var lease = lease(root.section("lease"));
    plan.unless(
        !lease.enabled() || cycle.deadline().compareTo(lease.duration()) >= 0,
        "deadline",
        Section.text(cycle.deadline()),
        "at least lease.duration (" + Section.text(lease.duration()) + ")");
    var shares = root.section("shares");
    return new Config(
        ledger,
        planner,
        cycle,
        gates,
        keep,
        holderPods,
        injection(shares, half),
        groups,
        queues,
        WorkloadsConfig.read(root, ledger.schedulers()),
        evictions,
        new AuditSettings(
            root.section("audit").duration("period", AuditSettings.DEFAULT.period(), SECOND, DAY)),
        extender,
        lease,
        inFlight,
        root.section("kai").flag("inPlace", false),
        autoscaling(root.section("autoscaling")),
        claimTemplates(shares),
        LogConfig.read(root.section("log")),
        DecisionLogConfig.read(root.section("decisionLog")),
        RestConfig.read(root.section("rest")));
  }

  private static ClaimTemplateSettings claimTemplates(Section shares) {
    var defaults = ClaimTemplateSettings.DEFAULT;
    return new ClaimTemplateSettings(
        shares.text("deviceClass", defaults.deviceClass()),
        shares.text("distinctAttribute", defaults.distinctAttribute()));
  }

  /// Invalid times are logged, and replaced by the defaults.
  private static LeaseSettings lease(Section section) {
    var defaults = LeaseSettings.DEFAULT;
    var minute = Duration.ofMinutes(1);
    var least = Duration.ofMillis(100);
    var duration = section.duration("duration", defaults.duration(), least, minute);
    var deadline = section.duration("renewDeadline", defaults.renewDeadline(), least, minute);
    var retry = section.duration("retryPeriod", defaults.retryPeriod(), least, minute);
    boolean whole = duration.toNanosPart() == 0;
    boolean later = deadline.compareTo(duration) < 0;
    boolean often = retry.compareTo(deadline) < 0;
    section.unless(whole, "duration", Section.text(duration), "whole seconds, like 15s");
    section.unless(
        later,
        "renewDeadline",
        Section.text(deadline),
        "less than lease.duration (" + Section.text(duration) + ")");
    section.unless(
        often,
        "retryPeriod",
        Section.text(retry),
        "less than lease.renewDeadline (" + Section.text(deadline) + ")");
    boolean meant = whole && later && often;
    return new LeaseSettings(
        section.flag("enabled", defaults.enabled()),
        section.text("namespace", defaults.namespace()),
        section.text("name", defaults.name()),
        meant ? duration : defaults.duration(),
        meant ? deadline : defaults.renewDeadline(),
        meant ? retry : defaults.retryPeriod());
  }

  /// @param longest patience that still lets a plan be given back before its deadline
  private static InjectionSettings injection(Section section, Longest longest) {
    var byDefault = InjectionSettings.DEFAULT;
    String runtimeClass = section.text("runtimeClass", AUTO);
    String mode = section.text("injection", AUTO);
    section.unless(
        mode.equals(AUTO) || InjectionMode.of(mode).isPresent(),
        "injection",
        mode,
        "auto, env, env-cdi or nri");
    return new InjectionSettings(
        section.flag("probe", byDefault.probe()),
        runtimeClass.equals(AUTO) ? Optional.empty() : Optional.of(runtimeClass),
        InjectionMode.of(mode),
        section.duration(
            "probeTimeout", shorter(byDefault.probeTimeout(), longest.most()), SECOND, longest),
        section.duration("probeRetry", byDefault.probeRetry(), SECOND, DAY));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static AutoscalingSettings autoscaling(Section section) {
    var byDefault = AutoscalingSettings.DEFAULT;
    return new AutoscalingSettings(
        section.flag("enabled", byDefault.enabled()),
        section.duration("after", byDefault.after(), Duration.ZERO, DAY),
        section.whole("most", byDefault.most(), 1, 10_000));
  }

  /// A restart must not forget more than a tenth of a half-life.
  private static QueueSettings queues(Section status, FairShareSettings fairShare) {
    var defaults = QueueSettings.DEFAULT;
    var period = status.duration("usagePeriod", defaults.usagePeriod(), Duration.ofSeconds(1), DAY);
    var tenth = fairShare.halfLife().dividedBy(10);
    return new QueueSettings(
        status.duration("queuePause", defaults.queuePause(), Duration.ofMillis(100), DAY),
        status.number("usageStep", defaults.usageStep(), 0.000_001, 1),
        period.compareTo(tenth) > 0 ? tenth : period);
  }

  private static MoveSettings moves(Section section) {
    var defaults = MoveSettings.DEFAULT;
    return new MoveSettings(
        section.whole("maxMovesPerHour", defaults.maxMovesPerHour(), 0, Integer.MAX_VALUE),
        section.duration("cooldown", defaults.cooldown(), Duration.ZERO, DAY.multipliedBy(365)));
  }
}
