package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Names are the field's words
/// ([docs/contributors/glossary.md](../../../../../../../docs/contributors/glossary.md)): none that
/// the glossary retires, and each name of a type stands for one thing. The subject of a comment is
/// a component, an object or the user.
final class WordsTest {
  /// Names of types that the glossary gave others: no top-level type has them, and in main code no
  /// nested one.
  private static final Set<String> RETIRED_TYPES =
      Set.of(
          ("Storm Voyage Harbour Fleet Vessel Weather Mishaps Calm Slip Yard Lookout Witness Life"
                  + " Helm Afloat Rehearsed Guards Errand Errands Parked Lull Desk Tally Later"
                  + " Alarm Passage Case Cases Enforced Thinker Hands Audience Sight Books Thing"
                  + " Climb Library Kin Family Seat Seated Verdicts Anything EachAlone Silence"
                  + " Notices Turns Known DoorException Room Rooms Spot Shape Piece Line Roll Stand"
                  + " Turn Part LineUp Debtors Claimants Claim Doom Heirless Portrait Shelf Moved"
                  + " Unwilling Unanswered Troubles Alike Sameness Alone Rolling InLine Excess"
                  + " TellLosers Neighbours Head Words LastWords")
              .split(" "));

  /// Words that stand in no name and in no comment.
  private static final Set<String> RETIRED_WORDS =
      Set.of(
          ("voyage harbour vessel mishap mishaps lookout obituary errand errands lull portrait"
                  + " debtor debtors claimant claimants heir heirs heirless doom dooms doomed door"
                  + " doors thinker audience parked afloat stormy storm weather")
              .split(" "));

  /// Words that stand in no comment, and in no name in main code; names in tests may have them,
  /// also where a comment cites a name.
  private static final Set<String> RETIRED_SUBJECTS =
      Set.of("who", "whoever", "whom", "somebody", "nobody", "anybody");

  private static final Set<String> FIRST_PERSON = Set.of("we", "our", "us");

  /// Words that stand on no page, in no manifest, and in nothing that the product says.
  private static final Set<String> RETIRED_ON_PAGES =
      Set.of("whoever", "whom", "somebody", "nobody", "anybody");

  private static final List<String> RETIRED_PHRASES =
      List.of("our mistake", "cannot be meant", "those who", "make way", "makes way");

  /// Names of objects that a seed of the chaos simulation makes: other names, another world.
  private static final Set<String> OF_SEEDS = Set.of("\"nobody-leaves-\"", "\"disk-of-nobody\"");

  private static final List<String> PAGES =
      List.of(
          ("README.md CONTRIBUTING.md CHANGELOG.md docs manifests crds examples kind").split(" "));

  /// These cite words: what the glossary retires, messages of trees before, what was decided.
  private static final Set<String> CITING =
      Set.of("docs/contributors/glossary.md", "docs/contributors/first-hour.md", "docs/decisions");

  /// Words that stand in no name of a test: a component, an object or the user is its subject. The
  /// names of `e2e` are to follow.
  private static final Set<String> RETIRED_IN_TESTS =
      Set.of("who", "whoever", "whom", "nobody", "somebody", "anybody", "himself");

  private static final Pattern TEST_METHOD = Pattern.compile("\\bvoid (\\w+)\\(");

  /// Two types of one name, each with the reason.
  private static final Map<String, String> SAME_NAME =
      Map.of(
          "Main", "each executable has one",
          "Metrics", "each module counts in one class, the only one that knows the client");

  private static final Set<String> MODULES =
      Set.of("engine", "controllers", "extender", "simulator", "cli", "bench", "e2e");

  /// Comments, literals (which say what users read and seeds draw from), names.
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<literal>(?s:\"\"\".*?\"\"\")|\"(?:[^\"\\\\\\n]|\\\\.)*+\"|'(?:[^'\\\\\\n]|\\\\.)++')"
              + "|(?<comment>//[^\\n]*|(?s:/\\*.*?\\*/))|(?<name>[A-Za-z_$][\\w$]*)");

  private static final Pattern DECLARATION =
      Pattern.compile("(?<![.\\w])(?:class|record|interface|enum)\\s+([A-Z]\\w*)");

