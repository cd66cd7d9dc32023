package dev.berth.extender.rest.answer;

import dev.berth.engine.explain.Counterfactual;
import dev.berth.engine.explain.Counterfactuals.Found;
import dev.berth.engine.explain.Remedy;
import java.util.List;
import java.util.Locale;

/// What lets a workload start, as far as it names nothing that a client may not see.
final class VisibleRemedies {
  private VisibleRemedies() {}

  static List<Counterfactual> of(Found found, Visible visible) {
    return found.all().stream().filter(each -> isVisible(each, visible)).toList();
  }

  /// The roles that can apply it.
  static List<String> by(Counterfactual found) {
    return found.remedies().stream()
        .map(each -> each.by().name().toLowerCase(Locale.ROOT))
        .distinct()
        .sorted()
        .toList();
  }

  private static boolean isVisible(Counterfactual found, Visible visible) {
    return found.remedies().stream()
        .allMatch(each ->
            switch (each) {
              case Remedy.EndWorkloads(var groups, _, _) ->
                  groups.stream().allMatch(group -> visible.namespace(group.namespace()));
              case Remedy.OtherQueue(var queue) -> visible.queue(queue);
              case Remedy.RaiseLimit(var queue, _, _, _, _) -> visible.queue(queue);
              case Remedy.RaiseQuota(var queue, _, _, _, _) -> visible.queue(queue);
              case Remedy.Uncordon _, Remedy.AddNodes _ -> visible.nodes();
              case Remedy.NotBefore _,
                  Remedy.PreferTopology _,
                  Remedy.Preemptible _,
                  Remedy.MayPreempt _,
                  Remedy.RaisePriority _,
                  Remedy.LowerMinimum _,
                  Remedy.FewerDevices _,
                  Remedy.SmallerShare _,
                  Remedy.SmallerMemory _,
                  Remedy.DropSelector _,
                  Remedy.Tolerate _,
                  Remedy.SwitchOn _ ->
                  true;
            });
  }
}
