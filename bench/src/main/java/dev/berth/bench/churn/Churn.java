package dev.berth.bench.churn;

import dev.berth.bench.Options;
import dev.berth.bench.bound.Bound;
import dev.berth.bench.cluster.Fragmentation;
import dev.berth.bench.ours.Ours;
import dev.berth.bench.packing.Streams;
import dev.berth.bench.peers.Peer;
import dev.berth.bench.report.Document;
import dev.berth.bench.report.Goal;
import dev.berth.bench.report.Host;
import dev.berth.bench.report.Paired;
import dev.berth.bench.report.Plot;
import dev.berth.bench.trace.Trace;
import dev.berth.bench.trace.Trace.Csv;
import dev.berth.engine.PlannerSettings;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/// `berth bench churn`: a loss system with departures, five pod lists at three loads.
public final class Churn {
  private static final List<String> TRACES =
      List.of("default", "cpu250", "multigpu50", "gpuspec33", "gpushare100");
  private static final int[] LOADS = {95, 110, 130};
  private static final String OURS = "ours";
  private static final double TOLERANCE = 2;
  private static final int AHEAD = 10;
  private static final double SCARCE = 90; // of gpuspec33 at 95 %

  private final Options options;
  private final PrintStream out;
  private final List<Trace> traces;
  private final long began = System.nanoTime();

  private record Result(String trace, int load, String policy, long seed, ChurnRun run) {}

  /// One trace at one load.
  ///
  /// @param bound of what can be accepted in the long run, percent
  private record Row(String trace, int load, double bound, List<Result> all) {
    double[] accepted(String policy) {
      return all.stream()
          .filter(each -> each.policy.equals(policy))
          .mapToDouble(each -> each.run.accepted())
          .toArray();
    }

    double allocation(String policy) {
      return all.stream()
          .filter(each -> each.policy.equals(policy))
          .mapToDouble(each -> each.run.allocation())
          .average()
          .orElse(Double.NaN);
    }

    double lostCpuOnly(String policy) {
      return all.stream()
          .filter(each -> each.policy.equals(policy))
          .mapToDouble(each -> each.run.lostCpuOnly())
          .average()
          .orElse(Double.NaN);
    }

    /// The peer that accepts most here.
    String best() {
      var best = "";
      for (Result each : all) {
        boolean better =
            best.isEmpty() || Paired.mean(accepted(each.policy)) > Paired.mean(accepted(best));
        if (!each.policy.equals(OURS) && better) {
          best = each.policy;
        }
      }
      return best;
    }

    Paired d() {
      return Paired.of(accepted(OURS), accepted(best()));
    }

    String name() {
      return trace + " " + load + " %";
    }
  }

  public Churn(Options options, PrintStream out) {
    this.options = options;
    this.out = out;
    traces = options.traces(TRACES);
  }

  /// @return the exit code: 1 where a port does not reproduce
  public int run() {
    var peers = options.inParallel(jobs(true));
    var ports = ports(peers);
    out.println("ports     " + ports.text());
    if (!ports.isReproduced()) {
      out.println("churn: a port does not reproduce what is known of it: nothing is compared");
      return 1;
    }
    var bounds = options.inParallel(bounds());
    var all = new ArrayList<>(peers);
    all.addAll(options.inParallel(jobs(false)));
    var rows = new ArrayList<Row>();
    for (int t = 0; t < traces.size(); t++) {
      for (int l = 0; l < LOADS.length; l++) {
        rows.add(row(traces.get(t).name(), LOADS[l], bounds.get(t)[l], all));
      }
    }
    if (options.peers().isEmpty()) {
      rows.forEach(row ->
          out.printf(
              Locale.ROOT,
              "%-18s ours %.2f allocated, %.2f accepted%n",
              row.name(),
              row.allocation(OURS),
              Paired.mean(row.accepted(OURS))));
      return 0;
    }
    print(rows);
    var goals = goals(rows);
    goals.stream()
        .filter(goal -> !goal.isMet())
        .forEach(goal -> out.println("not met   " + goal.text()));
    write(rows, ports.text(), goals);
    plot(rows);
    summary(rows, goals);
    return 0;
  }

  private static Row row(String trace, int load, double bound, List<Result> all) {
    return new Row(
        trace,
        load,
        bound,
        all.stream().filter(each -> each.trace.equals(trace) && each.load == load).toList());
  }

