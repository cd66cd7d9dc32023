import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Runs google-java-format in one JVM and the current directory, which is the root of the
/// repository: over the files that the environment variable `FORMAT_FILES` lists, one a line, or
/// over every Java file where it is not set. The options are the formatter's: `--replace`, or
/// `--dry-run --set-exit-if-changed`.
final class Format {
  public static void main(String[] options) throws Exception {
    var arguments = new ArrayList<String>(Arrays.asList(options));
    String listed = System.getenv("FORMAT_FILES");
    arguments.addAll(listed == null ? allFiles() : listed.lines().toList());
    com.google.googlejavaformat.java.Main.main(arguments.toArray(String[]::new));
  }

  private static List<String> allFiles() throws IOException {
    var files = new ArrayList<String>();
    for (Path module : childrenOf(Path.of("."))) {
      if (Files.isDirectory(module.resolve("src"))) {
        files.addAll(javaFilesBelow(module.resolve("src")));
      }
    }
    files.addAll(List.of(".ci/Format.java", "e2e/mutants/Tests.java"));
    return files;
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
