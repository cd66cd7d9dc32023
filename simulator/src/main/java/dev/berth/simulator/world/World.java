package dev.berth.simulator.world;

import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.Watcher.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// The API server and its store: objects with versions and UIDs, admission, subresources, watches.
///
/// Any thread may call; one lock guards all. Objects handed out cannot be changed. Refusals are
/// [ApiRefusal]. Watchers are called from [Time], one event each, never under the lock.
public final class World {
  /// Keeps an object that was deleted, as finalizers do; others do nothing here, as the controllers
  /// that take them off are not here. A pod on a node goes when its kubelet says so nevertheless.
  public static final String FINALIZER = PodRules.FINALIZER;

  private final Time time;
  private final WorldSettings settings;
  private final Admission admission = new Admission(this);

  // All below: guarded by this.
  private final TreeMap<ObjectRef, Map<String, Object>> objects = new TreeMap<>();
  private final DisruptionController budgets = new DisruptionController(this);
  private final List<Watch> watches = new ArrayList<>();
  private Audit audit = (_, _, _) -> {};
  private final Chance chance;
  private long version = 1000;
  private long writes;

  public World(Time time, WorldSettings settings) {
    this.time = time;
    this.settings = settings;
    this.chance = new Chance(settings.seed(), "world");
  }

  public Time time() {
    return time;
  }

  public WorldSettings settings() {
    return settings;
  }

  // Reading

  public synchronized Optional<Map<String, Object>> find(ObjectRef ref) {
    return Optional.ofNullable(objects.get(ref));
  }

  /// All objects of a kind, by namespace and name.
  public synchronized List<Map<String, Object>> list(Kind kind) {
    var found = new ArrayList<Map<String, Object>>();
    for (var entry : objects.tailMap(new ObjectRef(kind, "", "")).entrySet()) {
      if (entry.getKey().kind() != kind) {
        break;
      }
      found.add(entry.getValue());
    }
    return found;
  }

  /// The same of one namespace.
  synchronized List<Map<String, Object>> within(Kind kind, String namespace) {
    var found = new ArrayList<Map<String, Object>>();
    for (var entry : objects.tailMap(new ObjectRef(kind, namespace, "")).entrySet()) {
      if (entry.getKey().kind() != kind || !entry.getKey().namespace().equals(namespace)) {
        break;
      }
      found.add(entry.getValue());
    }
    return found;
  }

  /// How many writes changed something: what a real etcd would have had to take.
  public synchronized long writes() {
    return writes;
  }

  /// Of the latest change: what a list is stamped with.
  public synchronized long version() {
    return version;
  }

  // Backups

  /// All that the store holds at one moment.
  ///
  /// @param version of its latest change
  public record State(SortedMap<ObjectRef, Map<String, Object>> objects, long version) {}

  public synchronized State state() {
    return new State(Collections.unmodifiableSortedMap(new TreeMap<>(objects)), version);
  }

  /// The store is what it was then, versions included, as when etcd is restored from a backup: what
  /// was written since is not there, what was deleted since is, with its UID. All watches end,
  /// without a word.
  public synchronized void restore(State state) {
    watches.forEach(Watch::close);
    watches.clear();
    var before = new TreeMap<>(objects);
    objects.clear();
    objects.putAll(state.objects());
    budgets.recount();
    version = state.version();
    var all = new TreeSet<>(before.keySet());
    all.addAll(objects.keySet());
    for (ObjectRef ref : all) {
      var was = Optional.ofNullable(before.get(ref));
      if (!was.equals(find(ref))) {
        audit.restored(ref, was, find(ref));
      }
    }
  }

  /// The version of something that is stored elsewhere.
  synchronized long stamp() {
    return ++version;
  }

  // Watching

  /// Lists what is there, then delivers every change; each kind is said to be synced after its
  /// list.
  public synchronized void watch(Set<Kind> kinds, Watcher watcher) {
    var watch =
        new Watch(time, watcher, kinds, settings.watchDelay(), settings.seed(), watches.size());
    for (Kind kind : Kind.values()) {
      if (kinds.contains(kind)) {
        list(kind).forEach(object -> watch.seen(kind, object));
        watch.synced(kind);
      }
    }
    watches.add(watch);
  }

  /// Delivers nothing more to this watcher, not even what is under way.
  public synchronized void unwatch(Watcher watcher) {
    watches.removeIf(watch -> watch.closeIfFor(watcher));
  }

