package dev.berth.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

/// The sentences of policies and kinds: of each the longest words in one piece, whichever values
/// are put around them.
final class RefusalSentences {
  private static final Pattern LITERAL = Pattern.compile("'((?:[^'\\\\]|\\\\.)*)'");

  private RefusalSentences() {}

  static TreeSet<String> of(String... folders) {
    var sentences = new TreeSet<String>();
    for (String folder : folders) {
      try (var files = Files.list(ControlPlane.root().resolve(folder))) {
        for (Path file : files.sorted().toList()) {
          var yaml = new Yaml(new LoaderOptions());
          yaml.loadAll(Files.readString(file)).forEach(tree -> collect(tree, sentences));
        }
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }
    return sentences;
  }

  private static void collect(Object tree, TreeSet<String> into) {
    if (tree instanceof Map<?, ?> map) {
      map.forEach((key, value) -> {
        if (key.equals("messageExpression")) {
          into.add(longestLiteral(String.valueOf(value)));
        } else if (key.equals("message") && map.containsKey("rule")) {
          into.add(String.valueOf(value));
        } else {
          collect(value, into);
        }
      });
    } else if (tree instanceof List<?> list) {
      list.forEach(element -> collect(element, into));
    }
  }

  private static String longestLiteral(String expression) {
    String longest = "";
    var literals = LITERAL.matcher(expression);
    while (literals.find()) {
      if (literals.group(1).length() > longest.length()) {
        longest = literals.group(1);
      }
    }
    return longest.replace("\\\"", "\"").replace("\\'", "'").strip();
  }
}
