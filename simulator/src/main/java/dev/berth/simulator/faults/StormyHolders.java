package dev.berth.simulator.faults;

import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Holders;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Resource;

/// Holder pods, in a storm.
public final class StormyHolders implements Holders {
  private final Holders inner;
  private final StormyWrites writes;

  public StormyHolders(Holders inner, Storm storm) {
    this.inner = inner;
    this.writes = new StormyWrites(storm);
  }

  @Override
  public void create(NodeName node, int slot, Resource device) throws DoorException {
    writes.write(() -> inner.create(node, slot, device));
  }

  @Override
  public void delete(PodKey holder, PodUid uid) throws DoorException {
    writes.write(() -> inner.delete(holder, uid));
  }
}
