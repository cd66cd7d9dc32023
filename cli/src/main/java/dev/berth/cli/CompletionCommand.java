package dev.berth.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

/// `berth completion`: scripts by which shells complete commands, options and their values.
@Command(
    name = "completion",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {"0:The script was printed.", ExitStatus.WRONG_OPTIONS},
    mixinStandardHelpOptions = true,
    description = "Prints a script that completes the commands and options of berth in a shell.",
    footerHeading = "%nTo use it:%n",
    footer = {
      "  bash:  source <(berth completion bash)",
      "  zsh:   source <(berth completion zsh)",
      "  fish:  berth completion fish | source"
    })
final class CompletionCommand implements Callable<Integer> {
  enum Shell {
    bash,
    zsh,
    fish
  }

  private static final String NAME = "berth";

  @Parameters(paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.bash;

  private final PrintStream out;

  CompletionCommand() {
    this(System.out);
  }

  CompletionCommand(PrintStream out) {
    this.out = out;
  }

  @Override
  public Integer call() {
    var berth = Main.commandLine();
    out.print(
        switch (shell) {
          case bash, zsh -> AutoComplete.bash(NAME, berth); // zsh by its bashcompinit
          case fish -> String.join("\n", fish(berth)) + "\n";
        });
    return 0;
  }

  private static List<String> fish(CommandLine berth) {
    var lines = new ArrayList<String>();
    lines.add("complete -c " + NAME + " -f");
    options(berth, "__fish_use_subcommand", lines);
    berth
        .getSubcommands()
        .forEach((name, command) -> {
          var words = String.join(" ", command.getCommandSpec().usageMessage().description());
          lines.add(
              "complete -c %s -n __fish_use_subcommand -a %s -d %s"
                  .formatted(NAME, name, quoted(firstSentence(words))));
          options(command, "'__fish_seen_subcommand_from " + name + "'", lines);
        });
    return lines;
  }

  private static void options(CommandLine command, String condition, List<String> lines) {
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (option.hidden()) {
        continue;
      }
      var line = new StringBuilder("complete -c " + NAME + " -n " + condition);
      for (String name : option.names()) {
        line.append(
            name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
      }
      if (option.arity().max() > 0) {
        line.append(takesFile(option) ? " -r -F" : " -r");
      }
      var candidates = option.completionCandidates();
      if (candidates != null) {
        var values = new ArrayList<String>();
        candidates.forEach(values::add);
        line.append(" -a ").append(quoted(String.join(" ", values)));
      }
      var words = String.join(" ", option.description());
      lines.add(line + " -d " + quoted(firstSentence(words)));
    }
  }

  private static boolean takesFile(OptionSpec option) {
    var label = option.paramLabel();
    return Arrays.asList("FILE", "FOLDER", "DIR", "LOG").stream().anyMatch(label::contains);
  }

  private static String firstSentence(String words) {
    int end = words.indexOf(". ");
    return end < 0 ? words : words.substring(0, end + 1);
  }

  private static String quoted(String words) {
    return "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
