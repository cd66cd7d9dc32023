package dev.berth.controllers.queues;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.QueueClient;
import dev.berth.controllers.crd.QueueStatus;
import dev.berth.controllers.loop.ExponentialBackoff;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.Account;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// Writes the status of Queue objects: one patch for all that differs from what the watch showed
/// last, one write at a time per queue and not more often than a pause allows. Where nothing
/// differs nothing is written. What others wrote is put right more and more seldom, for they may
/// not give in.
///
/// Past use moves all the time: alone it is written when it moved by a step or was not written for
/// a period, and otherwise comes along. Any thread.
public final class QueueKeeper {
  private static final Duration LONGEST_BETWEEN_REPAIRS = Duration.ofMinutes(5);
  private static final Duration UNTIL_CALM = Duration.ofMinutes(10);

  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(4, Duration.ofSeconds(1), Duration.ofMinutes(1));

  /// What the last cycle said of a queue.
  private record Told(
      Account account, List<QueueName> below, SortedMap<Resource, Double> past, Instant at) {}

  private record Change(QueueStatus before, QueueStatus after) {}

  private final QueueClient queues;
  private final Function<Reason, String> sentences;
  private final Workers workers;
  private final QueueSettings settings;
  private final KeyedLoop<QueueName> loop;

  // Guarded by this, for queues that have an object.
  private final TreeMap<QueueName, QueueStatus> shown = new TreeMap<>();
  private final TreeMap<QueueName, Told> told = new TreeMap<>();
  private final TreeMap<QueueName, QueueStatus> written = new TreeMap<>(); // by Berth, last
  private final TreeMap<QueueName, ExponentialBackoff> repairs = new TreeMap<>();
  private final TreeSet<QueueName> doubted = new TreeSet<>(); // looked at again, and not before

  /// @param sentences a reason made a sentence
  public QueueKeeper(
      QueueClient queues,
      Function<Reason, String> sentences,
      Workers workers,
      QueueSettings settings) {
    this.queues = queues;
    this.sentences = sentences;
    this.workers = workers;
    this.settings = settings;
    this.loop = new KeyedLoop<>("queues", workers, PACE, this::write);
  }

  /// The watch shows an object. What another client wrote into its status is put right.
  public void seen(Map<String, ?> object) {
    var name = name(object);
    if (name.isNone()) {
      return;
    }
    synchronized (this) {
      var status = QueueStatus.read(object);
      shown.put(name, status);
      if (wanted(name).isEmpty()) {
        return;
      }
      if (isOfOthers(name, status)) {
        lookAgainLater(name);
        return;
      }
    }
    loop.add(name);
  }

  /// Or was written late, or is seen late.
  private boolean isOfOthers(QueueName name, QueueStatus status) {
    var ours = written.get(name);
    return ours != null && !ours.equals(status);
  }

  private void lookAgainLater(QueueName name) {
    if (doubted.add(name)) {
      var repair =
          repairs.computeIfAbsent(
              name,
              _ ->
                  new ExponentialBackoff(
                      settings.queuePause(), LONGEST_BETWEEN_REPAIRS, UNTIL_CALM));
      var soon = workers.time().instant().plus(settings.queuePause());
      workers.at(repair.next().isAfter(soon) ? repair.next() : soon, () -> lookAgain(name));
    }
  }

  private synchronized void lookAgain(QueueName name) {
    doubted.remove(name);
    var is = shown.get(name);
    if (is != null && wanted(name).isPresent()) {
      if (isOfOthers(name, is) && repairs.containsKey(name)) {
        repairs.get(name).happened(workers.time().instant());
      }
      loop.add(name);
    }
  }

  public synchronized void gone(Map<String, ?> object) {
    shown.remove(name(object));
    told.remove(name(object));
    written.remove(name(object));
    repairs.remove(name(object));
  }

  /// How queues stand now. Called by the planning thread: what takes time is done on others.
  ///
  /// @param usage up to now; [Usage#NONE] = time does not count
  public void told(Accounts accounts, Usage usage) {
    var now = workers.time().instant();
    var below = below(accounts);
    var differ = new TreeSet<QueueName>();
    synchronized (this) {
      for (Account account : accounts.queues()) {
        var name = account.queue().name();
        if (shown.containsKey(name)) {
          var children = below.getOrDefault(name, List.of());
          told.put(name, new Told(account, children, usage.of(name), now));
          if (!doubted.contains(name) && wanted(name).isPresent()) {
            differ.add(name);
          }
        }
      }
    }
    differ.forEach(loop::add);
  }

  private static SortedMap<QueueName, List<QueueName>> below(Accounts accounts) {
    var below = new TreeMap<QueueName, List<QueueName>>();
    for (Account account : accounts.queues()) {
      var queue = account.queue();
      if (!queue.parent().isNone()) {
        below.computeIfAbsent(queue.parent(), _ -> new ArrayList<>()).add(queue.name());
      }
    }
    return below;
  }

  /// What is to be written; empty where the object says it already, or nothing is known of it yet.
  private Optional<Change> wanted(QueueName name) {
    var last = told.get(name);
    var is = shown.get(name);
    if (last == null || is == null) {
      return Optional.empty();
    }
    var status =
        DesiredQueueStatus.status(
            last.account(), last.below(), last.past(), sentences, is.conditions(), last.at());
    boolean differs = !status.with(is.usage(), is.usageUntil()).equals(is);
    return differs || isNews(status, is) ? Optional.of(new Change(is, status)) : Optional.empty();
  }

  /// Of past use alone.
  private boolean isNews(QueueStatus status, QueueStatus is) {
    if (status.usage().isEmpty() && is.usage().isEmpty()) {
      return !is.usageUntil().equals(status.usageUntil());
    }
    var due = is.usageUntil().plus(settings.usagePeriod());
    boolean isOld = !status.usageUntil().isBefore(due);
    return isOld || status.usage().isEmpty() || moved(status.usage(), is.usage());
  }

  private boolean moved(SortedMap<String, String> now, SortedMap<String, String> before) {
    var resources = new TreeSet<>(now.keySet());
    resources.addAll(before.keySet());
    for (String resource : resources) {
      double by = part(now, resource) - part(before, resource);
      if (Math.abs(by) >= settings.usageStep()) {
        return true;
      }
    }
    return false;
  }

  /// Another client may have written what is no number: then it moved.
  private static double part(SortedMap<String, String> parts, String resource) {
    try {
      return new BigDecimal(parts.getOrDefault(resource, "0")).doubleValue();
    } catch (NumberFormatException none) {
      return Double.MAX_VALUE;
    }
  }

  private Next write(QueueName name) throws ClientException {
    Change change;
    synchronized (this) {
      var wanted = wanted(name);
      if (wanted.isEmpty() || doubted.contains(name)) {
        return Next.done();
      }
      change = wanted.get();
    }
    queues.status(name, change.before(), change.after());
    synchronized (this) { // unless the watch was quicker, and knows better
      shown.replace(name, change.before(), change.after());
      if (shown.containsKey(name)) {
        written.put(name, change.after());
      }
    }
    return Next.notBefore(workers.time().instant().plus(settings.queuePause()));
  }

  private static QueueName name(Map<String, ?> object) {
    var metadata = object.get("metadata") instanceof Map<?, ?> map ? map : Collections.emptyMap();
    return metadata.get("name") instanceof String name ? new QueueName(name) : QueueName.NONE;
  }
}
