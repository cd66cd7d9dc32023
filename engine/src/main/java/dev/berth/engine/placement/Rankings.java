package dev.berth.engine.placement;

import dev.berth.engine.model.Demand;
import dev.berth.engine.session.Room;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Shape;
import java.util.LinkedHashMap;
import java.util.Optional;

/// The nodes in order for each shape that was asked for, kept from plan to plan: a plan looks again
/// only at nodes that changed. A ranking that no plan has asked for lately is dropped, and where
/// there are too many of them the one that was asked for longest ago.
public final class Rankings {
  private static final int PLANS = 64;

  /// Nodes in all rankings together: some 25 bytes each, twice as many where there is room.
  private static final long MOST = 12_000_000;

  private final Session session;
  private final Room room;
  private final Strategy strategy;
  private final long most;
  private final LinkedHashMap<Integer, Kept> kept = // by shape, the one asked for last at the end
      new LinkedHashMap<>(16, 0.75f, true);
  private final HonoredNodes honoredNodes = new HonoredNodes();
  private Demand known = Demand.NONE;
  private Optional<Packing> packing = Optional.empty();
  private long plans;

  private static final class Kept {
    private final Ranking ranking;
    private Optional<Refusals> refusals = Optional.empty();
    private long used;

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
    this.strategy = strategy;
    this.most = most;
  }

  /// How many shapes have a ranking.
  public int size() {
    return kept.size();
  }

  /// A plan begins.
  public void begin() {
    plans++;
    honoredNodes.begin();
    var demand = session.snapshot().demand();
    if (strategy.isAdaptive() && demand != known) {
      known = demand;
      packing = Packing.of(demand, room);
    }
    if (plans % PLANS == 0) {
      kept.values().removeIf(each -> each.used < plans - PLANS);
    }
  }

  Strategy strategy() {
    return strategy;
  }

  HonoredNodes honoredNodes() {
    return honoredNodes;
  }

  Ranking of(Shape shape) {
    return kept(shape).ranking;
  }

  Refusals refusals(Shape shape) {
    var mine = kept(shape);
    if (mine.refusals.isEmpty()) {
      mine.refusals = Optional.of(new Refusals(room, shape, mine.ranking));
    }
    return mine.refusals.get();
  }

  private Kept kept(Shape shape) {
    var mine = kept.get(shape.id());
    if (mine == null) {
      makeWay();
      mine = new Kept(new Ranking(room, shape, strategy, packing));
      kept.put(shape.id(), mine);
    }
    mine.ranking.use(packing);
    mine.used = plans;
    return mine;
  }

  /// Where all are asked for one after the other, plan by plan, whoever goes was asked for last:
  /// the others stay for the next plan.
  private void makeWay() {
    while (!kept.isEmpty() && (kept.size() + 1L) * room.nodes() > most) {
      kept.remove(kept.lastEntry().getKey());
    }
  }
}
