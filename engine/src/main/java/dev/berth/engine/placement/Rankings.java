package dev.berth.engine.placement;

import dev.berth.engine.model.Demand;
import dev.berth.engine.session.Room;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Shape;
import java.util.HashMap;
import java.util.Optional;

/// The nodes in order for each shape that was asked for, kept from plan to plan: a plan looks again
/// only at nodes that changed. A ranking that no plan has asked for lately is dropped.
public final class Rankings {
  private static final int PLANS = 64;

  /// Nodes in all rankings together: some 30 bytes each.
  private static final long MOST = 4_000_000;

  private final Session session;
  private final Room room;
  private final Strategy strategy;
  private final HashMap<Integer, Kept> kept = new HashMap<>(); // by shape; looked up only
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
    this.session = session;
    this.room = session.room();
    this.strategy = strategy;
  }

  /// A plan begins.
  public void begin() {
    plans++;
    var demand = session.snapshot().demand();
    if (strategy.isAdaptive() && demand != known) {
      known = demand;
      packing = Packing.of(demand, room);
    }
    if (plans % PLANS == 0 || (long) kept.size() * room.nodes() > MOST) {
      long since = plans - ((long) kept.size() * room.nodes() > MOST ? 1 : PLANS);
      kept.values().removeIf(each -> each.used < since);
    }
  }

  Strategy strategy() {
    return strategy;
  }

  Ranking of(Shape shape) {
    return kept(shape).ranking;
  }

  Refusals refusals(Shape shape) {
    var mine = kept(shape);
    if (mine.refusals.isEmpty()) {
      mine.refusals = Optional.of(new Refusals(room, shape));
    }
    return mine.refusals.get();
  }

  private Kept kept(Shape shape) {
    var mine =
        kept.computeIfAbsent(
            shape.id(), _ -> new Kept(new Ranking(room, shape, strategy, packing)));
    mine.ranking.use(packing);
    mine.used = plans;
    return mine;
  }
}
