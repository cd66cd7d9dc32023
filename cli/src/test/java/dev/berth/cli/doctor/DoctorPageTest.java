package dev.berth.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.injection.InjectionFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// docs/operators/doctor.md says what the doctor says, and its role lets the doctor read what it
/// reads.
class DoctorPageTest {
  private static final Pattern PATH =
      Pattern.compile("/(?:api|apis/([^/]+))/v1[^/]*/(?:namespaces/[^/]+/)?([a-z]+)");

  @Test
  void everyFaultIsARowOfThePage() throws IOException {
    var rows = page().lines().filter(line -> line.matches("\\| `[A-Z]\\w+`: .*")).toList();
    var faults =
        Stream.of(InjectionFault.values())
            .map(fault ->
                "| `" + fault.code() + "`: " + fault.sentence() + " | " + fault.wayOut() + " |")
            .toList();
    assertThat(rows).containsExactlyElementsOf(faults);
  }

  @Test
  void everyGroupIsARowOfThePage() throws IOException {
    String page = page();
    for (Finding finding : Report.of(new Written().facts()).findings()) {
      assertThat(page).contains("\n| `" + finding.group() + "` | ");
    }
  }

  @Test
  void theRoleOfThePageGrantsEveryList() throws IOException {
    String page = page();
    int begin = page.indexOf("apiVersion: rbac.authorization.k8s.io/v1");
    var role = Written.tree(page.substring(begin, page.indexOf("```", begin)));
    var granted = new ArrayList<String>();
    for (Object rule : (List<?>) role.get("rules")) {
      var fields = (Map<?, ?>) rule;
      for (Object group : (List<?>) fields.get("apiGroups")) {
        for (Object resource : (List<?>) fields.get("resources")) {
          granted.add(group + "/" + resource + " " + fields.get("verbs"));
        }
      }
    }
    assertThat(granted)
        .containsAll(
            Stream.of(Source.values()).map(DoctorPageTest::right).collect(Collectors.toSet()));
  }

  private static String right(Source source) {
    var parts = PATH.matcher(source.path());
    assertThat(parts.matches()).as("a path of the API: %s", source.path()).isTrue();
    String group = parts.group(1);
    return (group == null ? "" : group) + "/" + parts.group(2) + " [list]";
  }

  private static String page() throws IOException {
    var here = Path.of("").toAbsolutePath();
    while (!Files.exists(here.resolve("mvnw"))) {
      here = here.getParent();
    }
    return Files.readString(here.resolve("docs/operators/doctor.md"));
  }
}
