package dev.berth.engine.placement;

import dev.berth.engine.model.Demand;
import dev.berth.engine.model.Demand.ArrivalClass;
import java.util.Arrays;
import java.util.List;

/// What a GPU of each model costs a pod that could use another one, from 0 to 1.
///
/// The expected demand is scaled so that it fills the supply: what is free and what was given back
/// of late. Each class of pods divides among the models that it accepts, by free capacity and
/// price. The price of a model rises while more is asked of it than is free, and falls otherwise:
/// the dual ascent of a transport problem with an entropy term. A model that only flexible pods ask
/// for costs nothing; one that is needed by pods that accept no other is left to them.
final class ModelPrices {
  private static final int ROUNDS = 400;

  /// The difference of prices at which a class prefers one model e-fold over another.
  private static final double TEMPERATURE = 0.1;

  private static final double STEP = 0.3 * TEMPERATURE;

  private final List<String> models;
  private final double[] free;
  private final boolean[][] accepts; // by class and model
  private final double[][] parts; // by class and model: where its pods go
  private final double[] prices;

  /// @param millis by class: thousandths of GPUs that its pods ask for, weighted
  ModelPrices(Demand demand, double[] millis) {
    models = List.copyOf(demand.supplyMillis().keySet());
    free = new double[models.size()];
    prices = new double[free.length];
    for (int m = 0; m < free.length; m++) {
      free[m] = demand.supplyMillis().getOrDefault(models.get(m), 0L);
    }
    var classes = demand.classes();
    accepts = new boolean[classes.size()][free.length];
    parts = new double[classes.size()][free.length];
    for (int c = 0; c < accepts.length; c++) {
      accepts(classes.get(c), accepts[c]);
    }
    double total = Arrays.stream(millis).sum();
    double room = Arrays.stream(free).sum();
    if (total <= 0 || room <= 0) {
      return;
    }
    for (int round = 0; round < ROUNDS && isAnyChoosy(); round++) {
      raise(load(millis, room / total));
    }
    var _ = load(millis, room / total);
  }

  private void accepts(ArrivalClass asks, boolean[] row) {
    for (int m = 0; m < row.length; m++) {
      row[m] = asks.models().accepts(models.get(m));
    }
  }

  private boolean isAnyChoosy() {
    for (boolean[] row : accepts) {
      for (boolean each : row) {
        if (!each) {
          return true;
        }
      }
    }
    return false;
  }

  private double[] load(double[] millis, double scale) {
    var weights = new double[free.length];
    for (int m = 0; m < weights.length; m++) {
      weights[m] = free[m] * StrictMath.exp(-prices[m] / TEMPERATURE);
    }
    var load = new double[free.length];
    for (int c = 0; c < accepts.length; c++) {
      double sum = 0;
      for (int m = 0; m < weights.length; m++) {
        sum += accepts[c][m] ? weights[m] : 0;
      }
      for (int m = 0; m < weights.length && sum > 0; m++) {
        parts[c][m] = accepts[c][m] ? weights[m] / sum : 0;
        load[m] += scale * millis[c] * parts[c][m];
      }
    }
    return load;
  }

  private void raise(double[] load) {
    for (int m = 0; m < free.length; m++) {
      if (free[m] > 0) {
        double change = STEP * StrictMath.log(Math.max(load[m], 1e-9) / free[m]);
        prices[m] = Math.clamp(prices[m] + change, 0, 1);
      }
    }
  }

  /// Where no GPU of the model was free the price is 0.
  double price(String model) {
    int m = models.indexOf(model);
    return m < 0 ? 0 : prices[m];
  }

  /// How much more often than by chance pods of a class come to a model; 1 = as often.
  double rate(int c, String model) {
    int m = models.indexOf(model);
    double room = Arrays.stream(free).sum();
    return m < 0 || free[m] <= 0 ? 1 : parts[c][m] * room / free[m];
  }
}
