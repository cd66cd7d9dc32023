package dev.berth.cli.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.bench.TracedPlans;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.SearchEffort;
import dev.berth.engine.replay.LogEntry;
import dev.berth.engine.replay.LoggedPlanner;
import dev.berth.engine.replay.PlannerLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a decision log costs on a full cluster under churn, by hand: `-Dtest=DecisionLogLoad
/// -Dnodes=1000 -Dpercent=95 -Dplans=500`.
class DecisionLogLoad {
  @TempDir private Path folder = Path.of("");

  @Test
  void costs() throws Exception {
    int nodes = Integer.getInteger("nodes", 1000);
    int plans = Integer.getInteger("plans", 500);
    var entries = new ArrayList<LogEntry>();
    var planner =
        new LoggedPlanner(
            PlannerSettings.DEFAULT,
            "load",
            new PlannerLog() {
              @Override
              public boolean mustBegin() {
                return entries.isEmpty();
              }

              @Override
              public void add(LogEntry entry) {
                entries.add(entry);
              }
            });
    long planning = System.nanoTime();
    TracedPlans.play(
        nodes,
        Integer.getInteger("percent", 95),
        plans,
        snapshot ->
            planner
                .planUnless(
                    () -> false, snapshot, Collections.emptySortedMap(), SearchEffort.A_SLICE)
                .orElseThrow());
    planning = System.nanoTime() - planning;
    for (int round = 0; round < 3; round++) {
      measure(entries, nodes, planning, folder.resolve("round" + round + ".log.gz"));
    }
  }

  private static void measure(List<LogEntry> entries, int nodes, long planning, Path path)
      throws Exception {
    var file = new DecisionFile(path);
    long begin = System.nanoTime();
    file.write(entries.get(0));
    file.write(entries.get(1));
    file.flush();
    long first = System.nanoTime() - begin;
    long firstBytes = file.size();
    for (LogEntry entry : entries.subList(2, entries.size())) {
      file.write(entry);
    }
    boolean isTooMuch = file.hasTooMuch();
    file.close();
    long all = System.nanoTime() - begin;
    long read = System.nanoTime();
    int count = 0;
    try (var reader = new DecisionFileReader(path)) {
      while (reader.next().isPresent()) {
        count++;
      }
    }
    read = System.nanoTime() - read;
    assertThat(count).isEqualTo(entries.size());
    int others = entries.size() - 2;
    System.out.printf(
        "%d nodes, %d plans (%d us each with the ledger): first %d kB, %d ms; others %d B, %d us"
            + " each; read %d us each; full %s; last groups %d, %d bytes%n",
        nodes,
        others + 1,
        planning / 1000 / (others + 1),
        firstBytes / 1000,
        first / 1_000_000,
        (Files.size(path) - firstBytes) / others,
        (all - first) / 1000 / others,
        read / 1000 / entries.size(),
        isTooMuch,
        ((LogEntry.Planned) entries.getLast()).snapshot().groups().size(),
        Files.size(path));
  }
}
