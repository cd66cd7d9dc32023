package dev.berth.bench;

import dev.berth.bench.churn.Churn;
import dev.berth.bench.packing.Packing;
import dev.berth.bench.peers.Peer;
import dev.berth.bench.stock.Stock;
import dev.berth.bench.trace.Trace;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// `berth bench packing|stock|churn`: Berth's placement beside ports of published rules.
@Command(
    name = "berth bench",
    mixinStandardHelpOptions = true,
    description = "Measures how well Berth packs GPUs, beside ports of published rules.",
    subcommands = {Main.OfPacking.class, Main.OfStock.class, Main.OfChurn.class})
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    if (System.getenv("BERTH_LOG") == null) {
      System.setProperty("BERTH_LOG", "WARN"); // else several lines for each pod that is planned
    }
    System.exit(new CommandLine(new Main()).execute(arguments));
  }

  /// Options that all of them have.
  abstract static class Benchmark implements Callable<Integer> {
    @Option(names = "--quick", description = "Seeds 42..44, the first trace alone.")
    private boolean quick;

    @Option(names = "--seeds", paramLabel = "A..B", description = "Default: 42..51.")
    private Optional<String> seeds = Optional.empty();

    @Option(
        names = "--only",
        paramLabel = "TRACE",
        split = ",",
        description = "These traces alone, such as default,cpu250.")
    private List<String> only = List.of();

    @Option(
        names = "--peers",
        paramLabel = "NAME",
        split = ",",
        description = "These peers alone (FGD, BestFit, …); none = Berth alone.")
    private List<String> peers = List.of();

    @Option(
        names = "--traces",
        paramLabel = "DIR",
        description = "Published traces; default: ../shared/traces beside Berth's sources.")
    private Optional<Path> traces = Optional.empty();

    @Option(names = "--threads", description = "Runs at once; default: the cores.")
    private int threads = Runtime.getRuntime().availableProcessors();

    private final PrintStream out = System.out;

    abstract String name();

    abstract int measure(Options options, PrintStream out);

    @Override
    public Integer call() {
      var home = Path.of(System.getProperty("berth.home", ".")).toAbsolutePath().normalize();
      var folder = traces.orElse(home.resolve("../shared/traces")).normalize();
      if (!Trace.isIn(folder)) {
        out.println(
            name()
                + ": skipped, as the published traces are not in "
                + folder
                + " (--traces says where they are)");
        return 0;
      }
      return measure(
          new Options(
              home,
              folder,
              only.isEmpty() ? Optional.empty() : Optional.of(known(only)),
              seeds(),
              peers(),
              quick,
              Math.max(1, threads),
              System.err),
          out);
    }

    private ParameterException wrong(String sentence) {
      return new ParameterException(new CommandLine(this), sentence);
    }

    private List<String> known(List<String> names) {
      for (String each : names) {
        if (!Trace.NAMES.contains(each)) {
          throw wrong(
              "--only names " + each + ", but the traces are " + String.join(", ", Trace.NAMES));
        }
      }
      return names;
    }

    private List<Long> seeds() {
      var range = seeds.orElse(quick ? "42..44" : "42..51");
      var ends = range.split("\\.\\.", -1);
      try {
        long first = Long.parseLong(ends[0]);
        long last = Long.parseLong(ends[ends.length - 1]);
        if (ends.length <= 2 && first <= last) {
          return LongStream.rangeClosed(first, last).boxed().toList();
        }
      } catch (NumberFormatException notNumbers) {
        // told below
      }
      throw wrong("--seeds is " + range + ", but must be like 42 or 42..51");
    }

    private List<Peer> peers() {
      if (peers.isEmpty()) {
        return List.of(Peer.values());
      }
      if (peers.equals(List.of("none"))) {
        return List.of();
      }
      return peers.stream()
          .map(name ->
              Arrays.stream(Peer.values())
                  .filter(peer -> peer.label().equalsIgnoreCase(name))
                  .findFirst()
                  .orElseThrow(() ->
                      wrong(
                          "--peers names "
                              + name
                              + ", but must name some of "
                              + Arrays.stream(Peer.values()).map(Peer::label).toList()
                              + ", or none")))
          .toList();
    }
  }

  /// `berth bench packing`.
  @Command(
      name = "packing",
      mixinStandardHelpOptions = true,
      description = "Pods keep coming until the cluster is full: how many GPUs are allocated?")
  static final class OfPacking extends Benchmark {
    @Override
    String name() {
      return "packing";
    }

    @Override
    int measure(Options options, PrintStream out) {
      return new Packing(options, out).run();
    }
  }

  /// `berth bench stock`.
  @Command(
      name = "stock",
      mixinStandardHelpOptions = true,
      description = "The same, as a stock kube-scheduler applies it to an extender.")
  static final class OfStock extends Benchmark {
    @Override
    String name() {
      return "stock";
    }

    @Override
    int measure(Options options, PrintStream out) {
      return new Stock(options, out).run();
    }
  }

  /// `berth bench churn`.
  @Command(
      name = "churn",
      mixinStandardHelpOptions = true,
      description = "Pods come and go: how much of what is offered is accepted?")
  static final class OfChurn extends Benchmark {
    @Override
    String name() {
      return "churn";
    }

    @Override
    int measure(Options options, PrintStream out) {
      return new Churn(options, out).run();
    }
  }
}
