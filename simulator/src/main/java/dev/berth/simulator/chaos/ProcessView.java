package dev.berth.simulator.chaos;

import dev.berth.controllers.client.ApiWrite;
import dev.berth.controllers.client.ApiWriter;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.WorldHolders;

/// What one process has read, and whether it is of a state that etcd has forgotten. What such a
/// process still puts on nodes, before it hears of that, is told apart: it cannot know better.
final class ProcessView {
  /// Is told what a process does that does not know what is there.
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
  void markUntrue() {
    untrue = open;
  }

  /// All was read anew, and nothing that it had read before is forgotten.
  void markTrue() {
    untrue = false;
  }

  /// Sees what it does.
  ApiWriter watching(ApiWriter inner) {
    return write -> {
      if (untrue) {
        tell(write);
      }
      return inner.write(write);
    };
  }

  private void tell(ApiWrite write) {
    switch (write) {
      case ApiWrite.Bind bind -> astray.puts(ObjectRef.pod(bind.pod()));
      case ApiWrite.CreateHolder(var node, var slot, _) ->
          astray.puts(ObjectRef.pod(WorldHolders.NAMESPACE, "holder-" + node + "-" + slot));
      case ApiWrite.DeleteHolder(var holder, _) -> astray.deletes(ObjectRef.pod(holder));
      default -> {} // neither puts a pod on a node nor takes a holder away
    }
  }
}
