package dev.berth.cli.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class JUnitXmlTest {
  private static CaseVerdict verdict(String name, List<String> unmet, String deviation) {
    return new CaseVerdict(
        name, "cases/" + name + ".yaml", unmet, deviation, List.of(), Duration.ofMillis(12));
  }

  @Test
  void verdictsAreTestCases() throws IOException {
    var out = new StringWriter();
    JUnitXml.write(
        out,
        List.of(
            verdict("good", List.of(), ""),
            verdict("bad", List.of("a < b", "c\u0007"), ""),
            verdict("meant", List.of("d"), "better so")));
    String file =
        "<testcase classname=\"cases\" name=\"%s\" file=\"cases/%s.yaml\" time=\"0.012\">";
    assertThat(out.toString())
        .isEqualTo(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><testsuites>"
                + "<testsuite name=\"cases\" tests=\"3\" failures=\"1\" skipped=\"1\" errors=\"0\">"
                + file.formatted("good", "good")
                + "</testcase>"
                + file.formatted("bad", "bad")
                + "<failure message=\"a &lt; b\">a &lt; b\nc\\u0007</failure></testcase>"
                + file.formatted("meant", "meant")
                + "<skipped message=\"better so\"></skipped></testcase>"
                + "</testsuite></testsuites>");
  }
}
