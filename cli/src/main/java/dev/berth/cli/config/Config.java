package dev.berth.cli.config;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.controllers.cycle.CycleSettings;
import dev.berth.controllers.evictions.EvictionSettings;
import dev.berth.controllers.gates.GateSettings;
import dev.berth.controllers.groups.GroupSettings;
import dev.berth.controllers.holders.HolderSettings;
import dev.berth.controllers.kube.HolderPodSettings;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.action.BackfillSettings;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.placement.Strategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Everything that can be set, read from one YAML file. Each module's settings are records there.
///
/// @param holderPods namespace and images of holder pods
/// @param writesInFlight API writes under way at once; lifts are at most half of them
public record Config(
    LedgerSettings ledger,
    PlannerSettings planner,
    CycleSettings cycle,
    GateSettings gates,
    HolderSettings holders,
    HolderPodSettings holderPods,
    GroupSettings groups,
    EvictionSettings evictions,
    Extender extender,
    int writesInFlight) {

  /// @param listen where kube-scheduler finds us
  /// @param barrier how long a member waits in bind for the rest of its gang; less than the
  ///   `httpTimeout` of kube-scheduler's extender configuration
  public record Extender(HostPort listen, Duration barrier) {}

  private static final Duration DAY = Duration.ofDays(1);

  /// What holds without a file.
  public static Config defaults() {
    try {
      return read(Map.of());
    } catch (ConfigException impossible) {
      throw new IllegalStateException("the defaults are wrong", impossible);
    }
  }

  public static Config read(Path file) throws ConfigException {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException unreadable) {
      throw new ConfigException(
          List.of(
              "configuration file "
                  + file
                  + " cannot be read ("
                  + unreadable.getClass().getSimpleName()
                  + "): give an existing file to --config, or leave it out for the defaults"));
    }
    try {
      Object tree = new ObjectMapper(new YAMLFactory()).readValue(text, Object.class);
      return read(tree == null ? Map.of() : tree);
    } catch (JacksonException notYaml) {
      throw new ConfigException(
          List.of(
              "configuration file "
                  + file
                  + " is not YAML: "
                  + notYaml.getOriginalMessage()
                  + " (line "
                  + notYaml.getLocation().getLineNr()
                  + ")"));
    }
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
    var ledger =
        new LedgerSettings(
            root.texts("schedulers", LedgerSettings.DEFAULT.schedulers()),
            new QueueName(
                root.text("defaultQueue", LedgerSettings.DEFAULT.defaultQueue().value())));
    var plan = root.section("plan");
    int inFlight = root.section("writes").whole("inFlight", 48, 2, 1000);
    var cycle =
        new CycleSettings(
            plan.duration("pause", CycleSettings.DEFAULT.pause(), Duration.ZERO, DAY),
            plan.duration("longestPause", CycleSettings.DEFAULT.longestPause(), Duration.ZERO, DAY),
            plan.duration("deadline", CycleSettings.DEFAULT.deadline(), Duration.ofSeconds(1), DAY),
            plan.duration("veto", CycleSettings.DEFAULT.veto(), Duration.ZERO, DAY));
    var gates =
        new GateSettings(
            plan.whole("nominateFrom", GateSettings.DEFAULT.nominateFrom(), 0, Integer.MAX_VALUE),
            inFlight / 2, // the other half is for bindings and all else
            plan.whole("window", GateSettings.DEFAULT.window(), 1, 1_000_000),
            cycle.deadline(),
            cycle.deadline().dividedBy(4));
    var holders = root.section("holders");
    var keep =
        new HolderSettings(
            holders.duration("keepIdle", HolderSettings.DEFAULT.keepIdle(), Duration.ZERO, DAY));
    var holderPods =
        new HolderPodSettings(
            holders.text("namespace", HolderPodSettings.DEFAULT.namespace()),
            holders.text("image", HolderPodSettings.DEFAULT.image()),
            holders.text("priorityClass", ""),
            holders.text("runtimeClass", ""));
    var status = root.section("status");
    var groups =
        new GroupSettings(
            status.duration("pause", GroupSettings.DEFAULT.pause(), Duration.ZERO, DAY),
            status.duration("singleWaits", GroupSettings.DEFAULT.singleWaits(), Duration.ZERO, DAY),
            status.number("eventsPerSecond", GroupSettings.DEFAULT.eventsPerSecond(), 0));
    var leaving = root.section("evictions");
    var evictions =
        new EvictionSettings(
            leaving.number("perSecond", EvictionSettings.DEFAULT.perSecond(), 0),
            leaving.whole("burst", EvictionSettings.DEFAULT.burst(), 1, 1_000_000),
            leaving.duration("patience", EvictionSettings.DEFAULT.patience(), Duration.ZERO, DAY));
    var serving = root.section("extender");
    var extender =
        new Extender(
            serving.hostPort("listen", "127.0.0.1:8888"),
            serving.duration(
                "barrier", Duration.ofSeconds(20), Duration.ofSeconds(1), Duration.ofHours(1)));
    plan.unless(
        cycle.deadline().compareTo(extender.barrier()) >= 0,
        "deadline",
        Section.text(cycle.deadline()),
        "at least extender.barrier (" + Section.text(extender.barrier()) + ")");
    return new Config(
        ledger,
        planner(root, ledger.defaultQueue()),
        cycle,
        gates,
        keep,
        holderPods,
        groups,
        evictions,
        extender,
        inFlight);
  }

  private static PlannerSettings planner(Section root, QueueName defaultQueue) {
    var placement = root.section("placement");
    var grace = PlannerSettings.DEFAULT.stalenessGrace();
    var strategy =
        new Strategy(
            placement.word("gpu", Strategy.DEFAULT.gpu(), Strategy.Spread.class),
            placement.word("cpu", Strategy.DEFAULT.cpu(), Strategy.Spread.class));
    var stale = root.duration("stalenessGracePeriod", grace, DAY.negated(), DAY.multipliedBy(365));
    root.unless(!stale.isZero(), "stalenessGracePeriod", "0s", "above 0s, or negative for never");
    return new PlannerSettings(
        strategy,
        stale.isZero() ? grace : stale,
        defaultQueue,
        PlannerSettings.DEFAULT.fairShare(),
        PlannerSettings.DEFAULT.reclaimMultiplier(),
        PlannerSettings.DEFAULT.trials(),
        backfill(root.section("backfill")),
        root.section("nodePools").text("label", PlannerSettings.DEFAULT.poolLabel()));
  }

  private static BackfillSettings backfill(Section section) {
    var byDefault = BackfillSettings.DEFAULT;
    return new BackfillSettings(
        section.flag("reservations", byDefault.reservations()),
        section.duration("after", byDefault.after(), Duration.ZERO, DAY.multipliedBy(365)),
        section.duration("hold", byDefault.hold(), Duration.ZERO, DAY.multipliedBy(365)),
        section.whole("most", byDefault.mostPercent(), 1, 100));
  }
}
