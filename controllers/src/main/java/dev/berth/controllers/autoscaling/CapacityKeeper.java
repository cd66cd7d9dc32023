package dev.berth.controllers.autoscaling;

import dev.berth.controllers.client.CapacityClient;
import dev.berth.controllers.client.CapacityClient.Request;
import dev.berth.controllers.client.CapacityClient.Want;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.request.WellKnownNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Requests the room that groups have lacked for a while, and no more as soon as they lack it no
/// more. The gates of the pods stay: the first group in order gets the new node.
///
/// What stands in the cluster is known from what Berth began to ask for since the start (whether or
/// not that was answered), from the placeholders that the watch shows, and from the requests that
/// are listed once: those of before a restart that no group wants go.
public final class CapacityKeeper {
  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(2, Duration.ofSeconds(1), Duration.ofMinutes(1));

  /// The key by which all requests are looked at; no want is called so.
  private static final String ALL = "";

  private static final Duration MARGIN = Duration.ofSeconds(1);

  /// What the last cycle told: nothing may change until a group has waited long enough.
  private record Last(Snapshot snapshot, SortedMap<GroupKey, Reason> waits) {}

  private final CapacityClient capacity;
  private final Workers workers;
  private final AutoscalingSettings settings;
  private final KeyedLoop<String> loop;

  // All below: guarded by this.
  private final TreeMap<GroupKey, Instant> since = new TreeMap<>();
  private final TreeMap<String, Want> wanted = new TreeMap<>();

  /// What stands in the cluster, all of it or a part.
  private final TreeMap<String, Want> asked = new TreeMap<>();

  /// Of these, what was answered, and was not taken away since.
  private final TreeSet<String> heard = new TreeSet<>();

  /// Requests of one before this process.
  private final TreeMap<String, Request> inherited = new TreeMap<>();

  /// Placeholders that are there, by the name of their want.
  private final TreeMap<String, TreeSet<PodKey>> present = new TreeMap<>();

  private boolean begun;
  private boolean settled;
  private Optional<Last> last = Optional.empty();

  public CapacityKeeper(CapacityClient capacity, Workers workers, AutoscalingSettings settings) {
    this.capacity = capacity;
    this.workers = workers;
    this.settings = settings;
    this.loop = new KeyedLoop<>("capacity", workers, PACE, this::keep);
  }

  /// The watch shows a pod.
  public void seen(Map<String, ?> pod) {
    String want = want(pod);
    if (!want.isEmpty()) {
      synchronized (this) {
        present.computeIfAbsent(want, _ -> new TreeSet<>()).add(key(pod));
      }
      loop.add(want);
    }
  }

  public void gone(Map<String, ?> pod) {
    String want = want(pod);
    if (!want.isEmpty()) {
      synchronized (this) {
        var there = present.getOrDefault(want, new TreeSet<>());
        there.remove(key(pod));
        if (there.isEmpty()) {
          present.remove(want);
        }
        heard.remove(want); // it was taken away: it is requested again
      }
      loop.add(want);
    }
  }

  /// A cycle is done. Called by the planning thread: what takes time is done on others.
  public void planned(Snapshot snapshot, SortedMap<GroupKey, Reason> waits) {
    begin();
    if (!settings.enabled()) {
      return;
    }
    var touched = new TreeSet<String>();
    synchronized (this) {
      var ripe = ripe(snapshot, waits);
      touched.addAll(wanted.keySet());
      wanted.clear();
      for (Want want : Shortage.wants(snapshot, ripe, settings.most())) {
        wanted.put(want.name(), want);
      }
      touched.addAll(wanted.keySet());
      touched.removeIf(name -> isKept(name));
    }
    touched.forEach(loop::add);
  }

  /// A group that waited before a restart has to wait anew: only then is it known what no group
  /// wants.
  private synchronized void begin() {
    if (!begun) {
      begun = true;
      workers.at(workers.time().instant().plus(settings.after()).plus(MARGIN), this::settle);
    }
  }

