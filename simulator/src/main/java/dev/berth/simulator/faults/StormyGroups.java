package dev.berth.simulator.faults;

import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Groups;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.QueueName;

/// PodGroup objects, in a storm.
public final class StormyGroups implements Groups {
  private final Groups inner;
  private final StormyWrites writes;

  public StormyGroups(Groups inner, Storm storm) {
    this.inner = inner;
    this.writes = new StormyWrites(storm);
  }

  @Override
  public void create(GroupKey key, int minMember, QueueName queue, Owner owner)
      throws DoorException {
    writes.write(() -> inner.create(key, minMember, queue, owner));
  }

  @Override
  public void status(GroupKey key, PodGroupStatus status) throws DoorException {
    writes.write(() -> inner.status(key, status));
  }

  @Override
  public void delete(GroupKey key, String uid) throws DoorException {
    writes.write(() -> inner.delete(key, uid));
  }
}
