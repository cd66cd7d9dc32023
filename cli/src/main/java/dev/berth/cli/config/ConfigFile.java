package dev.berth.cli.config;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The text of a configuration as a tree: maps, lists, strings, numbers, booleans. A key that comes
/// twice is an error: of two values one would be ignored.
public final class ConfigFile {
  /// Jackson's words for a key that comes twice.
  private static final Pattern TWICE = Pattern.compile("Duplicate [Ff]ield ['\"](.*?)['\"]");

  private ConfigFile() {}

  /// @throws ConfigException where the file cannot be read, or is no YAML
  public static Object tree(Path file) throws ConfigException {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException unreadable) {
      throw new ConfigException(
          List.of(
              "configuration file "
                  + file
                  + " cannot be read ("
                  + unreadable.getClass().getSimpleName()
                  + "): give an existing file to --config, or leave it out for the defaults"));
    }
    return tree("configuration file " + file, text);
  }

  /// @param what the text is, for errors
  public static Object tree(String what, String text) throws ConfigException {
    try {
      return parsed(text);
    } catch (JacksonException notYaml) {
      var twice = TWICE.matcher(notYaml.getOriginalMessage());
      if (twice.find()) {
        throw new ConfigException(
            List.of(
                what
                    + " sets "
                    + twice.group(1)
                    + " twice, the second time in line "
                    + notYaml.getLocation().getLineNr()
                    + ": keep one"));
      }
      throw new ConfigException(List.of(what + " is not YAML: " + NotYaml.words(notYaml)));
    }
  }

  private static Object parsed(String text) throws JacksonException {
    var factory =
        YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    var mapper = new ObjectMapper(factory);
    JsonNode tree = mapper.readTree(text); // missing where there are comments alone
    return tree.isMissingNode() || tree.isNull()
        ? Map.of()
        : mapper.treeToValue(tree, Object.class);
  }
}
