package dev.berth.controllers.grouping;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.PodGroupClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.grouping.OwnerCache.News;
import dev.berth.controllers.grouping.OwnerChain.Look;
import dev.berth.controllers.grouping.kinds.GroupSpecResolver;
import dev.berth.controllers.grouping.kinds.KubeObject;
import dev.berth.controllers.grouping.kinds.OwnerReference;
import dev.berth.controllers.grouping.kinds.Rules;
import dev.berth.controllers.grouping.kinds.WorkloadPod;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.LedgerFacts;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.request.WellKnownNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// Finds out what every pod of Berth belongs to, and tells the ledger.
///
/// Whose owners are known already is told on the thread that delivers the pod; else they are read,
/// on other threads, and the pod waits meanwhile. An owner of any kind is read again when one of
/// its pods changes, and from time to time as long as one waits: its scale, its state, its labels.
/// Pods that name a group of Berth, or have no owner, are left to themselves. A younger pod of the
/// same owners that names none joins the group that older ones name which another scheduler bound:
/// a gang that moved over in place stays together.
public final class Grouping {
  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(16, Duration.ofMillis(200), Duration.ofSeconds(30));

  /// An owner is not read more often.
  private static final Duration READ_AT_MOST = Duration.ofSeconds(1);

  /// All others wait no longer for owners at the start. Long enough for thousands: a gang whose
  /// owner is not read yet counts as single pods, each of which may be evicted by itself.
  private static final Duration CATCH_UP_AT_MOST = Duration.ofSeconds(15);

  /// A pod whose owners are to be read.
  private record Owned(String namespace, String uid) implements Comparable<Owned> {
    static Owned of(GroupedPod entry) {
      return new Owned(entry.member.pod().namespace(), entry.uid());
    }

    @Override
    public int compareTo(Owned other) {
      int order = namespace.compareTo(other.namespace);
      return order != 0 ? order : uid.compareTo(other.uid);
    }
  }

  private final LedgerFacts ledger;
  private final GroupSpecResolver verdicts;
  private final OwnerCache cache;
  private final GroupablePods groupable;
  private final GroupingSettings settings;
  private final Workers workers;
  private final KeyedLoop<Owned> climbs;
  private final KeyedLoop<OwnerReference> reads;

  // All below: guarded by this.
  private final PodsByOwner podsByOwner = new PodsByOwner();
  private final GroupObjects objects; // guards itself
  private final Gangs gangs;
  private final SharedOwners sharedOwners;
  private final Warnings warnings; // guards itself
  private final TreeMap<OwnerReference, Instant> readAt = new TreeMap<>();

  /// Pods whose owners were not read yet.
  private final TreeSet<String> untried = new TreeSet<>();

  private Instant askedFrom = Instant.MAX;
  private volatile boolean caughtUp;

  public Grouping(
      LedgerFacts ledger,
      OwnerClient owners,
      PodGroupClient groups,
      EventRecorder events,
      GroupingSettings settings,
      Workers workers) {
    this.ledger = ledger;
    var rules = new Rules(settings.definitions());
    this.verdicts = new GroupSpecResolver(rules);
    this.cache = new OwnerCache(owners, rules);
    this.groupable = new GroupablePods(ledger, settings.schedulers());
    this.settings = settings;
    this.workers = workers;
    this.climbs = new KeyedLoop<>("owners", workers, PACE, Owned::namespace, this::chain);
    this.reads =
        new KeyedLoop<>("owners again", workers, PACE, OwnerReference::namespace, this::readAgain);
    this.objects = new GroupObjects(ledger, groups, workers, PACE);
    this.warnings =
        new Warnings(
            events, workers, ledger::priorityOf, name -> ledger.priorityClasses().like(name));
    this.gangs = new Gangs(ledger, verdicts, objects, workers, warnings, this::locked);
    this.sharedOwners = new SharedOwners(podsByOwner, warnings, gangs);
  }

  /// Takes what watches deliver, after the ledger has heard of it.
  public void seen(Kind kind, Map<String, ?> object) {
    if (kind == Kind.POD && groupable.isOurs(object)) {
      pod(object);
    } else if (kind == Kind.JOB) {
      var job = KubeObject.read("batch/v1", "Job", object);
      job(job.slimJob(), job.version());
    } else if (kind == Kind.POD_GROUP) {
      var group = KubeObject.read("", kind.plural(), object);
      objects.seen(new GroupKey(group.namespace(), group.name()));
    }
  }

