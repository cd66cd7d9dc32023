package dev.berth.bench.http;

import dev.berth.engine.model.Placement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Which physical GPU each slot of a plan turned out to be, as bindings tell. No pod ends, so a
/// slot is one GPU for good, and no two slots are the same.
final class SlotDevices {
  private final Map<String, String> deviceOf = new HashMap<>(); // by slot; looked up only
  private final Map<String, String> slotOf = new HashMap<>(); // by device; looked up only

  /// @param devices UUIDs that the binding carries
  /// @throws UnexpectedAnswer where they contradict an earlier binding
  void bound(String pod, Placement place, List<String> devices) {
    if (devices.size() != place.slots().size()) {
      throw new UnexpectedAnswer(pod + " is planned on " + place + ", but bound with " + devices);
    }
    for (int i = 0; i < devices.size(); i++) {
      var slot = place.node() + "/" + place.slots().get(i);
      var device = place.node() + "/" + devices.get(i);
      if (!deviceOf.computeIfAbsent(slot, _ -> device).equals(device)
          || !slotOf.computeIfAbsent(device, _ -> slot).equals(slot)) {
        throw new UnexpectedAnswer(
            pod
                + " is bound with "
                + device
                + " as slot "
                + slot
                + ", which was "
                + deviceOf.get(slot));
      }
    }
  }
}
