package dev.berth.engine.placement;

import dev.berth.engine.model.Demand;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.PodClass;
import dev.berth.engine.session.Session;
import java.util.Optional;

/// The nodes in order for each shape that was asked for, kept from plan to plan: a plan looks again
/// only at nodes that changed.
public final class Rankings {
  /// Nodes in all rankings together: some 25 bytes each, twice as many where there is room.
  private static final long MOST = 12_000_000;

  private final Session session;
  private final FreeCapacity room;
  private final Strategy strategy;
  private final RecentCache<Integer, Kept> kept; // by shape
  private final IncludedNodes honoredNodes = new IncludedNodes();
  private final LargestAmounts largest;
  private Demand known = Demand.NONE;
  private Optional<PackingCost> packing = Optional.empty();

  private static final class Kept {
    private final Ranking ranking;
    private Optional<FitFailures> refusals = Optional.empty();

    Kept(Ranking ranking) {
      this.ranking = ranking;
    }
  }

  public Rankings(Session session, Strategy strategy) {
    this(session, strategy, MOST);
  }

  /// @param most nodes in all rankings together that are kept
  public Rankings(Session session, Strategy strategy, long most) {
    this.session = session;
    this.room = session.room();
    this.largest = new LargestAmounts(room);
    this.strategy = strategy;
    this.kept = new RecentCache<>(most / Math.max(1, room.nodes()));
  }

  /// How many shapes have a ranking.
  public int size() {
    return kept.size();
  }

  /// A plan begins.
  public void begin() {
    kept.begin();
    honoredNodes.begin();
    var demand = session.snapshot().demand();
    if (strategy.isAdaptive() && demand != known) {
      known = demand;
      packing = PackingCost.of(demand, room);
    }
  }

  Strategy strategy() {
    return strategy;
  }

  IncludedNodes honoredNodes() {
    return honoredNodes;
  }

  LargestAmounts largest() {
    return largest;
  }

  Ranking of(PodClass podClass) {
    return kept(podClass).ranking;
  }

  FitFailures refusals(PodClass podClass) {
    var mine = kept(podClass);
    if (mine.refusals.isEmpty()) {
      mine.refusals = Optional.of(new FitFailures(room, podClass, mine.ranking));
    }
    return mine.refusals.get();
  }

  private Kept kept(PodClass podClass) {
    var mine =
        kept.get(podClass.id(), () -> new Kept(new Ranking(room, podClass, strategy, packing)));
    mine.ranking.use(packing);
    return mine;
  }
}
