package dev.berth.controllers.loop;

import dev.berth.controllers.client.ClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Keys to look at, each by one task at a time. Adding a key twice is adding it once; adding one
/// that is in work makes it run again afterwards. A key that fails waits for its own backoff, which
/// additions do not shorten; success resets it.
public final class KeyedLoop<K extends Comparable<K>> {
  private static final Logger LOG = LoggerFactory.getLogger(KeyedLoop.class);

  /// Observes, decides and writes for one key.
  public interface Reconciler<K> {
    Next reconcile(K key) throws ClientException;
  }

  private enum Phase {
    /// Nothing to do, or a date is set.
    IDLE,
    READY,
    WORKING,
    /// In work, and added meanwhile.
    AGAIN,
    /// Waits for its date whatever is added.
    RESTING
  }

  private static final class Entry {
    Phase phase = Phase.IDLE;
    int failures;
    Instant due = Instant.MAX;
  }

  private final String name;
  private final Workers workers;
  private final KeyedLoopSettings settings;
  private final Reconciler<K> reconciler;

  // All below: guarded by this.
  private final TreeMap<K, Entry> entries = new TreeMap<>();
  private final Lanes<K> ready;
  private int working;
  private boolean stopped;

  /// @param name stands in the logs
  public KeyedLoop(
      String name, Workers workers, KeyedLoopSettings settings, Reconciler<K> reconciler) {
    this(name, workers, settings, new Lanes<>(_ -> "", settings.atOnce()), reconciler);
  }

  /// With lanes that take turns, such as namespaces: a quarter of the workers at most is in work
  /// for one of them, for what it is about, and how long it takes, is in the hands of tenants.
  ///
  /// @param laneOf called under this loop's lock: it waits for nothing
  public KeyedLoop(
      String name,
      Workers workers,
      KeyedLoopSettings settings,
      Function<K, String> laneOf,
      Reconciler<K> reconciler) {
    this(
        name,
        workers,
        settings,
        new Lanes<>(laneOf, Math.max(1, settings.atOnce() / 4)),
        reconciler);
  }

  private KeyedLoop(
      String name,
      Workers workers,
      KeyedLoopSettings settings,
      Lanes<K> ready,
      Reconciler<K> reconciler) {
    this.ready = ready;
    this.name = name;
    this.workers = workers;
    this.settings = settings;
    this.reconciler = reconciler;
  }

  /// Something about this key changed.
  public synchronized void add(K key) {
    if (stopped) {
      return;
    }
    Entry entry = entries.computeIfAbsent(key, _ -> new Entry());
    switch (entry.phase) {
      case IDLE -> {
        makeReady(key, entry);
        start();
      }
      case WORKING -> entry.phase = Phase.AGAIN;
      case READY, AGAIN, RESTING -> {}
    }
  }

  /// Takes no more work; what is under way finishes.
  public synchronized void stop() {
    stopped = true;
    ready.clear();
  }

  /// Keys that wait for a worker, or are in work.
  public synchronized int busy() {
    return ready.size() + working;
  }

  private void makeReady(K key, Entry entry) {
    entry.phase = Phase.READY;
    entry.due = Instant.MAX;
    ready.add(key);
  }

  private void start() {
    while (working < settings.atOnce() && ready.hasNext()) {
      K key = ready.next();
      working++;
      workers.run(() -> work(key));
    }
  }

  private void work(K key) {
    synchronized (this) {
      entryOf(key).phase = Phase.WORKING; // from here an addition is news
    }
    finish(key, reconcile(key));
  }

  private Next reconcile(K key) {
    try {
      return reconciler.reconcile(key);
    } catch (ClientException failed) {
      return afterFailure(key, failed);
    } catch (RuntimeException | AssertionError internalError) {
      LOG.atError()
          .addKeyValue("loop", name)
          .addKeyValue("key", key)
          .setCause(internalError)
          .log("internal error in a reconcile");
      return Next.retry();
    }
  }

  private Next afterFailure(K key, ClientException failed) {
    return switch (failed.kind()) {
      case GONE -> Next.done(); // its farewell is on the way
      case CONFLICT, NOT_NOW, UNREACHABLE -> {
        LOG.atDebug()
            .addKeyValue("loop", name)
            .addKeyValue("key", key)
            .addKeyValue("why", failed.getMessage())
            .log("write comes again");
        yield Next.retry();
      }
      case REFUSED -> {
        // an API server that has just started may not know Berth's rights yet; else a person must
        // act
        LOG.atLevel(levelOfRefusal(key))
            .addKeyValue("loop", name)
            .addKeyValue("key", key)
            .addKeyValue("why", failed.getMessage())
            .log("write refused");
        yield Next.retry();
      }
    };
  }

  /// Loud once: it comes again for as long as no person acts.
  private synchronized Level levelOfRefusal(K key) {
    return switch (entryOf(key).failures) {
      case 0 -> Level.WARN;
      case 1 -> Level.ERROR;
      default -> Level.DEBUG;
    };
  }

  private synchronized void finish(K key, Next next) {
    working--;
    ready.done(key);
    Entry entry = entryOf(key);
    boolean again = entry.phase == Phase.AGAIN;
    entry.phase = Phase.IDLE;
    switch (next) {
      case Next.Retry() -> {
        entry.failures++;
        entry.phase = Phase.RESTING;
        wakeAt(key, entry, workers.time().instant().plus(pause(entry.failures)));
      }
      case Next.NotBefore(var when) -> {
        entry.failures = 0;
        entry.phase = Phase.RESTING;
        wakeAt(key, entry, when);
      }
      case Next.At(var when) -> {
        entry.failures = 0;
        if (again) {
          makeReady(key, entry);
        } else {
          wakeAt(key, entry, when);
        }
      }
      case Next.Done() -> {
        if (again) {
          entry.failures = 0;
          makeReady(key, entry);
        } else {
          entries.remove(key);
        }
      }
    }
    start();
  }

  /// Doubles with every failure; chance takes away up to half, so that many keys that failed
  /// together do not come again together.
  private Duration pause(int failures) {
    long nanos = settings.first().toNanos();
    for (int i = 1; i < failures && nanos < settings.longest().toNanos(); i++) {
      nanos *= 2;
    }
    nanos = Math.min(nanos, settings.longest().toNanos());
    return Duration.ofNanos(nanos / 2 + (long) (workers.chance() * (nanos / 2)));
  }

  private void wakeAt(K key, Entry entry, Instant when) {
    entry.due = when;
    workers.at(when, () -> wake(key, when));
  }

  private synchronized void wake(K key, Instant when) {
    Entry entry = entries.get(key);
    if (stopped || entry == null || !entry.due.equals(when)) {
      return; // ran in between
    }
    makeReady(key, entry);
    start();
  }

  private Entry entryOf(K key) {
    Entry entry = entries.get(key);
    if (entry == null) {
      throw new IllegalStateException("loop " + name + " lost the entry of " + key);
    }
    return entry;
  }
}
