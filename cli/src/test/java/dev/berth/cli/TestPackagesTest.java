package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Tests mirror the packages: one that is named after a type of its module stands in the package of
/// that type. What stands elsewhere is listed with its reason, and only as long as it does.
final class TestPackagesTest {
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "AlignmentTest", "the reader of pods derives it: a test of manifests",
          "DecisionLogLoad", "measures the log that the logger writes, with a rebuilt history",
          "FactLawTest", "the ledger under all facts in any order",
          "PlanLawTest", "the ledger under plans, bindings and refusals in any order",
          "PreemptibilitySourceTest", "the ledger finds the source, from what it was told",
          "ReceiptLawTest", "compares receipts with a ledger, by the ledger's kit",
          "UnaskedTest", "a row of the ledger's view, which the ledger fills",
          "WhatIfLawTest", "compares changed snapshots with a ledger, by the ledger's kit");

  private static final List<String> MODULES =
      List.of("engine", "controllers", "extender", "simulator", "cli");

  private static final Pattern TEST = Pattern.compile("(\\w+?)(?:Law)?(?:Test|Load)");

  @Test
  void aTestStandsInThePackageOfItsType() {
    var misplaced = new TreeMap<String, String>();
    for (String module : MODULES) {
      var types = packages(module, "main");
      var tests = packages(module, "test");
      assertThat(types).as("types of %s", module).hasSizeGreaterThan(50);
      assertThat(tests).as("tests of %s", module).hasSizeGreaterThan(10);
      misplaced.putAll(misplaced(types, tests));
    }
    var wrong = new TreeMap<>(misplaced);
    wrong.keySet().removeAll(ELSEWHERE.keySet());
    assertThat(wrong).as("tests outside the package of their type").isEmpty();
    assertThat(misplaced.keySet())
        .as("an exception that is not needed any more")
        .containsAll(ELSEWHERE.keySet());
  }

  @Test
  void theTestSeesTestsAndLawsOfATypeElsewhere() {
    var types = Map.of("Fit", "dev.placement", "Law", "dev.model");
    var tests = new TreeMap<String, String>();
    tests.put("FitTest", "dev");
    tests.put("FitLawTest", "dev");
    tests.put("FitLoad", "dev.placement");
    tests.put("LawTest", "dev");
    tests.put("Fit", "dev");
    tests.put("FittingTest", "dev");
    assertThat(misplaced(types, tests))
        .isEqualTo(
            Map.of(
                "FitTest", "in dev, Fit in dev.placement",
                "FitLawTest", "in dev, Fit in dev.placement",
                "LawTest", "in dev, Law in dev.model"));
  }

  private static Map<String, String> misplaced(
      Map<String, String> types, Map<String, String> tests) {
    var misplaced = new TreeMap<String, String>();
    tests.forEach((test, place) -> {
      var name = TEST.matcher(test);
      String type = name.matches() ? name.group(1) : "";
      String home = types.getOrDefault(type, place);
      if (!home.equals(place)) {
        misplaced.put(test, "in " + place + ", " + type + " in " + home);
      }
    });
    return misplaced;
  }

  /// By the name of each file, its package; names of types are unique in a module (`WordsTest`).
  private static Map<String, String> packages(String module, String kind) {
    Path folder = Repository.root().resolve(module).resolve("src").resolve(kind).resolve("java");
    var packages = new TreeMap<String, String>();
    var twice = new TreeSet<String>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        Path place = folder.relativize(file);
        String name = place.getFileName().toString().replace(".java", "");
        String inside = String.valueOf(place.getParent()).replace('/', '.');
        if (!name.equals("package-info") && packages.put(name, inside) != null) {
          twice.add(name);
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    assertThat(twice).as("two files of one name in %s/src/%s", module, kind).isEmpty();
    return packages;
  }
}
