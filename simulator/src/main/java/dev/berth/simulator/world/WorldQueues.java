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
    var patch = Tree.of("status", before.patch(after, Tree.ABSENT));
    try {
      world.patchStatus(new Ref(Kind.QUEUE, "", queue.value()), patch);
    } catch (ApiRefusal refusal) {
      throw Doors.failure(refusal);
    }
  }
}
