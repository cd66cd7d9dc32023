package dev.berth.controllers.lease;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.client.LeaseClient;
import dev.berth.controllers.client.LeaseClient.Lease;
import dev.berth.controllers.client.ResourceVersion;
import dev.berth.controllers.loop.Workers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stands by until the Lease is free or has run out, takes it, renews it, and says whether it is
/// surely held. A process leads once: when another has taken the lease, it is over for it.
///
/// Clocks of two machines are never compared. A leader counts from the moment *before* it sent its
/// last renewal, a follower from the moment *after* it read it, each on its own clock; so the
/// follower takes the lease later than the leader has given up writing, if both clocks run alike.
///
/// A leader that cannot renew in time writes nothing, and may go on once it can: if no process has
/// taken the lease meanwhile, none has written.
public final class Elector implements Fence {
  private static final Logger LOG = LoggerFactory.getLogger(Elector.class);

  /// Is told of it, on the thread of the elector, once each.
  public interface Listener {
    /// This process holds the lease.
    ///
    /// @param silent since when no leader was seen
    void leads(int term, Instant silent);

    /// This process held it, and another does, or etcd went back to an earlier state.
    void deposed(String sentence);
  }

  private sealed interface Standing {
    /// @param seen the lease as it was last
    /// @param since when it was first seen so
    record Follows(Optional<Lease> seen, Instant since) implements Standing {}

    /// @param renewed before the last renewal was sent, by either clock
    record Leads(Lease lease, Instant renewed, Instant steady) implements Standing {}

    record Over(String why) implements Standing {}
  }

  /// When a write got no answer last, by either clock.
  private record Lost(Instant wall, Instant steady) {}

  private final LeaseClient leases;
  private final String identity;
  private final LeaseSettings settings;
  private final Workers workers;
  private final InstantSource steady;
  private final Listener listener;
  private final ReentrantLock writing = new ReentrantLock(); // one write of the lease at a time
  private volatile Standing standing;
  private volatile Lost lost = new Lost(Instant.MIN, Instant.MIN);
  private volatile String trouble = ""; // why the last round failed; empty = it did not

  /// @param identity of this process: no other, and no later one, has the same
  /// @param steady a clock that is never set: the wall clock may jump, this one may have slept with
  ///   the machine, so it is held only while both say so
  public Elector(
      LeaseClient leases,
      String identity,
      LeaseSettings settings,
      Workers workers,
      InstantSource steady,
      Listener listener) {
    this.leases = leases;
    this.identity = identity;
    this.settings = settings;
    this.workers = workers;
    this.steady = steady;
    this.listener = listener;
    this.standing = new Standing.Follows(Optional.empty(), workers.time().instant());
  }

  public void start() {
    workers.run(this::round);
  }

  @Override
  public Optional<String> barred() {
    return switch (standing) {
      case Standing.Follows(var seen, _) -> Optional.of(standsBy(seen));
      case Standing.Leads leads ->
          left(leads).isPositive()
              ? Optional.empty()
              : Optional.of("the lease could not be renewed since " + leads.renewed());
      case Standing.Over(String why) -> Optional.of(why);
    };
  }

  private String standsBy(Optional<Lease> seen) {
    String holder = seen.map(Lease::holder).orElse("");
    return (holder.isEmpty() ? "no replica" : holder)
        + " holds the lease, this one stands by"
        + (trouble.isEmpty() ? "" : " (" + trouble + ")");
  }

  public boolean isStandingBy() {
    return standing instanceof Standing.Follows;
  }

  /// Why a standby could not take over now; empty = it reads the lease of another.
  public Optional<String> trouble() {
    return standing instanceof Standing.Follows(var seen, _) && seen.isEmpty()
        ? Optional.of("the lease is not read yet" + (trouble.isEmpty() ? "" : ": " + trouble))
        : Optional.of(trouble).filter(why -> !why.isEmpty());
  }

  @Override
  public Duration left() {
    return standing instanceof Standing.Leads leads ? left(leads) : Duration.ZERO;
  }

  private Duration left(Standing.Leads leads) {
    Duration wall = Duration.between(leads.renewed(), workers.time().instant());
    Duration ticked = Duration.between(leads.steady(), steady.instant());
    Duration passed = wall.compareTo(ticked) > 0 ? wall : ticked;
    boolean turnedBack = wall.isNegative();
    return turnedBack || passed.compareTo(settings.renewDeadline()) >= 0
        ? Duration.ZERO
        : settings.duration().minus(passed);
  }

  @Override
  public void unanswered() {
    lost = new Lost(workers.time().instant(), steady.instant());
  }

  /// A write without an answer is done, if at all, before the lease ends that was held when it was
  /// sent.
  private boolean mayBeWrittenLate() {
    Duration wall = Duration.between(lost.wall(), workers.time().instant());
    Duration ticked = Duration.between(lost.steady(), steady.instant());
    Duration passed = wall.compareTo(ticked) < 0 ? wall : ticked;
    return passed.compareTo(settings.duration()) < 0;
  }

  /// Lets the next one have the lease at once, unless a write of Berth may still be done. Only once
  /// no write is under way any more.
  public void release() {
    writing.lock();
    try {
      if (standing instanceof Standing.Leads && mayBeWrittenLate()) {
        LOG.atWarn()
            .addKeyValue("why", "a write got no answer and may still be done")
            .log("lease not released: it runs out");
      } else if (standing instanceof Standing.Leads leads) {
        standing = new Standing.Over("this one has released the lease");
        leases.write(leads.lease().released(workers.time().instant()));
        LOG.atInfo().log("lease released");
      }
    } catch (ClientException failed) {
      LOG.atWarn().addKeyValue("why", failed.getMessage()).log("lease not released: it runs out");
    } finally {
      writing.unlock();
    }
  }

