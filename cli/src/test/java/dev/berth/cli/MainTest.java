package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class MainTest {
  @Test
  void anOptionWithAMalformedValueIsNamedOnce() {
    var told = new StringWriter();
    var berth = Main.commandLine().setErr(new PrintWriter(told, true));
    assertThat(berth.execute("what-if", "-f", "any.yaml", "--limit", "research")).isEqualTo(2);
    assertThat(told.toString()).startsWith("Value for option '--limit' (QUEUE=GPUS) should be in");
  }
}
