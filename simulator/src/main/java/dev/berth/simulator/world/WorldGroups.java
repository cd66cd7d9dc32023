package dev.berth.simulator.world;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.PodGroupClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.crd.PodGroupSpec;
import dev.berth.controllers.crd.PodGroupSpec.Edits;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.QueueName;
import java.util.Map;

/// PodGroup objects of a world.
public final class WorldGroups implements PodGroupClient {
  private final World world;

  public WorldGroups(World world) {
    this.world = world;
  }

  @Override
  public void create(GroupKey key, int minMember, QueueName queue, Owner owner)
      throws ClientException {
    var spec = ObjectTree.of("minMember", (long) minMember);
    if (!queue.isNone()) {
      spec.put("queue", queue.value());
    }
    var group = object(key, owner, spec);
    if (world.find(ref(key)).isPresent()) {
      return;
    }
    try {
      world.create(Kind.POD_GROUP, group);
    } catch (ApiRefusal refusal) {
      if (refusal.status() != 409) {
        throw ClientErrors.failure(refusal);
      }
    }
  }

  @Override
  public void keep(GroupSpec spec, QueueName queue, Owner owner, Edits edits)
      throws ClientException {
    var key = spec.key();
    try {
      if (world.find(ref(key)).isPresent()) {
        var shape = PodGroupSpec.shape(spec);
        PodGroupSpec.SHAPE.forEach(field -> shape.putIfAbsent(field, ObjectTree.ABSENT));
        edits.into(shape, ObjectTree.ABSENT);
        world.patch(ref(key), ObjectTree.of("spec", shape));
      } else {
        world.create(Kind.POD_GROUP, object(key, owner, PodGroupSpec.tree(spec, queue)));
      }
    } catch (ApiRefusal refusal) {
      throw ClientErrors.failure(refusal);
    }
  }

  private static Map<String, Object> object(GroupKey key, Owner owner, Map<String, Object> spec) {
    var metadata = ObjectTree.of("namespace", key.namespace(), "name", key.name());
    if (!owner.equals(Owner.NONE)) {
      metadata.put(
          "ownerReferences",
          ObjectTree.ownedBy(owner.apiVersion(), owner.kind(), owner.name(), owner.uid().value()));
    }
    return ObjectTree.of(
        "apiVersion", "berth.dev/v1alpha1", "kind", "PodGroup", "metadata", metadata, "spec", spec);
  }

  @Override
  public void status(GroupKey key, PodGroupStatus before, PodGroupStatus after)
      throws ClientException {
    try {
      world.patchStatus(ref(key), ObjectTree.of("status", after.over(before, ObjectTree.ABSENT)));
    } catch (ApiRefusal refusal) {
      throw ClientErrors.failure(refusal);
    }
  }

  @Override
  public void delete(GroupKey key, String uid) throws ClientException {
    if (world.find(ref(key)).filter(group -> ObjectTree.uid(group).equals(uid)).isEmpty()) {
      return;
    }
    try {
      world.delete(ref(key));
    } catch (ApiRefusal refusal) {
      if (refusal.status() != 404) {
        throw ClientErrors.failure(refusal);
      }
    }
  }

  private static ObjectRef ref(GroupKey key) {
    return new ObjectRef(Kind.POD_GROUP, key.namespace(), key.name());
  }
}
