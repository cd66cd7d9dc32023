package dev.berth.simulator.faults;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.PodGroupClient;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.QueueName;

/// PodGroup objects, with faults.
public final class FaultyGroups implements PodGroupClient {
  private final PodGroupClient inner;
  private final WriteExecution writes;

  public FaultyGroups(PodGroupClient inner, FaultInjector faultInjector) {
    this(inner, new FaultyWrites(faultInjector));
  }

  /// @param writes how they come to pass
  public FaultyGroups(PodGroupClient inner, WriteExecution writes) {
    this.inner = inner;
    this.writes = writes;
  }

  @Override
  public void create(GroupKey key, int minMember, QueueName queue, Owner owner)
      throws ClientException {
    writes.write(
        WriteExecution.Verb.CREATE_GROUP, () -> inner.create(key, minMember, queue, owner));
  }

  @Override
  public void keep(GroupSpec spec, QueueName queue, Owner owner) throws ClientException {
    writes.write(WriteExecution.Verb.KEEP_GROUP, () -> inner.keep(spec, queue, owner));
  }

  @Override
  public void status(GroupKey key, PodGroupStatus before, PodGroupStatus after)
      throws ClientException {
    writes.write(WriteExecution.Verb.GROUP_STATUS, () -> inner.status(key, before, after));
  }

  @Override
  public void delete(GroupKey key, String uid) throws ClientException {
    writes.write(WriteExecution.Verb.DELETE_GROUP, () -> inner.delete(key, uid));
  }
}