  public void gone(Kind kind, Map<String, ?> object) {
    var thing = KubeObject.read("", kind.plural(), object);
    switch (kind) {
      case POD -> forget(thing.uid());
      case JOB -> cache.gone(thing.uid());
      case POD_GROUP -> lost(new GroupKey(thing.namespace(), thing.name()));
      default -> {} // says nothing of groups
    }
  }

  /// Makes no PodGroup before those that exist are [#listed]. Before any object is seen.
  public Grouping holdUntilListed() {
    objects.holdUntilListed();
    return this;
  }

  /// All objects of this kind are delivered once.
  public void listed(Kind kind) {
    if (kind == Kind.POD_GROUP) {
      objects.listed();
    }
  }

  /// How often gangs were shaped so far, for tests that count work.
  synchronized long shapes() {
    return gangs.shapes();
  }

  private synchronized void locked(Runnable task) {
    task.run();
  }

  private synchronized void lost(GroupKey key) {
    gangs.lost(key);
  }

  /// Whether owners were looked at, once, of all pods that were there in the beginning, or for long
  /// enough since this was asked first: how long it takes is in the hands of tenants. Pods whose
  /// owners are not known then wait by themselves.
  public boolean isCaughtUp() {
    if (!caughtUp) {
      synchronized (this) {
        Instant now = workers.time().instant();
        askedFrom = askedFrom.isBefore(now) ? askedFrom : now;
        caughtUp = untried.isEmpty() || !now.isBefore(askedFrom.plus(CATCH_UP_AT_MOST));
      }
    }
    return caughtUp;
  }

  private synchronized void pod(Map<String, ?> object) {
    var pod = KubeObject.read("v1", "Pod", object);
    if (groupable.isLate(pod, object)) {
      return;
    }
    var known = podsByOwner.find(pod.uid());
    if (known.filter(entry -> WorkloadPod.of(pod, List.of()).looksLike(entry.member)).isEmpty()) {
      warnings.look(pod);
    }
    if (groupable.isLeftToItself(pod)) {
      forgetWhatWasSaid(pod.uid());
      String named = pod.labels().getOrDefault(WellKnownNames.PRIORITY_CLASS, "");
      gangs.lowersOnly(pod, pod, named, Membership.USUAL_CLASS);
      return;
    }
    if (known.filter(entry -> isToBeClimbedAnew(entry, pod)).isPresent()) {
      forgetWhatWasSaid(pod.uid());
      first(pod);
    } else {
      known.ifPresentOrElse(entry -> again(entry, pod), () -> first(pod));
    }
  }

  private static boolean isToBeClimbedAnew(GroupedPod known, KubeObject now) {
    KubeObject before = known.member.pod();
    return !before.owners().equals(now.owners())
        || !GroupSpecResolver.named(before).equals(GroupSpecResolver.named(now))
        || !known.named.equals(GroupSpecResolver.ourGroup(now));
  }

  /// It has other owners now, or names a group: its group is found out anew, by Berth and by the
  /// ledger.
  private void forgetWhatWasSaid(String uid) {
    var known = podsByOwner.find(uid);
    if (known.isPresent()) {
      forget(uid);
    }
    if (known.filter(entry -> !entry.isNamed()).isPresent()) {
      ledger.record(new Fact.PodGrouped(new PodUid(uid), Membership.UNTOLD));
    }
  }

  private void first(KubeObject pod) {
    var created = ledger.pod(new PodUid(pod.uid())).map(Pod::created).orElse(Instant.EPOCH);
    var entry =
        new GroupedPod(
            WorkloadPod.of(pod, List.of()).slim(), GroupSpecResolver.ourGroup(pod), created);
    podsByOwner.add(entry);
    if (entry.isNamed()) {
      pod.owners().forEach(owner -> podsByOwner.list(entry, owner.uid()));
    }
    chainFromMemory(entry);
  }

  private void again(GroupedPod known, KubeObject pod) {
    var before = known.member;
    known.member = before.seenAs(pod).slim();
    if (!known.climbed) {
      chainFromMemory(known);
    } else if (!before.looksLike(known.member)) {
      boolean waits = known.member.state().waits();
      if ((waits || !before.state().equals(known.member.state())) && !known.isNamed()) {
        readAgainWhatMayHaveChanged(known);
      }
      gangs.tell(List.of(known));
    }
  }

  private synchronized void job(KubeObject job, long version) {
    var news = cache.seen(job, version);
    if (news == News.NONE) {
      return;
    }
    boolean ofGang = false;
    var owner = new OwnerInNamespace(job.namespace(), job.uid());
    for (GroupedPod entry : podsByOwner.of(owner)) {
      if (!entry.climbed) {
        chainFromMemory(entry);
      }
      ofGang |= !entry.group.isNone();
    }
    if (news == News.ALL || ofGang) { // how far it is matters to gangs alone
      sharedOwners.replace(owner, job);
    }
  }

