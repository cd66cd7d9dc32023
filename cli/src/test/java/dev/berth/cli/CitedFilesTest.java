package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// No file cites one that is not there: links of pages, paths from the root of the repository in
/// any text, and types by their package in the pages for contributors. Decisions and the changelog
/// are history, and tell of what is gone.
final class CitedFilesTest {
  private static final Set<String> HISTORY = Set.of("docs/decisions", "CHANGELOG.md");
  private static final Set<String> SKIPPED = Set.of("target", ".git", "node_modules", ".idea");

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");

  /// `docs/operators/install.md`, `manifests/default`; placeholders have capitals or globs.
  private static final Pattern PATH =
      Pattern.compile(
          "(?<![\\w./*-])((?:docs|manifests|crds|kind|examples|e2e)/[a-z0-9_./-]*[a-z0-9]"
              + "\\.(?:md|yaml|yml|py|sh|svg|json|java))(?![\\w*-])");

  /// `controllers/kube/Reflector`, also below a package of the engine: `ledger/Reservations`.
  private static final Pattern TYPE =
      Pattern.compile("`((?:[a-z]+/)+[A-Z]\\w+)(?:[.#][a-z]\\w*(?:\\(\\))?)?`");

  @Test
  void everyLinkOfAPageLeadsSomewhere() {
    var dead = new TreeSet<String>();
    for (Path page : texts()) {
      if (page.toString().endsWith(".md")) {
        var links = LINK.matcher(read(page));
        while (links.find()) {
          String target = links.group(1);
          boolean isPath = !target.contains(":") && !target.contains("[");
          if (isPath && !Files.exists(parent(page).resolve(target))) {
            dead.add(shown(page) + " -> " + target);
          }
        }
      }
    }
    assertThat(dead).isEmpty();
  }

  @Test
  void everyPathLeadsSomewhere() {
    var dead = new TreeSet<String>();
    for (Path file : texts()) {
      var paths = PATH.matcher(read(file));
      while (paths.find()) {
        if (!Files.exists(Repository.root().resolve(paths.group(1)))) {
          dead.add(shown(file) + " -> " + paths.group(1));
        }
      }
    }
    assertThat(dead).isEmpty();
  }

  @Test
  void everyTypeOfThePagesForContributorsExists() {
    var sources = new TreeSet<String>();
    for (Path file : texts()) {
      if (file.toString().endsWith(".java")) {
        sources.add(shown(file).replace(".java", ""));
      }
    }
    var dead = new TreeSet<String>();
    for (Path page : texts()) {
      if (shown(page).startsWith("docs/contributors/")) {
        var types = TYPE.matcher(read(page));
        while (types.find()) {
          String type = "/" + types.group(1);
          boolean placeholder = type.matches(".*/[A-Z]+");
          if (!placeholder && sources.stream().noneMatch(source -> source.endsWith(type))) {
            dead.add(shown(page) + " -> " + types.group(1));
          }
        }
      }
    }
    assertThat(dead).isEmpty();
  }

  private static Path parent(Path page) {
    Path parent = page.getParent();
    return parent == null ? Repository.root() : parent;
  }

  private static String shown(Path file) {
    return Repository.root().relativize(file).toString();
  }

  private static List<Path> texts() {
    var files = new ArrayList<Path>();
    try (Stream<Path> all = Files.list(Repository.root())) {
      all.sorted().forEach(each -> gather(each, files));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    assertThat(files).hasSizeGreaterThan(1000);
    return files;
  }

  private static void gather(Path path, List<Path> files) {
    String name = String.valueOf(path.getFileName());
    if (SKIPPED.contains(name) || HISTORY.contains(shown(path))) {
      return;
    }
    if (!Files.isDirectory(path)) {
      files.add(path);
      return;
    }
    try (Stream<Path> all = Files.list(path)) {
      all.sorted().forEach(each -> gather(each, files));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (MalformedInputException notText) {
      return "";
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
