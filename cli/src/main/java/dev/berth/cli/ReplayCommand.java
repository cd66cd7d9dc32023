package dev.berth.cli;

import dev.berth.cli.counterfactual.PolicyTrial;
import dev.berth.cli.counterfactual.TrialJson;
import dev.berth.cli.counterfactual.TrialText;
import dev.berth.cli.decisions.DecisionFileReader;
import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.cli.decisions.DecisionLogException;
import dev.berth.cli.decisions.DecisionText;
import dev.berth.cli.decisions.MaskedLog;
import dev.berth.engine.model.Plan;
import dev.berth.engine.replay.LogEntry;
import dev.berth.engine.replay.PlannerReplay;
import dev.berth.engine.replay.PlannerReplay.Verdict;
import dev.berth.simulator.scenario.ScenarioException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `berth replay`: makes the plans of a decision log again.
@Command(
    name = "replay",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:All plans are the same; with --at, --mask or --with: it was told or written.",
      "1:A plan is not the same.",
      "2:The log or the manifests cannot be read, or an option is wrong."
    },
    mixinStandardHelpOptions = true,
    description =
        "Makes each plan of a decision log again and compares it with the one that was made, byte"
            + " for byte. With --with: what other queues would have done.")
final class ReplayCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "LOG",
      description = "A folder with files decisions-*.log.gz, or one such file.")
  private Path log = Path.of("");

  @Option(
      names = "--at",
      paramLabel = "N|TIME",
      description = "Tells one plan instead: the N-th, or the last one up to a time (RFC 3339).")
  private Optional<String> at = Optional.empty();

  @Option(
      names = "--mask",
      paramLabel = "FOLDER",
      description =
          "Writes a copy of the log there instead, in which names of pods, nodes, queues, labels"
              + " and all else that is a cluster's own are masked: it makes the same plans.")
  private Optional<Path> mask = Optional.empty();

  enum Format {
    table,
    json,
    markdown
  }

  @Option(
      names = "--with",
      paramLabel = "FILE",
      description =
          "Plays the workloads of the log again instead, on virtual time, with its queues and with"
              + " these manifests of Queues, and tells what differs, queue by queue.")
  private Optional<Path> with = Optional.empty();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "Format, with --with: ${COMPLETION-CANDIDATES} (table).")
  private Optional<Format> format = Optional.empty();

  private final SingleLineOutput out;
  private final SingleLineOutput errors;

  ReplayCommand() {
    this(System.out, System.err);
  }

  ReplayCommand(PrintStream out, PrintStream errors) {
    this.out = new SingleLineOutput(out);
    this.errors = new SingleLineOutput(errors);
  }

  @Override
  public Integer call() {
    try {
      var files = DecisionFolder.files(log);
      if (with.isPresent()) {
        return tryOut(files, with.get());
      }
      if (format.isPresent()) {
        throw new DecisionLogException("-o " + format.get() + " says how --with tells: add that");
      }
      if (mask.isPresent()) {
        return mask(files, mask.get());
      }
      return at.isPresent() ? show(files, at.get()) : verify(files);
    } catch (DecisionLogException wrong) {
      errors.tell(wrong);
    } catch (ScenarioException wrong) {
      errors.tell(wrong);
    } catch (IOException unreadable) {
      errors.say(log + " cannot be read: " + unreadable);
    }
    return 2;
  }

  /// What was counted in one file or in all.
  private static final class Counts {
    private long plans;
    private long decisions;
    private long same;
    private Optional<String> first = Optional.empty(); // difference

    void add(Counts other) {
      plans += other.plans;
      decisions += other.decisions;
      same += other.same;
      first = first.or(() -> other.first);
    }
  }

  private int verify(List<Path> files) throws IOException, DecisionLogException {
    var all = new Counts();
    for (Path file : files) {
      var counts = new Counts();
      try (var reader = new DecisionFileReader(file)) {
        var replay = new PlannerReplay();
        for (var next = reader.next(); next.isPresent(); next = reader.next()) {
          count(replay, next.get(), all.plans, counts);
        }
        out.println(
            String.format(
                Locale.ROOT,
                "%s: %,d plans, %,d the same%s",
                file.getFileName(),
                counts.plans,
                counts.same,
                reader.isCut() ? "; it ends in the middle of an entry" : ""));
      }
      all.add(counts);
    }
    out.println(
        String.format(
            Locale.ROOT,
            "%,d plans with %,d decisions were made again: %,d are the same, byte for byte.",
            all.plans,
            all.decisions,
            all.same));
    all.first.ifPresent(words -> out.println("The first that is not: " + words));
    return all.same == all.plans ? 0 : 1;
  }

  private static void count(PlannerReplay replay, LogEntry entry, long before, Counts counts)
      throws DecisionLogException {
    if (entry instanceof LogEntry.Planned(_, _, _, _, var outcome)) {
      counts.plans++;
      counts.decisions +=
          outcome instanceof LogEntry.Outcome.Made(Plan plan) ? plan.decisions().size() : 0;
    }
    switch (replay.again(entry)) {
      case Verdict.NoPlan() -> {}
      case Verdict.Same() -> counts.same++;
      case Verdict.Different(_, String words) -> {
        var planned = (LogEntry.Planned) entry;
        String where =
            "plan " + (before + counts.plans) + " at " + planned.snapshot().now() + ": " + words;
        counts.first = counts.first.or(() -> Optional.of(where));
      }
    }
  }

  private int mask(List<Path> files, Path into) throws IOException, DecisionLogException {
    var result = MaskedLog.write(files, into);
    out.println(
        String.format(
            Locale.ROOT,
            "%,d plans were written to %s, with masked names; %,d decide otherwise than before.",
            result.plans(),
            into,
            result.others()));
    return result.others() == 0 ? 0 : 1;
  }

  private int tryOut(List<Path> files, Path manifests)
      throws IOException, DecisionLogException, ScenarioException {
    if (at.isPresent() || mask.isPresent()) {
      throw new DecisionLogException("--with stands alone, without --at and --mask");
    }
    QuietLogging.log();
    var trial = PolicyTrial.of(files, manifests);
    var lines =
        switch (format.orElse(Format.table)) {
          case table -> TrialText.lines(trial);
          case json -> TrialJson.lines(trial);
          case markdown -> TrialText.markdown(trial);
        };
    lines.forEach(out::println);
    return 0;
  }

  private int show(List<Path> files, String which) throws IOException, DecisionLogException {
    var number = number(which);
    var until = number.isPresent() ? Instant.MAX : time(which);
    var found = new ArrayList<String>();
    long plans = 0;
    for (Path file : files) {
      try (var reader = new DecisionFileReader(file)) {
        for (var next = reader.next(); next.isPresent(); next = reader.next()) {
          if (next.get() instanceof LogEntry.Planned planned) {
            plans++;
            boolean isIt =
                number.isPresent()
                    ? plans == number.get()
                    : !planned.snapshot().now().isAfter(until);
            if (isIt) {
              found.clear();
              found.addAll(DecisionText.of(plans, planned));
            }
          }
        }
      }
    }
    if (found.isEmpty()) {
      throw new DecisionLogException(
          "there is no plan --at " + which + ": there are " + plans + " in " + log);
    }
    found.forEach(out::println);
    return 0;
  }

  private static Optional<Long> number(String text) {
    try {
      return Optional.of(Long.parseLong(text));
    } catch (NumberFormatException noNumber) {
      return Optional.empty();
    }
  }

  private static Instant time(String text) throws DecisionLogException {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException noTime) {
      throw new DecisionLogException(
          "--at is \"" + text + "\", but must be a number or a time like 2026-01-31T12:00:00Z");
    }
  }
}
