package dev.berth.cli.shadow;

import dev.berth.engine.ledger.objects.SemanticEquality;
import dev.berth.engine.model.DynamicResources;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;

/// Puts the parts of one snapshot in the place of those of the next that say the same: snapshots of
/// a log share by reference what did not change, and only what changed is written.
final class SharedParts {
  private SharedParts() {}

  /// @param last the snapshot before
  /// @return the same as `now`
  static Snapshot of(Snapshot last, Snapshot now) {
    return new Snapshot(
        now.version(),
        now.now(),
        kept(last.nodes(), now.nodes(), NodeView::name, SharedParts::node),
        same(last.queues(), now.queues(), each -> each.name(), SemanticEquality::of),
        kept(last.groups(), now.groups(), PodGroup::key, SharedParts::group),
        same(last.topologies(), now.topologies(), each -> each.name(), SemanticEquality::of),
        last.past().equals(now.past()) ? last.past() : now.past(),
        same(last.strangers(), now.strangers(), each -> each.key(), SemanticEquality::of),
        devices(last.devices(), now.devices()),
        same(last.budgets(), now.budgets(), each -> each.key(), SemanticEquality::of));
  }

  private static DynamicResources devices(DynamicResources last, DynamicResources now) {
    var devices =
        new DynamicResources(
            same(last.claims(), now.claims(), each -> each.key(), SemanticEquality::of),
            same(last.slices(), now.slices(), each -> each.name(), SemanticEquality::of),
            same(last.classes(), now.classes(), each -> each.name(), SemanticEquality::of));
    boolean isSame =
        devices.claims() == last.claims()
            && devices.slices() == last.slices()
            && devices.classes() == last.classes();
    return isSame ? last : devices;
  }

  private static <T, K extends Comparable<? super K>> List<T> same(
      List<T> last, List<T> now, Function<T, K> key, BiPredicate<T, T> isSame) {
    return kept(last, now, key, (before, after) -> isSame.test(before, after) ? before : after);
  }

  /// @param keep of two with one key, of the list before and of this one: the former where both say
  ///   the same
  private static <T, K extends Comparable<? super K>> List<T> kept(
      List<T> last, List<T> now, Function<T, K> key, BiFunction<T, T, T> keep) {
    var kept = new ArrayList<T>(now.size());
    boolean isSame = last.size() == now.size();
    int i = 0;
    for (T each : now) {
      while (i < last.size() && key.apply(last.get(i)).compareTo(key.apply(each)) < 0) {
        i++;
      }
      boolean isThere = i < last.size() && key.apply(last.get(i)).compareTo(key.apply(each)) == 0;
      T it = isThere ? keep.apply(last.get(i), each) : each;
      isSame &= isThere && it == last.get(i);
      kept.add(it);
    }
    return isSame ? last : List.copyOf(kept);
  }

  private static NodeView node(NodeView before, NodeView after) {
    if (!SemanticEquality.of(before.node(), after.node())) {
      return after;
    }
    var kept =
        new NodeView(
            before.node(),
            after.used(),
            after.leaving(),
            after.foreign(),
            after.slots(),
            after.hostPorts(),
            after.trouble(),
            after.numa());
    return kept.equals(before) ? before : kept;
  }

  private static PodGroup group(PodGroup before, PodGroup after) {
    var members = new ArrayList<Member>(after.members().size());
    for (int i = 0; i < after.members().size(); i++) {
      members.add(member(before, after.members().get(i), i));
    }
    var spec = SemanticEquality.of(before.spec(), after.spec()) ? before.spec() : after.spec();
    var kept =
        new PodGroup(
            after.key(),
            spec,
            after.queue(),
            after.priority(),
            after.preemptibility(),
            after.preemptibilitySource(),
            after.created(),
            members,
            after.single(),
            after.origin(),
            after.takesVictims(),
            after.standsFast(),
            after.resumed(),
            after.namespaceLabels(),
            after.namespaceTerminates());
    return kept.equals(before) ? before : kept;
  }

  /// The member of before where it says the same, mostly in the same place.
  private static Member member(PodGroup before, Member after, int at) {
    if (at < before.members().size() && isSame(before.members().get(at), after)) {
      return before.members().get(at);
    }
    for (Member each : before.members()) {
      if (isSame(each, after)) {
        return each;
      }
    }
    return after;
  }

  private static boolean isSame(Member one, Member other) {
    return one.pod().uid().equals(other.pod().uid())
        && one.standing().equals(other.standing())
        && one.vetoes().equals(other.vetoes())
        && SemanticEquality.of(one.pod(), other.pod());
  }
}
