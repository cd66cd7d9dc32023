package dev.berth.simulator.chaos;

import dev.berth.controllers.client.ApiWrite;
import dev.berth.controllers.client.ApiWriter;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.client.LeaseClient;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.loop.Workers;
import dev.berth.simulator.faults.Fault;
import dev.berth.simulator.faults.FaultInjector;
import dev.berth.simulator.world.TimeWorkers;
import dev.berth.simulator.world.WorldClients;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// One life of one process: everything that it does goes through here, so that it can end at any
/// step, also just before or just after a write, or be paused between any two steps. A dead process
/// does nothing more, receives nothing more and answers nothing. A paused one does all of it later.
final class ProcessLifecycle implements ApiWriter, Workers {
  /// Unwinds what a process was doing when it ended. Only this class may catch it.
  private static final class Ended extends Error {
    private static final long serialVersionUID = 1;

    private Ended() {
      super("the process has ended", null, false, false);
    }
  }

  /// A candidate writes the lease before it leads.
  private static final Duration LEASE_PATIENCE = Duration.ofSeconds(2);

  private final String name;
  private final TimeWorkers workers;
  private final ApiWriter writes;
  private final FaultInjector faultInjector;
  private final Consumer<String> onExit;
  private final List<Runnable> beneficiaries = new ArrayList<>();
  private final List<Runnable> due = new ArrayList<>(); // these two: while it is paused
  private final List<Runnable> delivered = new ArrayList<>();
  private Fence fence = Fence.OPEN;
  private Instant active = Instant.MIN;
  private boolean paused;
  private boolean dead;

  /// @param writes what comes of its writes while it lives
  /// @param onExit told once what it was doing when it ended
  ProcessLifecycle(
      String name,
      TimeWorkers workers,
      ApiWriter writes,
      FaultInjector faultInjector,
      Consumer<String> onExit) {
    this.name = name;
    this.workers = workers;
    this.writes = writes;
    this.faultInjector = faultInjector;
    this.onExit = onExit;
  }

  String name() {
    return name;
  }

  boolean isOver() {
    return dead;
  }

  /// @param bounds how long a write that begins now may take
  void writesBehind(Fence bounds) {
    fence = bounds;
  }

  /// Since when it does something that may be noticed: since it leads, or since its last pause.
  Instant active() {
    return active;
  }

  void markActive() {
    active = workers.time().instant();
  }

  boolean isPaused() {
    return paused;
  }

  /// Does nothing for a while, and then all that came meanwhile: what it meant to do first, or what
  /// it should have heard.
  void pause(Duration span) {
    paused = true;
    workers.at(workers.time().instant().plus(span), this::wake);
  }

  private void wake() {
    paused = false;
    markActive();
    boolean hearsFirst = faultInjector.chance().comes(0.5);
    var first = List.copyOf(hearsFirst ? delivered : due);
    var then = List.copyOf(hearsFirst ? due : delivered);
    due.clear();
    delivered.clear();
    first.forEach(this::step);
    then.forEach(this::step);
  }

  /// Runs when it ends, for the requests that it will not answer any more.
  void whenOver(Runnable beneficiary) {
    beneficiaries.add(beneficiary);
  }

  void end(String doing) {
    if (!dead) {
      dead = true;
      onExit.accept(doing);
      List.copyOf(beneficiaries).forEach(Runnable::run);
    }
  }

  /// Runs a step of the process, to its end or to that of the process.
  void step(Runnable step) {
    if (dead) {
      return;
    }
    if (paused) {
      due.add(step);
      return;
    }
    try {
      step.run();
    } catch (Ended ended) {
      beneficiaries.clear();
    }
  }

  private void hear(Runnable news) {
    if (paused) {
      delivered.add(news);
    } else {
      step(news);
    }
  }

  @Override
  public String write(ApiWrite write) throws ClientException {
    if (!WorldClients.know(write)) {
      return NOT_TOLD; // without a fault, as it leaves no trace
    }
    breathe();
    if (faultInjector.strikes(Fault.LATE_WRITE)) {
      later(write);
      throw new ClientException(ClientException.Kind.UNREACHABLE, "fault: no answer in time");
    }
    if (write.isRepeatable() && faultInjector.strikes(Fault.LATE_ATTEMPT)) {
      later(write);
      fence.unanswered();
      return again(write);
    }
    return once(write);
  }

  /// What becomes of a second try says nothing of the first, unless there is nothing left to write
  /// to.
  private String again(ApiWrite write) throws ClientException {
    try {
      return once(write);
    } catch (ClientException refused) {
      if (refused.kind() == ClientException.Kind.GONE) {
        throw refused;
      }
      throw new ClientException(
          ClientException.Kind.UNREACHABLE,
          "fault: no answer at first, then " + refused.getMessage());
    }
  }

  private String once(ApiWrite write) throws ClientException {
    boolean dies = faultInjector.strikes(Fault.DEATH_IN_A_WRITE);
    boolean before = dies && faultInjector.chance().comes(0.5);
    if (before) {
      end("before " + write.words());
    }
    breathe();
    String version = writes.write(write);
    if (dies) {
      end("after " + write.words());
    }
    breathe();
    return version;
  }

  /// It is done all the same, whatever becomes of its sender: but no later than the server, too,
  /// gives it up.
  private void later(ApiWrite write) {
    Duration longest = write instanceof ApiWrite.Lease ? LEASE_PATIENCE : fence.left();
    Duration after = faultInjector.chance().between(Duration.ZERO, longest);
    workers.at(
        workers.time().instant().plus(after),
        () -> {
          try {
            writes.write(write);
          } catch (ClientException unheard) {
            // the answer is not awaited any more
          }
        });
  }

  private void breathe() {
    if (dead) {
      throw new Ended();
    }
  }

  @Override
  public void run(Runnable task) {
    workers.run(() -> step(task));
  }

  @Override
  public void at(Instant when, Runnable task) {
    workers.at(when, () -> step(task));
  }

  @Override
  public InstantSource time() {
    return workers.time();
  }

  @Override
  public double chance() {
    return workers.chance();
  }

  Watcher watcher(Watcher inner) {
    return new Watcher() {
      @Override
      public void seen(Kind kind, Map<String, ?> object) {
        hear(() -> inner.seen(kind, object));
      }

      @Override
      public void gone(Kind kind, Map<String, ?> object) {
        hear(() -> inner.gone(kind, object));
      }

      @Override
      public void synced(Kind kind) {
        hear(() -> {
          inner.readable(kind, true);
          inner.synced(kind);
        });
      }

      @Override
      public void reached(Kind kind, String version) {
        hear(() -> inner.reached(kind, version));
      }
    };
  }

  /// The lease, which is read like all else is written; a late answer to a read is none.
  ///
  /// @param inner its writes come here
  LeaseClient leases(LeaseClient inner) {
    return new LeaseClient() {
      @Override
      public Optional<Lease> read() throws ClientException {
        breathe();
        if (faultInjector.strikes(Fault.FAILED_WRITE)) {
          throw new ClientException(ClientException.Kind.UNREACHABLE, "fault: connection refused");
        }
        return inner.read();
      }

      @Override
      public Lease write(Lease lease) throws ClientException {
        return inner.write(lease);
      }
    };
  }

  EventRecorder events(EventRecorder inner) {
    return (object, warning, reason, action, note) -> {
      breathe();
      inner.tell(object, warning, reason, action, note);
    };
  }
}
