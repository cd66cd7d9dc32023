package dev.berth.cli;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.client.LeaseClient;
import dev.berth.controllers.client.OwnPodClient;
import dev.berth.controllers.client.ResourceVersion;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.lease.Elector;
import dev.berth.controllers.lease.LeaderLabelKeeper;
import dev.berth.controllers.lease.LeaseSettings;
import dev.berth.controllers.lease.WarmStandby;
import dev.berth.controllers.loop.Workers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// When this process leads: from when it has the lease until it has given it up, once in its life.
///
/// The product is launched when the lease is taken and not before. What it then gets was read after
/// the leader before could write last: either its watches begin now (a cold standby), or they have
/// delivered a write that this process did on its own pod after it took the lease (a warm one).
final class LeadershipLifecycle implements Fence {
  private static final Logger LOG = LoggerFactory.getLogger(LeadershipLifecycle.class);
  private static final Duration LOOK = Duration.ofMillis(20);

  /// How long what was begun may take to be written and answered; then what is under way.
  private static final Duration DRAIN = Duration.ofSeconds(3);

  private final Workers workers;
  private final Metrics metrics;
  private final Optional<Elector> elector;
  private Runnable launch = () -> {}; // these two: set before it starts
  private Consumer<String> deposed = _ -> {};
  private Optional<Warm> warm = Optional.empty();
  private volatile Optional<LeaderLabelKeeper> label = Optional.empty();
  private volatile Optional<Wiring> product = Optional.empty();
  private volatile boolean over; // it leads no more, and never will

  /// @param elector makes the elector that reports to a listener; empty = it always leads
  private LeadershipLifecycle(
      Workers workers, Metrics metrics, Optional<Function<Elector.Listener, Elector>> elector) {
    this.workers = workers;
    this.metrics = metrics;
    this.elector = elector.map(make -> make.apply(listener()));
  }

  /// Of a process that is the only one.
  static LeadershipLifecycle alone(Workers workers, Metrics metrics) {
    return new LeadershipLifecycle(workers, metrics, Optional.empty());
  }

  /// @param identity of this process: no other has the same
  /// @param steady a clock that is never set
  /// @param renewals run the elector: nothing that the product does delays them
  static LeadershipLifecycle by(
      LeaseClient leases,
      String identity,
      LeaseSettings settings,
      InstantSource steady,
      Workers renewals,
      Workers workers,
      Metrics metrics) {
    return new LeadershipLifecycle(
        workers,
        metrics,
        Optional.of(
            listener -> new Elector(leases, identity, settings, renewals, steady, listener)));
  }

  @Override
  public Optional<String> barred() {
    return elector.flatMap(Elector::barred);
  }

  @Override
  public Duration left() {
    return elector.map(Elector::left).orElseGet(OPEN::left);
  }

  @Override
  public void unanswered() {
    elector.ifPresent(Elector::unanswered);
  }

  /// Why this process does not count as available; empty = it leads and answers, or it stands by
  /// and could take over.
  Optional<String> unavailable() {
    if (over) {
      return Optional.of("this one stops");
    }
    return elector
        .filter(Elector::isStandingBy)
        .map(standby -> standby.trouble().or(this::cold))
        .orElseGet(
            () -> product.map(Wiring::missing).orElseGet(() -> Optional.of("this one starts")));
  }

  /// @param pod of this process
  /// @param kept what its watches have delivered so far
  /// @param watched the kinds that they deliver
  record Warm(String identity, OwnPodClient pod, WarmStandby kept, Collection<Kind> watched) {}

  /// Stands by with watches that are open. Before [#stand].
  LeadershipLifecycle warmedBy(Warm standby) {
    warm = Optional.of(standby);
    return this;
  }

  /// Keeps the label on the pod of this process from when it leads and answers. Before [#stand].
  LeadershipLifecycle labelling(Optional<LeaderLabelKeeper> keeper) {
    label = keeper;
    return this;
  }

  /// Stands by.
  ///
  /// @param begin opens the watches and lets the product plan; run when this process leads
  /// @param lost hears why it leads no more: it must end, and a new one may come up
  void stand(Wiring wiring, Runnable begin, Consumer<String> lost) {
    product = Optional.of(wiring);
    launch = begin;
    deposed = lost;
    wiring.whenUntrue(this::lost);
    label.ifPresent(LeaderLabelKeeper::standsBy);
    elector.ifPresentOrElse(Elector::start, () -> leads(0, workers.time().instant()));
  }

