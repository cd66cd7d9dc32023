package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Every patch in `e2e/mutants` applies to the sources as they are, committed or not. `patch` is
/// more lenient than `git apply`: it also accepts lines that resemble those that were meant.
class MutantsApplyTest {
  private static final Path ROOT = ControlPlane.root();
  private static final Path MUTANTS = ROOT.resolve("e2e/mutants");

  private record Ran(int status, String out) {}

  @BeforeAll
  static void theTreeIsAGitCheckout() throws Exception {
    Ran where = new Ran(0, "");
    try {
      where = git("rev-parse", "--show-toplevel");
    } catch (IOException none) {
      assumeTrue(false, "skipped: there is no git");
    }
    assumeTrue(where.status() == 0, "skipped: no git checkout: " + where.out());
    boolean itself = Path.of(where.out().strip()).toRealPath().equals(ROOT.toRealPath());
    assumeTrue(itself, "skipped: no git checkout of its own, but a part of " + where.out());
  }

  @Test
  void everyMutantAppliesToTheSourcesAsTheyAre() throws Exception {
    var patches = patches();
    assertThat(patches).as("patches in " + MUTANTS).isNotEmpty();
    var refused = new ArrayList<String>();
    for (Path patch : patches) {
      var ran = git("apply", "--check", "--whitespace=nowarn", patch.toString());
      if (ran.status() != 0) {
        refused.add(patch.getFileName() + ": " + ran.out().lines().findFirst().orElse(""));
      }
    }
    assertThat(refused)
        .as("patches that do not apply: make the same change to the code as it is now")
        .isEmpty();
  }

  private static List<Path> patches() throws IOException {
    try (var files = Files.list(MUTANTS)) {
      return files.filter(file -> file.toString().endsWith(".patch")).sorted().toList();
    }
  }

  /// Without the variables that a git hook sets: they name another index, or another tree.
  private static Ran git(String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).directory(ROOT.toFile()).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    var process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ran(process.waitFor(), out);
  }
}
