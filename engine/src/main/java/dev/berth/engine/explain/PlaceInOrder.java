package dev.berth.engine.explain;

import dev.berth.engine.PlannerSettings;
import dev.berth.engine.fairness.Precedence;
import dev.berth.engine.fairness.QueueOrder;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.session.Session;
import java.util.List;
import java.util.Optional;

/// Where a group stands in the order in which the planner goes through those that wait, as things
/// are before it gives any of them a place.
///
/// @param waiting how many groups stand in it
/// @param own how its queue stands with it
/// @param before those that come first, in order, each with the rule that decides
public record PlaceInOrder(
    int waiting, PodGroup group, Precedence.Standpoint own, List<Precedence> before) {
  public PlaceInOrder {
    before = List.copyOf(before);
  }

  /// Empty where the group does not stand in the order: it has all its places, its members, its
  /// queue or something else in it is to be corrected first, or nodes are divided into pools, of
  /// which each has an order of its own.
  public static Optional<PlaceInOrder> of(
      PlannerSettings settings, Snapshot snapshot, GroupKey key) {
    if (!settings.poolLabel().isEmpty()) {
      return Optional.empty();
    }
    var session = Session.forPlanning(snapshot, settings.defaultQueue());
    var waiting = session.waiting();
    var shares = Shares.of(session, settings.fairShare());
    return waiting.stream()
        .filter(group -> group.key().equals(key))
        .findFirst()
        .map(group -> {
          var order = QueueOrder.of(session, shares, waiting);
          return new PlaceInOrder(
              waiting.size(), group.group(), order.standpoint(group), order.before(group));
        });
  }
}
