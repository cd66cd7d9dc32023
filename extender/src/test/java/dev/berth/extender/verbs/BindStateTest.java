package dev.berth.extender.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.extender.verbs.BindState.Admitted;
import dev.berth.extender.verbs.BindState.AtBarrier;
import dev.berth.extender.verbs.BindState.Checking;
import dev.berth.extender.verbs.BindState.Event;
import dev.berth.extender.verbs.BindState.Following;
import dev.berth.extender.verbs.BindState.Over;
import dev.berth.extender.verbs.BindState.Writing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The states of a bind request, every one with every event.
final class BindStateTest {
  private static final Path SOURCE =
      Path.of("src/main/java/dev/berth/extender/verbs/BindState.java");

  private static final List<BindState> STATES =
      List.of(
          new Following(),
          new Checking(),
          new AtBarrier("g"),
          new Admitted(),
          new Writing(),
          new Over());

  private static final List<Event> EVENTS =
      List.of(
          new Event.Start(),
          new Event.Arrive("g"),
          new Event.Pass(),
          new Event.Write(),
          new Event.Replace(),
          new Event.End());

  @Test
  void theTableIsTrue() throws IOException {
    assertThat(STATES).hasSameSizeAs(BindState.class.getPermittedSubclasses());
    assertThat(EVENTS).hasSameSizeAs(Event.class.getPermittedSubclasses());
    var rows = new ArrayList<String>();
    rows.add(
        "/// | state | " + String.join(" | ", EVENTS.stream().map(this::name).toList()) + " |");
    rows.add("/// " + "|---".repeat(EVENTS.size() + 1) + "|");
    for (BindState state : STATES) {
      var cells = EVENTS.stream().map(event -> cell(state, event)).toList();
      rows.add("/// | `" + name(state) + "` | " + String.join(" | ", cells) + " |");
    }
    assertThat(Files.readString(SOURCE)).contains(String.join("\n", rows) + "\n");
  }

  private String name(Object one) {
    return one.getClass().getSimpleName();
  }

  private String cell(BindState state, Event event) {
    BindState next = state.on(event);
    return next.equals(state) ? "–" : "`" + name(next) + "`";
  }

  /// A request that may be executed by the API server is neither replaced nor checked again.
  @Test
  void aBindingThatIsBeingWrittenEndsByItsAnswerAlone() {
    for (Event event : EVENTS) {
      assertThat(new Writing().on(event) instanceof Over)
          .as("%s", event)
          .isEqualTo(event instanceof Event.End);
    }
  }
}
