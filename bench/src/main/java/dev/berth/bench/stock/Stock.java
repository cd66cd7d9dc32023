package dev.berth.bench.stock;

import dev.berth.bench.Options;
import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Fragmentation;
import dev.berth.bench.cluster.Policy;
import dev.berth.bench.http.Comparison;
import dev.berth.bench.ours.Ours;
import dev.berth.bench.ours.OursAsExtender;
import dev.berth.bench.packing.Bounds;
import dev.berth.bench.packing.Instance;
import dev.berth.bench.packing.PackingRun;
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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;

/// `berth bench stock`: what is left of a placement rule when a stock kube-scheduler applies it.
///
/// Berth in two modes. `filter`, for gated pods, as it ships: the plan is made first and `filter`
/// leaves one node. `score`, for ungated pods: kube-scheduler picks by Berth's scores 0 … 10 alone.
/// Peers score. These run in process; that it is what the product does is shown by pods that go
/// through it over HTTP.
public final class Stock {
  private static final List<String> TRACES = List.of("default", "cpu250", "multigpu50");
  private static final double NEAR = 0.2;

  private static final Setting ALL = new Setting("all nodes, fixed order", false, false, 100);
  private static final Setting TIES = new Setting("all nodes, random ties", false, true, 100);
  private static final Setting SAMPLED = new Setting("sampled, fixed order", true, false, 100);
  private static final Setting KUBE = new Setting("sampled, random, 0..10", true, true, 10);
  private static final List<Setting> SETTINGS = List.of(ALL, TIES, SAMPLED, KUBE);

  private static final String OVER_HTTP_TRACE = "default";
  private static final long OVER_HTTP_SEED = 42;
  private static final int OVER_HTTP_PODS = 2_000;

  private static final String FILTER = "filter";
  private static final String SCORE = "score";
  private static final String PACKING = "packing";
  private static final List<String> ANY = List.of(FILTER, PACKING); // whatever the setting

  private final Options options;
  private final PrintStream out;
  private final List<Trace> traces;
  private final long began = System.nanoTime();

  /// @param policy `filter`, `score`, or a peer's label
  /// @param attempts searches per pod until the planned node was found, in `filter`; else 0
  private record Result(
      String trace,
      Setting setting,
      String policy,
      long seed,
      double at100,
      double at130,
      double attempts,
      int mostAttempts) {}

  /// Means of one trace in one setting.
  private record Row(Trace trace, Setting setting, List<Result> all) {
    double[] values(String policy) {
      return all.stream()
          .filter(each -> each.policy.equals(policy))
          .mapToDouble(Result::at100)
          .toArray();
    }

    double mean(String policy) {
      return Paired.mean(values(policy));
    }
  }

  public Stock(Options options, PrintStream out) {
    this.options = options;
    this.out = out;
    traces = options.traces(TRACES);
  }

  public int run() {
    var results = options.inParallel(jobs());
    var bounds =
        options.inParallel(
            traces.stream()
                .map(trace -> (Callable<Bounds>) () -> Bounds.of(trace, options.seeds(), false))
                .toList());
    var rows = rows(results);
    out.println("ports     " + anchors(rows));
    print(rows);
    var goals = goals(rows);
    var overHttp = overHttp();
    for (Comparison each : overHttp) {
      out.println("HTTP      " + each.sentence());
      goals.add(each.goal());
    }
    goals.stream()
        .filter(goal -> !goal.isMet())
        .forEach(goal -> out.println("not met   " + goal.text()));
    write(results, bounds, overHttp, goals);
    plot(rows);
    summary(rows, bounds, goals);
    return 0;
  }

  /// The product behind its HTTP server, beside the engine in process; not in a quick run.
  private List<Comparison> overHttp() {
    if (options.quick()) {
      return List.of();
    }
    var trace = Trace.read(options.traces(), OVER_HTTP_TRACE);
    return List.of(Comparison.of(Instance.of(trace, OVER_HTTP_SEED), OVER_HTTP_PODS));
  }

  private List<Callable<Result>> jobs() {
    var jobs = new ArrayList<Callable<Result>>();
    for (Trace trace : traces) {
      for (long seed : options.seeds()) {
        jobs.add(() -> packing(trace, seed));
        jobs.add(() -> filter(trace, seed, KUBE));
        for (Setting setting : SETTINGS) {
          jobs.add(() ->
              result(
                  trace,
                  seed,
                  setting,
                  SCORE,
                  cluster ->
                      new ByScore(
                          cluster, new OursAsExtender(cluster), setting, Streams.TIES.of(seed))));
          for (Peer peer : options.peers()) {
            boolean runs = peer == Peer.FGD || peer == Peer.BEST_FIT || setting == KUBE;
            if (runs && peer != Peer.RANDOM) {
              jobs.add(() -> peer(trace, seed, setting, peer));
            }
          }
        }
      }
    }
    return jobs;
  }

