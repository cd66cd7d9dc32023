package dev.berth.cli.imports;

import dev.berth.simulator.scenario.ScenarioException;
import dev.berth.simulator.scenario.ScenarioFiles;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Objects of files: YAML or JSON, several documents, lists as `kubectl get -o yaml` writes them,
/// or a folder of such files.
public final class ImportFiles {
  private static final String LIST = "List";

  private ImportFiles() {}

  /// @throws ScenarioException where a file cannot be read, or there is nothing to import
  public static ForeignObjects read(Path place, OtherScheduler from) throws ScenarioException {
    var objects = new ForeignObjects(from);
    for (Path file : ScenarioFiles.in(List.of(place))) {
      for (Map<String, Object> document : ScenarioFiles.documents(file)) {
        add(objects, file.toString(), document);
      }
    }
    objects.check(place.toString());
    return objects;
  }

  /// The items of a typed list, such as `ClusterQueueList`, need not say what they are.
  private static void add(ForeignObjects objects, String file, Map<?, ?> document) {
    String kind = String.valueOf(document.get("kind"));
    if (!kind.endsWith(LIST) || !(document.get("items") instanceof List<?> items)) {
      objects.add(file, document);
      return;
    }
    for (Object item : items) {
      if (item instanceof Map<?, ?> map) {
        var whole = new LinkedHashMap<Object, Object>();
        if (kind.length() > LIST.length()) {
          whole.put("apiVersion", document.get("apiVersion"));
          whole.put("kind", kind.substring(0, kind.length() - LIST.length()));
        }
        whole.putAll(map);
        add(objects, file, whole);
      }
    }
  }
}
