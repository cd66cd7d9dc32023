package dev.berth.engine.placement;

import dev.berth.engine.model.Demand;
import dev.berth.engine.model.Demand.ArrivalClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What places for pods are worth that only few nodes still have, such as eight free GPUs together
/// or many CPUs.
///
/// As long as most pods find room, a GPU more or less for them is worth nothing, and a pod is
/// refused for the shape of what is free. So a place for a class of pods is worth the GPUs of its
/// arrivals, the more the fewer places there are: `part · WORTH · exp(−places / FEW)`. All is worth
/// less the more of all arrivals find no room: in a cluster that cannot take what comes, nothing is
/// kept for other pods, and free parts count by what is expected to fill them ([FillTable]).
///
/// A function of [Demand].
final class Scarcity {
  /// So many places for a class are few.
  private static final double FEW = 10;

  /// The worth of the last place, by the rate at which GPUs are asked for with such a place.
  private static final double WORTH = 150;

  /// What a pod without GPUs counts, in GPUs.
  private static final double CPU_ONLY = 1.0 / 3;

  /// Where less than this part of the GPUs asked for has room, nothing is kept for other pods.
  private static final double SATURATED = 0.7;

  private static final int MOST_CLASSES = 64;
  private static final double NOTHING = 1e-6;

  private final List<Scarce> classes;

  /// Pods of one class.
  ///
  /// @param worth of one more place for them, in GPUs
  private record Scarce(ArrivalClass asks, double worth) {}

  Scarcity(Demand demand, long memoryMib) {
    double all = 0;
    double found = 0;
    for (ArrivalClass asks : demand.classes()) {
      double gpus = asks.count() * gpus(asks, memoryMib);
      all += gpus;
      found += gpus * (1 - lack(asks));
    }
    double ease = all == 0 ? 0 : Math.clamp((found / all - SATURATED) / (1 - SATURATED), 0, 1);
    var scarce = new ArrayList<Scarce>();
    for (ArrivalClass asks : demand.classes()) {
      double gpus = gpus(asks, memoryMib);
      double part = all == 0 ? 0 : asks.count() * (gpus > 0 ? gpus : CPU_ONLY) / all;
      double worth = ease * part * WORTH * lack(asks);
      if (worth > NOTHING) {
        scarce.add(new Scarce(asks, worth));
      }
    }
    scarce.sort(Comparator.comparingDouble(each -> -each.worth));
    classes = List.copyOf(scarce.subList(0, Math.min(MOST_CLASSES, scarce.size())));
  }

  private static double gpus(ArrivalClass asks, long memoryMib) {
    return asks.devices().count() * asks.millisOn(memoryMib) / 1000.0;
  }

  /// How badly places for a class are wanted: from 0, plenty, to 1, none.
  private static double lack(ArrivalClass asks) {
    return StrictMath.exp(-asks.places() / FEW);
  }

  OnKind on(String model, long memoryMib) {
    var accepted =
        classes.stream()
            .filter(each -> each.asks.devices().count() == 0 || each.asks.models().accepts(model))
            .toList();
    return new OnKind(accepted, memoryMib);
  }

  /// What holds for nodes of one kind.
  record OnKind(List<Scarce> classes, long memoryMib) {
    /// What the places on a node are worth, in GPUs.
    double worth(FreeOnNode free) {
      double worth = 0;
      for (Scarce each : classes) {
        worth +=
            each.worth
                * each.asks.places(
                    free.cpu(), free.whole(), free.parts(), free.shared(), memoryMib);
      }
      return worth;
    }
  }
}
