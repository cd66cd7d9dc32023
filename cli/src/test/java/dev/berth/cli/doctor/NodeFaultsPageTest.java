package dev.berth.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.injection.InjectionFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// docs/operators/node-faults.md names a test for each sentence, and these tests exist.
class NodeFaultsPageTest {
  private static final Pattern TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");

  @ParameterizedTest
  @EnumSource
  void everyFaultHasATestThatNamesIt(InjectionFault fault) throws IOException {
    var row =
        Files.readString(root().resolve("docs/operators/node-faults.md"))
            .lines()
            .filter(line -> line.startsWith("| `" + fault.code() + "` | "))
            .toList();
    assertThat(row).as("rows of %s", fault.code()).hasSize(1);
    var columns = row.getFirst().split(" \\| ");
    assertThat(columns).as("columns of %s", fault.code()).hasSize(4);
    expectNamedByAny(fault, tests(columns[2]));
    if (!columns[3].startsWith("-")) {
      expectNamedByAny(fault, tests(columns[3]));
    }
  }

  private static void expectNamedByAny(InjectionFault fault, List<String> sources) {
    assertThat(sources)
        .as("tests that name %s or its constant", fault.code())
        .anyMatch(source -> source.contains(fault.code()) || source.contains(fault.name()));
  }

  /// The sources of the tests that a column names.
  private static List<String> tests(String column) throws IOException {
    var sources = new ArrayList<String>();
    var names = TEST.matcher(column);
    while (names.find()) {
      String source = source(names.group(1));
      assertThat(source).as(names.group()).contains("void " + names.group(2) + "(");
      sources.add(source);
    }
    return sources;
  }

  private static String source(String className) throws IOException {
    for (String module : List.of("engine", "controllers", "cli", "e2e")) {
      try (Stream<Path> files = Files.walk(root().resolve(module + "/src/test/java"))) {
        Optional<Path> found = files.filter(file -> file.endsWith(className + ".java")).findFirst();
        if (found.isPresent()) {
          return Files.readString(found.get());
        }
      }
    }
    throw new AssertionError("there is no test class " + className);
  }

  private static Path root() {
    var here = Path.of("").toAbsolutePath();
    while (!Files.exists(here.resolve("mvnw"))) {
      here = here.getParent();
    }
    return here;
  }
}
