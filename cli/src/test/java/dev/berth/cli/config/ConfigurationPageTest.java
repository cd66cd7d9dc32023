package dev.berth.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.extender.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// `docs/operators/configuration.md`: each of its blocks is a file that Berth reads.
class ConfigurationPageTest {
  private static final Pattern BLOCK = Pattern.compile("(?s)```yaml\n(.*?)```");

  @Test
  void everyBlockOfThePageIsAFile() throws Exception {
    var files = files();
    assertThat(files).hasSizeGreaterThan(2);
    for (Config file : files) {
      assertThat(file).as("a block shows what differs").isNotEqualTo(Config.defaults());
    }
  }

  @Test
  void thePageShowsBothWaysToCertificates() throws Exception {
    assertThat(files().stream().map(file -> file.extender().tls()))
        .hasAtLeastOneElementOfType(TlsSettings.Issued.class)
        .hasAtLeastOneElementOfType(TlsSettings.Files.class);
  }

  private static List<Config> files() throws IOException, ConfigException {
    var files = new ArrayList<Config>();
    var blocks = BLOCK.matcher(Files.readString(page()));
    while (blocks.find()) {
      files.add(Config.read(ConfigFile.tree("a block of the page", blocks.group(1))));
    }
    return files;
  }

  private static Path page() {
    var here = Path.of("").toAbsolutePath();
    while (!Files.exists(here.resolve("mvnw"))) {
      here = here.getParent();
    }
    return here.resolve("docs/operators/configuration.md");
  }
}
