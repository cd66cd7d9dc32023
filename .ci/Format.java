import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Runs google-java-format over every Java file of the repository, in one JVM and the current
/// directory. The options are the formatter's: `--replace`, or `--dry-run --set-exit-if-changed`.
final class Format {
  public static void main(String[] options) throws Exception {
    var arguments = new ArrayList<String>(Arrays.asList(options));
    for (Path module : childrenOf(Path.of("."))) {
      if (Files.isDirectory(module.resolve("src"))) {
        arguments.addAll(javaFilesBelow(module.resolve("src")));
      }
    }
    arguments.addAll(List.of(".ci/Format.java", "e2e/mutants/Tests.java"));
    com.google.googlejavaformat.java.Main.main(arguments.toArray(String[]::new));
  }

  private static List<Path> childrenOf(Path folder) throws IOException {
    try (Stream<Path> children = Files.list(folder)) {
      return children.sorted().toList();
    }
  }

  private static List<String> javaFilesBelow(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(Path::toString).filter(file -> file.endsWith(".java")).sorted().toList();
    }
  }
}
