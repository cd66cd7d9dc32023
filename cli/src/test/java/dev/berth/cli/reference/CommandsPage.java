package dev.berth.cli.reference;

import static dev.berth.cli.reference.Markdown.code;
import static dev.berth.cli.reference.Markdown.prose;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Commands and options, as the library that reads the command line has them.
public final class CommandsPage {
  private CommandsPage() {}

  /// Every command, in the order of their names; the first has no name beside that of the program.
  public static List<CommandLine> commands(CommandLine berth) {
    var all = new ArrayList<CommandLine>();
    all.add(berth);
    for (var command : new TreeMap<>(berth.getSubcommands()).values()) {
      if (!command.getCommandName().equals("help")) {
        all.addAll(commands(command));
      }
    }
    return all;
  }

  public static ReferencePage page(CommandLine berth) {
    var page = new Markdown();
    page.paragraph(
        "What `berth COMMAND --help` prints. Examples and advice:"
            + " [commands.md](../users/commands.md) (tables, the demo, trying a change),"
            + " [explain.md](../users/explain.md), [doctor.md](../operators/doctor.md),"
            + " [import.md](../operators/import.md),"
            + " [decision-log.md](../operators/decision-log.md),"
            + " [shadow.md](../operators/shadow.md),"
            + " [scenarios.md](../contributors/scenarios.md), [chaos.md](../contributors/chaos.md),"
            + " [benchmarks.md](../contributors/benchmarks.md).");
    page.paragraph(
        "`-h`, `--help` and `-V`, `--version` are options of every command but the benchmarks that"
            + " are in the source tree alone. An unexpected error ends any command with status 1."
            + " An option that repeats may be given several times.");
    commands(berth).forEach(command -> command(page, command));
    return new ReferencePage(
        "commands.md",
        "Commands",
        "commands of `berth`, their options, defaults and exit statuses",
        page.text());
  }

  private static void command(Markdown page, CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    var usage = spec.usageMessage();
    page.section(spec.qualifiedName());
    page.paragraph(prose(String.join(" ", usage.description())));
    page.code("", synopsis(command));
    if (!command.getSubcommands().isEmpty()) {
      page.paragraph("Commands: " + String.join(" · ", links(command)) + ".");
    }
    var rows = new ArrayList<List<String>>();
    spec.positionalParameters()
        .forEach(parameter ->
            rows.add(row(code(parameter.paramLabel()), "", repeats(parameter), parameter)));
    var options = new TreeMap<String, OptionSpec>();
    spec.options().stream()
        .filter(option -> !option.hidden() && !option.usageHelp() && !option.versionHelp())
        .forEach(option -> options.put(option.longestName(), option));
    options
        .values()
        .forEach(option ->
            rows.add(
                row(
                    String.join(", ", codes(option.names())),
                    option.arity().max() == 0 ? "" : code(option.paramLabel()),
                    repeats(option),
                    option)));
    if (!rows.isEmpty()) {
      page.table(List.of("argument or option", "value", "how often", "default", "what"), rows);
    }
    if (usage.footer().length > 0) {
      page.paragraph(usage.footerHeading().replace("%n", "").strip());
      page.code("", String.join("\n", usage.footer()));
    }
    var statuses = new ArrayList<String>();
    usage
        .exitCodeList()
        .forEach((status, words) -> statuses.add("**" + status.strip() + "**: " + prose(words)));
    page.paragraph("Exit status:");
    page.list(statuses);
  }

  private static List<String> links(CommandLine command) {
    var links = new ArrayList<String>();
    for (String name : new TreeSet<>(command.getSubcommands().keySet())) {
      if (!name.equals("help")) {
        String words = command.getCommandSpec().qualifiedName() + " " + name;
        links.add("[" + name + "](#" + words.replace(' ', '-') + ")");
      }
    }
    return links;
  }

  private static List<String> codes(String[] names) {
    return List.of(names).stream().map(Markdown::code).toList();
  }

  private static List<String> row(String name, String value, String often, ArgSpec argument) {
    return List.of(
        name,
        value,
        often,
        code(Objects.requireNonNullElse(argument.defaultValue(), "")),
        prose(String.join(" ", argument.description())));
  }

  private static String repeats(ArgSpec argument) {
    if (argument.group() != null) {
      return "one of these";
    }
    String often = argument.required() ? "once" : "";
    return argument.isMultiValue() ? argument.required() ? "once or more" : "any number" : often;
  }

  private static String synopsis(CommandLine command) {
    var help = new Help(command.getCommandSpec(), Help.defaultColorScheme(Ansi.OFF));
    return help.synopsis(0).replace(System.lineSeparator(), "\n");
  }
}
