package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The table of reasons in `docs/users/policy.md` has each reason once, and no other.
final class ReasonTableTest {
  private static final String SECTION = "## Why is my pod waiting?";
  private static final Pattern CODE = Pattern.compile("`(\\w+)`");

  @Test
  void everyReasonIsExplainedOnce() throws IOException {
    List<String> reasons =
        Stream.of(Reason.class.getPermittedSubclasses()).map(Class::getSimpleName).toList();
    assertThat(reasons).hasSizeGreaterThan(30);
    String page = Files.readString(Repository.root().resolve("docs/users/policy.md"));
    assertThat(explained(page))
        .as("first column of the table in docs/users/policy.md, below: %s", SECTION)
        .containsExactlyInAnyOrderElementsOf(reasons);
  }

  /// The words in backticks of the first column.
  private static List<String> explained(String page) {
    int start = page.indexOf(SECTION);
    assertThat(start).isNotNegative();
    int end = page.indexOf("\n## ", start);
    var codes = new ArrayList<String>();
    for (String line : page.substring(start, end).split("\n")) {
      if (line.startsWith("| `")) {
        String first = line.substring(0, line.indexOf(" |", 1));
        CODE.matcher(first).results().forEach(code -> codes.add(code.group(1)));
      }
    }
    return codes;
  }
}
