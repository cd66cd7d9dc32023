package dev.berth.cli.doctor;

import dev.berth.controllers.crd.Printable;
import dev.berth.engine.injection.InjectionMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// The report for people: a table of GPU nodes, then one line a finding by group, with the way out
/// below the last line that it is for, then a summary. What differs by its object alone is one
/// line.
public final class ReportText {
  private static final int MOST_NODES = 20;
  private static final String RESET = "\u001b[0m";

  private final Report report;
  private final boolean colours;

  public ReportText(Report report, boolean colours) {
    this.report = report;
    this.colours = colours;
  }

  public String text() {
    var out = new StringBuilder();
    var facts = report.facts();
    out.append(Printable.line("Kubernetes " + facts.version() + " at " + facts.server()));
    out.append(facts.preflight() ? ", before an install of Berth\n" : "\n");
    nodes(out);
    findings(out);
    out.append('\n').append(summary()).append('\n');
    return out.toString();
  }

  private void nodes(StringBuilder out) {
    var nodes = GpuNodes.of(report.facts()).nodes();
    if (nodes.isEmpty()) {
      return;
    }
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("NODE", "GPUS", "SHARES BY", "RUNTIME CLASS", "DEFAULT RUNTIME", "PROVEN"));
    for (GpuNodes.Guessed node : nodes.subList(0, Math.min(MOST_NODES, nodes.size()))) {
      String modes =
          node.proof() == GpuNodes.Proof.PROVEN
              ? node.mode()
              : node.guess().modes().stream()
                  .map(InjectionMode::word)
                  .collect(Collectors.joining(", "));
      rows.add(
          List.of(
              node.node().name(),
              Long.toString(node.node().gpus()),
              node.guess().modes().isEmpty() ? "none" : modes,
              node.guess().runtimeClass().isEmpty() ? "-" : node.guess().runtimeClass(),
              switch (node.defaultRuntime()) {
                case NVIDIA -> "nvidia";
                case OTHER -> "not nvidia";
                case UNKNOWN -> "unknown";
              },
              node.proof().words()));
    }
    out.append('\n');
    table(out, rows);
    if (nodes.size() > MOST_NODES) {
      out.append("… and ")
          .append(nodes.size() - MOST_NODES)
          .append(" more nodes with GPUs (all of them: --json)\n");
    }
  }

  private static void table(StringBuilder out, List<List<String>> rows) {
    int columns = rows.getFirst().size();
    for (List<String> row : rows) {
      var line = new StringBuilder();
      for (int column = 0; column < columns; column++) {
        int at = column;
        int width = rows.stream().mapToInt(one -> one.get(at).length()).max().orElse(0);
        line.append(padded(row.get(column), width + 3));
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
  }

  /// Findings that say the same of several objects, which are listed in their order.
  private static List<Finding> merged(List<Finding> findings) {
    var objects = new LinkedHashMap<Finding, List<String>>();
    for (Finding finding : findings) {
      if (finding.group().equals("rights")) {
        objects.put(finding, List.of(finding.object())); // each missing right is named
        continue;
      }
      var same =
          new Finding(
              finding.severity(), finding.check(), "", finding.sentence(), finding.wayOut());
      objects.computeIfAbsent(same, _ -> new ArrayList<>()).add(finding.object());
    }
    return objects.entrySet().stream()
        .map(entry -> {
          var same = entry.getKey();
          var names = entry.getValue();
          String object =
              names.getFirst() + (names.size() > 1 ? " and " + (names.size() - 1) + " more" : "");
          return new Finding(same.severity(), same.check(), object, same.sentence(), same.wayOut());
        })
        .toList();
  }

  private void findings(StringBuilder out) {
    String group = "";
    var lines = merged(report.findings());
    int width =
        lines.stream().mapToInt(line -> Math.min(64, line.object().length())).max().orElse(0);
    for (int i = 0; i < lines.size(); i++) {
      Finding finding = lines.get(i);
      if (!finding.group().equals(group)) {
        group = finding.group();
        out.append('\n').append(group.toUpperCase(Locale.ROOT)).append('\n');
      }
      out.append(coloured(finding.severity()))
          .append(padded(finding.object(), width + 2))
          .append(Printable.line(finding.sentence()))
          .append('\n');
      boolean isSaidNext =
          i + 1 < lines.size()
              && lines.get(i + 1).group().equals(group)
              && lines.get(i + 1).wayOut().equals(finding.wayOut());
      if (!finding.wayOut().isEmpty() && !isSaidNext) {
        out.append("       → ").append(Printable.line(finding.wayOut())).append('\n');
      }
    }
  }

  private String coloured(Severity severity) {
    String word = padded(severity.name(), 7);
    if (!colours) {
      return word;
    }
    return switch (severity) {
      case OK -> "\u001b[32m" + word + RESET;
      case WARN -> "\u001b[33m" + word + RESET;
      case ERROR -> "\u001b[31m" + word + RESET;
    };
  }

  private String summary() {
    String counts =
        plural(report.count(Severity.ERROR), "error")
            + ", "
            + plural(report.count(Severity.WARN), "warning")
            + ".";
    if (!report.complete()) {
      return "The cluster could not be looked at: "
          + counts
          + " The lines under RIGHTS name the"
          + " missing rights.";
    }
    boolean errors = report.count(Severity.ERROR) > 0;
    if (report.has(PreflightCheck.INSTALLED)) {
      return "Berth is installed here already: "
          + counts
          + " Run berth doctor without --preflight, or see docs/operators/install.md for an"
          + " upgrade.";
    }
    if (report.facts().preflight()) {
      return (errors ? "Berth cannot be installed yet: " : "Berth can be installed: ") + counts;
    }
    return (errors ? "Not everything works: " : "No errors found: ") + counts;
  }

  private static String plural(long count, String word) {
    return count + " " + word + (count == 1 ? "" : "s");
  }

  /// Names in it are chosen by those whose objects they are.
  private static String padded(String words, int width) {
    String text = Printable.line(words);
    return text + " ".repeat(Math.max(1, width - text.length()));
  }
}
