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
    var placement =
        root.section(
            "placement", "Which of the nodes with room is taken (docs/users/placement.md).");
    var grace = PlannerSettings.DEFAULT.stalenessGracePeriod();
    String says =
        ": `binpack` takes the node with the least room left, `spread` the one with the largest"
            + " free part, `adaptive` the one that loses least for the pods that usually arrive.";
    var strategy =
        new Strategy(
            placement.word(
                "gpu", "For pods with GPUs" + says, Strategy.DEFAULT.gpu(), Strategy.Spread.class),
            placement.word(
                "cpu",
                "For pods without GPUs" + says,
                Strategy.DEFAULT.cpu(),
                Strategy.Spread.class));
    var stale =
        root.duration(
            "stalenessGracePeriod",
            "How long a gang may run below its minimum before it is evicted. Negative means for"
                + " ever; 0s is an error. A PodGroup may set its own.",
            grace,
            DAY.negated(),
            DAY.multipliedBy(365));
    root.unless(!stale.isZero(), "stalenessGracePeriod", "0s", "above 0s, or negative for never");
    return new PlannerSettings(
        strategy,
        stale.isZero() ? grace : stale,
        defaultQueue,
        fairShare,
        actions(root, consolidation, budgetTimeout),
        backfill(
            root.section(
                "backfill",
                "Room that is reserved for groups that wait long (docs/users/policy.md).")),
        PlannerSettings.DEFAULT.maxRuntimeWarning(),
        root.section("nodePools", "Nodes in pools of their own (docs/users/policy.md).")
            .text(
                "label",
                "The node label that divides nodes into pools. Empty means one pool.",
                PlannerSettings.DEFAULT.poolLabel()));
  }

  static Duration maxRuntimeWarning(Section root) {
    return root.duration(
        "maxRuntimeWarning",
        "How long before it is evicted for its max-runtime a workload is warned, where no queue"
            + " says it (`spec.maxRuntimeWarning`); half of its max-runtime at most. 0s means that"
            + " it is not warned.",
        PlannerSettings.DEFAULT.maxRuntimeWarning(),
        Duration.ZERO,
        DAY.multipliedBy(365));
  }

  static FairShareSettings fairShare(Section fairShare) {
    var defaults = FairShareSettings.DEFAULT;
    return new FairShareSettings(
        fairShare.number(
            "k",
            "factor",
            "How strongly past use counts; 0 means not at all, and none is kept.",
            defaults.k(),
            0,
            1_000_000),
        fairShare.duration(
            "halfLife",
            "After this time past use counts half.",
            defaults.halfLife(),
            Duration.ofMinutes(1),
            DAY.multipliedBy(3650)));
  }

  /// @param budgetTimeout how long an eviction that is refused is retried
  private static Debts debts(Section reclaim, Duration budgetTimeout) {
    var longest =
        reclaim.duration(
            "maxGracePeriod",
            "Longest time that a reclaimed pod may take to end. A shorter grace period of its own"
                + " stays.",
            Debts.DEFAULT.maxGracePeriod(),
            SECOND,
            DAY.multipliedBy(365));
    boolean overrides =
        reclaim.flag(
            "overrideBudgets",
            "What a queue owes leaves after `evictions.budgetTimeout`, though a disruption budget"
                + " forbids it.",
            true);
    return overrides
        ? new Debts(budgetTimeout, longest)
        : new Debts(Debts.HONOURED.budgetTimeout(), longest);
  }

  private static ActionSettings actions(Section root, Section moving, Duration budgetTimeout) {
    var defaults = ActionSettings.DEFAULT;
    var reclaim =
        root.section("reclaim", "Queues take back what others borrowed (docs/users/policy.md).");
    var preemption =
        root.section(
            "preemption",
            "More important work takes room within its queue (docs/users/policy.md).");
    return new ActionSettings(
        new Consolidation(
            moving.whole(
                "maxMoves",
                "pods",
                "Most pods that may be moved for one group; 0 turns consolidation off.",
                defaults.consolidation().maxMoves(),
                0,
                Integer.MAX_VALUE),
            moving.whole(
                "maxCostPercent",
                "percent",
                "Most GPUs that may be moved, of those that start by it.",
                defaults.consolidation().maxCostPercent(),
                0,
                Integer.MAX_VALUE)),
        new Reclaiming(
            reclaim.flag(
                "enabled", "Whether queues reclaim at all.", defaults.reclaiming().enabled()),
            reclaim.number(
                "multiplier",
                "factor",
                "Above 1 a queue that is above its fair share reclaims less.",
                defaults.reclaiming().multiplier(),
                1,
                1_000_000),
            debts(reclaim, budgetTimeout)),
        preemption.flag("enabled", "Whether pods are preempted at all.", defaults.preempts()),
        searching(root.section("search", "How long the planner looks for victims.")));
  }

  private static Searching searching(Section search) {
    var defaults = ActionSettings.DEFAULT.searching();
    return new Searching(
        search.whole(
            "trials",
            "sets of victims",
            "Most sets of victims that one plan tries. Groups for which they do not suffice wait"
                + " with the reason NotProven.",
            (int) defaults.trials(),
            1,
            Integer.MAX_VALUE),
        search.whole(
            "slice",
            "pods",
            "Pods that one slice of a search places on trial. A plan makes one slice, and the next"
                + " plan goes on.",
            (int) defaults.slice(),
            1,
            Integer.MAX_VALUE),
        search.whole(
            "wideFrom",
            "pods",
            "Where more pods than this might leave, the search goes in slices, by nodes.",
            defaults.wideFrom(),
            0,
            Integer.MAX_VALUE));
  }

  private static BackfillSettings backfill(Section section) {
    var byDefault = BackfillSettings.DEFAULT;
    return new BackfillSettings(
        section.flag(
            "reservations",
            "Whether room is reserved in time, by the expected runtimes of running groups.",
            byDefault.reservations()),
        section.duration(
            "after",
            "How long the first group in line has waited before GPUs are held for it.",
            byDefault.after(),
            Duration.ZERO,
            DAY.multipliedBy(365)),
        section.duration(
            "hold",
            "How long GPUs are held for it at first, then not for as long, then for twice as long,"
                + " and so on. 0s means never.",
            byDefault.hold(),
            Duration.ZERO,
            DAY.multipliedBy(365)),
        section.whole(
            "most",
            "percent of the GPUs",
            "Nothing is held for a group that needs more.",
            byDefault.most(),
            1,
            100));
  }
}