  private static final Pattern HUMP = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])");
  private static final Pattern WORD = Pattern.compile("(?<![\\w$])[A-Z]?[a-z]+(?![\\w$])");

  @Test
  void eachNameOfATypeStandsForOneThing() {
    var places = new TreeMap<String, List<String>>();
    for (Path file : sources("main")) {
      places.computeIfAbsent(typeOf(file), _ -> new ArrayList<>()).add(file.toString());
    }
    places.remove("package-info");
    assertThat(places).hasSizeGreaterThan(500);
    places.values().removeIf(files -> files.size() == 1);
    assertThat(places.keySet())
        .as("types of one name, without a reason in SAME_NAME: %s", places)
        .isEqualTo(SAME_NAME.keySet());
  }

  @Test
  void noTypeHasARetiredName() throws IOException {
    var found = new TreeSet<String>();
    for (Path file : sources("main", "test")) {
      if (RETIRED_TYPES.contains(typeOf(file))) {
        found.add(file.toString());
      }
    }
    int types = 0;
    for (Path file : sources("main")) {
      var declared = declaredIn(Files.readString(file));
      types += declared.size();
      declared.stream()
          .filter(RETIRED_TYPES::contains)
          .forEach(type -> found.add(file + ": " + type));
    }
    assertThat(types).isGreaterThan(1000);
    assertThat(found).as("the glossary has better names for these").isEmpty();
  }

  @Test
  void theTestSeesNestedTypesInCodeAlone() {
    assertThat(
            declaredIn(
                "/// The class Storm.\nfinal class A { String s = \"enum Lull\"; record B<T>() {}"
                    + " @interface C {} void f() { record(Desk.class, D.class); } }"))
        .containsExactly("A", "B", "C");
  }

  @Test
  void noNameAndNoCommentHasARetiredWord() throws IOException {
    var found = new TreeSet<String>();
    for (Path file : sources("main", "test")) {
      if (!file.endsWith("WordsTest.java")) {
        found.addAll(retiredIn(file.toString(), Files.readString(file)));
      }
    }
    assertThat(found).as("the glossary has better words for these").isEmpty();
  }

  @Test
  void pagesAndManifestsHaveSubjectsThatAreThere() throws IOException {
    var found = new TreeSet<String>();
    for (Path file : pages()) {
      retired(WORD, Files.readString(file), RETIRED_ON_PAGES)
          .forEach(word -> found.add(Repository.root().relativize(file) + ": " + word));
    }
    assertThat(found).as("name the component, the object or the user instead").isEmpty();
  }

  @Test
  void noCommentOfMainCodeSaysWe() throws IOException {
    var found = new TreeSet<String>();
    for (Path file : sources("main")) {
      for (String comment : tokensOf("comment", Files.readString(file))) {
        if (!retired(WORD, comment, FIRST_PERSON).isEmpty()) {
          found.add(file + ": " + comment);
        }
      }
    }
    assertThat(found).as("Berth, the process or the component does it").isEmpty();
  }

  @Test
  void whatTheProductSaysHasSubjectsThatAreThere() throws IOException {
    var found = new TreeSet<String>();
    for (Path file : sources("main")) {
      var literals = new ArrayList<>(tokensOf("literal", Files.readString(file)));
      literals.removeAll(OF_SEEDS);
      for (String literal : literals) {
        retired(WORD, literal, RETIRED_ON_PAGES).forEach(word -> found.add(file + ": " + word));
        RETIRED_PHRASES.stream()
            .filter(literal::contains)
            .forEach(phrase -> found.add(file + ": " + phrase));
      }
    }
    assertThat(found).as("messages, logs and help name the object or the user").isEmpty();
  }

  @Test
  void noNameInMainCodeHasASubjectThatIsNoComponent() throws IOException {
    var found = new TreeSet<String>();
    for (Path file : sources("main")) {
      found.addAll(subjectsIn(file.toString(), Files.readString(file)));
    }
    assertThat(found).as("a component, an object or the user does it").isEmpty();
  }

  @Test
  void theTestSeesSubjectsInNames() {
    assertThat(
            subjectsIn(
                "A",
                "/// [#whoLeaves]\nvoid nextWhoStays(int whole) { NOBODY; \"anybody\"; whose; }"))
        .containsExactly("A: NOBODY", "A: nextWhoStays");
  }

  @Test
  void theTestSeesWordsInNamesAndCommentsAlone() {
    assertThat(retiredIn("A", "void isDoomed(int theLull) {} // an errand\n \"a door\" 'd'"))
        .containsExactlyInAnyOrder("A: doomed", "A: lull", "A: errand");
  }

  @Test
  void theTestSeesSubjectsInCommentsAlone() {
    assertThat(
            retiredIn(
                "A", "void whoLeaves(int who) {} // nobody's; [#whoStays], NOBODY\n \"whom\""))
        .containsExactly("A: nobody");
    assertThat(retiredIn("A", "/// Who comes.\n/* whoever */"))
        .containsExactly("A: who", "A: whoever");
  }

  @Test
  void noNameOfATestHasARetiredSubject() throws IOException {
    var found = new TreeSet<String>();
    for (Path file : sources("test")) {
      if (!file.startsWith(Repository.root().resolve("e2e")) && !file.endsWith("WordsTest.java")) {
        found.addAll(subjectsOfTests(file.toString(), Files.readString(file)));
      }
    }
    assertThat(found).as("the subject is a component, an object or the user").isEmpty();
  }

  @Test
  void theTestSeesSubjectsInNamesOfTests() {
    assertThat(
            subjectsOfTests(
                "A", "void nobodyLeaves() {}\nvoid podWhoseGateIsOpen() { whoLeaves(); }"))
        .containsExactly("A: nobodyLeaves");
  }

  private static Set<String> subjectsOfTests(String file, String text) {
    var methods = TEST_METHOD.matcher(text).results().map(method -> method.group(1)).toList();
    return namesWith(RETIRED_IN_TESTS, file, methods);
  }

  private static Set<String> subjectsIn(String file, String text) {
    return namesWith(RETIRED_SUBJECTS, file, tokensOf("name", text));
  }

  private static Set<String> namesWith(Set<String> retired, String file, List<String> names) {
    var found = new TreeSet<String>();
    for (String name : names) {
      if (!retired(HUMP, name, retired).isEmpty()) {
        found.add(file + ": " + name);
      }
    }
    return found;
  }

  /// @param kind `literal`, `comment` or `name`
  private static List<String> tokensOf(String kind, String text) {
    return TOKEN
        .matcher(text)
        .results()
        .map(token -> token.group(kind))
        .filter(Objects::nonNull)
        .toList();
  }

  private static List<String> declaredIn(String text) {
    String code = TOKEN.matcher(text).replaceAll(token -> token.group("name") == null ? " " : "$0");
    return DECLARATION.matcher(code).results().map(found -> found.group(1)).toList();
  }

  private static Set<String> retiredIn(String file, String text) {
    var found = new TreeSet<String>();
    var tokens = TOKEN.matcher(text);
    while (tokens.find()) {
      if (tokens.group("literal") == null) {
        retired(HUMP, tokens.group(), RETIRED_WORDS).forEach(word -> found.add(file + ": " + word));
      }
      if (tokens.group("comment") != null) {
        retired(WORD, tokens.group(), RETIRED_SUBJECTS)
            .forEach(word -> found.add(file + ": " + word));
      }
    }
    return found;
  }

  private static List<String> retired(Pattern word, String text, Set<String> retired) {
    return word.matcher(text)
        .results()
        .map(found -> found.group().toLowerCase(Locale.ROOT))
        .filter(retired::contains)
        .toList();
  }

  private static String typeOf(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static List<Path> pages() throws IOException {
    var files = new ArrayList<Path>();
    for (String page : PAGES) {
      try (Stream<Path> all = Files.walk(Repository.root().resolve(page))) {
        all.filter(Files::isRegularFile).filter(file -> !isCiting(file)).forEach(files::add);
      }
    }
    assertThat(files).hasSizeGreaterThan(200);
    return files;
  }

  private static boolean isCiting(Path file) {
    String name = file.toString();
    var path = Repository.root().relativize(file);
    return name.endsWith(".png") || CITING.stream().anyMatch(path::startsWith);
  }

  private static List<Path> sources(String... kinds) {
    var files = new ArrayList<Path>();
    for (String module : MODULES) {
      for (String kind : kinds) {
        Path folder =
            Repository.root().resolve(module).resolve("src").resolve(kind).resolve("java");
        if (Files.isDirectory(folder)) {
          try (Stream<Path> all = Files.walk(folder)) {
            all.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
          } catch (IOException failed) {
            throw new UncheckedIOException(failed);
          }
        }
      }
    }
    return files;
  }
}
