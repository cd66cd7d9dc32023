package dev.berth.cli.demo;

import dev.berth.cli.demo.Scene.Cell;
import dev.berth.cli.demo.Scene.GpuShare;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.PodUid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Which cell of its node each pod is drawn in. Shared devices stand at their slot, counted from
/// the left; whole ones, which the kubelet chooses and Berth does not know, fill up from the right
/// and stay where they were drawn first.
final class DeviceCells {
  private static final Cell FREE = new Cell.Free();

  private final TreeMap<PodUid, List<Integer>> drawn = new TreeMap<>();

  List<Cell> of(NodeView room, List<Occupant> occupants) {
    var cells = new Cell[room.node().accelerator().count()];
    Arrays.fill(cells, FREE);
    shared(room, occupants, cells);
    for (var occupant : occupants) {
      keepPlace(occupant, cells);
    }
    for (var occupant : occupants) {
      findPlace(occupant, cells);
    }
    return List.of(cells);
  }

  private static void shared(NodeView room, List<Occupant> occupants, Cell[] cells) {
    for (var slot : room.slots()) {
      var parts = new ArrayList<GpuShare>();
      var sharers = new ArrayList<>(occupants);
      sharers.sort(Comparator.comparing(Occupant::created).thenComparing(Occupant::uid));
      for (var sharer : sharers) {
        if (sharer.placement().slots().contains(slot.index())) {
          parts.add(
              new GpuShare(sharer.queue().value(), sharer.placement().millis(), sharer.stage()));
        }
      }
      if (slot.index() < cells.length) {
        cells[slot.index()] = new Cell.Shared(parts);
      }
    }
  }

  private void keepPlace(Occupant occupant, Cell[] cells) {
    var kept = new ArrayList<Integer>();
    for (int place : drawn.getOrDefault(occupant.uid(), List.of())) {
      if (place < cells.length && cells[place] == FREE && kept.size() < occupant.wholes()) {
        cells[place] = whole(occupant);
        kept.add(place);
      }
    }
    drawn.put(occupant.uid(), kept);
  }

  private void findPlace(Occupant occupant, Cell[] cells) {
    List<Integer> places = drawn.getOrDefault(occupant.uid(), List.of());
    for (int place = cells.length - 1; place >= 0; place--) {
      if (places.size() < occupant.wholes() && cells[place] == FREE) {
        cells[place] = whole(occupant);
        places.add(place);
      }
    }
  }

  private static Cell whole(Occupant occupant) {
    return new Cell.Whole(occupant.queue().value(), occupant.stage());
  }

  void forgetAllBut(Map<NodeName, List<Occupant>> occupants) {
    var present = new HashSet<PodUid>();
    occupants.values().forEach(those -> those.forEach(one -> present.add(one.uid())));
    drawn.keySet().retainAll(present);
  }
}
