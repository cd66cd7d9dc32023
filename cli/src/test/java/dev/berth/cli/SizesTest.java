package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// A file is read in one sitting, a type offers what one can keep in mind, and what is made by hand
/// takes few parts. What is larger is listed with its reason, and only as long as it is larger.
///
/// Constructors and accessors of records do not count: the canonical ones follow from the
/// components, and the others are shorter forms of them.
final class SizesTest {
  private static final int LINES = 400;
  private static final int PUBLIC_METHODS = 20;
  private static final int PARAMETERS = 6;

  private static final Map<String, String> LONG_FILES =
      Map.of(
          "Ledger", "each method of its six roles is one call under the one lock",
          "Reason", "one sealed interface: each record is one sentence to users");

  private static final Map<String, String> MANY_METHODS =
      Map.of(
          "Group", "how a group stands: each is a question about all of its members",
          "Ledger", "each method of its six roles is one call under the one lock",
          "Metrics", "a method for each counter: nothing else knows the metrics client",
          "MemberState", "how a pod stands: each is a question of a line",
          "QueueTree", "a table by dense numbers: a method for each column",
          "Session", "the cluster under trial: actions reach all of its parts by it");

  private static final Map<String, String> MANY_PARAMETERS = Map.of();

  private static final List<String> MODULES =
      List.of("engine", "controllers", "extender", "simulator", "cli");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new DoNotIncludeTests())
          .importPackages(
              "dev.berth.engine",
              "dev.berth.controllers",
              "dev.berth.extender",
              "dev.berth.simulator",
              "dev.berth.cli");

  @Test
  void whatIsLargeHasAReason() throws IOException {
    var wrong = new ArrayList<String>();
    wrong.addAll(wrong("lines", lines(), LINES, LONG_FILES));
    wrong.addAll(wrong("public methods", publicMethods(), PUBLIC_METHODS, MANY_METHODS));
    wrong.addAll(wrong("parameters of a constructor", parameters(), PARAMETERS, MANY_PARAMETERS));
    assertThat(wrong).isEmpty();
  }

  @Test
  void anExceptionThatIsNotNeededIsFound() {
    var sizes = new TreeMap<>(Map.of("Long", 401, "Short", 400));
    assertThat(wrong("lines", sizes, 400, Map.of("Short", "it was long once", "Gone", "so was it")))
        .containsExactly(
            "Gone: an exception for lines that is not needed",
            "Long: 401 lines, more than 400",
            "Short: an exception for lines that is not needed");
  }

  /// All that is larger without a reason, and all reasons for what is not larger.
  private static List<String> wrong(
      String what, Map<String, Integer> sizes, int most, Map<String, String> exceptions) {
    var names = new TreeSet<>(exceptions.keySet());
    names.addAll(sizes.keySet());
    var wrong = new ArrayList<String>();
    for (String name : names) {
      int size = sizes.getOrDefault(name, 0);
      if (size > most && !exceptions.containsKey(name)) {
        wrong.add(name + ": " + size + " " + what + ", more than " + most);
      } else if (size <= most && exceptions.containsKey(name)) {
        wrong.add(name + ": an exception for " + what + " that is not needed");
      }
    }
    return wrong;
  }

  /// By the name of the file without its ending.
  private static Map<String, Integer> lines() throws IOException {
    var lines = new TreeMap<String, Integer>();
    for (String module : MODULES) {
      try (var files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
          String name = file.getFileName().toString();
          lines.merge(
              name.substring(0, name.length() - ".java".length()),
              Files.readAllLines(file).size(),
              Math::max);
        }
      }
    }
    return lines;
  }

  private static Map<String, Integer> publicMethods() {
    var methods = new TreeMap<String, Integer>();
    for (JavaClass type : CLASSES) {
      for (JavaMethod method : type.getMethods()) {
        boolean counts =
            method.getModifiers().contains(JavaModifier.PUBLIC)
                && !method.getModifiers().contains(JavaModifier.SYNTHETIC)
                && !isAccessor(type, method);
        if (counts) {
          methods.merge(name(type), 1, Integer::sum);
        }
      }
    }
    return methods;
  }

  private static boolean isAccessor(JavaClass type, JavaMethod method) {
    return type.isRecord()
        && method.getRawParameterTypes().isEmpty()
        && type.getFields().stream().anyMatch(field -> field.getName().equals(method.getName()));
  }

  private static Map<String, Integer> parameters() {
    var parameters = new TreeMap<String, Integer>();
    for (JavaClass type : CLASSES) {
      for (JavaConstructor constructor : type.getConstructors()) {
        if (!type.isRecord()) {
          parameters.merge(name(type), constructor.getRawParameterTypes().size(), Math::max);
        }
      }
    }
    return parameters;
  }

  /// `Ledger`, or `Pod.Lifecycle`.
  private static String name(JavaClass type) {
    return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
  }
}
