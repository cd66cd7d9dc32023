package dev.berth.controllers.holders;

import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.loop.Backoff;
import dev.berth.engine.ledger.LedgerHolders;
import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.ledger.view.SilentSlot;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Holders on which a plan or a pod counts and that do not report their device.
///
/// One that is silent for longer than Berth's patience, however often it was made anew meanwhile,
/// puts its node in trouble: plans that wait for a holder there are given back, and for a while
/// shares only join what is held. The while doubles with each trouble of the node, up to ten
/// minutes, and begins anew when it has had none for as long.
public final class HolderTimeouts {
  private static final Logger LOG = LoggerFactory.getLogger(HolderTimeouts.class);

  /// Reason of the event on a node.
  private static final String TROUBLE = "HolderTrouble";

  private static final Duration FIRST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final Backoff BACKOFF = new Backoff(FIRST, LONGEST);

  private record Trouble(Instant until, Duration length) {}

  private final LedgerHolders ledger;
  private final EventRecorder events;
  private final Duration patience;

  /// Guarded by this.
  private TreeMap<SlotKey, Instant> since = new TreeMap<>();

  private final Map<NodeName, Trouble> holderFailures = new TreeMap<>(); // guarded by this

  /// Why a holder could not be created when that was tried last.
  private final ConcurrentSkipListMap<SlotKey, String> uncreated = new ConcurrentSkipListMap<>();

  public HolderTimeouts(LedgerHolders ledger, EventRecorder events, Duration patience) {
    this.ledger = ledger;
    this.events = events;
    this.patience = patience;
  }

  void notCreated(SlotKey slot, String why) {
    uncreated.put(slot, why);
  }

  void created(SlotKey slot) {
    uncreated.remove(slot);
  }

  /// It is not known any more how long they have been silent.
  synchronized void forget() {
    since = new TreeMap<>();
  }

  /// Looks at all that are silent now.
  ///
  /// @return when to look again; `MAX` = not before something changes
  synchronized Instant look(Instant now) {
    // The ledger ends a trouble when the node changes; what comes then is a new one.
    holderFailures
        .entrySet()
        .removeIf(old -> old.getValue().until().isAfter(now) && !ledger.isTroubled(old.getKey()));
    var before = since;
    since = new TreeMap<>();
    var overdue = new ArrayList<SilentSlot>();
    Instant next = Instant.MAX;
    for (SilentSlot silent : ledger.silentSlots()) {
      Instant first = before.getOrDefault(silent.slot(), now);
      since.put(silent.slot(), first);
      Instant end = later(first.plus(patience), troubledUntil(silent.slot().node()));
      if (end.isAfter(now)) {
        next = end.isBefore(next) ? end : next;
      } else {
        overdue.add(silent);
      }
    }
    uncreated.keySet().retainAll(since.keySet());
    for (SilentSlot silent : overdue) {
      if (!troubledUntil(silent.slot().node()).isAfter(now)) { // else another slot was first
        trouble(silent, now);
      }
    }
    return next;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private Instant troubledUntil(NodeName node) {
    return holderFailures.getOrDefault(node, new Trouble(Instant.MIN, FIRST)).until();
  }

  private void trouble(SilentSlot silent, Instant now) {
    NodeName node = silent.slot().node();
    var last = holderFailures.getOrDefault(node, new Trouble(Instant.MIN, Duration.ZERO));
    boolean again = last.until().isAfter(now.minus(LONGEST));
    var length = again ? BACKOFF.next(last.length()) : BACKOFF.first();
    holderFailures.values().removeIf(old -> old.until().isBefore(now.minus(LONGEST)));
    holderFailures.put(node, new Trouble(now.plus(length), length));
    String words = words(silent);
    List<Assumed> given = ledger.trouble(node, words, now.plus(length));
    LOG.atWarn()
        .addKeyValue("node", node)
        .addKeyValue("holder", words)
        .addKeyValue("plans", given.size())
        .addKeyValue("for", length)
        .log("no device can be held: shares go elsewhere");
    events.tell(
        new EventRecorder.Regarding("v1", "Node", "", node.value(), node.value()),
        true,
        TROUBLE,
        "Hold",
        "No further device is held for shares before "
            + now.plus(length).truncatedTo(ChronoUnit.SECONDS)
            + ": "
            + words
            + ".");
  }

  private String words(SilentSlot silent) {
    if (silent.holder().isEmpty()) {
      return uncreated.getOrDefault(
          silent.slot(), "the holder of device slot " + silent.slot().slot() + " is not created");
    }
    Pod holder = silent.holder().get();
    String trouble = holder.holding().trouble();
    return "pod "
        + holder.key()
        + " "
        + (trouble.isEmpty()
            ? String.format(
                Locale.ROOT,
                "has told no device for %ds, and its kubelet does not say why",
                patience.toSeconds())
            : trouble);
  }
}
