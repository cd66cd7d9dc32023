package dev.berth.controllers.jobs;

import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.EventRecorder.Regarding;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.TokenBucket;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Origin;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Tells Jobs whose evicted pods count as failed, before evictions make them fail: an event on the
/// Job, once for each Job and process, and so many per second. Kubernetes counts an evicted pod
/// against `backoffLimit` unless the Job's `podFailurePolicy` ignores the condition
/// `DisruptionTarget`.
///
/// A Job is told when its pods are preemptible and evicting all that run at once would use up what
/// is left of its limit. Any thread.
public final class EvictableJobs {
  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(4, Duration.ofSeconds(1), Duration.ofMinutes(1));
  private static final Duration UNTIL_FRESH = Duration.ofSeconds(1);
  private static final Duration UNTIL_OWNERS_ARE_READ = Duration.ofSeconds(1);
  private static final double EVENTS_PER_SECOND = 5;
  private static final int EVENTS_AT_ONCE = 20;

  private record JobKey(String namespace, String uid) implements Comparable<JobKey> {
    @Override
    public int compareTo(JobKey other) {
      int order = namespace.compareTo(other.namespace);
      return order != 0 ? order : uid.compareTo(other.uid);
    }
  }

  /// What the two watches have shown of a Job so far.
  private static final class Seen {
    Optional<JobBackoffLimit> backoff = Optional.empty();
    String name = "";
    Optional<PodUid> pod = Optional.empty(); // one of its pods
    boolean told;

    boolean isForgettable() {
      return backoff.isEmpty() && pod.isEmpty();
    }
  }

  private final LedgerReader ledger;
  private final EventRecorder events;
  private final Freshness fresh;
  private final Workers workers;
  private final TokenBucket budget;
  private final KeyedLoop<JobKey> loop;

  private final TreeMap<JobKey, Seen> jobs = new TreeMap<>(); // guarded by this

  public EvictableJobs(
      LedgerReader ledger, EventRecorder events, Freshness fresh, Workers workers) {
    this.ledger = ledger;
    this.events = events;
    this.fresh = fresh;
    this.workers = workers;
    this.budget = new TokenBucket(EVENTS_PER_SECOND, EVENTS_AT_ONCE, workers.time());
    this.loop = new KeyedLoop<>("evictable jobs", workers, PACE, JobKey::namespace, this::look);
  }

  /// Takes what watches deliver, after the ledger has heard of it.
  public void seen(Kind kind, Map<String, ?> object) {
    if (kind == Kind.JOB) {
      job(key(object), object);
    } else if (kind == Kind.POD) {
      job(object).ifPresent(job -> pod(job, new PodUid(text(metadata(object), "uid"))));
    }
  }

  public synchronized void gone(Kind kind, Map<String, ?> object) {
    if (kind == Kind.JOB) {
      jobs.computeIfPresent(
          key(object),
          (_, seen) -> {
            seen.backoff = Optional.empty();
            return seen.isForgettable() ? null : seen;
          });
    } else if (kind == Kind.POD) {
      job(object).ifPresent(job -> podGone(job, new PodUid(text(metadata(object), "uid"))));
    }
  }

  private void job(JobKey key, Map<String, ?> object) {
    var backoff = JobBackoffLimit.of(object);
    synchronized (this) {
      var seen = jobs.computeIfAbsent(key, _ -> new Seen());
      seen.backoff = Optional.of(backoff);
      seen.name = text(metadata(object), "name");
      if (!isWorthALook(seen)) {
        return;
      }
    }
    loop.add(key);
  }

  private void pod(JobKey job, PodUid uid) {
    if (ledger.groupOf(uid).isEmpty()) {
      return; // of another scheduler, or gone
    }
    synchronized (this) {
      var seen = jobs.computeIfAbsent(job, _ -> new Seen());
      seen.pod = Optional.of(uid);
      if (!isWorthALook(seen)) {
        return;
      }
    }
    loop.add(job);
  }

  private synchronized void podGone(JobKey job, PodUid uid) {
    jobs.computeIfPresent(
        job,
        (_, seen) -> {
          seen.pod = seen.pod.filter(other -> !other.equals(uid));
          return seen.isForgettable() ? null : seen;
        });
  }

