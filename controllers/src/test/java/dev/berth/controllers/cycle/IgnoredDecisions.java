package dev.berth.controllers.cycle;

import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.model.Decision;
import java.util.List;

/// What a cycle decides and nothing carries out.
final class IgnoredDecisions implements Cycle.DecisionSink {
  @Override
  public void reserved(Decision.Reserve decision, List<Assumed> plans) {}

  @Override
  public void evict(List<Decision.Victim> victims) {}

  @Override
  public void lapsed(List<Assumed> plans) {}
}