  private synchronized void forget(String uid) {
    untried.remove(uid);
    podsByOwner
        .remove(uid)
        .ifPresent(entry -> {
          gangs.leave(entry);
          if (entry.climbed && !entry.isNamed()) {
            readAgainWhatMayHaveChanged(entry);
          }
        });
  }

  private void chainFromMemory(GroupedPod entry) {
    chainFromMemory(entry, cache::recall);
  }

  private void chainFromMemory(GroupedPod entry, OwnerChain.Looking looking) {
    try {
      settle(entry, OwnerChain.from(entry.member, verdicts, looking));
    } catch (ClientException neverWithoutAsking) {
      climbs.add(Owned.of(entry));
    }
  }

  /// Older pods of the same owners, that name a group themselves, are found by what is known by
  /// now: for their sake nothing is read.
  private void chainWith(GroupedPod entry) {
    var known = entry.member.others();
    for (GroupedPod named : podsByOwner.namedWith(entry)) {
      chainFromMemory(
          named,
          ref -> {
            for (KubeObject each : known) {
              if (!ref.uid().isEmpty() && each.uid().equals(ref.uid())) {
                return new Look.Here(each);
              }
            }
            return cache.recall(ref);
          });
    }
  }

  /// On a thread that may wait.
  private Next chain(Owned pod) throws ClientException {
    String uid = pod.uid();
    WorkloadPod member;
    synchronized (this) {
      var entry = podsByOwner.find(uid).filter(known -> !known.climbed);
      if (entry.isEmpty()) {
        return Next.done();
      }
      member = entry.get().member;
    }
    try {
      var chain = OwnerChain.from(member, verdicts, cache::find);
      synchronized (this) {
        podsByOwner
            .find(uid)
            .filter(known -> !known.climbed)
            .ifPresent(entry -> settle(entry, chain));
      }
      boolean again = chain instanceof OwnerChain.Short(_, boolean watched) && !watched;
      return again ? Next.retry() : Next.done();
    } finally {
      synchronized (this) {
        untried.remove(uid);
      }
    }
  }

  private void settle(GroupedPod entry, OwnerChain chain) {
    switch (chain) {
      case OwnerChain.Done(WorkloadPod climbed) -> {
        var member = sharedOwners.asKnown(entry.namespace(), cache.asWatched(climbed));
        entry.member = member.pod() == entry.member.pod() ? member : member.seenAs(entry.member);
        entry.climbed = true;
        untried.remove(entry.uid());
        podsByOwner.listAll(entry);
        if (!entry.isNamed()) {
          readAgainWhatMayHaveChanged(entry);
          chainWith(entry);
        }
        gangs.tell(List.of(entry));
      }
      case OwnerChain.Short(OwnerReference lacking, boolean watched) -> {
        podsByOwner.list(entry, lacking.uid());
        if (entry.isNamed()) {
          return; // until a younger pod of its owners comes
        }
        if (!watched) {
          untried.add(entry.uid());
          climbs.add(Owned.of(entry));
        } else if (cache.has(lacking)) { // it came while others were asked for
          chainFromMemory(entry);
        }
      }
    }
  }

  private void readAgainWhatMayHaveChanged(GroupedPod entry) {
    for (KubeObject each : entry.member.others()) {
      var ref = each.reference().from(entry.namespace());
      if (!OwnerCache.isWatched(ref)) {
        readAt.putIfAbsent(ref, workers.time().instant());
        reads.add(ref);
      }
    }
  }

  private Next readAgain(OwnerReference ref) throws ClientException {
    var owner = new OwnerInNamespace(ref.namespace(), ref.uid());
    Instant now = workers.time().instant();
    synchronized (this) {
      var due = readAt.getOrDefault(ref, Instant.EPOCH).plus(READ_AT_MOST);
      if (!podsByOwner.has(owner)) {
        readAt.remove(ref);
        return Next.done();
      }
      if (due.isAfter(now)) {
        return Next.notBefore(due);
      }
      readAt.put(ref, now);
    }
    var look = cache.ask(ref);
    synchronized (this) {
      if (look instanceof Look.Here(KubeObject thing)) {
        sharedOwners.replace(owner, thing);
      }
      for (GroupedPod entry : podsByOwner.of(owner)) {
        if (entry.member.state().waits()) {
          return Next.at(now.plus(settings.readAgain()));
        }
      }
    }
    return Next.done();
  }
}
