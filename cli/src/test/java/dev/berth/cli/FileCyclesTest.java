package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// No files of a package need each other, in packages of more than four files: each can be read
/// after those that it stands on. The exceptions are listed with their reason.
final class FileCyclesTest {
  private static final int FEW = 4;

  private static final List<Set<String>> EXCEPTIONS =
      List.of(
          // a member knows its role and its group: numbers along the path to the root change with
          // each move, and a step is made of members of a role
          Set.of("Group", "MemberState", "PlacementStep", "Role"),
          // a pod's record knows its group and its node, and those know their pods: each event of a
          // pod changes what both count
          Set.of("GroupState", "NodeUsage", "PodRecord", "SharedDevice", "UsedHostPorts"));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new DoNotIncludeTests())
          .importPackages("dev.berth.engine", "dev.berth.controllers", "dev.berth.extender");

  @Test
  void noFilesOfAPackageNeedEachOther() {
    var found = new ArrayList<Set<String>>();
    packages()
        .forEach((_, files) -> {
          if (files.size() > FEW) {
            found.addAll(cycles(files));
          }
        });
    assertThat(found).containsExactlyInAnyOrderElementsOf(EXCEPTIONS);
  }

  @Test
  void aCycleIsFound() {
    var files = new TreeMap<String, Set<String>>();
    files.put("A", Set.of("B"));
    files.put("B", Set.of("C"));
    files.put("C", Set.of("B"));
    files.put("D", Set.of("A"));
    assertThat(cycles(files)).containsExactly(Set.of("B", "C"));
  }

  /// By package, of each file those of the same package that it needs.
  private static SortedMap<String, SortedMap<String, Set<String>>> packages() {
    var packages = new TreeMap<String, SortedMap<String, Set<String>>>();
    for (JavaClass each : CLASSES) {
      if (each.getSimpleName().equals("package-info")) {
        continue;
      }
      var needed =
          packages
              .computeIfAbsent(each.getPackageName(), _ -> new TreeMap<>())
              .computeIfAbsent(file(each), _ -> new TreeSet<>());
      each.getDirectDependenciesFromSelf().stream()
          .map(dependency -> dependency.getTargetClass().getBaseComponentType())
          .filter(target -> target.getPackageName().equals(each.getPackageName()))
          .map(FileCyclesTest::file)
          .filter(file -> !file.equals(file(each)))
          .forEach(needed::add);
    }
    return packages;
  }

  private static String file(JavaClass type) {
    String name = type.getName().substring(type.getPackageName().length() + 1);
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  /// Files that reach each other.
  private static List<Set<String>> cycles(SortedMap<String, Set<String>> files) {
    var reached = new TreeMap<String, Set<String>>();
    files.keySet().forEach(file -> reached.put(file, reach(file, files)));
    var cycles = new ArrayList<Set<String>>();
    var seen = new TreeSet<String>();
    for (String file : files.keySet()) {
      if (reached.get(file).contains(file) && !seen.contains(file)) {
        var together = new TreeSet<>(reached.get(file));
        together.removeIf(other -> !reached.get(other).contains(file));
        seen.addAll(together);
        cycles.add(together);
      }
    }
    return cycles;
  }

  private static Set<String> reach(String from, SortedMap<String, Set<String>> files) {
    var reached = new TreeSet<String>();
    var open = new ArrayList<>(files.get(from));
    while (!open.isEmpty()) {
      String next = open.removeLast();
      if (reached.add(next)) {
        open.addAll(files.getOrDefault(next, Set.of()));
      }
    }
    return reached;
  }
}
