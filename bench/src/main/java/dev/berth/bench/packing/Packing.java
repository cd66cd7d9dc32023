package dev.berth.bench.packing;

import dev.berth.bench.Options;
import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Fragmentation;
import dev.berth.bench.ours.Ours;
import dev.berth.bench.peers.Peer;
import dev.berth.bench.report.Document;
import dev.berth.bench.report.Goal;
import dev.berth.bench.report.Host;
import dev.berth.bench.trace.Trace;
import dev.berth.engine.PlannerSettings;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/// `berth bench packing`: 17 published pod lists, each brought to 130 % of the cluster's GPUs.
/// First the ports of other rules are compared with what is published of them, then Berth runs.
public final class Packing {
  static final String OURS = "ours";

  private static final int FURTHER = 2;

  private final Options options;
  private final PrintStream out;
  private final List<Trace> traces;
  private final long began = System.nanoTime();

  public Packing(Options options, PrintStream out) {
    this.options = options;
    this.out = out;
    traces = options.traces(Trace.NAMES);
  }

  /// @return the exit code: 1 where a port does not reproduce
  public int run() {
    var names = traces.stream().map(Trace::name).toList();
    var peers = new Results(options.inParallel(jobs(options.peers())));
    var checks = checks(peers, names);
    out.println(
        "ports     "
            + checks.stream().map(PortChecks.Check::text).collect(Collectors.joining(" · "))
            + "       reproduced first");
    if (!checks.stream().allMatch(PortChecks.Check::isReproduced)) {
      out.println("packing: a port does not reproduce its published results: nothing is compared");
      return 1;
    }
    var bounds = options.inParallel(bounds());
    out.println("          " + Bounds.compare(bounds, options.traces(), options.seeds().size()));
    var all = new ArrayList<>(peers.all());
    all.addAll(options.inParallel(jobs(List.of())));
    var results = new Results(all);
    var rows = bounds.stream().map(each -> Row.of(each, results)).toList();
    Table.print(rows, out);
    var goals = Goals.of(rows);
    goals.stream()
        .filter(goal -> !goal.isMet())
        .forEach(goal -> out.println("not met   " + goal.text()));
    var repairs = options.inParallel(repairs());
    if (!repairs.isEmpty()) {
      Repairs.print(repairs, out);
    }
    write(results, bounds, checks, goals, repairs);
    Picture.write(rows, bounds.getFirst(), results, options);
    Table.summary(rows, goals, (System.nanoTime() - began) / 1_000_000_000L, out);
    return 0;
  }

  /// @param peers schedulers to run; empty = ours
  private List<Callable<Result>> jobs(List<Peer> peers) {
    var jobs = new ArrayList<Callable<Result>>();
    for (Trace trace : traces) {
      for (long seed : options.seeds()) {
        if (peers.isEmpty()) {
          jobs.add(() -> ours(Instance.of(trace, seed)));
        }
        for (Peer peer : peers) {
          jobs.add(() -> peer(Instance.of(trace, seed), peer));
        }
      }
    }
    return jobs;
  }

  /// Seeds beyond those of the run are for traces on which a port seems not to reproduce.
  private List<PortChecks.Check> checks(Results peers, List<String> names) {
    var ports = new PortChecks(options.traces());
    int seeds = options.seeds().size();
    var checks = ports.check(peers, names, options.peers(), seeds);
    var further = new ArrayList<Callable<Result>>();
    for (PortChecks.Check check : checks) {
      for (String name : check.beyond()) {
        out.println(
            "          "
                + check.text()
                + ": "
                + FURTHER * seeds
                + " further seeds for "
                + check.peer().label()
                + " on "
                + name);
        var trace = traces.get(names.indexOf(name));
        for (long seed = 0; seed < (long) FURTHER * seeds; seed++) {
          long another = options.seeds().getLast() + 1 + seed;
          further.add(() -> peer(Instance.of(trace, another), check.peer()));
        }
      }
    }
    if (further.isEmpty()) {
      return checks;
    }
    var all = new ArrayList<>(peers.all());
    all.addAll(options.inParallel(further));
    return ports.check(new Results(all), names, options.peers(), seeds);
  }

