package dev.berth.controllers.cycle;

import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Usage;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

/// How queues stand as time goes on: advances what they used, for the planner, and tells both for
/// their statuses, at a pace.
///
/// Past use is what their statuses kept at the start, and since then what they had when it was last
/// looked at. Where time does not count (`k` is 0) nothing of it is computed. Of the planning
/// thread.
final class UsageAccounting {
  private final LedgerReader ledger;
  private final Function<Snapshot, Accounts> accountsOf;
  private final BiConsumer<Accounts, Usage> told;
  private final UsageSettings settings;
  private final boolean timeCounts;

  private Usage usage = Usage.NONE;
  private Usage planned = Usage.NONE; // with which the last plan was made
  private Usage divided = Usage.NONE; // with which the shares of the accounts were
  private boolean begun; // past use was read
  private Accounts accounts = Accounts.NONE;
  private SortedMap<QueueName, SortedMap<Resource, Double>> use = new TreeMap<>();
  private long version = -1; // of the ledger as it was when the accounts were made; -1 = none were
  private Instant next = Instant.MIN;

  /// @param accountsOf how queues stand in a snapshot
  /// @param told hears of it
  UsageAccounting(
      LedgerReader ledger,
      Function<Snapshot, Accounts> accountsOf,
      BiConsumer<Accounts, Usage> told,
      UsageSettings settings) {
    this.ledger = ledger;
    this.accountsOf = accountsOf;
    this.told = told;
    this.settings = settings;
    this.timeCounts = settings.fairShare().k() > 0;
  }

  /// A snapshot that is to be planned, with what queues used up to then.
  Snapshot open(Snapshot snapshot) {
    if (!timeCounts) {
      return snapshot;
    }
    advance(snapshot.now());
    planned = usage;
    return snapshot.with(usage);
  }

  /// Whether shares may be others by now than those of the last plan, by time alone.
  boolean areOutdated(Instant now) {
    if (!timeCounts || version < 0) {
      return false;
    }
    advance(now);
    return usage.differs(planned, settings.usageStep());
  }

  /// Looks how queues stand, if it is time to and anything moved, and tells it.
  void keep(Instant now) {
    if (now.isBefore(next)) {
      return;
    }
    if (timeCounts) {
      advance(now);
    }
    boolean outdated =
        ledger.version() != version || timeCounts && usage.differs(divided, settings.usageStep());
    if (!outdated && !timeCounts) {
      return;
    }
    next = now.plus(settings.queuePause());
    if (outdated) {
      var snapshot = ledger.snapshot(now).with(usage);
      accounts = accountsOf.apply(snapshot);
      version = snapshot.version();
      divided = usage;
      use = timeCounts ? accounts.use() : use;
    }
    told.accept(accounts, usage);
  }

  private void advance(Instant now) {
    if (!begun) {
      usage = Usage.of(now, ledger.pastUse(), settings.fairShare().halfLife());
      begun = true;
    } else if (version >= 0) { // else it is not known yet which queue has what
      usage = usage.advance(now, use, settings.fairShare().halfLife());
    }
  }
}
