package dev.berth.controllers.groups;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.OwnerClient.Wanted;
import dev.berth.controllers.client.RefusedPodClient;
import dev.berth.controllers.client.RefusedPodClient.RefusedPod;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.PacedQueue;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.CreationRefusal;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Reason;
import dev.berth.engine.request.PodManifest;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Why the pods that a group lacks are not created: a ResourceQuota, or a rule of admission, which
/// nothing but the events of their controller tells. They are read for namespaces in which a group
/// lacks pods, now and then.
///
/// A refusal counts until the controller has created a pod after it. A group without any pod is
/// found by the pod template of the object whose pods are refused.
public final class RefusedPods {
  /// Controllers create pods one after another: most groups lack none of them for longer.
  private static final Duration FIRST = Duration.ofSeconds(2);

  private static final Duration BETWEEN = Duration.ofSeconds(20);

  /// Namespaces read in a second, lasting.
  private static final double PACE = 2;

  /// Objects of a namespace whose template is read, each time anew: it may be gone.
  private static final int MOST_TEMPLATES = 8;

  private static final KeyedLoopSettings LOOP =
      new KeyedLoopSettings(2, Duration.ofSeconds(5), Duration.ofMinutes(5));

  /// What is known of one refusal.
  ///
  /// @param group that the pod template names; `NONE` = it names none, or was not read
  private record KnownRefusal(CreationRefusal refusal, Instant last, GroupKey group) {}

  private final RefusedPodClient client;
  private final OwnerClient owners;
  private final Workers workers;
  private final Runnable again;
  private final PacedQueue<String> due;
  private final KeyedLoop<String> loop;

  // Guarded by this: by namespace, groups that lack pods, and whether they have none at all.
  private final TreeMap<String, TreeMap<GroupKey, Boolean>> lacking = new TreeMap<>();
  private final TreeMap<String, Map<OwnerUid, KnownRefusal>> known = new TreeMap<>();
  private final TreeSet<String> changed = new TreeSet<>();

  /// @param again has groups looked at again: more is known
  public RefusedPods(RefusedPodClient client, OwnerClient owners, Workers workers, Runnable again) {
    this.client = client;
    this.owners = owners;
    this.workers = workers;
    this.again = again;
    this.loop = new KeyedLoop<>("refused pods", workers, LOOP, this::read);
    this.due = new PacedQueue<>(PACE, namespace -> namespace, workers, loop::add);
  }

  /// The reason with what keeps missing pods from being created, as far as that is known by now.
  synchronized Reason told(PodGroup group, Reason reason) {
    if (!(reason instanceof Reason.TooFewMembers few) || few.missing() <= 0) {
      forget(group.key());
      return reason;
    }
    lacks(group.key(), false);
    return few.refused(ofMembers(group));
  }

  /// Why a group has no pod at all; empty where nothing is known.
  synchronized Optional<Reason> ofNone(PodGroup group) {
    lacks(group.key(), true);
    return known(group.key().namespace()).values().stream()
        .filter(each -> each.group().equals(group.key()))
        .map(KnownRefusal::refusal)
        .findFirst()
        .map(refusal -> {
          int need = Math.max(1, group.spec().required());
          return new Reason.TooFewMembers("", 0, need).refused(refusal);
        });
  }

  /// It lacks no pod any more, or is gone.
  synchronized void forget(GroupKey key) {
    var ofNamespace = lacking.get(key.namespace());
    if (ofNamespace == null) {
      return;
    }
    ofNamespace.remove(key);
    if (ofNamespace.isEmpty()) {
      lacking.remove(key.namespace());
      known.remove(key.namespace());
    }
  }

  /// Groups of which something else is known than when this was asked last.
  synchronized SortedSet<GroupKey> news() {
    var groups = new TreeSet<GroupKey>();
    for (String namespace : changed) {
      groups.addAll(lacking.getOrDefault(namespace, new TreeMap<>()).keySet());
    }
    changed.clear();
    return groups;
  }

  private void lacks(GroupKey key, boolean isEmpty) {
    var ofNamespace = lacking.get(key.namespace());
    if (ofNamespace == null) {
      ofNamespace = new TreeMap<>();
      lacking.put(key.namespace(), ofNamespace);
      due.add(key.namespace(), workers.time().instant().plus(FIRST));
    }
    ofNamespace.put(key, isEmpty);
  }

  private Map<OwnerUid, KnownRefusal> known(String namespace) {
    return known.getOrDefault(namespace, Map.of());
  }

  private CreationRefusal ofMembers(PodGroup group) {
    var ofNamespace = known(group.key().namespace());
    var youngest = new TreeMap<OwnerUid, Instant>();
    for (var member : group.members()) {
      var pod = member.pod();
      youngest.merge(
          pod.belonging().owner().uid(),
          pod.created(),
          (one, other) -> one.isAfter(other) ? one : other);
    }
    for (var each : youngest.entrySet()) {
      var refused = ofNamespace.get(each.getKey());
      if (refused != null && !refused.last().isBefore(each.getValue())) {
        return refused.refusal();
      }
    }
    return CreationRefusal.NONE;
  }

  private Next read(String namespace) throws ClientException {
    boolean isAnyEmpty;
    synchronized (this) {
      var groups = lacking.get(namespace);
      if (groups == null) {
        return Next.done();
      }
      isAnyEmpty = groups.containsValue(true);
    }
    var now = new LinkedHashMap<OwnerUid, KnownRefusal>();
    int templates = 0;
    for (RefusedPod each : client.in(namespace)) {
      boolean isRead = isAnyEmpty && templates++ < MOST_TEMPLATES;
      var group = isRead ? ofTemplate(namespace, each) : GroupKey.NONE;
      now.put(each.uid(), new KnownRefusal(RefusalWords.read(each.message()), each.last(), group));
    }
    if (isNews(namespace, now)) {
      again.run();
    }
    due.add(namespace, workers.time().instant().plus(BETWEEN));
    return Next.done();
  }

  private synchronized boolean isNews(String namespace, Map<OwnerUid, KnownRefusal> now) {
    boolean isNews = lacking.containsKey(namespace) && !now.equals(known(namespace));
    if (isNews) {
      known.put(namespace, now);
      changed.add(namespace);
    }
    return isNews;
  }

  /// The group that the pods of an object name in its template.
  private GroupKey ofTemplate(String namespace, RefusedPod of) throws ClientException {
    var wanted =
        new Wanted(of.apiVersion(), of.kind(), namespace, of.name(), of.uid().value(), true);
    return owners.read(wanted) instanceof OwnerClient.Present(_, Map<String, ?> object)
        ? groupOf(namespace, object)
        : GroupKey.NONE;
  }

  private static GroupKey groupOf(String namespace, Map<String, ?> object) {
    if (!(object.get("spec") instanceof Map<?, ?> spec
        && spec.get("template") instanceof Map<?, ?> template
        && template.get("metadata") instanceof Map<?, ?> described)) {
      return GroupKey.NONE;
    }
    var metadata = new LinkedHashMap<Object, Object>(described);
    metadata.put("namespace", namespace);
    metadata.put("name", "template");
    var pod = new LinkedHashMap<Object, Object>(template);
    pod.put("metadata", metadata);
    return PodManifest.read(pod).map(read -> read.belonging().group()).orElse(GroupKey.NONE);
  }
}
