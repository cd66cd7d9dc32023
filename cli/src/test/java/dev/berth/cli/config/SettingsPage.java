package dev.berth.cli.config;

import static dev.berth.cli.reference.Markdown.code;
import static dev.berth.cli.reference.Markdown.prose;

import dev.berth.cli.reference.Markdown;
import dev.berth.cli.reference.ReferencePage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Every key of the configuration file, as the readers of the file describe it.
public final class SettingsPage {
  /// One element in each list: readers describe the keys of elements that there are.
  private static final Map<String, ?> ONE_OF_EACH =
      Map.of("workloads", Map.of("definitions", List.of(Map.of("subGroups", List.of(Map.of())))));

  private SettingsPage() {}

  static List<ConfigKey> settings() {
    var settings = new ArrayList<ConfigKey>();
    Config.read(new Section(ONE_OF_EACH, new ArrayList<>(), settings));
    return settings;
  }

  public static ReferencePage page() {
    var page = new Markdown();
    page.paragraph(
        "One YAML file, `berth serve --config FILE`; on a cluster the key `berth.yaml` of the"
            + " ConfigMap `berth` in `berth-system`. `spec.settings` of a Scenario has the same"
            + " keys. What is left out has its default. Explanations and advice:"
            + " [configuration.md](../operators/configuration.md).");
    page.paragraph(
        "**A change needs a restart of Berth**: each replica reads the file once, when it starts"
            + " (`kubectl -n berth-system rollout restart deployment/berth`). Where a text says"
            + " that something is followed without a restart, that is the content of a file or"
            + " what is found in the cluster, not the setting. A setting *of the leader* has an"
            + " effect in the replica that leads; standbys read it and use it once they lead. A"
            + " setting *of every replica* has an effect in each. The name of a setting of"
            + " kube-scheduler, such as `httpTimeout`, says that the two must agree: after a change"
            + " there kube-scheduler is restarted.");
    page.paragraph(
        "Durations are written like `500ms`, `20s` or `1m30s`. A key that Berth does not know, a"
            + " key that comes twice, and a value that is not allowed are errors that name the key:"
            + " Berth does not start.");
    page.section("Keys at the top");
    page.paragraph("Settings of the leader.");
    table(page, of(""));
    for (var section : sections().values()) {
      page.section(section.path());
      page.paragraph(prose(section.says()) + " " + replica(section));
      table(page, of(section.path()));
    }
    page.section("The file with all defaults");
    page.code("yaml", defaults());
    return new ReferencePage(
        "settings.md",
        "Settings",
        "keys of the configuration file: type, default, bounds, what it sets",
        page.text());
  }

  private static String replica(ConfigKey setting) {
    return switch (setting.replica()) {
      case LEADER -> "Settings of the leader.";
      case EVERY -> "Settings of every replica.";
    };
  }

  /// By path, those of lists and mappings inside another left out.
  private static TreeMap<String, ConfigKey> sections() {
    var sections = new TreeMap<String, ConfigKey>();
    for (ConfigKey setting : settings()) {
      if (setting.isSection() && setting.path().indexOf('.') < 0) {
        sections.put(setting.path(), setting);
      }
    }
    return sections;
  }

  /// The keys below a section, by path.
  private static TreeMap<String, ConfigKey> of(String section) {
    var keys = new TreeMap<String, ConfigKey>();
    for (ConfigKey setting : settings()) {
      int dot = setting.path().indexOf('.');
      boolean isOf =
          section.isEmpty()
              ? dot < 0 && !setting.isSection()
              : setting.path().startsWith(section + ".");
      if (isOf) {
        keys.put(setting.path(), setting);
      }
    }
    return keys;
  }

  private static void table(Markdown page, TreeMap<String, ConfigKey> keys) {
    var rows = new ArrayList<List<String>>();
    for (ConfigKey key : keys.values()) {
      boolean isList = key.isSection() && keys.containsKey(first(keys, key.path() + "[]."));
      rows.add(
          List.of(
              code(key.path()),
              key.isSection() ? isList ? "list" : "section" : key.type(),
              key.bounds().equals("required") ? "" : code(key.byDefault()),
              prose(key.bounds()),
              prose(key.says())));
    }
    page.table(List.of("key", "type", "default", "values", "what"), rows);
  }

  /// The first key from one on.
  private static String first(TreeMap<String, ConfigKey> keys, String from) {
    String key = keys.ceilingKey(from);
    return key != null && key.startsWith(from) ? key : "";
  }

  /// A file that says what holds without one.
  static String defaults() {
    var lines = new ArrayList<String>();
    var all = new TreeMap<String, ConfigKey>();
    settings().forEach(setting -> all.put(setting.path(), setting));
    for (ConfigKey setting : all.values()) {
      String[] names = setting.path().split("\\.");
      String name = names[names.length - 1];
      boolean isList = setting.isSection() && !first(all, setting.path() + "[].").isEmpty();
      if (!setting.path().contains("[]")) {
        String value = setting.isSection() ? isList ? " []" : "" : " " + yaml(setting.byDefault());
        lines.add("  ".repeat(names.length - 1) + name + ":" + value);
      }
    }
    return String.join("\n", lines);
  }

  private static String yaml(String value) {
    return value.contains(":") ? "\"" + value + "\"" : value;
  }
}