  /// Without a kube-scheduler: what the other modes are to be near.
  private static Result packing(Trace trace, long seed) {
    return result(trace, seed, KUBE, PACKING, Ours::new);
  }

  /// The same run serves all settings: the plan does not depend on them, only how often
  /// kube-scheduler searches until it comes by the planned node.
  private Result filter(Trace trace, long seed, Setting setting) {
    var instance = Instance.of(trace, seed);
    var used = new ArrayList<ByFilter>();
    var run =
        PackingRun.of(
            instance,
            cluster -> {
              var policy = new ByFilter(cluster, new Ours(cluster), setting);
              used.add(policy);
              return policy;
            },
            fragmentation(instance));
    return new Result(
        trace.name(),
        setting,
        FILTER,
        seed,
        run.curve().allocation(100),
        run.curve().allocation(130),
        used.getFirst().attemptsPerPod(),
        used.getFirst().mostAttempts());
  }

  private Result peer(Trace trace, long seed, Setting setting, Peer peer) {
    return result(
        trace,
        seed,
        setting,
        peer.label(),
        cluster ->
            new ByScore(
                cluster,
                peer.asExtender(cluster, Fragmentation.of(trace, cluster), setting.levels()),
                setting,
                Streams.TIES.of(seed)));
  }

  private static Result result(
      Trace trace, long seed, Setting setting, String name, Function<Cluster, Policy> policy) {
    var instance = Instance.of(trace, seed);
    var run = PackingRun.of(instance, policy, fragmentation(instance));
    return new Result(
        trace.name(),
        setting,
        name,
        seed,
        run.curve().allocation(100),
        run.curve().allocation(130),
        0,
        0);
  }

  private static Fragmentation fragmentation(Instance instance) {
    return Fragmentation.of(instance.trace(), new Cluster(instance.trace(), instance.order()));
  }

  private List<Row> rows(List<Result> results) {
    var rows = new ArrayList<Row>();
    for (Trace trace : traces) {
      for (Setting setting : SETTINGS) {
        rows.add(
            new Row(
                trace,
                setting,
                results.stream()
                    .filter(each ->
                        each.trace.equals(trace.name())
                            && (each.setting == setting || ANY.contains(each.policy)))
                    .toList()));
      }
    }
    return rows;
  }

  /// How far the peers are from values that others measured, with five seeds.
  private String anchors(List<Row> rows) {
    var file = options.traces().resolve("anchors/fgd_stock_scheduler_setting.csv");
    if (!Files.exists(file)) {
      return "not compared (no anchors)";
    }
    double worst = 0;
    var where = "";
    int compared = 0;
    for (String[] anchor : Csv.rows(file)) {
      for (Row row : rows) {
        var setting = row.setting;
        boolean same =
            anchor[0].equals(row.trace.name())
                && anchor[2].equals(setting.randomTies() ? "random" : "fixed order")
                && anchor[3].equals(setting.samples() ? "488 sampled" : "all")
                && anchor[4].equals("0.." + setting.levels())
                && row.values(anchor[1]).length > 0;
        if (same) {
          double distance = row.mean(anchor[1]) - Double.parseDouble(anchor[5]);
          compared++;
          if (Math.abs(distance) > Math.abs(worst)) {
            worst = distance;
            where = anchor[1] + ", " + row.trace.name() + ", " + setting.label();
          }
        }
      }
    }
    return String.format(
        Locale.ROOT,
        "%d rows compared with earlier runs, worst %+.2f (%s)",
        compared,
        worst,
        where);
  }

  private void plot(List<Row> rows) {
    var seeds = options.seeds().size() + " seeds";
    var plot =
        new Plot(
            "GPUs allocated under the rules of a stock kube-scheduler",
            "1,213 nodes with 6,212 GPUs of a published trace, as many GPUs asked for; " + seeds);
    if (!options.peers().isEmpty()) {
      plot.rows(
          "Berth by scores − FGD",
          "points of all GPUs; bar: two standard errors",
          rows.stream().map(row -> dot(row, againstFgd(row))).toList());
    }
    plot.rows(
            "Berth by scores − Berth by filter",
            "points of all GPUs; bar: two standard errors",
            rows.stream()
                .map(row -> dot(row, Paired.of(row.values(SCORE), row.values(FILTER))))
                .toList())
        .write(options.target().resolve("stock.svg"));
  }

  private static Plot.Row dot(Row row, Paired difference) {
    return new Plot.Row(
        row.trace.name() + ", " + row.setting.label(), difference.mean(), difference.error());
  }

