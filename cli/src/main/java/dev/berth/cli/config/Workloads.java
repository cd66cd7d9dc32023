package dev.berth.cli.config;

import dev.berth.controllers.grouping.GroupingSettings;
import dev.berth.controllers.grouping.kinds.Declared;
import dev.berth.engine.model.Membership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// `workloads`: kinds that the file describes.
final class Workloads {
  private static final Duration AGAIN = Duration.ofSeconds(30);

  private Workloads() {}

  static GroupingSettings read(Section root, List<String> schedulers) {
    var workloads = root.section("workloads");
    var definitions = new ArrayList<Declared>();
    for (Section each : workloads.sections("definitions")) {
      definitions.add(definition(each));
    }
    return new GroupingSettings(
        definitions,
        schedulers,
        workloads.duration("readAgain", AGAIN, Duration.ofSeconds(1), Duration.ofDays(1)));
  }

  private static Declared definition(Section definition) {
    var components = new ArrayList<Declared.Component>();
    for (Section each : definition.sections("subGroups")) {
      components.add(
          new Declared.Component(
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
    return new Declared(
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
        Declared.isPath(path), field, path, "a path to a number, like $.spec.roles[*].replicas");
    return path;
  }
}