  private List<Callable<Bounds>> bounds() {
    var jobs = new ArrayList<Callable<Bounds>>();
    for (Trace trace : traces) {
      jobs.add(() -> Bounds.of(trace, options.seeds(), trace == traces.getFirst()));
    }
    return jobs;
  }

  /// Of the traces with a value to reach.
  private List<Callable<Repairs.Result>> repairs() {
    var jobs = new ArrayList<Callable<Repairs.Result>>();
    var seeds = options.seeds().subList(0, Math.min(Repairs.SEEDS, options.seeds().size()));
    for (Trace trace : traces) {
      if (Goals.traces().contains(trace.name())) {
        seeds.forEach(seed -> jobs.add(() -> Repairs.of(Instance.of(trace, seed))));
      }
    }
    return jobs;
  }

  private static Result ours(Instance instance) {
    return Result.of(OURS, instance, PackingRun.of(instance, Ours::new, fragmentation(instance)));
  }

  private static Result peer(Instance instance, Peer peer) {
    var fragmentation = fragmentation(instance);
    return Result.of(
        peer.label(),
        instance,
        PackingRun.of(
            instance,
            cluster -> peer.on(cluster, fragmentation, Streams.PEER.of(instance.seed())),
            fragmentation));
  }

  static Fragmentation fragmentation(Instance instance) {
    return Fragmentation.of(instance.trace(), new Cluster(instance.trace(), instance.order()));
  }

  private void write(
      Results results,
      List<Bounds> bounds,
      List<PortChecks.Check> checks,
      List<Goal> goals,
      List<Repairs.Result> repairs) {
    new Document()
        .with("benchmark", "packing")
        .with("host", Host.describe(options.home()))
        .with("settings", PlannerSettings.DEFAULT.toString())
        .with("seeds", options.seeds())
        .with("unit", "percent of GPU capacity; fragRatio: percent of what is free")
        .with("ports", checks.stream().map(PortChecks.Check::text).toList())
        .with("bound", Bounds.compare(bounds, options.traces(), options.seeds().size()))
        .with("records", records(results, bounds))
        .with("moves", repairs.stream().map(Repairs.Result::numbers).toList())
        .with(goals)
        .write(options.target().resolve("packing.json"));
  }

  /// One for each trace and seed, with all policies.
  private List<Map<String, Object>> records(Results results, List<Bounds> bounds) {
    var records = new ArrayList<Map<String, Object>>();
    for (Trace trace : traces) {
      var bound = bounds.get(traces.indexOf(trace));
      for (int i = 0; i < options.seeds().size(); i++) {
        long seed = options.seeds().get(i);
        var record = new LinkedHashMap<String, Object>();
        record.put("trace", trace.name());
        record.put("seed", seed);
        record.put("bound100", rounded(bound.at100()[i]));
        record.put("bound130", rounded(bound.at130()[i]));
        results.all().stream()
            .filter(each -> each.trace().equals(trace.name()) && each.seed() == seed)
            .forEach(each -> record.put(each.policy(), numbers(each)));
        records.add(record);
      }
    }
    return records;
  }

  private static Map<String, Object> numbers(Result result) {
    var numbers = new LinkedHashMap<String, Object>();
    numbers.put("alloc100", rounded(result.at100().allocation()));
    numbers.put("alloc130", rounded(result.at130().allocation()));
    numbers.put("frag100", rounded(result.at100().fragmented()));
    numbers.put("frag130", rounded(result.at130().fragmented()));
    numbers.put("fragRatio100", rounded(result.at100().ratio()));
    numbers.put("fragRatio130", rounded(result.at130().ratio()));
    numbers.put("refused", result.refused());
    numbers.put("refusedCpuOnly", result.refusedCpuOnly());
    numbers.put("seconds", rounded(result.seconds()));
    return numbers;
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
