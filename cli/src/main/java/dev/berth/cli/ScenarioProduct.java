package dev.berth.cli;

import dev.berth.cli.config.Config;
import dev.berth.cli.config.ConfigException;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.MetricSeries;
import dev.berth.controllers.client.MetricsException;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.cycle.Cycle;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.SearchEffort;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Decision.Withdrawn;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.Verbs;
import dev.berth.simulator.scenario.Product;
import dev.berth.simulator.scenario.ScenarioException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/// The product for scenarios: the same [Wiring] as on a real cluster, put on a simulated one.
final class ScenarioProduct implements Product {
  private final Wiring wiring;
  private final Config config;

  private ScenarioProduct(Config config, Cycle.PlanningPolicy policy, Place place) {
    this.config = config;
    this.wiring =
        Wiring.of(
            Environment.of(
                config,
                new Wiring.ApiClients(place.clients(), place.events(), place.owners())
                    .asking(ScenarioProduct::notMeasured),
                place.workers(),
                new Metrics().counters().andTell(place.listener()),
                Fence.OPEN),
            telling(policy, place.internalErrors()));
  }

  /// What GPUs do stands in no scenario and no dump: what their objects say of it stays.
  private static List<MetricSeries> notMeasured(String expression) throws MetricsException {
    throw new MetricsException("it is not known here what GPUs do: " + expression);
  }

  /// Makes products with the planner that ships.
  static Factory shipyard() {
    return shipyard(settings -> Cycle.PlanningPolicy.by(new Planner(settings)));
  }

  /// @param thinkers the planner, or its replacement
  static Factory shipyard(Function<PlannerSettings, Cycle.PlanningPolicy> thinkers) {
    return (settings, place) -> {
      Config config = config(settings);
      return new ScenarioProduct(config, thinkers.apply(config.planner()), place);
    };
  }

  /// Makes products that know something before the first watch delivers.
  ///
  /// @param config whatever settings say
  static Factory shipyard(Config config, List<Fact> known) {
    return (_, place) -> {
      var product = new ScenarioProduct(config, Wiring.policy(config.planner()), place);
      known.forEach(product.wiring.ledger()::record);
      return product;
    };
  }

  static Config config(Map<String, Object> settings) throws ScenarioException {
    try {
      return Config.read(settings);
    } catch (ConfigException wrong) {
      throw new ScenarioException(
          String.valueOf(wrong.getMessage())
              .lines()
              .map(line -> "spec.settings: " + line)
              .toList());
    }
  }

  /// A mistake drops the cycle as ever, but not unheard.
  private static Cycle.PlanningPolicy telling(
      Cycle.PlanningPolicy policy, Consumer<RuntimeException> internalErrors) {
    return new Cycle.PlanningPolicy() {
      @Override
      public Optional<Plan> plan(
          BooleanSupplier due,
          Snapshot snapshot,
          SortedMap<GroupKey, Instant> staleSince,
          SearchEffort effort) {
        try {
          return policy.plan(due, snapshot, staleSince, effort);
        } catch (RuntimeException ours) {
          internalErrors.accept(ours);
          throw ours;
        }
      }

      @Override
      public boolean isStale(PodGroup group) {
        return policy.isStale(group);
      }

      @Override
      public List<Withdrawn> excess(Snapshot snapshot) {
        return policy.excess(snapshot);
      }

      @Override
      public Accounts accounts(Snapshot snapshot) {
        return policy.accounts(snapshot);
      }
    };
  }

  @Override
  public Watcher watcher() {
    return wiring.watcher();
  }

  @Override
  public Verbs verbs() {
    return wiring.verbs();
  }

  @Override
  public void start() {
    wiring.start(Freshness.always());
  }

  @Override
  public Snapshot snapshot() {
    return wiring.snapshot();
  }

  @Override
  public Duration patience() {
    return List.of(
            config.planner().stalenessGracePeriod(),
            config.cycle().deadline(),
            config.cycle().veto())
        .stream()
        .max(Duration::compareTo)
        .orElseThrow();
  }
}