  /// Is told of every change at once, before all watchers. Called under the world's lock: it must
  /// not write.
  public interface Audit {
    /// @param before empty = it was not there
    /// @param after empty = it is gone
    void changed(
        ObjectRef ref, Optional<Map<String, Object>> before, Optional<Map<String, Object>> after);

    /// The same without a write: the store went back to an earlier state.
    default void restored(
        ObjectRef ref, Optional<Map<String, Object>> before, Optional<Map<String, Object>> after) {
      changed(ref, before, after);
    }
  }

  /// There is one at a time.
  public synchronized void audit(Audit next) {
    audit = next;
  }

  // Writing

  /// Creates an object; `metadata.generateName` is honoured.
  public synchronized Map<String, Object> create(Kind kind, Map<String, ?> object) {
    var made = ObjectTree.thaw(object);
    var metadata = ObjectTree.under(made, "metadata");
    if (!metadata.containsKey("name")) {
      metadata.put("name", ObjectTree.text(metadata, "generateName") + chance.suffix());
    }
    var ref = ObjectRef.to(kind, made);
    if (objects.containsKey(ref)) {
      throw ApiRefusal.conflict(ref + " already exists");
    }
    metadata.put("uid", chance.uuid());
    metadata.put("creationTimestamp", now().toString());
    if (kind == Kind.POD) {
      admission.admit(made);
    }
    return store(ref, made);
  }

  /// Puts an object in as it was found elsewhere: its UID, times and status stay where it has them.
  /// A pod that is bound, over or planned already does not pass admission again.
  public synchronized Map<String, Object> adopt(Kind kind, Map<String, ?> object) {
    var found = ObjectTree.thaw(object);
    var metadata = ObjectTree.under(found, "metadata");
    metadata.putIfAbsent("uid", chance.uuid());
    metadata.putIfAbsent("creationTimestamp", now().toString());
    if (kind == Kind.POD) {
      admission.adopt(found);
    }
    return store(ObjectRef.to(kind, found), found);
  }

  /// A merge patch on the main resource; `status` in it is ignored. `metadata.uid` and
  /// `metadata.resourceVersion` in it are preconditions. Of a pod's spec only gates may be taken
  /// away and tolerations added.
  public synchronized Map<String, Object> patch(ObjectRef ref, Map<String, ?> patch) {
    var before = existing(ref, patch);
    var after = ObjectTree.thaw(before);
    var wanted = ObjectTree.thaw(patch);
    if (ref.kind() == Kind.POD) {
      wanted.remove("status");
    }
    ObjectTree.merge(after, wanted);
    if (ref.kind() == Kind.POD) {
      PodRules.checkUpdate(before, after);
    }
    var stored = storeIfChanged(ref, before, after);
    if (PodRules.isFinal(before) && !PodRules.isFinal(stored) && isOnItsWay(ref, stored)) {
      remove(ref);
    }
    return stored;
  }

  private static boolean isOnItsWay(ObjectRef ref, Map<String, ?> object) {
    return PodRules.isLeaving(object)
        && (ref.kind() != Kind.POD || !PodRules.isActiveOnNode(object));
  }

  /// A merge patch on the status subresource; conditions are merged by type.
  public synchronized Map<String, Object> patchStatus(ObjectRef ref, Map<String, ?> patch) {
    var before = existing(ref, patch);
    var after = ObjectTree.thaw(before);
    var wanted = ObjectTree.thaw(ObjectTree.map(patch, "status"));
    if (wanted.containsKey("conditions")) {
      wanted.put(
          "conditions",
          Conditions.merged(
              ObjectTree.maps(after, "status", "conditions"),
              ObjectTree.maps(wanted, "conditions")));
    }
    ObjectTree.merge(ObjectTree.under(after, "status"), wanted);
    return storeIfChanged(ref, before, after);
  }

  /// Deletes an object. A pod that may be running on a node gets a deletion timestamp and goes when
  /// its kubelet says so.
  public synchronized void delete(ObjectRef ref) {
    delete(ref, "", Duration.ofDays(365));
  }

