package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `docs/operators/admission.md`: its tables are the cases. A table is named by the first word of
/// its head, and each row has what is sent, the sender, and the answer.
record AdmissionPage(List<String> lines) {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Pattern HEAD = Pattern.compile("\\| ([^|`]+) \\| user \\| answer \\|");
  private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| ([^|]+) \\| (.*) ?\\|");

  /// @param table the head of its first column
  /// @param answer that the page tells
  record Case(String table, JsonNode sent, String user, String answer) {}

  static AdmissionPage read() {
    try {
      return new AdmissionPage(Files.readAllLines(path()));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static Path path() {
    return ControlPlane.root().resolve("docs/operators/admission.md");
  }

  /// Must tell the answers that are given now; with them it is written to a file of `target`.
  static void mustTell(Function<Case, String> answers, String file) throws IOException {
    var page = read();
    var now = page.answered(answers);
    var target = Files.createDirectories(Path.of("target")).resolve(file);
    Files.write(target, now.lines());
    assertThat(page.lines())
        .as("docs/operators/admission.md; if what is different is meant, it stands in " + target)
        .containsExactlyElementsOf(now.lines());
  }

  private AdmissionPage answered(Function<Case, String> answers) {
    var now = new ArrayList<String>();
    String table = "";
    for (String line : lines) {
      Matcher head = HEAD.matcher(line);
      Matcher row = ROW.matcher(line);
      if (head.matches()) {
        table = head.group(1);
      }
      if (row.matches()) {
        var sent = tree("{" + row.group(1) + "}");
        String answer = answers.apply(new Case(table, sent, row.group(2), row.group(3).strip()));
        now.add("| `%s` | %s | %s |".formatted(row.group(1), row.group(2), answer));
      } else {
        now.add(line);
      }
    }
    return new AdmissionPage(now);
  }

  boolean says(String words) {
    return lines.stream().anyMatch(line -> line.contains(words));
  }

  private static JsonNode tree(String flowYaml) {
    try {
      return YAML.readTree(flowYaml);
    } catch (IOException notYaml) {
      throw new UncheckedIOException(flowYaml, notYaml);
    }
  }
}