  private void print(List<Row> rows) {
    out.printf(
        Locale.ROOT,
        "%-11s %-24s %8s %8s %8s %8s   %-18s %s%n",
        "trace",
        "kube-scheduler",
        "filter",
        "score",
        "FGD",
        "BestFit",
        "score − filter",
        "score − FGD");
    for (Row row : rows) {
      out.printf(
          Locale.ROOT,
          "%-11s %-24s %8.2f %8.2f %8.2f %8.2f   %-18s %s%n",
          row.trace.name(),
          row.setting.label(),
          row.mean(FILTER),
          row.mean(SCORE),
          row.mean(Peer.FGD.label()),
          row.mean(Peer.BEST_FIT.label()),
          told(Paired.of(row.values(SCORE), row.values(FILTER))),
          row.values(Peer.FGD.label()).length == 0 ? "" : told(againstFgd(row)));
    }
    for (Row row : rows) {
      if (row.setting == KUBE) {
        var filtered = row.all.stream().filter(each -> each.policy.equals(FILTER)).toList();
        out.printf(
            Locale.ROOT,
            "%-11s %-24s %.2f searches a pod, %d at most, until the planned node is among the"
                + " sampled ones (1 with a nomination); others: %s%n",
            row.trace.name(),
            "filter without nomination",
            filtered.stream().mapToDouble(Result::attempts).average().orElse(0),
            filtered.stream().mapToInt(Result::mostAttempts).max().orElse(0),
            String.join(
                ", ",
                Stream.of(Peer.DOT_PROD, Peer.GPU_PACKING, Peer.GPU_CLUSTERING)
                    .map(peer ->
                        String.format(Locale.ROOT, "%s %.2f", peer.label(), row.mean(peer.label())))
                    .toList()));
      }
    }
  }

  private static Paired againstFgd(Row row) {
    return Paired.of(row.values(SCORE), row.values(Peer.FGD.label()));
  }

  private static String told(Paired paired) {
    return String.format(Locale.ROOT, "%+.2f ± %.2f", paired.mean(), paired.error());
  }

  private static List<Goal> goals(List<Row> rows) {
    var goals = new ArrayList<Goal>();
    for (Row row : rows) {
      if (row.setting == KUBE) {
        goals.add(
            new Goal(
                row.trace.name() + ": filter places as packing does, seed by seed",
                Arrays.equals(row.values(FILTER), row.values(PACKING))));
        double away = row.mean(SCORE) - row.mean(PACKING);
        goals.add(
            new Goal(
                String.format(
                    Locale.ROOT,
                    "%s: score with %s within %.1f of packing (%+.2f)",
                    row.trace.name(),
                    row.setting.label(),
                    NEAR,
                    away),
                Math.abs(away) <= NEAR));
      }
    }
    return goals;
  }

  private void summary(List<Row> rows, List<Bounds> bounds, List<Goal> goals) {
    var last = rows.stream().filter(row -> row.setting == KUBE).toList();
    double ours = last.stream().mapToDouble(row -> row.mean(SCORE)).average().orElseThrow();
    double fgd =
        last.stream().mapToDouble(row -> row.mean(Peer.FGD.label())).average().orElseThrow();
    out.printf(
        Locale.ROOT,
        "stock: ours %.1f  peer FGD %.1f  bound %.1f  ratio %.3f  ahead %d  level %d  behind %d"
            + "  goals %d/%d  %d s%n",
        ours,
        fgd,
        bounds.stream().mapToDouble(each -> Paired.mean(each.at100())).average().orElseThrow(),
        ours / fgd,
        count(last, Paired.Standing.AHEAD),
        count(last, Paired.Standing.LEVEL),
        count(last, Paired.Standing.BEHIND),
        goals.stream().filter(Goal::isMet).count(),
        goals.size(),
        (System.nanoTime() - began) / 1_000_000_000L);
  }

  private static long count(List<Row> rows, Paired.Standing standing) {
    return rows.stream()
        .filter(row -> row.values(Peer.FGD.label()).length > 0)
        .filter(row -> againstFgd(row).standing() == standing)
        .count();
  }

  private void write(
      List<Result> results, List<Bounds> bounds, List<Comparison> overHttp, List<Goal> goals) {
    var records = new ArrayList<Map<String, Object>>();
    for (Result result : results) {
      var record = new LinkedHashMap<String, Object>();
      record.put("trace", result.trace);
      record.put("setting", ANY.contains(result.policy) ? "any" : result.setting.label());
      record.put("policy", result.policy);
      record.put("seed", result.seed);
      record.put("alloc100", result.at100);
      record.put("alloc130", result.at130);
      record.put("searchesPerPod", result.attempts);
      records.add(record);
    }
    var most = new LinkedHashMap<String, Object>();
    bounds.forEach(each -> most.put(each.trace(), Paired.mean(each.at100())));
    new Document()
        .with("benchmark", "stock")
        .with("host", Host.describe(options.home()))
        .with("settings", PlannerSettings.DEFAULT.toString())
        .with("seeds", options.seeds())
        .with("unit", "percent of GPU capacity")
        .with("bound100", most)
        .with("records", records)
        .with("overHttp", overHttp.stream().map(Comparison::record).toList())
        .with(goals)
        .write(options.target().resolve("stock.json"));
  }
}
