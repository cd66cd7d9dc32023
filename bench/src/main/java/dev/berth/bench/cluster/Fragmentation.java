package dev.berth.bench.cluster;

import dev.berth.bench.trace.Ask;
import dev.berth.bench.trace.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// How many free GPU thousandths of a node the typical pods of a trace cannot use, as
/// *Fragmentation Gradient Descent* (USENIX ATC 2023) defines it.
///
/// Typical classes: requests (CPU, share, GPUs, models) of the whole list by how often they occur,
/// CPU-only ones included, until they cover 95 % of the pods. For a class that cannot run on the
/// node, and for every CPU-only class, all free thousandths count; else those of the GPUs that have
/// less free than the class asks of one.
///
/// Values are integers, thousandths × pods: divided by [#covered] they are thousandths. Rounding
/// therefore never decides between two nodes. They are kept by (model, which classes find CPU, free
/// thousandths in order), as states recur.
public final class Fragmentation {
  private static final double COVERED = 0.95;
  private static final int MOST = 1 << 20;

  private final Typical[][] byModel; // classes with GPUs that accept the model, least CPU first
  private final long[] never; // pods that can never run on this model
  private final int covered;
  private long[] keys;
  private long[] values;
  private int size;
  private final short[] sorted = new short[Cluster.WIDTH];

  /// A typical class and how many pods of the list are of it.
  public record Typical(Ask ask, int pods) {}

  public Fragmentation(List<Typical> typical, List<String> models) {
    byModel = new Typical[models.size()][];
    never = new long[models.size()];
    covered = typical.stream().mapToInt(Typical::pods).sum();
    for (int m = 0; m < byModel.length; m++) {
      var runnable = new ArrayList<Typical>();
      for (Typical each : typical) {
        if (each.ask.isCpuOnly() || !each.ask.accepts(models.get(m))) {
          never[m] += each.pods;
        } else {
          runnable.add(each);
        }
      }
      runnable.sort(Comparator.comparingInt(each -> each.ask.cpu()));
      byModel[m] = runnable.toArray(Typical[]::new);
    }
    keys = new long[2 << 14];
    values = new long[1 << 14];
  }

  public static Fragmentation of(Trace trace, Cluster cluster) {
    var counts = new int[trace.asks().size()];
    for (int k : trace.pods()) {
      counts[k]++;
    }
    return new Fragmentation(typical(trace.asks(), counts), cluster.models());
  }

  /// @param counts pods of each request
  public static List<Typical> typical(List<Ask> asks, int[] counts) {
    var merged = new ArrayList<Ask>();
    var pods = new ArrayList<Integer>();
    for (int k = 0; k < counts.length; k++) {
      var ask = asks.get(k);
      var key = new Ask(ask.cpu(), 0, ask.gpus(), ask.milli(), ask.spec()); // memory does not enter
      int at = merged.indexOf(key);
      if (at < 0) {
        merged.add(key);
        pods.add(counts[k]);
      } else {
        pods.set(at, pods.get(at) + counts[k]);
      }
    }
    var order = new ArrayList<Integer>();
    for (int i = 0; i < merged.size(); i++) {
      order.add(i);
    }
    order.sort(
        Comparator.comparing((Integer i) -> pods.get(i))
            .thenComparing(merged::get, Ask.TUPLE)
            .reversed());
    int all = Arrays.stream(counts).sum();
    int covered = 0;
    int taken = 0;
    while (taken < order.size() && covered < COVERED * all) {
      covered += pods.get(order.get(taken++));
    }
    var typical = new ArrayList<Typical>();
    for (int i : order.subList(0, taken)) {
      typical.add(new Typical(merged.get(i), pods.get(i)));
    }
    return typical;
  }

  /// Pods of the typical classes.
  public int covered() {
    return covered;
  }

  /// Of a node as it is.
  public long of(Cluster cluster, int n) {
    return with(cluster, n, 0, 0, 0);
  }

  /// Of a node if a pod took so much of it.
  ///
  /// @param mask of the GPUs that it takes `milli` thousandths of each
  public long with(Cluster cluster, int n, int cpu, int mask, int milli) {
    int gpus = cluster.gpus(n);
    for (int gpu = 0; gpu < gpus; gpu++) { // sorted by insertion, most free first
      short free = (short) (cluster.free(n, gpu) - ((mask & 1 << gpu) != 0 ? milli : 0));
      int i = gpu;
      for (; i > 0 && sorted[i - 1] < free; i--) {
        sorted[i] = sorted[i - 1];
      }
      sorted[i] = free;
    }
    return of(cluster.model(n), cluster.cpu(n) - cpu, gpus);
  }

  private long of(int model, int cpu, int gpus) {
    var classes = byModel[model];
    int low = 0;
    for (int high = classes.length; low < high; ) { // classes with CPU enough: those below
      int middle = (low + high) >>> 1;
      if (classes[middle].ask.cpu() <= cpu) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    long first = 1; // never 0, which marks an empty slot
    long second = (long) low << 8 | model;
    for (int i = 0; i < Cluster.WIDTH; i++) {
      int free = i < gpus ? sorted[i] : 0; // a GPU that is not there is as useful as a full one
      if (i < 6) {
        first = first << 10 | free;
      } else {
        second = second << 10 | free;
      }
    }
    int slot = slot(first, second);
    if (keys[2 * slot] == 0) {
      if (2 * ++size > values.length) {
        grow();
        slot = slot(first, second);
      }
      keys[2 * slot] = first;
      keys[2 * slot + 1] = second;
      values[slot] = compute(model, low, gpus);
    }
    return values[slot];
  }

  private int slot(long first, long second) {
    long hash = (first ^ second * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    int slot = (int) (hash ^ hash >>> 32) & values.length - 1;
    while (keys[2 * slot] != 0 && (keys[2 * slot] != first || keys[2 * slot + 1] != second)) {
      slot = slot + 1 & values.length - 1;
    }
    return slot;
  }

  private void grow() {
    var oldKeys = keys;
    var oldValues = values;
    int length = values.length < MOST ? values.length * 2 : values.length;
    keys = new long[2 * length];
    values = new long[length];
    if (length == oldValues.length) {
      size = 1; // too many: begin again
      return;
    }
    for (int i = 0; i < oldValues.length; i++) {
      if (oldKeys[2 * i] != 0) {
        int slot = slot(oldKeys[2 * i], oldKeys[2 * i + 1]);
        keys[2 * slot] = oldKeys[2 * i];
        keys[2 * slot + 1] = oldKeys[2 * i + 1];
        values[slot] = oldValues[i];
      }
    }
  }

  /// @param runnable how many classes find CPU enough
  private long compute(int model, int runnable, int gpus) {
    long all = 0;
    for (int i = 0; i < gpus; i++) {
      all += sorted[i];
    }
    var classes = byModel[model];
    long sum = never[model] * all;
    for (int i = 0; i < classes.length; i++) {
      var ask = classes[i].ask;
      int enough = 0;
      long useful = 0;
      while (enough < gpus && sorted[enough] >= ask.milli()) {
        useful += sorted[enough++];
      }
      boolean runs = i < runnable && enough >= ask.gpus();
      sum += classes[i].pods * (runs ? all - useful : all);
    }
    return sum;
  }
}
