package dev.berth.cli.projects;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `docs/operators/projects.md` says is so.
final class ProjectsPageTest {
  private static final Path PAGE = Path.of("../docs/operators/projects.md");
  private static final Pattern FIELD = Pattern.compile("`(\\w+)`");

  @TempDir private Path folder = Path.of("");

  private ProjectSet example(String page) throws Exception {
    String yaml = page.substring(page.indexOf("```yaml\n") + 8);
    var file = folder.resolve("projects.yaml");
    Files.writeString(file, yaml.substring(0, yaml.indexOf("```")));
    return ProjectSet.read(List.of(file), Optional.empty());
  }

  @Test
  void theExampleIsValidAndNothingIsToldOfIt() throws Exception {
    var projects = example(Files.readString(PAGE));
    assertThat(projects.warnings()).isEmpty();
    assertThat(projects.labelling()).isEmpty();
    assertThat(projects.manifests()).hasSize(17);
  }

  @Test
  void theCommandsThatRemoveAreThoseThatAreTold() throws Exception {
    String page = Files.readString(PAGE);
    var told = example(page).pruning(Optional.empty());
    for (String command : told) {
      String form = command.replaceAll("\\((research,)?vision\\)", "(vision)");
      assertThat(page)
          .contains("$ " + form.replaceAll("notin \\([^)]*\\)", "notin (7f0dc2b73b)") + "\n");
    }
  }

  /// In the table are all fields that the reader knows, each once.
  @Test
  void theTableHasAllFields() throws IOException {
    String page = Files.readString(PAGE);
    String table = page.substring(page.indexOf("| field of `spec`"));
    var fields = new ArrayList<String>();
    for (String row : table.substring(0, table.indexOf("\n\n")).lines().skip(2).toList()) {
      var names = FIELD.matcher(row.substring(0, row.indexOf('|', 1)));
      while (names.find()) {
        fields.add(names.group(1));
      }
    }
    assertThat(fields).doesNotHaveDuplicates();
    assertThat(new TreeSet<>(fields)).isEqualTo(new TreeSet<>(ProjectReader.SPEC));
  }
}
