package dev.berth.extender.rest.answer;

import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.Topology;
import dev.berth.extender.rest.state.NodeEntry;
import dev.berth.extender.rest.state.NodeEntry.Occupant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A node and its GPUs.
///
/// @param topology labels of the levels of all topologies, by label
/// @param freeGpus GPUs of which no part is taken and that pods may be given
/// @param freeMillis thousandths that are free of shared GPUs
/// @param trouble why pods get no GPUs here for the time being; empty = they do
public record NodeAnswer(
    String name,
    String model,
    boolean ready,
    boolean schedulable,
    SortedMap<String, String> topology,
    long freeGpus,
    long freeMillis,
    String trouble,
    List<Gpu> gpus) {
  public NodeAnswer {
    topology = Collections.unmodifiableSortedMap(new TreeMap<>(topology));
    gpus = List.copyOf(gpus);
  }

  /// @param state `free`, `whole` (one pod has it), `shared`, `other` (a pod of another scheduler,
  ///   or none that Berth knows of) or `unhealthy`
  /// @param uuid of a shared GPU whose holder has reported
  /// @param usedMillis thousandths that are taken
  public record Gpu(String state, String uuid, int usedMillis, List<Share> shares) {
    public Gpu {
      shares = List.copyOf(shares);
    }
  }

  /// A pod on a GPU. Of one that the client may not see the names are left out.
  ///
  /// @param stage `planned`, `bound` or `leaving`
  public record Share(
      String queue, String namespace, String workload, String pod, int millis, String stage) {}

  public static NodeAnswer of(NodeEntry entry, List<Topology> topologies, Visible visible) {
    var view = entry.view();
    var node = view.node();
    var accelerator = node.accelerator();
    long whole = view.wholeFree();
    long parts =
        view.slots().stream()
            .filter(NodeView.Slot::isOpen)
            .mapToLong(slot -> Math.max(0, 1000 - slot.usedMillis()))
            .sum();
    return new NodeAnswer(
        node.name().value(),
        accelerator.model(),
        node.ready(),
        !node.unschedulable(),
        levels(node, topologies),
        accelerator.sick().isEmpty() ? whole : 0,
        accelerator.sick().isEmpty() ? parts : 0,
        accelerator.sick().isEmpty() ? view.trouble() : accelerator.sick(),
        gpus(entry, whole, visible));
  }

  private static SortedMap<String, String> levels(Node node, List<Topology> topologies) {
    var levels = new TreeMap<String, String>();
    for (Topology topology : topologies) {
      for (var level : topology.levels()) {
        var value = node.labels().get(level.nodeLabel());
        if (value != null) {
          levels.put(level.nodeLabel(), value);
        }
      }
    }
    return levels;
  }

  /// GPUs without a pod of Berth: those that do not count as taken are free, then come the
  /// unhealthy ones, and the rest is taken by others.
  private static List<Gpu> gpus(NodeEntry entry, long whole, Visible visible) {
    var slots = new TreeMap<Integer, NodeView.Slot>();
    entry.view().slots().forEach(slot -> slots.put(slot.index(), slot));
    long free = whole;
    int unhealthy = entry.view().node().accelerator().unhealthy();
    var gpus = new ArrayList<Gpu>();
    for (int i = 0; i < entry.devices().size(); i++) {
      var shares = entry.devices().get(i).stream().map(each -> share(each, visible)).toList();
      var slot = slots.get(i);
      if (slot != null) {
        gpus.add(new Gpu("shared", slot.uuid(), slot.usedMillis(), shares));
      } else if (!shares.isEmpty()) {
        gpus.add(new Gpu("whole", "", 1000, shares));
      } else if (free > 0) {
        free--;
        gpus.add(new Gpu("free", "", 0, List.of()));
      } else if (unhealthy > 0) {
        unhealthy--;
        gpus.add(new Gpu("unhealthy", "", 0, List.of()));
      } else {
        gpus.add(new Gpu("other", "", 1000, List.of()));
      }
    }
    return gpus;
  }

  private static Share share(Occupant each, Visible visible) {
    int millis = each.placement().slots().isEmpty() ? 1000 : each.placement().millis();
    String stage = stage(each.member().standing());
    boolean isVisible = visible.namespace(each.group().key().namespace());
    return isVisible
        ? new Share(
            each.group().queue().value(),
            each.group().key().namespace(),
            each.group().key().name(),
            each.member().pod().key().name(),
            millis,
            stage)
        : new Share("", "", "", "", millis, stage);
  }

  static String stage(Standing standing) {
    return switch (standing) {
      case Standing.Waiting _ -> "waiting";
      case Standing.Awaited _ -> "awaited";
      case Standing.Planned _ -> "planned";
      case Standing.Bound _ -> "bound";
      case Standing.Leaving _ -> "leaving";
      case Standing.Over(boolean succeeded) -> succeeded ? "succeeded" : "failed";
    };
  }
}
