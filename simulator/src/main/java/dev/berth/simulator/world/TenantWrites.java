package dev.berth.simulator.world;

import dev.berth.controllers.client.Watcher.Kind;
import java.util.Map;

/// Writes of a tenant; the admission policies apply.
public final class TenantWrites {
  private final World world;

  public TenantWrites(World world) {
    this.world = world;
  }

  /// Creates a pod.
  ///
  /// @throws ApiRefusal where a policy denies it
  public Map<String, Object> create(Map<String, ?> pod) {
    Policies.checkNew(pod);
    return world.create(Kind.POD, pod);
  }

  /// A merge patch of a pod.
  ///
  /// @throws ApiRefusal where a policy denies it
  public Map<String, Object> patch(ObjectRef pod, Map<String, ?> patch) {
    synchronized (world) {
      var before = world.existing(pod, patch);
      var after = ObjectTree.thaw(before);
      var wanted = ObjectTree.thaw(patch);
      wanted.remove("status");
      ObjectTree.merge(after, wanted);
      Policies.checkChange(before, after);
      return world.patch(pod, patch);
    }
  }
}
