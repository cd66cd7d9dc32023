package dev.berth.bench.bound;

import com.google.ortools.Loader;
import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import dev.berth.bench.trace.Ask;
import dev.berth.bench.trace.Machine;
import dev.berth.bench.trace.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/// An upper bound on the GPU thousandths that any policy can allocate, whether it knows the future
/// or not: the linear relaxation of packing, by column generation.
///
/// Nodes are aggregated by equal CPU, memory, GPUs and model, pods by equal requests. `x` counts
/// pods of a class on nodes of a class, `y` the GPUs of a node class that hold a pattern, that is a
/// multiset of shares of at most 1000. CPU-only pods allocate no GPU and are left out. Patterns are
/// added as long as one pays at the current prices. The model is kept from load to load, as only
/// the numbers of pods change.
///
/// One thread at a time.
public final class Bound implements AutoCloseable {
  private static final double PAYS = 1e-7;
  private static final int ROUNDS = 200;

  private final MPSolver solver;
  private final List<Ask> asks;
  private final MPConstraint[] demand; // by ask; null where it asks for no GPU
  private final List<Site> sites = new ArrayList<>();
  private final int[] sizes;
  private final Patterns patterns;

  /// Nodes of one class.
  private record Site(Machine like, MPConstraint gpus, MPConstraint[] shares, Set<String> known) {}

  static {
    Loader.loadNativeLibraries();
  }

  public Bound(Trace trace) {
    solver = MPSolver.createSolver("GLOP");
    asks = trace.asks();
    sizes = asks.stream().filter(Ask::isShare).mapToInt(Ask::milli).distinct().sorted().toArray();
    patterns = new Patterns(sizes);
    var objective = solver.objective();
    objective.setMaximization();
    demand = new MPConstraint[asks.size()];
    for (int k = 0; k < demand.length; k++) {
      if (!asks.get(k).isCpuOnly()) {
        demand[k] = solver.makeConstraint(-MPSolver.infinity(), 0);
      }
    }
    var counts = new LinkedHashMap<Machine, Integer>();
    for (Machine machine : trace.machines()) {
      counts.merge(
          new Machine("", machine.cpu(), machine.memory(), machine.gpus(), machine.model()),
          1,
          Integer::sum);
    }
    counts.forEach((like, count) -> add(like, count, objective));
  }

  private void add(Machine like, int count, MPObjective objective) {
    var cpu = solver.makeConstraint(-MPSolver.infinity(), (double) count * like.cpu());
    var memory = solver.makeConstraint(-MPSolver.infinity(), (double) count * like.memory());
    var gpus = solver.makeConstraint(-MPSolver.infinity(), (double) count * like.gpus());
    var shares = new MPConstraint[sizes.length];
    for (int s = 0; s < sizes.length; s++) {
      shares[s] = solver.makeConstraint(-MPSolver.infinity(), 0);
    }
    for (int k = 0; k < demand.length; k++) {
      var ask = asks.get(k);
      if (ask.isCpuOnly()
          || !ask.accepts(like.model())
          || ask.gpus() > like.gpus()
          || ask.cpu() > like.cpu()
          || ask.memory() > like.memory()) {
        continue;
      }
      var x = solver.makeNumVar(0, MPSolver.infinity(), "");
      objective.setCoefficient(x, ask.gpuMillis());
      demand[k].setCoefficient(x, 1);
      cpu.setCoefficient(x, ask.cpu());
      memory.setCoefficient(x, ask.memory());
      if (ask.isShare()) {
        shares[Arrays.binarySearch(sizes, ask.milli())].setCoefficient(x, 1);
      } else {
        gpus.setCoefficient(x, ask.gpus());
      }
    }
    var site = new Site(like, gpus, shares, new HashSet<>());
    sites.add(site);
    for (int s = 0; s < sizes.length; s++) { // to begin with, GPUs full of one size
      var counts = new int[sizes.length];
      counts[s] = 1000 / sizes[s];
      add(site, counts);
    }
  }

  private boolean add(Site site, int[] counts) {
    if (!site.known.add(Arrays.toString(counts))) {
      return false;
    }
    MPVariable y = solver.makeNumVar(0, MPSolver.infinity(), "");
    site.gpus.setCoefficient(y, 1);
    for (int s = 0; s < counts.length; s++) {
      if (counts[s] > 0) {
        site.shares[s].setCoefficient(y, -counts[s]);
      }
    }
    return true;
  }

  /// Thousandths of GPUs that can be allocated at most to so many pods of each class.
  public double of(double[] pods) {
    for (int k = 0; k < demand.length; k++) {
      if (demand[k] != null) {
        demand[k].setUb(pods[k]);
      }
    }
    for (int round = 0; round < ROUNDS; round++) {
      var status = solver.solve();
      if (status != MPSolver.ResultStatus.OPTIMAL) {
        throw new IllegalStateException("the linear programme is " + status);
      }
      double most = solver.objective().value(); // read before columns are added, as are the prices
      if (!extend(worthwhile())) {
        return most;
      }
    }
    throw new IllegalStateException("patterns still pay after " + ROUNDS + " rounds");
  }

  /// By site, the pattern that pays most at the current prices; all zero = none pays.
  private int[][] worthwhile() {
    var found = new int[sites.size()][sizes.length];
    for (int i = 0; i < found.length; i++) {
      var site = sites.get(i);
      var price = new double[sizes.length];
      for (int s = 0; s < price.length; s++) {
        price[s] = Math.max(0, site.shares[s].dualValue());
      }
      var counts = patterns.best(price);
      double worth = 0;
      for (int s = 0; s < price.length; s++) {
        worth += counts[s] * price[s];
      }
      double cost = site.gpus.dualValue();
      if (worth > cost + PAYS * Math.max(1, cost)) {
        found[i] = counts;
      }
    }
    return found;
  }

  /// @return whether any pattern is new
  private boolean extend(int[][] found) {
    boolean added = false;
    for (int i = 0; i < found.length; i++) {
      if (Arrays.stream(found[i]).anyMatch(count -> count > 0)) {
        added |= add(sites.get(i), found[i]);
      }
    }
    return added;
  }

  @Override
  public void close() {
    solver.delete();
  }
}