  private List<Callable<Result>> jobs(boolean peers) {
    var jobs = new ArrayList<Callable<Result>>();
    for (Trace trace : traces) {
      for (int load : LOADS) {
        for (long seed : options.seeds()) {
          if (!peers) {
            jobs.add(() ->
                new Result(
                    trace.name(),
                    load,
                    OURS,
                    seed,
                    ChurnRun.of(ArrivalTrace.of(trace, seed, load / 100.0), Ours::new)));
            continue;
          }
          for (Peer peer : options.peers()) {
            jobs.add(() ->
                new Result(
                    trace.name(),
                    load,
                    peer.label(),
                    seed,
                    ChurnRun.of(
                        ArrivalTrace.of(trace, seed, load / 100.0),
                        cluster ->
                            peer.on(
                                cluster,
                                Fragmentation.of(trace, cluster),
                                Streams.PEER.of(seed)))));
          }
        }
      }
    }
    return jobs;
  }

  /// By trace, and then by load: what can be accepted of traffic that is as it is on the average.
  private List<Callable<double[]>> bounds() {
    var jobs = new ArrayList<Callable<double[]>>();
    for (Trace trace : traces) {
      jobs.add(() -> {
        var most = new double[LOADS.length];
        try (var bound = new Bound(trace)) {
          for (int l = 0; l < most.length; l++) {
            double load = LOADS[l] / 100.0;
            double each = ArrivalTrace.rate(trace, load) / trace.pods().length;
            var pods = new double[trace.asks().size()];
            for (int k : trace.pods()) {
              pods[k] += each;
            }
            most[l] = Math.min(100, 100 * bound.of(pods) / trace.capacity() / load);
          }
        }
        return most;
      });
    }
    return jobs;
  }

  private record Check(String text, boolean isReproduced) {}

  /// Against a simulation of three seeds by others, of the policies that are peers here.
  private Check ports(List<Result> results) {
    var file = options.traces().resolve("anchors/churn_reference.csv");
    if (!Files.exists(file)) {
      return new Check("not compared (no anchors)", true);
    }
    int compared = 0;
    int reproduced = 0;
    double worst = 0;
    var where = "";
    for (String[] anchor : Csv.rows(file)) {
      var row = row(anchor[0], Integer.parseInt(anchor[3]), Double.NaN, results);
      if (row.accepted(anchor[1]).length == 0) {
        continue;
      }
      double distance =
          Math.max(
              Math.abs(row.allocation(anchor[1]) - Double.parseDouble(anchor[4])),
              Math.abs(Paired.mean(row.accepted(anchor[1])) - Double.parseDouble(anchor[6])));
      compared++;
      reproduced += distance <= TOLERANCE ? 1 : 0;
      if (distance > worst) {
        worst = distance;
        where = anchor[1] + ", " + row.name();
      }
    }
    return new Check(
        String.format(
            Locale.ROOT,
            "%d/%d within %.0f points of an earlier simulation (worst %.2f, %s)",
            reproduced,
            compared,
            TOLERANCE,
            worst,
            where),
        reproduced == compared);
  }

  private void print(List<Row> rows) {
    out.printf(
        Locale.ROOT,
        "%-18s %8s %8s %-14s %8s %9s   %-14s %-8s %-18s %s%n",
        "accepted",
        "ours",
        "peer",
        "",
        "bound",
        "ours/peer",
        "d ± se",
        "",
        "allocated: ours, peer",
        "CPU-only lost, ours / peer");
    for (Row row : rows) {
      var best = row.best();
      double ours = Paired.mean(row.accepted(OURS));
      double peer = Paired.mean(row.accepted(best));
      out.printf(
          Locale.ROOT,
          "%-18s %8.2f %8.2f %-14s %8.2f %9.4f   %-14s %-8s %-21s %.1f / %.1f%n",
          row.name(),
          ours,
          peer,
          best,
          row.bound,
          ours / peer,
          String.format(Locale.ROOT, "%+.2f ± %.2f", row.d().mean(), row.d().error()),
          row.d().standing().name().toLowerCase(Locale.ROOT),
          String.format(Locale.ROOT, "%.2f  %.2f", row.allocation(OURS), row.allocation(best)),
          row.lostCpuOnly(OURS),
          row.lostCpuOnly(best));
    }
  }

