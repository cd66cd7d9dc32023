package dev.berth.bench.http;

import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Policy;
import dev.berth.bench.cluster.Policy.Choice;
import dev.berth.bench.ours.Ours;
import dev.berth.bench.packing.Instance;
import dev.berth.bench.report.Goal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Predicate;

/// The same pods placed by the engine in process and by Berth over HTTP, as text: a line for each
/// pod with its name, and its node and GPU indexes or `refused`. The run over HTTP ends with the
/// first pod that is placed differently, or with a sentence where the product does not do as it
/// planned.
///
/// @param seconds of wall time that the run over HTTP took
public record Comparison(List<String> inProcess, List<String> overHttp, double seconds) {
  public Comparison {
    inProcess = List.copyOf(inProcess);
    overHttp = List.copyOf(overHttp);
  }

  /// @param pods the first ones of the instance, at most so many
  public static Comparison of(Instance instance, int pods) {
    var cluster = new Cluster(instance.trace(), instance.order());
    var inProcess = new ArrayList<String>();
    place(instance, pods, cluster, new Ours(cluster), inProcess, _ -> true);
    long began = System.nanoTime();
    var behindHttp = new Cluster(instance.trace(), instance.order());
    var overHttp = new ArrayList<String>();
    try (var berth = new OverHttp(behindHttp)) {
      place(
          instance,
          pods,
          behindHttp,
          berth,
          overHttp,
          line -> line.equals(inProcess.get(overHttp.size())));
      berth.settle();
    } catch (UnexpectedAnswer unexpected) {
      overHttp.add(String.valueOf(unexpected.getMessage())); // ends the run, and is no placement
    }
    return new Comparison(inProcess, overHttp, (System.nanoTime() - began) / 1e9);
  }

  /// @param goesOn asked about every line before it is one of `lines`; else it is the last
  private static void place(
      Instance instance,
      int pods,
      Cluster cluster,
      Policy policy,
      List<String> lines,
      Predicate<String> goesOn) {
    for (int pod = 0; pod < Math.min(pods, instance.arrivals().length); pod++) {
      int k = instance.arrivals()[pod];
      var choice = policy.place(pod, k);
      var line = line(pod, choice);
      boolean isLast = !goesOn.test(line);
      lines.add(line);
      if (isLast) {
        return;
      }
      if (!choice.isNowhere()) {
        cluster.take(choice.node(), k, choice.mask());
      }
    }
  }

  private static String line(int pod, Choice choice) {
    var name = "p" + (1_000_000 + pod);
    return choice.isNowhere()
        ? name + " refused"
        : name + " n" + choice.node() + " " + gpus(choice.mask());
  }

  private static String gpus(int mask) {
    var gpus = new StringJoiner(",").setEmptyValue("-");
    for (int left = mask; left != 0; left &= left - 1) {
      gpus.add(Integer.toString(Integer.numberOfTrailingZeros(left)));
    }
    return gpus.toString();
  }

  public Goal goal() {
    return new Goal(
        String.format(Locale.ROOT, "%,d pods over HTTP: the same placements", pods()), isEqual());
  }

  /// What came of it, for people.
  public String sentence() {
    return String.format(
        Locale.ROOT,
        "%,d pods through filter and bind in %.1f s, %,d refused: %s",
        pods(),
        seconds,
        refused(),
        firstDifference().orElse("the same placements as in process"));
  }

  /// What came of it, as a record of the results.
  public Map<String, Object> record() {
    var record = new LinkedHashMap<String, Object>();
    record.put("pods", pods());
    record.put("refused", refused());
    record.put("firstDifference", firstDifference().orElse(""));
    record.put("seconds", seconds);
    return record;
  }

  private int pods() {
    return inProcess.size();
  }

  private long refused() {
    return inProcess.stream().filter(line -> line.endsWith(" refused")).count();
  }

  public boolean isEqual() {
    return inProcess.equals(overHttp);
  }

  /// The lines of the first pod that differ; one of them is missing where a run is longer.
  private Optional<String> firstDifference() {
    for (int i = 0; i < Math.max(inProcess.size(), overHttp.size()); i++) {
      var one = lineOf(inProcess, i);
      var other = lineOf(overHttp, i);
      if (!one.equals(other)) {
        return Optional.of("in process \"" + one + "\", over HTTP \"" + other + "\"");
      }
    }
    return Optional.empty();
  }

  private static String lineOf(List<String> lines, int i) {
    return i < lines.size() ? lines.get(i) : "";
  }
}
