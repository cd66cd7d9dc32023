package dev.berth.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What the page of settings says is so: its defaults are those that hold without a file, and each
/// key is described once.
class SettingsPageTest {
  @Test
  void theFileWithAllDefaultsIsWhatHoldsWithoutAFile() throws ConfigException {
    var tree = ConfigFile.tree("the page", SettingsPage.defaults());
    assertThat(Config.read(tree)).isEqualTo(Config.defaults());
  }

  @Test
  void everyKeyIsDescribedOnceInWholeSentences() {
    var says = new TreeMap<String, String>();
    var twice = new ArrayList<String>();
    for (ConfigKey setting : SettingsPage.settings()) {
      if (says.put(setting.path(), setting.says()) != null) {
        twice.add(setting.path());
      }
    }
    assertThat(twice).as("keys that are read twice").isEmpty();
    assertThat(says).hasSizeGreaterThan(100);
    assertThat(says)
        .containsKeys("plan.deadline", "extender.tls.issue.names", "workloads.definitions[].kind");
    says.values().removeIf(text -> text.matches("(?s)[A-Z`].*\\."));
    assertThat(says).as("no sentence says what they set").isEmpty();
  }
}
