package dev.berth.cli;

import dev.berth.cli.config.Config;
import dev.berth.controllers.cycle.SchedulerRefusals;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.WrittenPlan;
import dev.berth.extender.Verbs;
import dev.berth.extender.barrier.Barrier;
import dev.berth.extender.verbs.Adoption;
import dev.berth.extender.verbs.BindClock;
import dev.berth.extender.verbs.BindSettings;
import dev.berth.extender.verbs.BindVerb;
import dev.berth.extender.verbs.BindWriter;
import dev.berth.extender.verbs.BoundInLedger;
import dev.berth.extender.verbs.FilterVerb;
import dev.berth.extender.verbs.Offers;
import dev.berth.extender.verbs.PodClassifier;
import dev.berth.extender.verbs.PreemptVerb;
import dev.berth.extender.verbs.PrioritizeVerb;
import dev.berth.extender.verbs.ServedSchedulers;
import dev.berth.extender.verbs.VerbContext;
import dev.berth.extender.verbs.VerbParts;
import java.util.Map;

/// The parts that answer kube-scheduler.
record ExtenderModule(Verbs verbs) {
  /// The parts that controllers need as well; made before them.
  ///
  /// @param barrier keeps a gang together in bind
  /// @param pods tells which pods the verbs answer for
  record Shared(Barrier barrier, PodClassifier pods) {
    static Shared of(Environment environment, EngineModule engine) {
      var config = environment.config();
      return new Shared(
          new Barrier(
              config.extender().barrier(),
              new BoundInLedger(engine.ledger()),
              environment.timer(),
              environment.counters().gangs()),
          new PodClassifier(
              engine.ledger(),
              tree -> pod(config, tree),
              new ServedSchedulers(
                  config.ledger().schedulers(), config.extender().otherSchedulers())));
    }

    private static Pod pod(Config config, Map<String, Object> tree) {
      return config
          .pod(tree)
          .orElseThrow(() -> new IllegalArgumentException("a pod without a name"));
    }
  }

  static ExtenderModule of(
      Environment environment,
      EngineModule engine,
      Shared shared,
      ControllersModule controllers,
      ApiBindings.Untrue untrue) {
    var pods = shared.pods();
    var ungated = engine.ungated();
    var context = new VerbContext(controllers::missing, environment.counters().verbs());
    var parts = new VerbParts(pods, engine::snapshot, ungated, context);
    return new ExtenderModule(
        new Verbs(
            new FilterVerb(parts, offers(controllers.planning().refusals())),
            new PrioritizeVerb(parts),
            new PreemptVerb(parts),
            bind(environment, engine, shared, untrue, context)));
  }

  private static BindVerb bind(
      Environment environment,
      EngineModule engine,
      Shared shared,
      ApiBindings.Untrue untrue,
      VerbContext context) {
    var config = environment.config();
    var settings =
        new BindSettings(
            config.extender().barrier(),
            BindSettings.DEFAULT.watchTimeout(),
            config.cycle().deadline(),
            BindSettings.DEFAULT.coalescingWindow());
    var timer = environment.timer();
    var clock = new BindClock(timer, settings);
    var outcomes =
        new PodOutcomes(
            engine.ledger(), environment.workers().time(), environment.counters().cluster());
    var bindings =
        new ApiBindings(
            environment.clients().writes().pods(), environment.workers(), untrue, outcomes::bound);
    return new BindVerb(
        engine.ledger(),
        new Adoption(
            engine.ledger(), shared.pods(), engine.ungated(), timer, settings.adoptionTimeout()),
        shared.barrier(),
        new BindWriter(engine.ledger(), bindings, clock),
        clock,
        context);
  }

  /// What filter sees of kube-scheduler's own filters.
  private static Offers offers(SchedulerRefusals refusals) {
    return new Offers() {
      @Override
      public boolean askedAnew(PodUid pod) {
        return refusals.askedAnew(pod);
      }

      @Override
      public void made(PodUid pod) {
        refusals.offered(pod);
      }

      @Override
      public void refused(PodUid pod, WrittenPlan plan) {
        refusals.notOffered(pod, plan);
      }
    };
  }

  /// The ledger changed.
  void changed() {
    verbs.bind().changed();
  }

  /// Answers no request any more, waiting ones included.
  void stop() {
    verbs.bind().callOff();
  }

  boolean isQuiet() {
    return verbs.bind().waiting() == 0;
  }
}
