package dev.berth.engine.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

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
}
