package dev.berth.simulator.chaos;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.ForwardingPodClient;
import dev.berth.controllers.client.HolderClient;
import dev.berth.controllers.client.PodClient;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Resource;
import dev.berth.simulator.world.ObjectRef;
import java.time.Duration;
import java.util.SortedMap;

/// What one process has read, and whether it is of a state that etcd has forgotten. What such a
/// process still puts on nodes, before it hears of that, is told apart: it cannot know better.
final class ProcessView {
  /// Hears what is done by who does not know what is there.
  interface Astray {
    /// A pod is put on a node.
    void puts(ObjectRef pod);

    /// A holder is taken away, of which it knows no share.
    void deletes(ObjectRef holder);
  }

  private final Astray astray;
  private boolean open;
  private boolean untrue;

  ProcessView(Astray astray) {
    this.astray = astray;
  }

  /// It begins to read.
  void opens() {
    open = true;
  }

  /// Etcd went back.
  void isUntrue() {
    untrue = open;
  }

  /// All was read anew, and nothing that it had read before is forgotten.
  void isTrue() {
    untrue = false;
  }

  PodClient pods(PodClient inner) {
    return new ForwardingPodClient(inner) {
      @Override
      public void bind(PodKey pod, PodUid uid, NodeName node, SortedMap<String, String> annotations)
          throws ClientException {
        if (untrue) {
          astray.puts(ObjectRef.pod(pod));
        }
        inner.bind(pod, uid, node, annotations);
      }

      @Override
      public void stop(PodKey pod, PodUid uid, Duration grace) throws ClientException {
        inner.stop(pod, uid, grace);
      }
    };
  }

  HolderClient holders(HolderClient inner) {
    return new HolderClient() {
      @Override
      public String namespace() {
        return inner.namespace();
      }

      @Override
      public void create(NodeName node, int slot, Resource device) throws ClientException {
        if (untrue) {
          astray.puts(ObjectRef.pod(namespace(), "holder-" + node + "-" + slot));
        }
        inner.create(node, slot, device);
      }

      @Override
      public void delete(PodKey holder, PodUid uid) throws ClientException {
        if (untrue) {
          astray.deletes(ObjectRef.pod(holder));
        }
        inner.delete(holder, uid);
      }
    };
  }
}
