package dev.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// The same snapshot gives the same plan, byte for byte, in another process: with other salts of
/// the JDK's immutable collections (they are drawn at the start), other identity hashes and another
/// locale. One JVM has one salt, so twice in one process proves little.
class PlanDeterminismTest {
  private static final int WORLDS = 120;

  @Test
  void anotherProcessMakesTheSamePlans() throws IOException, InterruptedException {
    var here = plans();
    assertThat(here.lines().count() == 2 * WORLDS).as("a line for each world").isTrue();
    assertThat(elsewhere(List.of("-XX:hashCode=2", "-Duser.language=ar"))).isEqualTo(here);
    assertThat(elsewhere(List.of("-XX:hashCode=0", "-Duser.language=tr", "-Xint"))).isEqualTo(here);
  }

  private static String elsewhere(List<String> flags) throws IOException, InterruptedException {
    var command = new java.util.ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UnlockExperimentalVMOptions");
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(PlanDeterminismTest.class.getName());
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor())
        .as(() -> "another JVM with " + flags + " said " + said)
        .isEqualTo(0);
    return said;
  }

  private static String plans() {
    var plans = new StringBuilder();
    for (long seed = 0; seed < WORLDS; seed++) {
      var planner = Settings.planner(seed);
      line(plans, "w", seed, planner.plan(Worlds.random(seed).snapshot()).toString());
      line(plans, "c", seed, planner.plan(Contests.random(seed).snapshot()).toString());
    }
    return plans.toString();
  }

  private static void line(StringBuilder into, String kind, long seed, String plan) {
    into.append(String.format(Locale.ROOT, "%s%d %s%n", kind, seed, plan));
  }

  /// The other process.
  public static void main(String[] args) {
    System.out.writeBytes(plans().getBytes(StandardCharsets.UTF_8));
  }
}
