package dev.berth.cli;

import dev.berth.cli.config.Config;
import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.Planner;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Usage;
import dev.berth.extender.dashboard.Dashboard;
import dev.berth.extender.rest.ApiProblem;
import dev.berth.extender.rest.ClusterFeed;
import dev.berth.extender.rest.RestApi;
import dev.berth.extender.rest.Viewers;
import dev.berth.extender.rest.state.PlanFound;
import io.javalin.config.RoutesConfig;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// The REST API and the pages: what they hear of the product, and their routes. Hears nothing until
/// it has a product.
final class RestModule implements ClusterListener {
  private volatile List<ClusterFeed> feeds = List.of(); // one, once there is a product

  /// The same counters, which tell this as well.
  Wiring.Counters listening(Wiring.Counters counters) {
    return new Wiring.Counters(
            counters.controllers(),
            counters.verbs(),
            counters.gangs(),
            counters.cycles(),
            counters.cluster().and(this))
        .andTell(this::planned);
  }

  /// What the server offers beside the verbs.
  List<Consumer<RoutesConfig>> routes(
      Wiring product, Config config, Workers workers, Viewers viewers) {
    var planner = new Planner(config.planner());
    var feed =
        new ClusterFeed(
            product.ledger(), planner, product.forecasts(), workers.time(), workers::at);
    feeds = List.of(feed);
    Viewers whileReady =
        (authorization, host) -> {
          var visible = viewers.viewer(authorization, host);
          product
              .missing()
              .ifPresent(why -> {
                throw new ApiProblem(
                    ApiProblem.Kind.NOT_YET, "", "This replica does not answer: " + why);
              });
          return visible;
        };
    var api =
        new RestApi(
            feed,
            whileReady,
            planner,
            new LiveManifests(product.ledger(), config),
            config.rest().settings());
    return config.rest().dashboard()
        ? List.of(api::routes, Dashboard::routes)
        : List.of(api::routes);
  }

  private void planned(CycleOutcome outcome) {
    var found = new PlanFound(outcome.plan(), outcome.waits(), outcome.staleSince());
    feeds.forEach(feed -> feed.planned(outcome.snapshot(), found));
  }

  @Override
  public void kept(Accounts accounts, Usage usage) {
    feeds.forEach(feed -> feed.kept(accounts, usage));
  }

  @Override
  public void bound(QueueName queue, Duration waited) {} // is seen in the ledger

  @Override
  public void evicted(Eviction eviction) {
    feeds.forEach(feed -> feed.evicted(eviction.victim(), eviction.loser(), eviction.gainer()));
  }

  @Override
  public void lapsed(int plans) {} // they are seen withdrawn
}
