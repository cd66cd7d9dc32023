package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.SAXException;
import picocli.CommandLine;

final class SimulateTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final StringWriter err = new StringWriter();

  @Test
  void aCallWithoutFileAndSeedNamesBoth() {
    assertThat(simulate()).as("the exit status").isEqualTo(2);
    assertThat(err.toString().contains("(FILE... | --seed=N)")).as(err::toString).isTrue();
  }

  @Test
  void aFileAndASeedAreNotPlayedAtOnce() {
    assertThat(simulate("--seed", "7", "../examples/scenarios/stale-gang.yaml"))
        .as("the status")
        .isEqualTo(2);
    assertThat(err.toString().contains("(FILE... | --seed=N)")).as(err::toString).isTrue();
  }

  @Test
  void aFileIsPlayed() {
    assertThat(simulate("../examples/scenarios/stale-gang.yaml")).as(err::toString).isEqualTo(0);
    assertThat(out.toString().contains("evict stale  train")).as(out::toString).isTrue();
  }

  @Test
  void whatDoesNotComeAsExpectedIsTheExitStatus(@TempDir Path folder) throws IOException {
    var scenario = Files.readString(Path.of("../examples/scenarios/stale-gang.yaml"));
    var file = folder.resolve("wrong.yaml");
    Files.writeString(
        file, scenario.replaceAll("evictions: *\\{max: *[0-9]+}", "evictions: {max: 0}"));
    assertThat(simulate(file.toString())).as("the exit status").isEqualTo(1);
    assertThat(out.toString().contains("Not as expected: ")).as(out::toString).isTrue();
  }

  @Test
  void aFileThatIsNoScenarioIsNeitherPlayedNorTakenForGood(@TempDir Path folder)
      throws IOException {
    var file = folder.resolve("some.yaml");
    Files.writeString(file, "");
    assertRefused(file, ": there is no scenario, and no object of a cluster");
    assertRefused(folder, ": there is no scenario, and no object of a cluster");
    Files.writeString(file, "a: b");
    assertRefused(file, "this is an object without a kind, but must be");
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertRefused(file, "is no text in UTF-8");
  }

  private void assertRefused(Path place, String words) {
    var errors = new ByteArrayOutputStream();
    var streamOfErrors = System.err;
    System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    try {
      assertThat(simulate(place.toString())).as("the exit status").isEqualTo(2);
    } finally {
      System.setErr(streamOfErrors);
    }
    String told = errors.toString(StandardCharsets.UTF_8);
    assertThat(told.contains(words)).as(told).isTrue();
  }

  private static final String HOSTILE = "x\\e[2J\\a\\r\\nFORGED\\u202Ey\\x9b";

  /// Whatever names are in a file: each text is one line, and nothing steers the terminal.
  @Test
  void namesInAFileNeitherSteerTheTerminalNorAddLines(@TempDir Path folder) throws IOException {
    var scenario = Files.readString(Path.of("../examples/scenarios/stale-gang.yaml"));
    var values = Pattern.compile("(: )([A-Za-z][A-Za-z0-9.-]*)(?=[,}\\s])");
    int played = 0;
    int places = (int) values.matcher(scenario).results().count();
    for (int place = 0; place < places; place++) {
      int here = place;
      var number = new AtomicInteger();
      var hostile =
          values
              .matcher(scenario)
              .replaceAll(found ->
                  Matcher.quoteReplacement(
                      number.getAndIncrement() == here
                          ? found.group(1) + '"' + found.group(2) + HOSTILE + '"'
                          : found.group()));
      var file = folder.resolve("hostile-" + place + ".yaml");
      Files.writeString(file, hostile);
      played += printed(file) ? 1 : 0;
    }
    assertThat(played > 5).as("the names are told somewhere: " + played).isTrue();
  }

  /// Whether the name came up.
  private boolean printed(Path file) throws IOException {
    out.reset();
    var streamOfErrors = System.err;
    try {
      System.setErr(new PrintStream(out, true, StandardCharsets.UTF_8));
      simulate("--trace", file.toString());
      var report = file.resolveSibling("report.xml");
      new CommandLine(new TestScenarios(new PrintStream(out, true, StandardCharsets.UTF_8)))
          .execute("--trace", "--report", report.toString(), file.toString());
      if (Files.exists(report)) {
        DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(report.toFile());
        out.write(Files.readAllBytes(report));
      }
    } catch (ParserConfigurationException | SAXException invalid) {
      throw new IOException(invalid);
    } finally {
      System.setErr(streamOfErrors);
    }
    var text = out.toString(StandardCharsets.UTF_8);
    assertThat(
            text.codePoints().noneMatch(c -> c != '\n' && Character.isISOControl(c) || c == 0x202E))
        .as(text)
        .isTrue();
    assertThat(text.lines().noneMatch(line -> line.strip().startsWith("FORGED"))).as(text).isTrue();
    return text.contains("FORGED");
  }

  @Test
  void aSeedIsReplayed() {
    assertThat(simulate("--seed", "7")).as(err::toString).isEqualTo(0);
    assertThat(out.toString().startsWith("seed 7: no rule is broken")).as(out::toString).isTrue();
  }

  private int simulate(String... arguments) {
    return new CommandLine(new Simulate(new PrintStream(out, true, StandardCharsets.UTF_8)))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }
}
