package dev.berth.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.berth.cli.config.Config;
import dev.berth.cli.config.ConfigException;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.RefusedPodClient;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.cycle.Cycle;
import dev.berth.controllers.lease.WarmStandby;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.Verbs;
import dev.berth.simulator.chaos.BerthProcess;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.LoggerFactory;

/// The product for the chaos simulation: the same [Wiring] as on a real cluster. What it logs goes
/// to its simulation alone, on the same thread.
record SimulatedReplica(
    Wiring wiring,
    WarmStandby standby,
    LeadershipLifecycle leadership,
    AtomicBoolean begun,
    Consumer<String> deposed)
    implements BerthProcess {
  private static final String LISTENER = "simulated replicas";
  private static final ThreadLocal<Consumer<Said>> LOG_LISTENER =
      ThreadLocal.withInitial(() -> _ -> {});

  @Override
  public Watcher watcher() {
    return wiring.watcher();
  }

  @Override
  public Verbs verbs() {
    return wiring.verbs();
  }

  @Override
  public Ledger ledger() {
    return wiring.ledger();
  }

  @Override
  public boolean standsBy() {
    return !begun.get();
  }

  @Override
  public void start(Freshness fresh, Runnable watch, Runnable leads) {
    watch.run();
    leadership.stand(
        wiring,
        () -> {
          leads.run();
          standby.handOn();
          begun.set(true);
          wiring.start(fresh);
        },
        deposed);
  }

  @Override
  public Optional<String> missing() {
    return wiring.missing();
  }

  @Override
  public Fence fence() {
    return leadership;
  }

  @Override
  public void leave(Runnable over) {
    leadership.leave(over);
  }

  /// Takes the log from the console to the listeners, all of it, whatever level the process has for
  /// others: what is logged is part of the story.
  static ReplicaFactory replicaFactory() {
    return replicaFactory(Wiring::policy);
  }

  /// @param policies the planner of each process
  static ReplicaFactory replicaFactory(Function<PlannerSettings, Cycle.PlanningPolicy> policies) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.getLogger(Logger.ROOT_LOGGER_NAME).detachAndStopAllAppenders();
      Logger ours = context.getLogger("dev.berth");
      if (ours.getAppender(LISTENER) == null) { // once in a process, or each line would count anew
        var listener = new Listener();
        listener.setName(LISTENER);
        listener.setContext(context);
        listener.start();
        ours.addAppender(listener);
      }
      ours.setAdditive(false);
      ours.setLevel(Level.INFO);
    }
    return new ReplicaFactory() {
      @Override
      public ReplicaTemplate template(Map<String, Object> settings) {
        return new Configured(config(settings), new Metrics(), policies);
      }

      @Override
      public void listen(Consumer<Said> listener) {
        LOG_LISTENER.set(listener);
      }
    };
  }

  private static Config config(Map<String, Object> settings) {
    try {
      return Config.read(settings);
    } catch (ConfigException wrong) {
      throw new IllegalArgumentException(wrong);
    }
  }

  private record Configured(
      Config config, Metrics metrics, Function<PlannerSettings, Cycle.PlanningPolicy> policies)
      implements ReplicaTemplate {
    @Override
    public BerthProcess launch(Place place) {
      var listeners = place.listeners();
      var leadership = leadership(place);
      var wiring =
          Wiring.of(
              Environment.of(
                  config,
                  new Wiring.ApiClients(
                      place.clients(),
                      place.events(),
                      OwnerClient.BARRED,
                      RefusedPodClient.NONE,
                      Optional.empty()),
                  place.workers(),
                  new Wiring.Counters(
                      metrics.controllers(),
                      listeners.verbs(),
                      listeners.gangs(),
                      listeners.cycles()),
                  leadership),
              policies.apply(config.planner()));
      var standby = new WarmStandby(wiring.watcher());
      if (config.lease().enabled()) {
        leadership.warmedBy(
            new LeadershipLifecycle.Warm(
                place.name(), place.clients().ownPod(), standby, config.kinds()));
      }
      return new SimulatedReplica(
          wiring, standby, leadership, new AtomicBoolean(), place.deposed());
    }

    private LeadershipLifecycle leadership(Place place) {
      return config.lease().enabled()
          ? LeadershipLifecycle.by(
              place.leases(),
              place.name(),
              config.lease(),
              place.workers().time(),
              place.workers(),
              place.workers(),
              metrics.controllers())
          : LeadershipLifecycle.alone(place.workers(), metrics.controllers());
    }

    @Override
    public Plan plan(Snapshot snapshot) {
      return new Planner(config.planner()).plan(snapshot, Collections.emptySortedMap());
    }
  }

  private static final class Listener extends AppenderBase<ILoggingEvent> {
    @Override
    protected void append(ILoggingEvent event) {
      var details = new StringBuilder();
      if (event.getKeyValuePairs() != null) {
        event
            .getKeyValuePairs()
            .forEach(pair -> details.append(details.isEmpty() ? "" : ", ").append(pair));
      }
      if (event.getThrowableProxy() != null) {
        var thrown = event.getThrowableProxy();
        details.append(' ').append(thrown.getClassName()).append(": ").append(thrown.getMessage());
        var frames = thrown.getStackTraceElementProxyArray();
        for (int i = 0; i < Math.min(8, frames.length); i++) {
          details.append(' ').append(frames[i]);
        }
      }
      LOG_LISTENER
          .get()
          .accept(
              new Said(
                  event.getLevel().isGreaterOrEqual(Level.ERROR),
                  event.getMessage(),
                  details.toString()));
    }
  }
}
