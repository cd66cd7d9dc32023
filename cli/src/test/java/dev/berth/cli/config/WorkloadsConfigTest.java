package dev.berth.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.controllers.grouping.kinds.ConfiguredKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Kinds that the configuration describes.
final class WorkloadsConfigTest {
  @Test
  void aKindIsDescribedByItsMinimumOrItsRoles() throws ConfigException {
    var squad = Map.of("group", "example.com", "kind", "Squad", "minMember", "$.spec.size");
    var role = Map.of("name", "flagship", "minMember", "$.spec.flagships", "label", "role");
    var replicas = Map.of("kind", "Fleet", "priorityClass", "build", "subGroups", List.of(role));
    var settings =
        Config.read(Map.of("workloads", Map.of("definitions", List.of(squad, replicas))));
    assertThat(settings.grouping().definitions())
        .containsExactly(
            new ConfiguredKind("example.com", "Squad", "$.spec.size", List.of(), "train"),
            new ConfiguredKind(
                "",
                "Fleet",
                "",
                List.of(new ConfiguredKind.Component("flagship", "$.spec.flagships", "role", "")),
                "build"));
  }

  @Test
  void aSectionThatBerthDoesNotKnowIsNamed() {
    assertThatThrownBy(() -> Config.read(Map.of("planer", Map.of("pause", "1s"))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "planer is not a field that Berth knows (did you mean plan?); known are");
  }

  @Test
  void whatCannotBeMeantIsNamed() {
    var wrong = Map.of("group", "example.com", "minMember", "$.spec..size", "extra", 1);
    assertThatThrownBy(
            () -> Config.read(Map.of("workloads", Map.of("definitions", List.of(wrong)))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("workloads.definitions[0].kind is \"\"")
        .hasMessageContaining("workloads.definitions[0].minMember is \"$.spec..size\"")
        .hasMessageContaining("workloads.definitions[0].extra is not a field");
  }
}
