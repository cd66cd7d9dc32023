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
    assertThat(berth.execute("what-if", "-f", "any.yaml", "--add-nodes", "n1")).isEqualTo(2);
    assertThat(told.toString())
        .startsWith("Value for option '--add-nodes' (NODE=COUNT) should be in");
  }
}
