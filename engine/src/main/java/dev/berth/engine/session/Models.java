package dev.berth.engine.session;

import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.ModelChoice;
import dev.berth.engine.model.PodRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// Which device models there are, and of which one a pod can only be.
///
/// As long as it waits, a pod counts for a model in what its queue requests only where it can be no
/// other: it names one, or there is but one that it does not rule out. Told from the pod and the
/// devices of the cluster alone, not from what else its constraints say of nodes.
final class Models {
  private final List<String> there; // in order; empty = not told by some node
  private static final List<String> NOWHERE = List.of();

  private Models(List<String> there) {
    this.there = there;
  }

  /// @param counts whether any queue counts models; else they are not looked at
  static Models of(FreeCapacity room, boolean counts) {
    if (!counts) {
      return new Models(NOWHERE);
    }
    var models = new TreeSet<String>();
    for (int n = 0; n < room.nodes(); n++) {
      var accelerator = room.node(n).node().accelerator();
      if (accelerator.count() > 0) {
        models.add(accelerator.model());
      }
    }
    return new Models(new ArrayList<>(models));
  }

  /// Empty where it may be one or another, or where it asks for no devices.
  String only(PodRequest request, Constraints constraints) {
    if (there.isEmpty() || request.devices().count() == 0) {
      return "";
    }
    var choice = ModelChoice.of(request, constraints);
    String only = "";
    int possible = 0;
    for (String model : there) {
      if (choice.accepts(model)) {
        only = model;
        possible++;
      }
    }
    return possible == 1 ? only : "";
  }
}
