package dev.berth.simulator.faults;

import dev.berth.controllers.crd.QueueStatus;
import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Queues;
import dev.berth.engine.model.QueueName;

/// Queue objects, with faults.
public final class FaultyQueues implements Queues {
  private final Queues inner;
  private final Writes writes;

  public FaultyQueues(Queues inner, FaultInjector faultInjector) {
    this(inner, new FaultyWrites(faultInjector));
  }

  /// @param writes how they come to pass
  public FaultyQueues(Queues inner, Writes writes) {
    this.inner = inner;
    this.writes = writes;
  }

  @Override
  public void status(QueueName queue, QueueStatus before, QueueStatus after) throws DoorException {
    writes.write(Writes.Verb.QUEUE_STATUS, () -> inner.status(queue, before, after));
  }
}
