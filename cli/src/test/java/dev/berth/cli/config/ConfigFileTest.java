package dev.berth.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The configuration as a file.
class ConfigFileTest {
  @TempDir Path dir;

  @Test
  void aKeyThatComesTwiceIsAnErrorThatNamesKeyAndLine() throws IOException {
    var file = written("plan:\n  pause: 5ms\nholders:\n  warm: 1\nplan:\n  pause: 9ms\n");
    assertThatThrownBy(() -> Config.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("sets plan twice, the second time in line 5: keep one");
    var nested = written("holders:\n  warm: 1\n  keepIdle: 2s\n  warm: 2\n");
    assertThatThrownBy(() -> Config.read(nested))
        .hasMessageContaining("sets warm twice, the second time in line 4");
  }

  @Test
  void aBoundThatFollowsFromAnotherSettingNamesIt() throws IOException {
    var holders = written("plan:\n  deadline: 20s\nholders:\n  readyTimeout: 11s\n");
    assertThatThrownBy(() -> Config.read(holders))
        .hasMessageContaining(
            "holders.readyTimeout is \"11s\", but must be a duration from 1s to 10s (half of"
                + " plan.deadline), like 500ms, 20s or 1m30s");
    var shares = written("plan:\n  deadline: 20s\nshares:\n  probeTimeout: 11s\n");
    assertThatThrownBy(() -> Config.read(shares))
        .hasMessageContaining(
            "shares.probeTimeout is \"11s\", but must be a duration from 1s to 10s"
                + " (half of plan.deadline)");
    var alone = written("plan:\n  longestPause: 48h\n");
    assertThatThrownBy(() -> Config.read(alone)).hasMessageContaining("to 24h, like 500ms");
  }

  @Test
  void whatIsNotYamlIsToldInOneLineWithOneLineNumber() throws IOException {
    var tab = written("plan:\n\tpause: 5ms\n");
    assertThatThrownBy(() -> Config.read(tab))
        .isInstanceOf(ConfigException.class)
        .message()
        .endsWith(
            "is not YAML: found character '\\t(TAB)' that cannot start any token. (Do not use"
                + " \\t(TAB) for indentation) (line 2)");
    var unclosed = written("plan:\n  pause: [5ms\nholders:\n  warm: 1\n");
    assertThatThrownBy(() -> Config.read(unclosed))
        .message()
        .matches("(?s).* is not YAML: [^\n]+ \\(line \\d+\\)")
        .containsOnlyOnce("line ");
  }

  @Test
  void aFileWithoutFieldsHasTheDefaults() throws IOException, ConfigException {
    assertThat(Config.read(written("# nothing\n"))).isEqualTo(Config.defaults());
  }

  private Path written(String text) throws IOException {
    return Files.writeString(dir.resolve("berth.yaml"), text);
  }
}