  private void settle() {
    List<String> names;
    synchronized (this) {
      settled = true;
      names = List.copyOf(present.keySet());
    }
    names.forEach(loop::add);
    loop.add(ALL);
  }

  /// Requests show in no watch.
  private void inherit() throws ClientException {
    var requests = new ArrayList<>(capacity.requests());
    synchronized (this) {
      requests.removeIf(each -> wanted.containsKey(each.want()) || asked.containsKey(each.want()));
      requests.forEach(request -> inherited.put(request.want(), request));
    }
    requests.forEach(request -> loop.add(request.want()));
  }

  /// Groups that have waited for capacity long enough; for the others a look at their time.
  private List<PodGroup> ripe(Snapshot snapshot, SortedMap<GroupKey, Reason> waits) {
    var now = workers.time().instant();
    var ripe = new ArrayList<PodGroup>();
    var waiting = new TreeSet<GroupKey>();
    for (PodGroup group : snapshot.groups()) {
      var reason = waits.get(group.key());
      if (reason == null || !Shortage.isOfCapacity(reason)) {
        continue;
      }
      waiting.add(group.key());
      boolean isNew = !since.containsKey(group.key());
      var from = since.computeIfAbsent(group.key(), _ -> now);
      if (!from.plus(settings.after()).isAfter(now)) {
        ripe.add(group);
      } else if (isNew) {
        workers.at(from.plus(settings.after()), () -> again(group.key()));
      }
    }
    since.keySet().retainAll(waiting);
    last = Optional.of(new Last(snapshot, waits));
    return ripe;
  }

  private void again(GroupKey group) {
    Optional<Last> still;
    synchronized (this) {
      still = last.filter(told -> told.waits().containsKey(group));
    }
    still.ifPresent(told -> planned(told.snapshot(), told.waits()));
  }

  private boolean isKept(String name) {
    var want = wanted.get(name);
    return want != null && heard.contains(name) && want.equals(asked.get(name));
  }

  private Next keep(String name) throws ClientException {
    if (name.equals(ALL)) {
      inherit();
      return Next.done();
    }
    Want before;
    Want want;
    List<PodKey> orphans;
    Optional<Request> request;
    synchronized (this) {
      if (isKept(name)) {
        return Next.done();
      }
      want = wanted.get(name);
      before = asked.get(name);
      orphans = settled ? List.copyOf(present.getOrDefault(name, new TreeSet<>())) : List.of();
      request = Optional.ofNullable(inherited.get(name));
    }
    if (before != null && !before.equals(want)) {
      capacity.withdraw(before);
      forget(name);
    } else if (want == null) {
      clear(orphans, request);
    }
    if (want != null) {
      begin(want);
      capacity.ask(want);
      requestSeen(name);
    }
    return Next.done();
  }

  private void clear(List<PodKey> orphans, Optional<Request> request) throws ClientException {
    for (PodKey orphan : orphans) {
      capacity.clear(orphan);
    }
    if (request.isPresent()) {
      capacity.clear(request.get());
      requestCleared(request.get());
    }
  }

  /// Before the first write: whether that happens may stay unknown.
  private synchronized void begin(Want want) {
    asked.put(want.name(), want);
  }

  private synchronized void requestSeen(String name) {
    heard.add(name);
  }

  private synchronized void requestCleared(Request request) {
    inherited.remove(request.want());
  }

  private synchronized void forget(String name) {
    asked.remove(name);
    heard.remove(name);
  }

  private static String want(Map<String, ?> pod) {
    return pod.get("metadata") instanceof Map<?, ?> metadata
            && metadata.get("labels") instanceof Map<?, ?> labels
            && labels.get(WellKnownNames.PLACEHOLDER) instanceof String want
        ? want
        : "";
  }

  private static PodKey key(Map<String, ?> pod) {
    var metadata = pod.get("metadata") instanceof Map<?, ?> map ? map : Map.of();
    return new PodKey(
        String.valueOf(metadata.get("namespace")), String.valueOf(metadata.get("name")));
  }
}