  /// The same, of one incarnation and with a grace of its own.
  ///
  /// @param uid precondition; empty = none
  /// @param longest grace; a pod's own counts where it is shorter
  public synchronized void delete(ObjectRef ref, String uid, Duration longest) {
    var before =
        existing(
            ref, ObjectTree.of("metadata", uid.isEmpty() ? Map.of() : ObjectTree.of("uid", uid)));
    if (ref.kind() == Kind.POD && PodRules.isActiveOnNode(before)) {
      long own = ObjectTree.number(before, 30, "spec", "terminationGracePeriodSeconds");
      long granted =
          ObjectTree.number(before, Long.MAX_VALUE, "metadata", "deletionGracePeriodSeconds");
      long grace = Math.min(own, longest.toSeconds());
      if (grace < granted) { // a later deletion may shorten it
        var after = ObjectTree.thaw(before);
        var metadata = ObjectTree.under(after, "metadata");
        String until = ObjectTree.text(metadata, "deletionTimestamp");
        var asked = until.isEmpty() ? now() : Instant.parse(until).minusSeconds(granted);
        metadata.put("deletionTimestamp", asked.plusSeconds(grace).toString());
        metadata.put("deletionGracePeriodSeconds", grace);
        store(ref, after);
      }
      return;
    }
    if (!PodRules.isFinal(before)) {
      remove(ref);
    } else if (!PodRules.isLeaving(before)) {
      var after = ObjectTree.thaw(before);
      ObjectTree.under(after, "metadata").put("deletionTimestamp", now().toString());
      store(ref, after);
    }
  }

  /// Deletes at once, as the kubelet does when the containers are gone.
  public synchronized void remove(ObjectRef ref) {
    var before = existing(ref, Map.of());
    objects.remove(ref);
    var last = ObjectTree.thaw(before);
    ObjectTree.under(last, "metadata").put("resourceVersion", Long.toString(++version));
    var frozen = ObjectTree.freeze(last);
    writes++;
    audit.changed(ref, Optional.of(before), Optional.empty());
    watches.forEach(watch -> watch.gone(ref.kind(), frozen));
    budgets.changed(ref, Optional.of(before), Optional.empty());
  }

  /// The binding subresource: node, `PodScheduled` and annotations in one write.
  ///
  /// @param uid precondition; empty = none
  public synchronized void bind(
      ObjectRef pod, String uid, String node, Map<String, String> annotations) {
    var before =
        existing(
            pod, ObjectTree.of("metadata", uid.isEmpty() ? Map.of() : ObjectTree.of("uid", uid)));
    PodRules.checkBinding(before, node);
    var after = ObjectTree.thaw(before);
    ObjectTree.under(after, "spec").put("nodeName", node);
    ObjectTree.under(ObjectTree.under(after, "metadata"), "annotations").putAll(annotations);
    var status = ObjectTree.under(after, "status");
    status.remove("nominatedNodeName");
    Conditions.set(status, "PodScheduled", true, "", "");
    store(pod, after);
  }

  /// The eviction subresource: 429 where a disruption budget is spent.
  public synchronized void evict(ObjectRef pod, String uid) {
    var before = existing(pod, ObjectTree.of("metadata", ObjectTree.of("uid", uid)));
    if (PodRules.isActiveOnNode(before)
        && !ObjectTree.has(before, "metadata", "deletionTimestamp")) {
      budgets.checkEviction(pod, before);
      var after = ObjectTree.thaw(before);
      Conditions.set(
          ObjectTree.under(after, "status"),
          "DisruptionTarget",
          true,
          "EvictionByEvictionAPI",
          "Eviction API: evicting");
      store(pod, after);
    }
    delete(pod);
  }

  Map<String, Object> existing(ObjectRef ref, Map<String, ?> preconditions) {
    var object = find(ref).orElseThrow(() -> ApiRefusal.notFound(ref));
    for (String field : List.of("uid", "resourceVersion")) {
      String wanted = ObjectTree.text(preconditions, "metadata", field);
      String is = ObjectTree.text(object, "metadata", field);
      if (!wanted.isEmpty() && !wanted.equals(is)) {
        throw ApiRefusal.conflict(
            "Precondition failed: " + field + " of " + ref + " is " + is + ", not " + wanted);
      }
    }
    return object;
  }

  Map<String, Object> storeIfChanged(
      ObjectRef ref, Map<String, Object> before, Map<String, Object> after) {
    return before.equals(after) ? before : store(ref, after);
  }

  private Map<String, Object> store(ObjectRef ref, Map<String, Object> object) {
    ObjectTree.under(object, "metadata").put("resourceVersion", Long.toString(++version));
    var frozen = ObjectTree.freeze(object);
    var before = Optional.ofNullable(objects.put(ref, frozen));
    writes++;
    audit.changed(ref, before, Optional.of(frozen));
    watches.forEach(watch -> watch.seen(ref.kind(), frozen));
    budgets.changed(ref, before, Optional.of(frozen));
    return frozen;
  }

  /// The API server writes whole seconds.
  private Instant now() {
    return time.instant().truncatedTo(ChronoUnit.SECONDS);
  }
}
