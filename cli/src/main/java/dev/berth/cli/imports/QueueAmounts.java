package dev.berth.cli.imports;

import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Resource;
import dev.berth.engine.request.Quantities;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeMap;

/// Amounts by the resources of queues, summed in the units of the model: GPUs and cores in
/// thousandths, everything else whole. [Queue#UNLIMITED] and anything is unlimited.
final class QueueAmounts {
  private static final int MOST_DIGITS = 18;

  private final TreeMap<Resource, Long> amounts = new TreeMap<>();
  private final TreeMap<Resource, String> written = new TreeMap<>(); // of a single summand

  /// In the unit of the resource; empty where the text is no quantity.
  static OptionalLong parse(Resource resource, String text) {
    return resource.isGpuOfQueues()
        ? Quantities.milli(text.trim())
        : Quantities.amount(resource, text.trim());
  }

  void add(Resource resource, long amount) {
    boolean first = !amounts.containsKey(resource);
    amounts.merge(resource, amount, QueueAmounts::sum);
    if (!first) {
      written.remove(resource);
    }
  }

  /// Adds an amount that is printed as it was written, unless another one is added.
  void add(Resource resource, long amount, String text) {
    if (!amounts.containsKey(resource)) {
      written.put(resource, text.trim());
      amounts.put(resource, amount);
    } else {
      add(resource, amount);
    }
  }

  /// Sets what a translation has written: cores in whole ones where they are whole, nothing as 0,
  /// everything else as it is, `unlimited` and wrong values, too.
  void addTidied(Resource resource, String text) {
    long amount = parse(resource, text).orElse(-1);
    if (amount < 0 || amount > 0 && !resource.equals(Resource.CPU)) {
      written.put(resource, text);
    }
    amounts.put(resource, amount < 0 ? Queue.UNLIMITED : amount);
  }

  /// Adds what pods ask for by a name of Kubernetes. MIG instances count as GPUs, too, by slices.
  void addAsked(String name, Resource resource, long amount, String text) {
    add(resource, amount, text);
    long millis = 1000L * new Resource(name).migSlices();
    if (millis > 0) {
      add(Resource.GPU, amount > Queue.UNLIMITED / millis ? Queue.UNLIMITED : millis * amount);
    }
  }

  void addAll(QueueAmounts others) {
    others.amounts.forEach((resource, amount) -> {
      String text = others.written.getOrDefault(resource, "");
      if (text.isEmpty()) {
        add(resource, amount);
      } else {
        add(resource, amount, text);
      }
    });
  }

  /// Takes the larger of both amounts.
  void atLeast(QueueAmounts others) {
    others.amounts.forEach((resource, amount) -> {
      if (!has(resource) || of(resource) < amount) {
        put(resource, amount);
        String text = others.written.getOrDefault(resource, "");
        if (!text.isEmpty()) {
          written.put(resource, text);
        }
      }
    });
  }

  void put(Resource resource, long amount) {
    amounts.put(resource, amount);
    written.remove(resource);
  }

  private static long sum(long one, long other) {
    long sum = one + other;
    return sum < 0 ? Queue.UNLIMITED : sum; // both are 0 or more
  }

  boolean has(Resource resource) {
    return amounts.containsKey(resource);
  }

  /// 0 where there is none.
  long of(Resource resource) {
    return amounts.getOrDefault(resource, 0L);
  }

  boolean isEmpty() {
    return amounts.isEmpty();
  }

  SortedSet<Resource> resources() {
    return amounts.navigableKeySet();
  }

  String text(Resource resource) {
    return written.getOrDefault(resource, Queue.text(resource, of(resource)));
  }

  /// As a Queue has them: whole numbers as numbers, everything else as texts.
  Map<String, Object> tree() {
    var tree = new LinkedHashMap<String, Object>();
    for (Resource resource : resources()) {
      tree.put(resource.name(), scalar(text(resource)));
    }
    return tree;
  }

  /// The same without what is unlimited.
  Map<String, Object> limits() {
    var tree = new LinkedHashMap<String, Object>();
    for (Resource resource : resources()) {
      if (of(resource) != Queue.UNLIMITED) {
        tree.put(resource.name(), scalar(text(resource)));
      }
    }
    return tree;
  }

  private static Object scalar(String text) {
    boolean digits =
        !text.isEmpty()
            && text.length() <= MOST_DIGITS
            && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return digits ? (Object) Long.parseLong(text) : text;
  }
}
