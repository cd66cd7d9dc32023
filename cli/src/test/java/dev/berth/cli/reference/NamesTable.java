package dev.berth.cli.reference;

import static dev.berth.cli.reference.Markdown.code;
import static dev.berth.cli.reference.Markdown.prose;

import dev.berth.cli.reference.SourceComments.Commented;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Labels, annotations and gates: constants of the sources whose comment says what they are, as
/// `Annotation of a pod that Berth writes: …`.
final class NamesTable {
  private static final List<String> MODULES = List.of("engine", "controllers", "extender");
  private static final String ALIAS = "_ALIAS";

  private static final Pattern SAYS =
      Pattern.compile("((?:Label|Annotation|Label or annotation|Scheduling gate) of [^:]+): (.*)");

  private static final Pattern OWN = Pattern.compile("\"((?:[a-z]+\\.)?berth\\.dev/[a-z-]+)\"");

  private NamesTable() {}

  /// @param aliases names that mean the same
  private record Name(String name, String what, String says, List<String> aliases) {
    boolean isOfBerth() {
      return what.endsWith(" that Berth writes");
    }

    boolean isOfNode() {
      return what.endsWith(" of a node");
    }
  }

  static void write(Markdown page, Path root) throws IOException {
    var names = names(root).values();
    page.section("Labels and annotations that users write");
    page.paragraph(
        "Of two names for one thing, that in the first column counts. The aliases are names of KAI"
            + " Scheduler and of others. Labels by which other projects mark the pods of their"
            + " kinds: [workloads.md](../users/workloads.md).");
    page.table(
        List.of("name", "of", "alias", "what"),
        names.stream()
            .filter(name -> !name.isOfBerth() && !name.isOfNode())
            .map(NamesTable::row)
            .toList());
    page.section("Labels of nodes");
    page.table(
        List.of("name", "what"),
        names.stream()
            .filter(Name::isOfNode)
            .map(name -> List.of(code(name.name()), prose(sentence(name.says()))))
            .toList());
    page.section("Labels and annotations that Berth writes");
    page.paragraph(
        "Admission lets no other account write them on pods"
            + " ([admission.md](../operators/admission.md)).");
    page.table(
        List.of("name", "of", "alias", "what"),
        names.stream().filter(Name::isOfBerth).map(NamesTable::row).toList());
  }

  private static List<String> row(Name name) {
    String what = name.what().replace(" that Berth writes", "");
    return List.of(
        code(name.name()),
        what.substring(0, 1).toLowerCase(Locale.ROOT) + what.substring(1),
        String.join(", ", name.aliases().stream().map(Markdown::code).toList()),
        prose(sentence(name.says())));
  }

  private static String sentence(String words) {
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  private static TreeMap<String, Name> names(Path root) throws IOException {
    var names = new TreeMap<String, Name>();
    for (Path file : SourceComments.sources(root, MODULES)) {
      var constants = SourceComments.texts(file);
      for (Commented constant : constants) {
        Matcher says = SAYS.matcher(constant.comment());
        if (says.matches()) {
          names.putIfAbsent(
              constant.value() + " " + says.group(1),
              new Name(
                  constant.value(), says.group(1), says.group(2), aliases(constant, constants)));
        }
      }
    }
    return names;
  }

  private static List<String> aliases(Commented of, List<Commented> constants) {
    return constants.stream()
        .filter(other -> other.name().equals(of.name() + ALIAS) && other.comment().isEmpty())
        .map(Commented::value)
        .toList();
  }

  /// Names of Berth in the sources that no row shows, and constants of the class that has them.
  static List<String> unexplained(Path root) throws IOException {
    var told = new TreeSet<String>();
    names(root)
        .values()
        .forEach(name -> {
          told.add(name.name());
          told.addAll(name.aliases());
        });
    var found = new ArrayList<String>();
    for (Path file : SourceComments.sources(root, MODULES)) {
      OWN.matcher(Files.readString(file))
          .results()
          .map(own -> own.group(1))
          .filter(own -> !told.contains(own))
          .forEach(own -> found.add(file.getFileName() + ": " + own));
      if (file.endsWith("WellKnownNames.java")) {
        SourceComments.texts(file).stream()
            .filter(constant -> !told.contains(constant.value()))
            .forEach(constant -> found.add(file.getFileName() + ": " + constant.value()));
      }
    }
    return found;
  }
}
