package dev.berth.controllers.groups;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.PodGroupClient;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Gangs whose object does not exist: their workload, or their first pod, owns the one Berth makes.
public final class MissingGroups {
  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(4, Duration.ofSeconds(1), Duration.ofSeconds(30));

  /// Until the watch shows its object, a group still looks as if it had none.
  private static final Duration UNTIL_SEEN = Duration.ofSeconds(5);

  private final PodGroupClient groups;
  private final Workers workers;
  private final KeyedLoop<GroupKey> loop;

  /// Replaced, never changed.
  private volatile SortedMap<GroupKey, PodGroup> missing = new TreeMap<>();

  public MissingGroups(PodGroupClient groups, Workers workers) {
    this.groups = groups;
    this.workers = workers;
    this.loop = new KeyedLoop<>("groups", workers, PACE, this::make);
  }

  /// These lack their object now, and no others; each has a member.
  void are(List<PodGroup> lacking) {
    var now = new TreeMap<GroupKey, PodGroup>();
    lacking.forEach(group -> now.put(group.key(), group));
    missing = now;
    now.keySet().forEach(loop::add);
  }

  private Next make(GroupKey key) throws ClientException {
    var group = missing.get(key);
    if (group == null) {
      return Next.done();
    }
    groups.create(key, group.spec().minMember(), group.queue(), ownerOf(group));
    return Next.notBefore(workers.time().instant().plus(UNTIL_SEEN));
  }

  private static PodGroupClient.Owner ownerOf(PodGroup group) {
    Pod first = group.members().getFirst().pod();
    var owner = first.belonging().owner();
    return owner.isNone() || !first.belonging().group().isNone()
        ? new PodGroupClient.Owner(
            "v1", "Pod", first.key().name(), new OwnerUid(first.uid().value()))
        : new PodGroupClient.Owner(owner.apiVersion(), owner.kind(), owner.name(), owner.uid());
  }
}
