package dev.berth.bench.packing;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Results of all runs, to be asked by trace and policy.
record Results(List<Result> all) {
  Results {
    all = List.copyOf(all);
  }

  /// In the order of seeds.
  List<Result> of(String trace, String policy) {
    return all.stream()
        .filter(each -> each.trace().equals(trace) && each.policy().equals(policy))
        .sorted(Comparator.comparingLong(Result::seed))
        .toList();
  }

  boolean has(String policy) {
    return all.stream().anyMatch(each -> each.policy().equals(policy));
  }

  double[] values(String trace, String policy, ToDoubleFunction<Result> value) {
    return of(trace, policy).stream().mapToDouble(value).toArray();
  }

  double mean(String trace, String policy, ToDoubleFunction<Result> value) {
    return of(trace, policy).stream().mapToDouble(value).average().orElse(Double.NaN);
  }
}
