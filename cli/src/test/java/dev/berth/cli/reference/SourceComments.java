package dev.berth.cli.reference;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Comments of declarations, as the sources have them: the compiler keeps none.
final class SourceComments {
  private static final String COMMENT = "((?:[ \\t]*///[^\\n]*\\n)*)";

  private static final Pattern TEXT =
      Pattern.compile(
          COMMENT
              + "[ \\t]+(?:(?:public|private|static|final) )*String"
              + " (\\w+)\\s*=\\s*\"([^\"\\n]+)\";");

  private static final Pattern RECORD = Pattern.compile(COMMENT + "  record (\\w+)\\(");

  private SourceComments() {}

  /// A constant or a record.
  ///
  /// @param value of a constant; of a record empty
  /// @param comment its sentences, without those of its parameters
  record Commented(String name, String value, String comment) {}

  static List<Commented> texts(Path file) throws IOException {
    return TEXT.matcher(Files.readString(file))
        .results()
        .map(found -> new Commented(found.group(2), found.group(3), words(found.group(1))))
        .toList();
  }

  static List<Commented> records(Path file) throws IOException {
    return RECORD
        .matcher(Files.readString(file))
        .results()
        .map(found -> new Commented(found.group(2), "", words(found.group(1))))
        .toList();
  }

  /// The main sources of modules, in the order of their paths.
  static List<Path> sources(Path root, List<String> modules) throws IOException {
    var files = new ArrayList<Path>();
    for (String module : modules) {
      try (Stream<Path> all = Files.walk(root.resolve(module).resolve("src/main/java"))) {
        all.filter(file -> file.toString().endsWith(".java")).sorted().forEach(files::add);
      }
    }
    return files;
  }

  private static String words(String comment) {
    var words = new StringBuilder();
    for (String line : comment.lines().toList()) {
      String text = line.strip().substring("///".length()).strip();
      if (text.startsWith("@")) {
        break;
      }
      words.append(text).append(' ');
    }
    return words.toString().strip();
  }
}
