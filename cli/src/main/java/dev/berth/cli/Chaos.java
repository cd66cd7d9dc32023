package dev.berth.cli;

import dev.berth.simulator.chaos.ChaosRun;
import dev.berth.simulator.chaos.InvariantViolation;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `berth chaos`: seeds with faults, until a rule is broken.
@Command(
    name = "chaos",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:No seed broke an invariant.",
      "1:A seed broke one.",
      ExitStatus.WRONG_OPTIONS
    },
    mixinStandardHelpOptions = true,
    description =
        "Runs the product on small simulated clusters where everything goes wrong, one for each"
            + " seed, and looks at the invariants after every event. Ends at the first seed that"
            + " breaks one. Tells how often rare paths were taken.")
final class Chaos implements Callable<Integer> {
  private static final int PROGRESS = 1000;
  private static final int AHEAD = 4;

  @Option(
      names = "--seeds",
      paramLabel = "A..B",
      defaultValue = "1..1000",
      description = "From the first seed to the last. Default: ${DEFAULT-VALUE}.")
  private String seeds = "1..1000";

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seeds that are run at once; each runs on one thread. Default: 1.")
  private int threads = 1;

  @Option(names = "--go-on", description = "Goes on after a broken invariant, and lists all seeds.")
  private boolean goesOn;

  private final SingleLineOutput out;

  Chaos() {
    this(System.out);
  }

  Chaos(PrintStream out) {
    this.out = new SingleLineOutput(out);
  }

  @Override
  public Integer call() {
    var range = seeds.split("\\.\\.", -1);
    long first;
    long last;
    try {
      first = Long.parseLong(range[0]);
      last = Long.parseLong(range[range.length - 1]);
    } catch (NumberFormatException wrong) {
      SingleLineOutput.errors().say("--seeds is \"" + seeds + "\", but must be like 1..1000");
      return 2;
    }
    if (range.length > 2 || last < first) {
      SingleLineOutput.errors()
          .say("--seeds is \"" + seeds + "\", but must be like 1..1000, the smaller number first");
      return 2;
    }
    return run(first, last);
  }

  /// What came of all seeds so far.
  private static final class Totals {
    private final TreeMap<String, Long> counts = new TreeMap<>();
    private long fingerprint;
    private long steps;
    private long done;
    private long broken;

    private void add(ChaosRun.Log log) {
      log.counts().forEach((what, often) -> counts.merge(what, often, Long::sum));
      fingerprint = 31 * fingerprint + log.fingerprint();
      steps += log.steps();
      done++;
      if (done % PROGRESS == 0) {
        SingleLineOutput.errors().say(done + " seeds");
      }
    }
  }

  private int run(long first, long last) {
    var replicaFactory = SimulatedReplica.replicaFactory();
    var totals = new Totals();
    long began = System.nanoTime();
    try (var workers = Executors.newFixedThreadPool(threads)) {
      var running = new ArrayDeque<Future<ChaosRun.Log>>();
      for (long next = first; next <= last || !running.isEmpty(); ) {
        boolean more = next <= last && (totals.broken == 0 || goesOn);
        if (more && running.size() < AHEAD * threads) {
          long seed = next++;
          running.add(workers.submit(() -> ChaosRun.run(seed, replicaFactory, _ -> {})));
        } else if (running.isEmpty()) {
          break;
        } else {
          await(running.remove(), totals);
        }
      }
    }
    tell(totals, Duration.ofNanos(System.nanoTime() - began));
    return totals.broken == 0 ? 0 : 1;
  }

  private void await(Future<ChaosRun.Log> chaosRun, Totals totals) {
    try {
      totals.add(chaosRun.get());
    } catch (ExecutionException ended) {
      if (!(ended.getCause() instanceof InvariantViolation broken)) {
        throw new IllegalStateException(ended.getCause());
      }
      if (totals.broken++ == 0 || goesOn) {
        String.valueOf(broken.getMessage()).lines().forEach(out::println);
        out.println();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }

  private void tell(Totals totals, Duration took) {
    totals.counts.forEach(
        (what, often) -> out.println(String.format(Locale.ROOT, "%,12d  %s", often, what)));
    out.println(
        String.format(
            Locale.ROOT,
            "%,d seeds without a broken invariant, %,d with one; %,d events, fingerprint %016x, in"
                + " %d s (%.1f seeds a second)",
            totals.done,
            totals.broken,
            totals.steps,
            totals.fingerprint,
            took.toSeconds(),
            (totals.done + totals.broken) * 1000.0 / Math.max(1, took.toMillis())));
  }
}