  private static boolean isWorthALook(Seen seen) {
    return !seen.told
        && seen.pod.isPresent()
        && seen.backoff.filter(backoff -> backoff.isUsedUpBy(Integer.MAX_VALUE)).isPresent();
  }

  private Next look(JobKey key) {
    Instant now = workers.time().instant();
    if (!fresh.isFresh()) {
      return Next.at(now.plus(UNTIL_FRESH));
    }
    PodUid pod;
    JobBackoffLimit backoff;
    String name;
    synchronized (this) {
      var seen = jobs.get(key);
      if (seen == null || !isWorthALook(seen)) {
        return Next.done();
      }
      pod = seen.pod.orElseThrow();
      backoff = seen.backoff.orElseThrow();
      name = seen.name;
    }
    var group = ledger.groupOf(pod);
    if (group.isEmpty()) {
      return Next.done();
    }
    if (group.get().origin() == Origin.POD_OF_UNKNOWN_OWNER) {
      return Next.at(now.plus(UNTIL_OWNERS_ARE_READ));
    }
    if (!backoff.isUsedUpBy(evictable(group.get(), backoff))) {
      return Next.done();
    }
    if (!budget.tryTake()) {
      return Next.at(budget.next());
    }
    synchronized (this) {
      var seen = jobs.get(key);
      if (seen == null || seen.told) {
        return Next.done();
      }
      seen.told = true;
    }
    events.tell(
        new Regarding("batch/v1", "Job", key.namespace(), name, key.uid()),
        true,
        "EvictionsCountAsFailures",
        "Evict",
        note(backoff));
    return Next.done();
  }

  /// Pods of the Job that may be evicted together.
  private static int evictable(PodGroup group, JobBackoffLimit backoff) {
    return switch (group.preemptibility()) {
      case PREEMPTIBLE, BY_PRIORITY -> backoff.atOnce();
      case SEMI_PREEMPTIBLE -> Math.max(0, backoff.atOnce() - group.spec().minMember());
      case NON_PREEMPTIBLE -> 0;
    };
  }

  private static String note(JobBackoffLimit backoff) {
    String limit =
        backoff.perIndex()
            ? "backoffLimitPerIndex is 0, so one eviction fails its index."
            : String.format(
                Locale.ROOT,
                "%d pods run at once, %d failed so far, and backoffLimit is %d: a reclaim of all"
                    + " fails the Job, and Kubernetes then deletes its other pods.",
                backoff.atOnce(),
                backoff.failed(),
                backoff.limit());
    String never =
        backoff.restartPolicy().equals("Never") ? "" : ", which needs restartPolicy: Never";
    return "Pods of this Job are preemptible, and each evicted pod counts as failed. "
        + limit
        + " Create the Job with podFailurePolicy: {rules: [{action: Ignore, onPodConditions:"
        + " [{type: DisruptionTarget, status: \"True\"}]}]}"
        + never
        + ". A Job that exists takes no such policy: "
        + (backoff.perIndex() ? "" : "raise its backoffLimit, or ")
        + "label it berth.dev/preemptibility: non-preemptible.";
  }

  private static JobKey key(Map<String, ?> object) {
    var metadata = metadata(object);
    return new JobKey(text(metadata, "namespace"), text(metadata, "uid"));
  }

  /// The Job that owns a pod. Pods come by the thousand, so nothing else is read of them.
  private static Optional<JobKey> job(Map<String, ?> pod) {
    var metadata = metadata(pod);
    if (metadata.get("ownerReferences") instanceof List<?> owners) {
      for (Object each : owners) {
        if (each instanceof Map<?, ?> owner
            && text(owner, "kind").equals("Job")
            && text(owner, "apiVersion").equals("batch/v1")) {
          return Optional.of(new JobKey(text(metadata, "namespace"), text(owner, "uid")));
        }
      }
    }
    return Optional.empty();
  }

  private static Map<?, ?> metadata(Map<String, ?> object) {
    return object.get("metadata") instanceof Map<?, ?> metadata ? metadata : Map.of();
  }

  private static String text(Map<?, ?> fields, String key) {
    return fields.get(key) instanceof String text ? text : "";
  }
}
