package dev.berth.engine.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class SpellingTest {
  private static final List<String> KNOWN = List.of("deadline", "keepIdle", "lease", "pause");

  @Test
  void namesWhatIsNear() {
    assertThat(Spelling.nearest("deadlin", KNOWN)).contains("deadline");
    assertThat(Spelling.nearest("keepidle", KNOWN)).contains("keepIdle");
    assertThat(Spelling.nearest("laese", KNOWN)).contains("lease");
    assertThat(Spelling.nearest("pauze", KNOWN)).contains("pause");
  }

  @Test
  void namesNothingThatIsFar() {
    assertThat(Spelling.nearest("colour", KNOWN)).isEmpty();
    assertThat(Spelling.nearest("x", KNOWN)).isEmpty();
    assertThat(Spelling.nearest("lease", List.of())).isEmpty();
    assertThat(Spelling.hint("colour", KNOWN)).isEmpty();
    assertThat(Spelling.hint("laese", KNOWN)).isEqualTo(" (did you mean lease?)");
  }

  /// A tenant names pods and groups, and every hint would compare them letter by letter.
  @Test
  void longNamesAreComparedWithoutTheirLetters() {
    var known = List.of("a".repeat(252) + "b", "A".repeat(253));
    assertThat(Spelling.nearest("a".repeat(252) + "c", known)).isEmpty();
    assertThat(Spelling.nearest("a".repeat(253), known)).contains("A".repeat(253));
    assertThat(Spelling.nearest("a".repeat(63) + "c", List.of("a".repeat(64)))).isPresent();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void itIsTheFirstOfThoseWithFewestEdits(long seed) {
    var random = new Random(seed);
    var known = new ArrayList<String>();
    for (int i = 0; i < 6; i++) {
      known.add(word(random));
    }
    var name = word(random);
    int fewest = name.length() / 3 + 1;
    var nearest = "";
    for (String each : known) {
      int edits = edits(name, each, name.length(), each.length());
      if (edits < fewest) {
        fewest = edits;
        nearest = each;
      }
    }
    assertThat(Spelling.nearest(name, known).orElse("")).isEqualTo(nearest);
  }

  private static LongStream seeds() {
    return Seeds.worlds(500);
  }

  private static String word(Random random) {
    var word = new StringBuilder();
    for (int i = random.nextInt(1, 8); i > 0; i--) {
      word.append((char) ('a' + random.nextInt(3)));
    }
    return word.toString();
  }

  /// As the words define it, slowly.
  private static int edits(String one, String other, int i, int j) {
    if (i == 0 || j == 0) {
      return i + j;
    }
    int least = 1 + Math.min(edits(one, other, i - 1, j), edits(one, other, i, j - 1));
    boolean isSame = one.charAt(i - 1) == other.charAt(j - 1);
    least = Math.min(least, edits(one, other, i - 1, j - 1) + (isSame ? 0 : 1));
    boolean isSwapped =
        i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1);
    return isSwapped ? Math.min(least, 1 + edits(one, other, i - 2, j - 2)) : least;
  }
}
