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
            Tree.of(
                "metadata",
                Tree.of("namespace", NAMESPACE, "name", name),
                "spec",
                Tree.of("schedulerName", "none"),
                "status",
                Tree.of("phase", "Pending")));
    this.uid = new PodUid(Tree.uid(pod));
  }

  @Override
  public String mark(String word) throws ClientException {
    var patch = Tree.of("metadata", Tree.of("annotations", Tree.of("berth.dev/term", word)));
    String[] version = {""};
    Doors.pass(
        world,
        key,
        uid,
        () -> {
          var after = world.patch(Ref.pod(key), patch);
          version[0] = Tree.text(after, "metadata", "resourceVersion");
        });
    return version[0];
  }
}
