package dev.berth.simulator.world;

import dev.berth.controllers.crd.QueueStatus;
import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Queues;
import dev.berth.controllers.door.Watcher.Kind;
import dev.berth.engine.model.QueueName;

/// Queue objects of a world.
public final class WorldQueues implements Queues {
  private final World world;

  public WorldQueues(World world) {
    this.world = world;
  }

  @Override
  public void status(QueueName queue, QueueStatus before, QueueStatus after) throws DoorException {
    var patch = Tree.of("status", before.patch(after, Tree.ABSENT));
    try {
      world.patchStatus(new Ref(Kind.QUEUE, "", queue.value()), patch);
    } catch (ApiRefusal refusal) {
      throw Doors.failure(refusal);
    }
  }
}
