package dev.berth.controllers.grouping;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.OwnerClient.Wanted;
import dev.berth.controllers.grouping.OwnerChain.Look;
import dev.berth.controllers.grouping.kinds.KubeObject;
import dev.berth.controllers.grouping.kinds.OwnerReference;
import dev.berth.controllers.grouping.kinds.Rules;
import dev.berth.controllers.grouping.kinds.WorkloadPod;
import dev.berth.engine.ledger.objects.ObjectVersions;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/// Objects by reference: Jobs as their watch shows them, all others by the client. Any thread.
///
/// Owners are of the namespace of their pods, or of none: a tenant may name the UID of a Job
/// elsewhere, and finds nothing there.
final class OwnerCache {
  private final OwnerClient owners;
  private final Rules rules;
  private final ConcurrentSkipListMap<String, KubeObject> jobs = new ConcurrentSkipListMap<>();
  private final ObjectVersions<String> versions =
      new ObjectVersions<>(); // of jobs; guarded by this

  OwnerCache(OwnerClient owners, Rules rules) {
    this.owners = owners;
    this.rules = rules;
  }

  static boolean isWatched(OwnerReference ref) {
    return ref.kind().equals("Job") && ref.group().equals("batch");
  }

  /// What a sighting of a Job tells.
  enum News {
    /// Nothing: it is gone, or was seen in this version or a later one.
    NONE,
    /// At most how far it is.
    STATUS,
    ALL
  }

  synchronized News seen(KubeObject job, long version) {
    if (!versions.seen(job.uid(), version)) {
      return News.NONE;
    }
    var before = jobs.put(job.uid(), job);
    return before == null || !before.saysTheSameAs(job) ? News.ALL : News.STATUS;
  }

  /// A UID never comes again.
  synchronized void gone(String job) {
    versions.gone(job, ObjectVersions.FOR_EVER);
    jobs.remove(job);
  }

  /// Whether it was delivered by a watch.
  boolean has(OwnerReference ref) {
    return known(ref).isPresent();
  }

  /// A member with its owners as watches showed them last: they may have changed while others were
  /// asked for.
  WorkloadPod asWatched(WorkloadPod member) {
    var now = member;
    for (KubeObject each : member.others()) {
      var job = jobs.get(each.uid());
      if (job != null && now.learns(job)) {
        now = now.with(job);
      }
    }
    return now;
  }

  /// What is known without a read.
  Look recall(OwnerReference ref) {
    return isWatched(ref) ? job(ref) : look(ref, owners.recall(wanted(ref)));
  }

  /// Asks only for what is not known.
  Look find(OwnerReference ref) throws ClientException {
    if (isWatched(ref)) {
      return job(ref);
    }
    var known = owners.recall(wanted(ref));
    return known instanceof OwnerClient.Unread ? ask(ref) : look(ref, known);
  }

  /// Asks anew.
  Look ask(OwnerReference ref) throws ClientException {
    return isWatched(ref) ? job(ref) : look(ref, owners.read(wanted(ref)));
  }

  private Look job(OwnerReference ref) {
    return known(ref).<Look>map(Look.Here::new).orElse(new Look.Lacking(true));
  }

  private Optional<KubeObject> known(OwnerReference ref) {
    return Optional.ofNullable(jobs.get(ref.uid()))
        .filter(job -> job.namespace().equals(ref.namespace()));
  }

  private Wanted wanted(OwnerReference ref) {
    boolean whole = ref.uid().isEmpty() || rules.readsSpec(ref); // what a pod names is read whole
    return new Wanted(ref.apiVersion(), ref.kind(), ref.namespace(), ref.name(), ref.uid(), whole);
  }

  private static Look look(OwnerReference ref, OwnerClient.Found found) {
    return switch (found) {
      case OwnerClient.Present(String version, Map<String, ?> object) ->
          new Look.Here(KubeObject.read(version, ref.kind(), object));
      case OwnerClient.Barred() -> new Look.Barred();
      case OwnerClient.Missing(), OwnerClient.Unread() -> new Look.Lacking(false);
    };
  }
}
