package dev.berth.controllers.crd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.WorkloadPhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/// Fields of a status that the CRDs describe are those that Berth writes: the API server drops any
/// other, and users wait in vain for one that is never written.
final class CrdStatusTest {
  private static final Path CRDS = Path.of("..", "crds");
  private static final Instant NOW = Instant.parse("2026-01-01T10:20:30Z");
  private static final SortedMap<String, String> AMOUNTS = new TreeMap<>(Map.of("*", "1"));
  private static final List<Condition> CONDITIONS =
      List.of(new Condition("Scheduled", true, "Scheduled", "", NOW));

  /// In the CRDs, and not written: `metav1.Condition` has it, so clients that read conditions may
  /// ask for it. Berth's `status.observedGeneration` holds for all conditions.
  private static final Set<String> NOT_WRITTEN = Set.of("conditions[].observedGeneration");

  @Test
  void ofAPodGroup() throws IOException {
    var full =
        new PodGroupStatus(
            WorkloadPhase.RUNNING,
            "reason",
            "message",
            NOW,
            NOW,
            1,
            AMOUNTS,
            new PodGroupStatus.Members(1, 2, 3, 4, 5, 6),
            new ForecastStatus(NOW, NOW, NOW),
            CONDITIONS);
    assertThat(written(full.over(PodGroupStatus.NONE, "away")))
        .isEqualTo(described("podgroups.yaml"));
  }

  /// What goes is named, too: a merge patch keeps what it does not name.
  @Test
  void ofAPodGroupWithoutContent() throws IOException {
    var fields = new TreeSet<String>();
    described("podgroups.yaml").forEach(field -> fields.add(field.replaceAll("[.\\[].*", "")));
    assertThat(PodGroupStatus.NONE.over(PodGroupStatus.NONE, "away").keySet()).isEqualTo(fields);
  }

  @Test
  void ofAQueue() throws IOException {
    var none = QueueStatus.read(Map.of());
    var full =
        new QueueStatus(
            AMOUNTS,
            AMOUNTS,
            AMOUNTS,
            AMOUNTS,
            AMOUNTS,
            NOW,
            new QueueStatus.Workloads(1, 2),
            3,
            CONDITIONS);
    assertThat(written(none.patch(full, "away"))).isEqualTo(described("queues.yaml"));
  }

  @Test
  void noOtherKindHasOne() throws IOException {
    var kinds = new TreeSet<String>();
    try (var files = Files.list(CRDS)) {
      for (Path file : files.filter(each -> each.toString().endsWith("s.yaml")).toList()) {
        if (!statuses(file).isEmpty()) {
          kinds.add(String.valueOf(file.getFileName()));
        }
      }
    }
    assertThat(kinds).containsExactly("podgroups.yaml", "queues.yaml");
  }

  /// Paths of fields, `[]` below a list and `*` for any key.
  private static Set<String> described(String file) throws IOException {
    var fields = new TreeSet<String>();
    statuses(CRDS.resolve(file)).forEach(status -> describe("", status, fields));
    assertThat(fields).containsAll(NOT_WRITTEN);
    fields.removeAll(NOT_WRITTEN);
    return fields;
  }

  private static List<Map<?, ?>> statuses(Path file) throws IOException {
    Map<?, ?> crd = new Yaml().load(Files.readString(file));
    var versions = below(crd, "spec").get("versions");
    return versions instanceof List<?> list
        ? list.stream()
            .<Map<?, ?>>map(each -> below(each, "schema", "openAPIV3Schema", "properties"))
            .filter(properties -> properties.containsKey("status"))
            .<Map<?, ?>>map(properties -> below(properties, "status"))
            .toList()
        : List.of();
  }

  private static Map<?, ?> below(Object tree, String... keys) {
    Object at = tree;
    for (String key : keys) {
      at = at instanceof Map<?, ?> map && map.containsKey(key) ? map.get(key) : Map.of();
    }
    return at instanceof Map<?, ?> map ? map : Map.of();
  }

  private static void describe(String path, Map<?, ?> schema, Set<String> fields) {
    var properties = below(schema, "properties");
    if (!properties.isEmpty()) {
      properties.forEach((name, field) -> describe(join(path, name), below(field), fields));
    } else if (schema.containsKey("items")) {
      describe(path + "[]", below(schema, "items"), fields);
    } else {
      fields.add(schema.containsKey("additionalProperties") ? path + ".*" : path);
    }
  }

  private static Set<String> written(Map<String, Object> patch) {
    var fields = new TreeSet<String>();
    gather("", patch, fields);
    return fields;
  }

  private static void gather(String path, Object value, Set<String> fields) {
    switch (value) {
      case Map<?, ?> map -> map.forEach((key, below) -> gather(join(path, key), below, fields));
      case List<?> list -> list.forEach(each -> gather(path + "[]", each, fields));
      default -> fields.add(path);
    }
  }

  private static String join(String path, Object key) {
    return path.isEmpty() ? String.valueOf(key) : path + "." + key;
  }
}
