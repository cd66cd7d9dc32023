package dev.berth.cli;

import dev.berth.controllers.cycle.Cycle;
import dev.berth.controllers.evictions.Evictions;
import dev.berth.controllers.gates.Gates;
import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.model.Decision;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/// Hands what a cycle has decided to the parts that write it.
///
/// @param brokenGang hears of a gang whose plan lapsed
/// @param lapses hears how many plans lapsed
record DecisionHandover(
    Gates gates, Evictions evictions, Consumer<String> brokenGang, IntConsumer lapses)
    implements Cycle.DecisionSink {
  @Override
  public void reserved(Decision.Reserve decision, List<Assumed> plans) {
    gates.take(plans);
  }

  @Override
  public void evict(List<Decision.Victim> victims) {
    evictions.take(victims);
  }

  @Override
  public void lapsed(List<Assumed> plans) {
    lapses.accept(plans.size());
    for (var assumed : plans) {
      if (assumed.plan().size() > 1) {
        brokenGang.accept(assumed.plan().gang());
      }
    }
  }
}
