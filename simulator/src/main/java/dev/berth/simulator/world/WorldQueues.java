package dev.berth.simulator.world;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.QueueClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.crd.QueueStatus;
import dev.berth.engine.model.QueueName;

/// Queue objects of a world.
public final class WorldQueues implements QueueClient {
  private final World world;

  public WorldQueues(World world) {
    this.world = world;
  }

  @Override
  public void status(QueueName queue, QueueStatus before, QueueStatus after)
      throws ClientException {
    var patch = ObjectTree.of("status", before.patch(after, ObjectTree.ABSENT));
    try {
      world.patchStatus(new ObjectRef(Kind.QUEUE, "", queue.value()), patch);
    } catch (ApiRefusal refusal) {
      throw ClientErrors.failure(refusal);
    }
  }
}
