package dev.berth.bench;

import dev.berth.bench.peers.Peer;
import dev.berth.bench.trace.Trace;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// What was asked of a benchmark.
///
/// @param home the repository
/// @param traces the folder of published traces
/// @param only traces by name; empty = those of the benchmark
/// @param quick the first trace alone
/// @param threads runs at once; each run has one thread
/// @param progress is told how far it is
public record Options(
    Path home,
    Path traces,
    Optional<List<String>> only,
    List<Long> seeds,
    List<Peer> peers,
    boolean quick,
    int threads,
    PrintStream progress) {
  public Options {
    seeds = List.copyOf(seeds);
    peers = List.copyOf(peers);
  }

  /// Those that were asked for by name, else those of the benchmark: all, or the first where it is
  /// to be quick.
  public List<Trace> traces(List<String> names) {
    return only.orElse(quick ? names.subList(0, 1) : names).stream()
        .map(name -> Trace.read(traces, name))
        .toList();
  }

  /// Where results are written.
  public Path target() {
    return home.resolve("target/bench");
  }

  /// Runs the jobs, as many at once as there are threads; results in the order of the jobs.
  public <T> List<T> inParallel(List<Callable<T>> jobs) {
    try (var pool = Executors.newFixedThreadPool(threads)) {
      var futures = new ArrayList<Future<T>>();
      for (Callable<T> job : jobs) {
        futures.add(pool.submit(job));
      }
      var results = new ArrayList<T>();
      for (Future<T> future : futures) {
        results.add(future.get());
        if (results.size() % 50 == 0) {
          progress.println("bench: " + results.size() + " of " + jobs.size() + " runs");
        }
      }
      return results;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a run failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
