package dev.berth.simulator.faults;

import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Holders;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Resource;

/// Holder pods, with faults.
public final class FaultyHolders implements Holders {
  private final Holders inner;
  private final Writes writes;

  public FaultyHolders(Holders inner, FaultInjector faultInjector) {
    this(inner, new FaultyWrites(faultInjector));
  }

  /// @param writes how they come to pass
  public FaultyHolders(Holders inner, Writes writes) {
    this.inner = inner;
    this.writes = writes;
  }

  @Override
  public String namespace() {
    return inner.namespace();
  }

  @Override
  public void create(NodeName node, int slot, Resource device) throws DoorException {
    writes.write(Writes.Verb.CREATE_HOLDER, () -> inner.create(node, slot, device));
  }

  @Override
  public void delete(PodKey holder, PodUid uid) throws DoorException {
    writes.write(Writes.Verb.DELETE_HOLDER, () -> inner.delete(holder, uid));
  }
}
