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

  private static final Form PATH =
      new Form("path to a number", "like `$.spec.roles[*].replicas`; `[*]` adds up all elements");

  private WorkloadsConfig() {}

  static GroupingSettings read(Section root, List<String> schedulers) {
    var workloads =
        root.section("workloads", "Kinds of workloads of your own (docs/users/workloads.md).");
    var definitions = new ArrayList<ConfiguredKind>();
    for (Section each :
        workloads.sections("definitions", "Kinds whose pods start together, one element a kind.")) {
      definitions.add(definition(each));
    }
    return new GroupingSettings(
        definitions,
        schedulers,
        workloads.duration(
            "readAgain",
            "How often the owners of waiting pods are read again.",
            AGAIN,
            Duration.ofSeconds(1),
            Duration.ofDays(1)));
  }

  private static ConfiguredKind definition(Section definition) {
    var components = new ArrayList<ConfiguredKind.Component>();
    String roles = "Roles of the kind. With them it has no `minMember` of its own.";
    for (Section each : definition.sections("subGroups", roles)) {
      components.add(
          new ConfiguredKind.Component(
              needed(each, "name", "Name of the role."),
              path(each, "minMember", "How many of its pods start together."),
              needed(each, "label", "Label of pods by which they are of this role."),
              each.text("value", "Value of that label on its pods. Empty means any.", "")));
    }
    String says = "How many pods start together, where there are no `subGroups`.";
    String minMember =
        components.isEmpty()
            ? path(definition, "minMember", says)
            : definition.text("minMember", says, "", PATH);
    definition.unless(
        components.isEmpty() || minMember.isEmpty(),
        "minMember",
        minMember,
        "left out where subGroups say it");
    return new ConfiguredKind(
        definition.text("group", "API group of the kind. Empty means the core group.", ""),
        needed(definition, "kind", "The kind."),
        minMember,
        components,
        definition.text(
            "priorityClass",
            "PriorityClass of groups where the workload names none.",
            Membership.USUAL_CLASS));
  }

  private static String needed(Section section, String field, String says) {
    String text = section.text(field, says, "", Form.REQUIRED);
    section.unless(!text.isEmpty(), field, text, "given");
    return text;
  }

  private static String path(Section section, String field, String says) {
    String path = section.text(field, says, "", PATH);
    section.unless(
        ConfiguredKind.isPath(path),
        field,
        path,
        "a path to a number, like $.spec.roles[*].replicas");
    return path;
  }
}
