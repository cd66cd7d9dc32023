package dev.berth.cli;

import dev.berth.cli.decisions.DecisionFileReader;
import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.cli.decisions.DecisionLogException;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.explain.ReceiptText;
import dev.berth.engine.explain.Receipts;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.Plan;
import dev.berth.engine.replay.LogEntry;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `berth receipt`: why a pod was evicted, from a decision log.
@Command(
    name = "receipt",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:There is an eviction of the pod, and it was told.",
      "1:There is none in the log.",
      "2:The log cannot be read, or an option is wrong."
    },
    mixinStandardHelpOptions = true,
    description =
        "Tells of each eviction of a pod in a decision log which group gained, by which rule, how"
            + " the queues stood before and after, and what would have happened otherwise.")
final class ReceiptCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "LOG",
      description = "A folder with files decisions-*.log.gz, or one such file.")
  private Path log = Path.of("");

  @Parameters(index = "1", paramLabel = "POD", description = "The pod, as NAMESPACE/NAME or NAME.")
  private String pod = "";

  private final SingleLineOutput out;
  private final SingleLineOutput errors;

  ReceiptCommand() {
    this(System.out, System.err);
  }

  ReceiptCommand(PrintStream out, PrintStream errors) {
    this.out = new SingleLineOutput(out);
    this.errors = new SingleLineOutput(errors);
  }

  @Override
  public Integer call() {
    try {
      long told = tell(DecisionFolder.files(log));
      if (told == 0) {
        out.println("no plan of the log evicts a pod " + pod);
      }
      return told == 0 ? 1 : 0;
    } catch (DecisionLogException wrong) {
      errors.tell(wrong);
    } catch (IOException unreadable) {
      errors.say(log + " cannot be read: " + unreadable);
    }
    return 2;
  }

  private long tell(List<Path> files) throws IOException, DecisionLogException {
    long told = 0;
    for (Path file : files) {
      try (var reader = new DecisionFileReader(file)) {
        var settings = PlannerSettings.DEFAULT; // until the log says
        for (var next = reader.next(); next.isPresent(); next = reader.next()) {
          if (next.get() instanceof LogEntry.Begin(_, PlannerSettings logged)) {
            settings = logged;
          } else if (next.get() instanceof LogEntry.Planned planned
              && planned.outcome() instanceof LogEntry.Outcome.Made(Plan plan)
              && Receipts.evicts(plan, this::isIt)) {
            told += tell(new Planner(settings), planned, plan);
          }
        }
      }
    }
    return told;
  }

  private boolean isIt(Victim victim) {
    return victim.pod().name().equals(pod) || victim.pod().toString().equals(pod);
  }

  private int tell(Planner planner, LogEntry.Planned planned, Plan plan) {
    var receipts =
        new Receipts(planner, planned.snapshot(), planned.staleSince(), plan).of(this::isIt);
    receipts.forEach(receipt -> {
      ReceiptText.of(receipt).forEach(out::println);
      out.println();
    });
    return receipts.size();
  }
}
