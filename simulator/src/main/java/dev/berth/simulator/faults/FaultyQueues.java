package dev.berth.simulator.faults;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.QueueClient;
import dev.berth.controllers.crd.QueueStatus;
import dev.berth.engine.model.QueueName;

/// Queue objects, with faults.
public final class FaultyQueues implements QueueClient {
  private final QueueClient inner;
  private final WriteExecution writes;

  public FaultyQueues(QueueClient inner, FaultInjector faultInjector) {
    this(inner, new FaultyWrites(faultInjector));
  }

  /// @param writes how they come to pass
  public FaultyQueues(QueueClient inner, WriteExecution writes) {
    this.inner = inner;
    this.writes = writes;
  }

  @Override
  public void status(QueueName queue, QueueStatus before, QueueStatus after)
      throws ClientException {
    writes.write(WriteExecution.Verb.QUEUE_STATUS, () -> inner.status(queue, before, after));
  }
}
