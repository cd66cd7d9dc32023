package dev.berth.cli.lists;

import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.NodeView.Slot;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Nodes with GPUs: how many are free, whole in use, and shared.
public final class GpuList {
  private static final int DEVICE = 1000;

  private GpuList() {}

  public static Listed of(SeenCluster cluster) {
    var table =
        TextTable.of(
            "NODE", "MODEL", "GPUS", "FREE", "WHOLE", "SHARED", "STATE", "+LEAVING", "+OTHERS");
    var names = new ArrayList<String>();
    var items = new ArrayList<Map<String, Object>>();
    for (NodeView view : cluster.snapshot().nodes()) {
      var gpus = view.node().accelerator();
      if (gpus.capacity() == 0 && gpus.count() == 0) {
        continue;
      }
      Resource resource = gpus.resource();
      var shared = view.slots().stream().filter(slot -> slot.usedMillis() > 0).toList();
      String state = state(view);
      table.row(
          view.name().value(),
          gpus.model(),
          Integer.toString(gpus.count()),
          Long.toString(view.wholeFree()),
          Long.toString(view.wholeInUse()),
          words(shared),
          state,
          Long.toString(view.leaving().of(resource)),
          Long.toString(view.foreign().of(resource)));
      names.add("node/" + view.name());
      var item = new LinkedHashMap<String, Object>();
      item.put("node", view.name().value());
      item.put("model", gpus.model());
      item.put("resource", resource.name());
      item.put("memoryMib", gpus.memoryMib());
      item.put("gpus", gpus.count());
      item.put("free", view.wholeFree());
      item.put("whole", view.wholeInUse());
      item.put("shared", shared.stream().map(GpuList::item).toList());
      item.put("state", state);
      items.add(item);
    }
    return new Listed("gpus", table, names, items);
  }

  private static Map<String, Object> item(Slot slot) {
    var item = new LinkedHashMap<String, Object>();
    item.put("uuid", slot.uuid());
    item.put("used", Resource.GPU.text(slot.usedMillis()));
    return item;
  }

  /// What is in use of each shared GPU, such as `0.5 0.75`.
  private static String words(List<Slot> shared) {
    return String.join(
        " ",
        shared.stream()
            .map(slot -> Resource.GPU.text(Math.min(DEVICE, slot.usedMillis())))
            .toList());
  }

  private static String state(NodeView view) {
    Node node = view.node();
    if (!node.ready()) {
      return "not ready";
    }
    if (node.unschedulable()) {
      return "cordoned";
    }
    if (!node.accelerator().sick().isEmpty()) {
      return node.accelerator().sick();
    }
    return view.trouble().isEmpty() ? "ready" : view.trouble();
  }
}