  private static List<Goal> goals(List<Row> rows) {
    var goals = new ArrayList<Goal>();
    var behind =
        rows.stream()
            .filter(row -> row.d().standing() == Paired.Standing.BEHIND)
            .map(Row::name)
            .toList();
    goals.add(
        new Goal(
            "not behind the best peer in any row"
                + (behind.isEmpty() ? "" : "; behind: " + String.join(", ", behind)),
            behind.isEmpty()));
    long ahead = count(rows, Paired.Standing.AHEAD);
    goals.add(
        new Goal(
            "ahead of the best peer in " + AHEAD + " rows of 15 (" + ahead + ")", ahead >= AHEAD));
    for (Row row : rows) {
      if (row.trace.equals("gpuspec33") && row.load == LOADS[0]) {
        double accepted = Paired.mean(row.accepted(OURS));
        goals.add(
            new Goal(
                String.format(
                    Locale.ROOT, "%s accepts ≥ %.0f %% (%.2f)", row.name(), SCARCE, accepted),
                accepted >= SCARCE));
      }
    }
    return goals;
  }

  private static long count(List<Row> rows, Paired.Standing standing) {
    return rows.stream().filter(row -> row.d().standing() == standing).count();
  }

  private void summary(List<Row> rows, List<Goal> goals) {
    double ours =
        rows.stream().mapToDouble(row -> Paired.mean(row.accepted(OURS))).average().orElseThrow();
    double peer =
        rows.stream()
            .mapToDouble(row -> Paired.mean(row.accepted(row.best())))
            .average()
            .orElseThrow();
    out.printf(
        Locale.ROOT,
        "churn: ours %.1f  peer best %.1f  bound %.1f  ratio %.3f  ahead %d  level %d  behind %d"
            + "  goals %d/%d  %d s%n",
        ours,
        peer,
        rows.stream().mapToDouble(Row::bound).average().orElseThrow(),
        ours / peer,
        count(rows, Paired.Standing.AHEAD),
        count(rows, Paired.Standing.LEVEL),
        count(rows, Paired.Standing.BEHIND),
        goals.stream().filter(Goal::isMet).count(),
        goals.size(),
        (System.nanoTime() - began) / 1_000_000_000L);
  }

  private void plot(List<Row> rows) {
    new Plot(
            "GPUs accepted while pods come and go",
            "Pods that do not fit when they come are lost; 1,213 nodes with 6,212 GPUs; "
                + options.seeds().size()
                + " seeds")
        .rows(
            "Berth − best peer of the row",
            "points of offered GPUs accepted; bar: two standard errors",
            rows.stream()
                .map(row -> new Plot.Row(row.name(), row.d().mean(), row.d().error()))
                .toList())
        .rows(
            "Berth − FGD",
            "points of offered GPUs accepted; bar: two standard errors",
            rows.stream()
                .filter(row -> row.accepted(Peer.FGD.label()).length > 0)
                .map(row -> {
                  var d = Paired.of(row.accepted(OURS), row.accepted(Peer.FGD.label()));
                  return new Plot.Row(row.name(), d.mean(), d.error());
                })
                .toList())
        .write(options.target().resolve("churn.svg"));
  }

  private void write(List<Row> rows, String ports, List<Goal> goals) {
    var records = new ArrayList<Map<String, Object>>();
    for (Row row : rows) {
      for (long seed : options.seeds()) {
        var record = new LinkedHashMap<String, Object>();
        record.put("trace", row.trace);
        record.put("load", row.load);
        record.put("seed", seed);
        record.put("bound", row.bound);
        row.all.stream()
            .filter(each -> each.seed == seed)
            .forEach(each ->
                record.put(
                    each.policy,
                    Map.of(
                        "accepted", each.run.accepted(),
                        "allocation", each.run.allocation(),
                        "lostCpuOnly", each.run.lostCpuOnly())));
        records.add(record);
      }
    }
    new Document()
        .with("benchmark", "churn")
        .with("host", Host.describe(options.home()))
        .with("settings", PlannerSettings.DEFAULT.toString())
        .with("seeds", options.seeds())
        .with("unit", "accepted: percent of offered GPUs; allocation: percent of capacity")
        .with("ports", ports)
        .with("records", records)
        .with(goals)
        .write(options.target().resolve("churn.json"));
  }
}
