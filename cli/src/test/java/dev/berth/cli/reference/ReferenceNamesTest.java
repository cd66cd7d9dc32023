package dev.berth.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Nothing of the code is missing on the pages of reasons and of names.
class ReferenceNamesTest {
  private static final Path ROOT = Path.of("..");

  /// What looks like a label or an annotation and is none.
  private static final Map<String, String> NO_NAMES =
      Map.of(
          "OwnerClient.java: berth.dev/too-large", "a field of objects in memory",
          "ApiEvents.java: berth.dev/berth", "the reporting controller of events",
          "WellKnownNames.java: berth", "the name of a scheduler",
          "WellKnownNames.java: default-scheduler", "the name of a scheduler");

  @Test
  void everyNameOfBerthIsExplainedAndNoExceptionIsNeedless() throws IOException {
    assertThat(NamesTable.unexplained(ROOT))
        .as("no comment of a constant says `Annotation of a pod: …` or the like")
        .containsExactlyInAnyOrderElementsOf(NO_NAMES.keySet());
  }

  @Test
  void everyReasonHasAnExample() {
    assertThat(ReasonSamples.ALL.stream().map(Reason::code).distinct())
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(Reason.class.getPermittedSubclasses()).map(Class::getSimpleName).toList());
  }
}
