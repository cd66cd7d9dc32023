package dev.berth.simulator.scenario;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/// JSON and YAML files as plain trees: maps, lists, strings, longs, doubles, booleans. What is
/// `null` is left out. A field that comes twice is an error. (Anchors and merge keys of YAML are
/// why Jackson, which knows neither, does not read it.)
final class Documents {
  private static final int LARGEST_FILE = 256 << 20;
  private static final int DEEPEST = 200; // levels; the stack ends somewhere below
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /// Jackson says of no source that it does not name it.
  private static final Pattern SOURCE =
      Pattern.compile("\\[Source: REDACTED [^;]*; line: ([0-9]+), column: [0-9]+]");

  /// How much is read.
  ///
  /// @param aliases of lists and mappings, each of which repeats what it stands for
  /// @param values with what aliases repeat
  private record Bounds(int aliases, long values) {
    static final Bounds OF_FILES = new Bounds(100_000, Long.MAX_VALUE);
    static final Bounds OF_STRANGERS = new Bounds(20, 100_000);
  }

  private final Bounds bounds;
  private long left;

  private Documents(Bounds bounds) {
    this.bounds = bounds;
    this.left = bounds.values();
  }

  static boolean isOne(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.endsWith(".json") || name.endsWith(".yaml") || name.endsWith(".yml");
  }

  /// All documents of a file; the elements of a list at the top count as documents.
  static List<Map<String, Object>> read(Path file) throws ScenarioException {
    try {
      return read(Files.readString(file), file.toString().endsWith(".json"), Bounds.OF_FILES);
    } catch (CharacterCodingException binary) {
      throw new ScenarioException(List.of("is no text in UTF-8"));
    } catch (IOException unreadable) {
      throw new ScenarioException(
          List.of("cannot be read (" + unreadable.getClass().getSimpleName() + ")"));
    }
  }

  /// Those of a text by a stranger, of bounded size. What begins with a brace and is JSON is read
  /// as that: YAML takes no tabs.
  static List<Map<String, Object>> ofStranger(String text) throws ScenarioException {
    if (text.stripLeading().startsWith("{")) {
      try {
        return read(text, true, Bounds.OF_STRANGERS);
      } catch (ScenarioException noJson) {
        // it may be YAML yet, and says best what is wrong
      }
    }
    return read(text, false, Bounds.OF_STRANGERS);
  }

  private static List<Map<String, Object>> read(String text, boolean isJson, Bounds bounds)
      throws ScenarioException {
    var reader = new Documents(bounds);
    try {
      var documents = new ArrayList<Map<String, Object>>();
      for (Object document : isJson ? json(text) : yaml(text, bounds)) {
        reader.add(document, documents);
      }
      return documents;
    } catch (JacksonException malformed) {
      throw unreadable(
          SOURCE.matcher(malformed.getOriginalMessage()).replaceAll("line $1"),
          malformed.getLocation().getLineNr());
    } catch (MarkedYAMLException malformed) {
      throw unreadable(malformed.getProblem(), malformed.getProblemMark().getLine() + 1);
    } catch (YAMLException malformed) {
      throw new ScenarioException(List.of(String.valueOf(malformed.getMessage())));
    } catch (IOException unreadable) {
      throw new ScenarioException(
          List.of("cannot be read (" + unreadable.getClass().getSimpleName() + ")"));
    }
  }

  private static ScenarioException unreadable(String why, int line) {
    return new ScenarioException(List.of(why + " (line " + line + ")"));
  }

  private static List<Object> json(String text) throws IOException {
    try (var documents = JSON.readerFor(Object.class).readValues(text)) {
      return documents.readAll();
    }
  }

  private static Iterable<Object> yaml(String text, Bounds bounds) {
    var options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    options.setCodePointLimit(LARGEST_FILE);
    options.setMaxAliasesForCollections(bounds.aliases());
    var dumping = new DumperOptions();
    return new Yaml(
            new SafeConstructor(options), new Representer(dumping), dumping, options, new Plain())
        .loadAll(text);
  }

  /// Kubernetes knows no type for times: they are strings.
  private static final class Plain extends Resolver {
    @Override
    public void addImplicitResolver(Tag tag, Pattern pattern, @Nullable String first, int limit) {
      if (!tag.equals(Tag.TIMESTAMP)) {
        super.addImplicitResolver(tag, pattern, first, limit);
      }
    }
  }

  private void add(@Nullable Object document, List<Map<String, Object>> documents)
      throws ScenarioException {
    switch (document) {
      case null -> {} // an empty document
      case Map<?, ?> map -> documents.add(map(map, 0));
      case List<?> list -> {
        for (Object element : list) {
          add(element, documents);
        }
      }
      default ->
          throw new ScenarioException(
              List.of("a document is a mapping of fields, but here is \"" + document + "\""));
    }
  }

  private Map<String, Object> map(Map<?, ?> read, int depth) throws ScenarioException {
    var map = new LinkedHashMap<String, Object>();
    for (var entry : read.entrySet()) {
      if (entry.getKey() instanceof Map || entry.getKey() instanceof List) {
        throw new ScenarioException(
            List.of("the name of a field is a text, and no list or mapping"));
      }
      if (entry.getValue() != null) {
        map.put(String.valueOf(entry.getKey()), value(entry.getValue(), depth + 1));
      }
    }
    return map;
  }

  /// An anchor that holds itself has no end.
  private Object value(Object read, int depth) throws ScenarioException {
    left--;
    if (left < 0 || depth > DEEPEST) {
      throw new ScenarioException(
          List.of(
              "it holds more than "
                  + (depth > DEEPEST ? DEEPEST + " levels" : bounds.values() + " values")
                  + ", with what anchors repeat: write less, or without anchors"));
    }
    return switch (read) {
      case Map<?, ?> map -> map(map, depth);
      case List<?> list -> {
        var values = new ArrayList<Object>(list.size());
        for (Object element : list) {
          if (element != null) {
            values.add(value(element, depth + 1));
          }
        }
        yield values;
      }
      case Integer number -> number.longValue();
      case BigInteger number -> number.doubleValue();
      case Long _, Double _, Boolean _, String _ -> read;
      case Object other -> other.toString();
    };
  }
}
