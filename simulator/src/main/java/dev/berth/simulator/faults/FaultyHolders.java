package dev.berth.simulator.faults;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.HolderClient;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Resource;

/// Holder pods, with faults.
public final class FaultyHolders implements HolderClient {
  private final HolderClient inner;
  private final WriteExecution writes;

  public FaultyHolders(HolderClient inner, FaultInjector faultInjector) {
    this(inner, new FaultyWrites(faultInjector));
  }

  /// @param writes how they come to pass
  public FaultyHolders(HolderClient inner, WriteExecution writes) {
    this.inner = inner;
    this.writes = writes;
  }

  @Override
  public String namespace() {
    return inner.namespace();
  }

  @Override
  public void create(NodeName node, int slot, Resource device) throws ClientException {
    writes.write(WriteExecution.Verb.CREATE_HOLDER, () -> inner.create(node, slot, device));
  }

  @Override
  public void delete(PodKey holder, PodUid uid) throws ClientException {
    writes.write(WriteExecution.Verb.DELETE_HOLDER, () -> inner.delete(holder, uid));
  }
}
