package dev.berth.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
  void whoSaysNotWhatToPlayIsToldBothWays() {
    assertEquals(2, simulate(), "the exit status");
    assertTrue(err.toString().contains("(FILE... | --seed=N)"), err::toString);
  }

  @Test
  void aFileAndASeedAreNotPlayedAtOnce() {
    assertEquals(2, simulate("--seed", "7", "../examples/scenarios/stale-gang.yaml"), "the status");
    assertTrue(err.toString().contains("(FILE... | --seed=N)"), err::toString);
  }

  @Test
  void aFileIsPlayed() {
    assertEquals(0, simulate("../examples/scenarios/stale-gang.yaml"), err::toString);
    assertTrue(out.toString().contains("evict stale  train"), out::toString);
  }

  @Test
  void whatDoesNotComeAsExpectedIsTheExitStatus(@TempDir Path folder) throws IOException {
    var scenario = Files.readString(Path.of("../examples/scenarios/stale-gang.yaml"));
    var file = folder.resolve("wrong.yaml");
    Files.writeString(
        file, scenario.replaceAll("evictions: *\\{max: *[0-9]+}", "evictions: {max: 0}"));
    assertEquals(1, simulate(file.toString()), "the exit status");
    assertTrue(out.toString().contains("Not as expected: "), out::toString);
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
      assertEquals(2, simulate(place.toString()), "the exit status");
    } finally {
      System.setErr(streamOfErrors);
    }
    String told = errors.toString(StandardCharsets.UTF_8);
    assertTrue(told.contains(words), told);
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
    assertTrue(played > 5, "the names are told somewhere: " + played);
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
    assertTrue(
        text.codePoints().noneMatch(c -> c != '\n' && Character.isISOControl(c) || c == 0x202E),
        text);
    assertTrue(text.lines().noneMatch(line -> line.strip().startsWith("FORGED")), text);
    return text.contains("FORGED");
  }

  @Test
  void aSeedIsReplayed() {
    assertEquals(0, simulate("--seed", "7"), err::toString);
    assertTrue(out.toString().startsWith("seed 7: no rule is broken"), out::toString);
  }

  private int simulate(String... arguments) {
    return new CommandLine(new Simulate(new PrintStream(out, true, StandardCharsets.UTF_8)))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }
}
