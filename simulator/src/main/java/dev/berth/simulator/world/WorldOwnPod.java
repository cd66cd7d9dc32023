package dev.berth.simulator.world;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.OwnPodClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;

/// The pod of one process of Berth. No kubelet has it, and it holds nothing: what matters is the
/// version of what is written on it.
public final class WorldOwnPod implements OwnPodClient {
  private static final String NAMESPACE = "berth-system";

  private final World world;
  private final PodKey key;
  private final PodUid uid;

  /// Creates the pod.
  ///
  /// @param name that no other pod has
  public WorldOwnPod(World world, String name) {
    this.world = world;
    this.key = new PodKey(NAMESPACE, name);
    var pod =
        world.adopt(
            Kind.POD,
            ObjectTree.of(
                "metadata",
                ObjectTree.of("namespace", NAMESPACE, "name", name),
                "spec",
                ObjectTree.of("schedulerName", "none"),
                "status",
                ObjectTree.of("phase", "Pending")));
    this.uid = new PodUid(ObjectTree.uid(pod));
  }

  @Override
  public String mark(String word) throws ClientException {
    var patch =
        ObjectTree.of(
            "metadata", ObjectTree.of("annotations", ObjectTree.of("berth.dev/term", word)));
    String[] version = {""};
    ClientErrors.pass(
        world,
        key,
        uid,
        () -> {
          var after = world.patch(ObjectRef.pod(key), patch);
          version[0] = ObjectTree.text(after, "metadata", "resourceVersion");
        });
    return version[0];
  }
}
