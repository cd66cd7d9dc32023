package dev.berth.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// `docs/operators/configuration.md`: its blocks together are a file that Berth reads, and says
/// what holds without one.
class ConfigurationPageTest {
  private static final Pattern BLOCK = Pattern.compile("(?s)```yaml\n(.*?)```");
  private static final YAMLMapper YAML = new YAMLMapper();

  @Test
  void theFileOfThePageIsWhatHoldsWithoutAFile() throws Exception {
    var file = file();
    ((ObjectNode) file.get("extender")).remove("tls"); // an example: without it there is none
    assertThat(Config.read(tree(file))).isEqualTo(Config.defaults());
  }

  @Test
  void whatThePageShowsOfCertificatesIsRead() throws Exception {
    assertThat(Config.read(tree(file())).extender().tls())
        .isNotEqualTo(Config.defaults().extender().tls());
  }

  @Test
  void thePageSpeaksOfEverySection() throws Exception {
    assertThat(file().properties().stream().map(Map.Entry::getKey))
        .contains(
            "schedulers", "plan", "holders", "evictions", "audit", "lease", "backfill", "kai");
  }

  private static ObjectNode file() throws IOException {
    var file = YAML.createObjectNode();
    var blocks = BLOCK.matcher(Files.readString(page()));
    while (blocks.find()) {
      for (var section : YAML.readTree(blocks.group(1)).properties()) {
        assertThat(file.has(section.getKey())).as(section.getKey() + " is there twice").isFalse();
        file.set(section.getKey(), section.getValue());
      }
    }
    return file;
  }

  private static Object tree(ObjectNode file) {
    return YAML.convertValue(file, Object.class);
  }

  private static Path page() {
    var here = Path.of("").toAbsolutePath();
    while (!Files.exists(here.resolve("mvnw"))) {
      here = here.getParent();
    }
    return here.resolve("docs/operators/configuration.md");
  }
}
