package dev.berth.cli;

import dev.berth.cli.config.Config;
import dev.berth.controllers.Metrics;
import dev.berth.controllers.intake.Intake;
import dev.berth.controllers.lease.WarmStandby;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.Planner;
import dev.berth.engine.ledger.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets a standby run the code of a takeover before there is one: fills a ledger of its own with
/// what is kept, plans, and throws both away. Nothing is written, and nothing of it is kept; the
/// classes are loaded and compiled then, which is most of what the first cycle of a process takes.
final class WarmUp {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
  private static final int ROUNDS = 10;
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Config config;
  private final WarmStandby kept;
  private final BooleanSupplier listed;
  private final BooleanSupplier leads;
  private final Workers workers;

  /// @param listed whether all is listed
  /// @param leads whether this process has the lease: then there is nothing to warm up for
  WarmUp(
      Config config,
      WarmStandby kept,
      BooleanSupplier listed,
      BooleanSupplier leads,
      Workers workers) {
    this.config = config;
    this.kept = kept;
    this.listed = listed;
    this.leads = leads;
    this.workers = workers;
  }

  void start() {
    next(0);
  }

  private void next(int done) {
    if (done < ROUNDS) {
      workers.at(workers.time().instant().plus(PAUSE), () -> round(done));
    }
  }

  private void round(int done) {
    if (leads.getAsBoolean()) {
      return;
    }
    if (!listed.getAsBoolean()) {
      next(done);
      return;
    }
    Instant began = workers.time().instant();
    once(began);
    if (done + 1 == ROUNDS) {
      var took = Duration.between(began, workers.time().instant());
      LOG.atInfo().addKeyValue("millis", took.toMillis()).log("standby has warmed up");
    }
    next(done + 1);
  }

  /// @return how many decisions were made and thrown away
  int once(Instant now) {
    var ledger = new Ledger(config.ledger(), () -> {});
    var intake =
        new Intake(
            ledger, config.kinds(), Metrics.unseen(), config.holderPods().namespace(), config::pod);
    kept.replay(intake);
    var snapshot = ledger.snapshot(now);
    var plan = new Planner(config.planner()).plan(snapshot, Collections.emptySortedMap());
    return plan.decisions().size();
  }
}
