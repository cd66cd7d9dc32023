package dev.berth.e2e;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// What the processes of a cluster have burnt up to a moment: whose time it was, when a load was
/// slow.
record Effort(Map<String, Duration> burnt, long nanos) {
  private static final List<String> NAMES =
      List.of(
          "berth",
          "kube-apiserver",
          "kube-scheduler",
          "plain-scheduler",
          "kube-controller-manager",
          "kwok",
          "etcd");

  static Effort upTo(ControlPlane cluster) {
    var burnt = new TreeMap<String, Duration>();
    for (String name : NAMES) {
      burnt.put(name, ProcessHandle.of(cluster.pid(name)).map(Effort::of).orElse(Duration.ZERO));
    }
    burnt.put("this test", of(ProcessHandle.current()));
    return new Effort(burnt, System.nanoTime());
  }

  private static Duration of(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /// Seconds of CPU time that a process has burnt since `before`.
  double of(String process, Effort before) {
    return burnt.get(process).minus(before.burnt.get(process)).toMillis() / 1e3;
  }

  /// `in 12.3 s of wall clock: berth 2.1 s, …`, and how crowded the machine is.
  String since(Effort before) {
    var line = new StringBuilder();
    line.append(
        String.format(Locale.ROOT, "CPU in %.1f s of wall clock:", (nanos - before.nanos) / 1e9));
    burnt.forEach((name, all) ->
        line.append(
            String.format(
                Locale.ROOT,
                " %s %.1f s,",
                name,
                all.minus(before.burnt.getOrDefault(name, Duration.ZERO)).toMillis() / 1e3)));
    return line
        + String.format(
            Locale.ROOT,
            " load average %.1f",
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }
}
