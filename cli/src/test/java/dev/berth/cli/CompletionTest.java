package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// The script for bash is played in one; no other shell is sure to be there.
class CompletionTest {
  @TempDir private Path folder;

  private String script(String shell) {
    var bytes = new ByteArrayOutputStream();
    var command = new CompletionCommand(new PrintStream(bytes, true, UTF_8));
    assertThat(new CommandLine(command).execute(shell)).isZero();
    return bytes.toString(UTF_8);
  }

  /// What bash would offer for the last of some words.
  private List<String> offered(String... words) throws IOException, InterruptedException {
    var file = folder.resolve("completion");
    Files.writeString(file, script("bash"));
    var play =
        "source %s; COMP_WORDS=(%s); COMP_CWORD=%d; COMP_LINE='%s'; _complete_berth; printf '%%s\\n'"
                .formatted(file, String.join(" ", words), words.length - 1, String.join(" ", words))
            + " \"${COMPREPLY[@]}\"";
    var bash =
        new ProcessBuilder("bash", "--norc", "-c", play)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    var told = new String(bash.getInputStream().readAllBytes(), UTF_8);
    assertThat(bash.waitFor(20, TimeUnit.SECONDS)).as("bash ends in time").isTrue();
    return told.lines().map(String::strip).toList();
  }

  @Test
  void bashCompletesCommandsAndOptions() throws IOException, InterruptedException {
    assertThat(offered("berth", "work")).containsExactly("workloads");
    assertThat(offered("berth", "workloads", "--na")).containsExactly("--namespace");
    assertThat(offered("berth", "completion", "''")).contains("bash", "zsh", "fish");
  }

  @Test
  void fishKnowsCommandsOptionsAndFiles() {
    assertThat(script("fish").lines())
        .contains(
            "complete -c berth -f",
            "complete -c berth -n '__fish_seen_subcommand_from workloads' -s q -l queue -r -d"
                + " 'Those of this queue and of the queues below it alone.'")
        .anyMatch(line -> line.startsWith("complete -c berth -n __fish_use_subcommand -a explain"))
        .anyMatch(line -> line.contains("-s f -l filename -r -F"))
        .allMatch(line -> line.startsWith("complete -c berth "));
  }

  @Test
  void anUnknownShellIsAnErrorThatNamesThoseThereAre() {
    var errors = new ByteArrayOutputStream();
    var command = new CommandLine(new CompletionCommand());
    command.setErr(new PrintWriter(errors, true, UTF_8));
    assertThat(command.execute("powershell")).isEqualTo(2);
    assertThat(errors.toString(UTF_8)).contains("powershell").contains("[bash, zsh, fish]");
  }
}
