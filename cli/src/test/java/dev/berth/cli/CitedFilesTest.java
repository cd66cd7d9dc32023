package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// No file cites one that is not there: links of pages, paths from the root of the repository in
/// any text, and types by their package in the pages for contributors. A link or path with an
/// anchor leads to a heading of the page. Decisions and the changelog are history, and tell of what
/// is gone.
final class CitedFilesTest {
  private static final Set<String> HISTORY = Set.of("docs/decisions", "CHANGELOG.md");
  private static final Set<String> SKIPPED = Set.of("target", ".git", "node_modules", ".idea");

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(?:#([^)\\s]*))?\\)");

  /// `docs/operators/install.md`, `manifests/default`; placeholders have capitals or globs.
  private static final Pattern PATH =
      Pattern.compile(
          "(?<![\\w./*-])((?:docs|manifests|crds|kind|examples|e2e)/[a-z0-9_./-]*[a-z0-9]"
              + "\\.(?:md|yaml|yml|py|sh|svg|json|java))(?:#([a-z0-9_-]+))?(?![\\w*-])");

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
          Path file = target.isEmpty() ? page : parent(page).resolve(target);
          if (isPath && !leadsSomewhere(file, links.group(2))) {
            dead.add(shown(page) + " -> " + links.group().replaceAll("^]\\(|\\)$", ""));
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
        if (!leadsSomewhere(Repository.root().resolve(paths.group(1)), paths.group(2))) {
          dead.add(shown(file) + " -> " + paths.group());
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

  @Test
  void theTestSeesAnchors() {
    String page =
        """
        # Fair *shares*, `quota` and [limits](x.md#y)

        ```yaml
        # not a heading
        ```

        ## `GET /queues/{name}`
        ## Twice
        ## Twice
        """;
    assertThat(anchors(page))
        .containsExactly("fair-shares-quota-and-limits", "get-queuesname", "twice", "twice-1");
    assertThat(leadsSomewhere(Repository.root().resolve("README.md"), "no-such-heading"))
        .as("an anchor that is not there is seen")
        .isFalse();
  }

  private static boolean leadsSomewhere(Path file, @Nullable String anchor) {
    if (!Files.exists(file)) {
      return false;
    }
    return anchor == null
        || !file.toString().endsWith(".md")
        || anchors(read(file)).contains(anchor);
  }

  /// Those that GitHub gives to the headings of a page, in their order.
  private static Set<String> anchors(String page) {
    var anchors = new LinkedHashSet<String>();
    boolean isCode = false;
    for (String line : page.lines().toList()) {
      isCode ^= line.startsWith("```");
      if (!isCode && line.matches("#{1,6} .*")) {
        String words = line.replaceFirst("#+ ", "").replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1");
        String anchor =
            words.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
        int before = 0;
        while (!anchors.add(before == 0 ? anchor : anchor + "-" + before)) {
          before++;
        }
      }
    }
    return anchors;
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
