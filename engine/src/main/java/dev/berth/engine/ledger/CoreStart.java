package dev.berth.engine.ledger;

import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.SubGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Since when the members of a group that run now meet its minimum; `MAX` = they do not, or have
/// not told when they began.
///
/// A pod that was asked to leave and is not deleted yet counts as running. Completed members count
/// as in the minimum.
final class CoreStart {
  private final TreeMap<String, List<SubGroup>> children;
  private final TreeMap<String, List<Instant>> starts = new TreeMap<>(); // by leaf; flat = ""
  private final TreeMap<String, Integer> completed = new TreeMap<>();

  private CoreStart(GroupSpec spec, List<Member> members) {
    this.children = spec.children();
    boolean flat = spec.subGroups().isEmpty();
    for (Member member : members) {
      String leaf = flat ? "" : member.pod().belonging().subGroup();
      Instant started = member.pod().life().started();
      if (runs(member) && !started.equals(Instant.MAX)) {
        starts.computeIfAbsent(leaf, _ -> new ArrayList<>()).add(started);
      } else if (spec.completions().isNone() && member.standing().endedWell()) {
        completed.merge(leaf, 1, Integer::sum);
      }
    }
    starts.values().forEach(each -> each.sort(null));
  }

  static Instant of(GroupSpec spec, List<Member> members) {
    var core = new CoreStart(spec, members);
    return spec.subGroups().isEmpty()
        ? core.leaf("", Math.max(1, spec.minMember()))
        : core.inner("", spec.minSubGroup());
  }

  static boolean runs(Member member) {
    return switch (member.standing()) {
      case Standing.Bound _ -> true;
      case Standing.Leaving _ -> !member.pod().life().leaving();
      case Standing.Waiting _, Standing.Planned _, Standing.Awaited _, Standing.Over _ -> false;
    };
  }

  private Instant leaf(String name, int minimum) {
    var began = starts.getOrDefault(name, List.of());
    return enough(began, minimum - completed.getOrDefault(name, 0));
  }

  private Instant inner(String name, int minimum) {
    var below = children.getOrDefault(name, List.of());
    var began = new ArrayList<Instant>();
    for (SubGroup each : below) {
      Instant start =
          children.containsKey(each.name())
              ? inner(each.name(), each.minSubGroup())
              : leaf(each.name(), each.minMember());
      if (!start.equals(Instant.MAX)) {
        began.add(start);
      }
    }
    began.sort(null);
    return enough(began, minimum == 0 ? below.size() : minimum);
  }

  private static Instant enough(List<Instant> began, int minimum) {
    int enough = Math.max(1, minimum);
    return began.size() < enough ? Instant.MAX : began.get(enough - 1);
  }
}
