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
  private static final int MOST_ALIASES = 100_000;
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /// Jackson says of no source that it does not name it.
  private static final Pattern SOURCE =
      Pattern.compile("\\[Source: REDACTED [^;]*; line: ([0-9]+), column: [0-9]+]");

  private Documents() {}

  static boolean isOne(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.endsWith(".json") || name.endsWith(".yaml") || name.endsWith(".yml");
  }

  /// All documents of a file; the elements of a list at the top count as documents.
  static List<Map<String, Object>> read(Path file) throws ScenarioException {
    try {
      String text = Files.readString(file);
      var documents = new ArrayList<Map<String, Object>>();
      for (Object document : file.toString().endsWith(".json") ? json(text) : yaml(text)) {
        add(document, documents);
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
    } catch (CharacterCodingException binary) {
      throw new ScenarioException(List.of("is no text in UTF-8"));
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

  private static Iterable<Object> yaml(String text) {
    var options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    options.setCodePointLimit(LARGEST_FILE);
    options.setMaxAliasesForCollections(MOST_ALIASES);
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

  private static void add(@Nullable Object document, List<Map<String, Object>> documents)
      throws ScenarioException {
    switch (document) {
      case null -> {} // an empty document
      case Map<?, ?> map -> documents.add(map(map));
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

  private static Map<String, Object> map(Map<?, ?> read) {
    var map = new LinkedHashMap<String, Object>();
    read.forEach((key, value) -> {
      if (value != null) {
        map.put(String.valueOf(key), value(value));
      }
    });
    return map;
  }

  private static Object value(Object read) {
    return switch (read) {
      case Map<?, ?> map -> map(map);
      case List<?> list -> {
        var values = new ArrayList<Object>(list.size());
        for (Object element : list) {
          if (element != null) {
            values.add(value(element));
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
