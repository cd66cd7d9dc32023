package dev.berth.simulator.world;

import dev.berth.controllers.client.ApiWrite;
import dev.berth.controllers.client.WriteClients;

/// The clients of a world: there is one of each, for all writers.
public final class WorldClients {
  private WorldClients() {}

  /// Of a process that leads alone.
  public static WriteClients of(World world) {
    return new WriteClients(
        new WorldPods(world),
        new WorldHolders(world),
        new WorldGroups(world),
        new WorldQueues(world));
  }

  /// Of one of several that may lead. Creates its pod.
  ///
  /// @param name that no other pod has
  /// @param leases all have the same
  public static WriteClients of(World world, String name, WorldLeases leases) {
    return of(world).competing(new WorldOwnPod(world, name), leases);
  }

  /// Whether a world has a client for it: no autoscaler acts there, no node is probed, no share is
  /// a claim, and pods take neither words on why they wait nor the annotation that requeues them.
  public static boolean know(ApiWrite write) {
    return switch (write) {
      case ApiWrite.Lift _,
          ApiWrite.Nominate _,
          ApiWrite.MarkPreemptor _,
          ApiWrite.Warn _,
          ApiWrite.Bind _,
          ApiWrite.Evict _,
          ApiWrite.Stop _,
          ApiWrite.CreateHolder _,
          ApiWrite.DeleteHolder _,
          ApiWrite.Mark _,
          ApiWrite.CreateGroup _,
          ApiWrite.KeepGroup _,
          ApiWrite.GroupStatus _,
          ApiWrite.DeleteGroup _,
          ApiWrite.QueueStatus _,
          ApiWrite.Lease _ ->
          true;
      case ApiWrite.PodCondition _,
          ApiWrite.WaitingAnnotation _,
          ApiWrite.Requeue _,
          ApiWrite.CreateProbe _,
          ApiWrite.DeleteProbe _,
          ApiWrite.ShareSettings _,
          ApiWrite.AskCapacity _,
          ApiWrite.WithdrawCapacity _,
          ApiWrite.ClearPlaceholder _,
          ApiWrite.ClearRequest _,
          ApiWrite.CreateClaimTemplate _ ->
          false;
    };
  }
}
