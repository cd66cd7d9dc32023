package dev.berth.cli.config;

import dev.berth.controllers.grouping.GroupingSettings;
import dev.berth.controllers.grouping.kinds.ConfiguredKind;
import dev.berth.engine.model.Membership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// `workloads`: kinds that the file describes.
final class WorkloadsConfig {
  private static final Duration AGAIN = Duration.ofSeconds(30);

  private WorkloadsConfig() {}

  static GroupingSettings read(Section root, List<String> schedulers) {
    var workloads = root.section("workloads");
    var definitions = new ArrayList<ConfiguredKind>();
    for (Section each : workloads.sections("definitions")) {
      definitions.add(definition(each));
    }
    return new GroupingSettings(
        definitions,
        schedulers,
        workloads.duration("readAgain", AGAIN, Duration.ofSeconds(1), Duration.ofDays(1)));
  }

  private static ConfiguredKind definition(Section definition) {
    var components = new ArrayList<ConfiguredKind.Component>();
    for (Section each : definition.sections("subGroups")) {
      components.add(
          new ConfiguredKind.Component(
              needed(each, "name"),
              path(each, "minMember"),
              needed(each, "label"),
              each.text("value", "")));
    }
    String minMember =
        components.isEmpty() ? path(definition, "minMember") : definition.text("minMember", "");
    definition.unless(
        components.isEmpty() || minMember.isEmpty(),
        "minMember",
        minMember,
        "left out where subGroups say it");
    return new ConfiguredKind(
        definition.text("group", ""),
        needed(definition, "kind"),
        minMember,
        components,
        definition.text("priorityClass", Membership.USUAL_CLASS));
  }

  private static String needed(Section section, String field) {
    String text = section.text(field, "");
    section.unless(!text.isEmpty(), field, text, "given");
    return text;
  }

  private static String path(Section section, String field) {
    String path = section.text(field, "");
    section.unless(
        ConfiguredKind.isPath(path),
        field,
        path,
        "a path to a number, like $.spec.roles[*].replicas");
    return path;
  }
}