  /// Takes part no more; the lease, if it is held, runs out.
  public void stop() {
    standing = new Standing.Over("this one stops");
  }

  private void round() {
    Instant begun = workers.time().instant();
    writing.lock();
    try {
      switch (standing) {
        case Standing.Follows follows -> follow(follows);
        case Standing.Leads leads -> renew(leads);
        case Standing.Over _ -> {}
      }
      trouble = "";
    } catch (ClientException failed) {
      tell(failed);
    } finally {
      writing.unlock();
      if (!(standing instanceof Standing.Over)) {
        workers.at(next(begun), this::round); // at once, if it took longer
      }
    }
  }

  /// A standby looks again when the lease runs out, and does not wait for its next turn.
  private Instant next(Instant begun) {
    Instant turn = begun.plus(settings.retryPeriod());
    if (standing instanceof Standing.Follows(var seen, var since) && seen.isPresent()) {
      Instant over = since.plus(seen.get().duration()).plusMillis(1);
      return over.isAfter(begun) && over.isBefore(turn) ? over : turn;
    }
    return turn;
  }

  private void tell(ClientException failed) {
    if (failed.kind() == ClientException.Kind.CONFLICT) {
      return; // another process was first: the next round sees which
    }
    boolean news = trouble.isEmpty();
    trouble = String.valueOf(failed.getMessage());
    if (news) {
      LOG.atWarn().addKeyValue("why", failed.getMessage()).log("lease not read or written");
    }
  }

  private void follow(Standing.Follows before) throws ClientException {
    Optional<Lease> seen = leases.read();
    Instant now = workers.time().instant(); // after it was read
    String was = before.seen().map(Lease::version).orElse("");
    if (seen.filter(lease -> ResourceVersion.isBefore(lease.version(), was)).isPresent()) {
      over(wentBack(was, seen.get().version())); // nor is what this process keeps for its term
      return;
    }
    boolean free = seen.map(this::isFree).orElse(before.seen().isEmpty());
    if (free) {
      take(seen, now);
      return;
    }
    // deleted under its holder: the holder may not know yet
    Lease held = seen.or(before::seen).orElseThrow();
    if (seen.isPresent() && !seen.equals(before.seen())) {
      standing = new Standing.Follows(seen, now);
    } else if (before.since().plus(held.duration()).isBefore(now)) {
      take(seen, before.since());
    }
  }

  /// Released; or held by a write whose reply was lost.
  private boolean isFree(Lease lease) {
    return lease.holder().isEmpty() || lease.holder().equals(identity);
  }

  private void take(Optional<Lease> seen, Instant silent) throws ClientException {
    Instant sent = workers.time().instant();
    Instant ticked = steady.instant();
    var taken =
        leases.write(
            new Lease(
                identity,
                settings.duration(),
                sent,
                sent,
                seen.map(lease -> lease.term() + 1).orElse(0),
                seen.map(Lease::version).orElse("")));
    if (standing instanceof Standing.Over) {
      return; // it was stopped meanwhile
    }
    standing = new Standing.Leads(taken, sent, ticked);
    LOG.atInfo()
        .addKeyValue("identity", identity)
        .addKeyValue("term", taken.term())
        .log("leads: has the lease");
    listener.leads(taken.term(), silent);
  }

  /// One that was written without its knowing is renewed again at once: the fence stands by what it
  /// heard.
  private void renew(Standing.Leads leads) throws ClientException {
    try {
      write(leads);
    } catch (ClientException failed) {
      boolean other = !failed.isPassing() && failed.kind() != ClientException.Kind.REFUSED;
      if (other) { // written by another, or by this one without its knowing
        lookForHolder(leads);
      }
      if (other && standing instanceof Standing.Leads ours) {
        write(ours);
      } else {
        throw failed;
      }
    }
  }

  private void write(Standing.Leads leads) throws ClientException {
    Instant sent = workers.time().instant();
    Instant ticked = steady.instant();
    var renewed = leases.write(leads.lease().renewedAt(sent));
    standing = new Standing.Leads(renewed, sent, ticked);
  }

  private void lookForHolder(Standing.Leads leads) throws ClientException {
    var seen = leases.read();
    String known = leads.lease().version();
    String now = seen.map(Lease::version).orElse("");
    if (ResourceVersion.isBefore(now, known)) {
      over(wentBack(known, now));
      return;
    }
    boolean ours =
        seen.filter(
                lease -> lease.holder().equals(identity) && lease.term() == leads.lease().term())
            .isPresent();
    if (ours) {
      standing = new Standing.Leads(seen.get(), leads.renewed(), leads.steady());
      return;
    }
    String whose =
        seen.map(lease -> lease.holder().isEmpty() ? "no replica" : lease.holder())
            .orElse("no replica: the lease was deleted");
    over("the lease was taken away, it is held by " + whose);
  }

  private static String wentBack(String was, String is) {
    return "etcd went back to an earlier state: the lease was of version "
        + was
        + " and is of "
        + is
        + ", so what this process knows is not true any more";
  }

  private void over(String sentence) {
    standing = new Standing.Over(sentence);
    LOG.atWarn().addKeyValue("why", sentence).log("leads no more");
    listener.deposed(sentence);
  }
}
