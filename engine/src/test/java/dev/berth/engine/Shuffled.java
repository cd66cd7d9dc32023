package dev.berth.engine;

import dev.berth.engine.model.Snapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// The same snapshot with its lists in another order.
final class Shuffled {
  private Shuffled() {}

  static Snapshot of(Snapshot snapshot, Random random) {
    return new Snapshot(
            snapshot.version(),
            snapshot.now(),
            shuffled(snapshot.nodes(), random),
            shuffled(snapshot.queues(), random),
            shuffled(snapshot.groups(), random),
            shuffled(snapshot.topologies(), random),
            snapshot.usage())
        .with(snapshot.budgets());
  }

  private static <T> List<T> shuffled(List<T> list, Random random) {
    var copy = new ArrayList<>(list);
    Collections.shuffle(copy, random);
    return copy;
  }
}
