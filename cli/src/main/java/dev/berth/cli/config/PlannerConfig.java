package dev.berth.cli.config;

import dev.berth.engine.PlannerSettings;
import dev.berth.engine.action.ActionSettings;
import dev.berth.engine.action.ActionSettings.Consolidation;
import dev.berth.engine.action.ActionSettings.Debts;
import dev.berth.engine.action.ActionSettings.Reclaiming;
import dev.berth.engine.action.ActionSettings.Searching;
import dev.berth.engine.action.BackfillSettings;
import dev.berth.engine.fairness.FairShareSettings;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.placement.Strategy;
import java.time.Duration;

/// What the planner is set to: placement, fair shares, the actions and their searches, backfill.
final class PlannerConfig {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private PlannerConfig() {}

  static PlannerSettings read(
      Section root,
      QueueName defaultQueue,
      FairShareSettings fairShare,
      Section consolidation,
      Duration budgetTimeout) {
    var placement = root.section("placement");
    var grace = PlannerSettings.DEFAULT.stalenessGracePeriod();
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
        fairShare,
        actions(root, consolidation, budgetTimeout),
        backfill(root.section("backfill")),
        root.section("nodePools").text("label", PlannerSettings.DEFAULT.poolLabel()));
  }

  static FairShareSettings fairShare(Section fairShare) {
    var defaults = FairShareSettings.DEFAULT;
    return new FairShareSettings(
        fairShare.number("k", defaults.k(), 0, 1_000_000),
        fairShare.duration(
            "halfLife", defaults.halfLife(), Duration.ofMinutes(1), DAY.multipliedBy(3650)));
  }

  /// @param patience how long an eviction that is refused is retried
  private static Debts debts(Section reclaim, Duration budgetTimeout) {
    var longest =
        reclaim.duration(
            "maxGracePeriod", Debts.DEFAULT.maxGracePeriod(), SECOND, DAY.multipliedBy(365));
    return reclaim.flag("overrideBudgets", true)
        ? new Debts(budgetTimeout, longest)
        : new Debts(Debts.HONOURED.budgetTimeout(), longest);
  }

  private static ActionSettings actions(Section root, Section moving, Duration budgetTimeout) {
    var defaults = ActionSettings.DEFAULT;
    var reclaim = root.section("reclaim");
    var search = root.section("search");
    var searching = defaults.searching();
    return new ActionSettings(
        new Consolidation(
            moving.whole("maxMoves", defaults.consolidation().maxMoves(), 0, Integer.MAX_VALUE),
            moving.whole(
                "maxCostPercent", defaults.consolidation().maxCostPercent(), 0, Integer.MAX_VALUE)),
        new Reclaiming(
            reclaim.flag("enabled", defaults.reclaiming().enabled()),
            reclaim.number("multiplier", defaults.reclaiming().multiplier(), 1, 1_000_000),
            debts(reclaim, budgetTimeout)),
        root.section("preemption").flag("enabled", defaults.preempts()),
        new Searching(
            search.whole("trials", (int) searching.trials(), 1, Integer.MAX_VALUE),
            search.whole("slice", (int) searching.slice(), 1, Integer.MAX_VALUE),
            search.whole("wideFrom", searching.wideFrom(), 0, Integer.MAX_VALUE)));
  }

  private static BackfillSettings backfill(Section section) {
    var byDefault = BackfillSettings.DEFAULT;
    return new BackfillSettings(
        section.flag("reservations", byDefault.reservations()),
        section.duration("after", byDefault.after(), Duration.ZERO, DAY.multipliedBy(365)),
        section.duration("hold", byDefault.hold(), Duration.ZERO, DAY.multipliedBy(365)),
        section.whole("most", byDefault.most(), 1, 100));
  }
}
