package dev.berth.extender.rest.state;

import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Usage;
import dev.berth.extender.rest.state.RevisionBuilder.Step;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/// The latest revision, made when it is asked for: without clients nothing is read and nothing is
/// made. Any thread; the planner's only leaves what it found.
public final class Revisions {
  /// Between two revisions, so that many clients cost as much as one.
  private static final Duration PAUSE = Duration.ofMillis(200);

  /// Is told of each new revision, in their order. Must not block.
  public interface Listener {
    void made(Revision revision, Changes changes);
  }

  private final LedgerReader ledger;
  private final InstantSource time;
  private volatile Findings findings = Findings.NONE; // written under finding
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final Object finding = new Object();
  private final ReentrantLock making = new ReentrantLock();

  // Written under the lock.
  private final RevisionBuilder builder = new RevisionBuilder();
  private volatile Latest latest = Latest.NONE;

  private record Latest(Revision revision, long version, Findings findings, Instant made) {
    static final Latest NONE =
        new Latest(new RevisionBuilder().last(), -1, Findings.NONE, Instant.MIN);
  }

  public Revisions(LedgerReader ledger, InstantSource time) {
    this.ledger = ledger;
    this.time = time;
  }

  public void tell(Listener listener) {
    listeners.add(listener);
  }

  /// A cycle has planned.
  public void planned(PlanFound plan) {
    synchronized (finding) {
      findings = findings.with(plan);
    }
  }

  /// How queues stand.
  public void kept(Accounts accounts, Usage usage) {
    synchronized (finding) {
      findings = findings.with(accounts, usage);
    }
  }

  /// What is so now; [#PAUSE] old at most, or as old as the revision that another thread is about
  /// to replace.
  public Revision current() {
    var known = latest;
    if (isCurrent(known)) {
      return known.revision();
    }
    if (known == Latest.NONE) {
      making.lock(); // there is nothing else to show
    } else if (!making.tryLock()) {
      return known.revision();
    }
    try {
      if (!isCurrent(latest)) {
        make();
      }
      return latest.revision();
    } finally {
      making.unlock();
    }
  }

  private boolean isCurrent(Latest known) {
    var now = time.instant();
    boolean isYoung =
        known != Latest.NONE
            && now.isBefore(known.made().plus(PAUSE))
            && !now.isBefore(known.made()); // a clock that goes back
    return isYoung || known.version() == ledger.version() && known.findings() == findings;
  }

  private void make() {
    long version = ledger.version();
    var found = findings;
    var now = time.instant();
    Step step = builder.next(ledger.snapshot(now), ledger.priorityClasses(), found);
    latest = new Latest(step.revision(), version, found, now);
    if (!step.changes().areNone()) {
      listeners.forEach(each -> each.made(step.revision(), step.changes()));
    }
  }
}