  /// Answers no request any more, lets what was begun be written, lets go of the lease and then
  /// says so; within twice [#DRAIN].
  void leave(Runnable then) {
    over = true;
    label.ifPresent(LeaderLabelKeeper::stops);
    product.ifPresent(Wiring::stop);
    drain(workers.time().instant().plus(DRAIN), then);
  }

  private void drain(Instant until, Runnable then) {
    boolean quiet = product.map(Wiring::isQuiet).orElse(true);
    if (!quiet && workers.time().instant().isBefore(until)) {
      later(() -> drain(until, then));
      return;
    }
    product.ifPresent(Wiring::shut);
    settle(workers.time().instant().plus(DRAIN), then);
  }

  /// Only with nothing under way: what is written late must be written by a leader.
  private void settle(Instant until, Runnable then) {
    int underWay = product.map(Wiring::underWay).orElse(0);
    if (underWay > 0 && workers.time().instant().isBefore(until)) {
      later(() -> settle(until, then));
      return;
    }
    if (underWay == 0) {
      elector.ifPresent(Elector::release);
    } else {
      LOG.atWarn().addKeyValue("writes", underWay).log("lease not released: writes are under way");
    }
    elector.ifPresent(Elector::stop);
    metrics.leadsNoMore();
    then.run();
  }

  private void later(Runnable what) {
    workers.at(workers.time().instant().plus(LOOK), what);
  }

  private Elector.Listener listener() {
    return new Elector.Listener() {
      @Override
      public void leads(int term, Instant silent) {
        LeadershipLifecycle.this.leads(term, silent);
      }

      @Override
      public void deposed(String sentence) {
        over = true;
        metrics.leadsNoMore();
        deposed.accept(sentence);
      }
    };
  }

  private Optional<String> cold() {
    return warm.flatMap(standby -> standby.kept().missing(standby.watched()));
  }

  private void leads(int term, Instant silent) {
    metrics.leads(term);
    warm.ifPresentOrElse(
        standby -> {
          String before = standby.kept().reached(Kind.POD);
          workers.run(() -> mark(standby, before, term, silent));
        },
        () -> begin(silent));
  }

  private void begin(Instant silent) {
    launch.run();
    tellWhenReady(silent);
  }

  /// The mark is written after the last write of the leader before: once the watch shows it, it has
  /// shown that write. Repeating a mark that is written already returns its version.
  ///
  /// @param before the version of pods that the watch had shown when the lease was taken
  private void mark(Warm standby, String before, int term, Instant silent) {
    if (over) {
      return;
    }
    try {
      String marked = standby.pod().mark(standby.identity() + "/" + term);
      if (ResourceVersion.isBefore(marked, before)) {
        lost(
            "etcd went back to an earlier state: pods were of version "
                + before
                + " and are of "
                + marked);
      } else {
        catchUp(standby, marked, silent);
      }
    } catch (ClientException failed) {
      if (failed.isPassing() || failed.kind() == ClientException.Kind.CONFLICT) {
        later(() -> mark(standby, before, term, silent));
      } else {
        lost(failed.getMessage() + " (POD_NAME and POD_NAMESPACE name the pod of this process)");
      }
    }
  }

  private void catchUp(Warm standby, String marked, Instant silent) {
    if (over) {
      return;
    }
    if (standby.kept().hasReached(Kind.POD, marked) && cold().isEmpty()) {
      begin(silent);
    } else {
      later(() -> catchUp(standby, marked, silent));
    }
  }

  private void lost(String sentence) {
    LOG.atWarn().addKeyValue("why", sentence).log("cannot lead: this process ends");
    over = true;
    deposed.accept(sentence);
  }

  private void tellWhenReady(Instant silent) {
    if (over) {
      return;
    }
    if (product.flatMap(Wiring::missing).isPresent()) {
      later(() -> tellWhenReady(silent));
      return;
    }
    var took = Duration.between(silent, workers.time().instant());
    metrics.tookOver(took);
    label.ifPresent(LeaderLabelKeeper::leads);
    LOG.atInfo().addKeyValue("millis", took.toMillis()).log("ready: answers and plans");
  }
}
