package dev.berth.engine.ledger.pods;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.ledger.pods.PodState.Assumed;
import dev.berth.engine.ledger.pods.PodState.Binding;
import dev.berth.engine.ledger.pods.PodState.Bound;
import dev.berth.engine.ledger.pods.PodState.Held;
import dev.berth.engine.ledger.pods.PodState.Ungating;
import dev.berth.engine.ledger.pods.PodState.Unplanned;
import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.WrittenPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The states of a pod's plan, every one with every event, and at random.
final class PodStateLawTest {
  private static final String PAGE = "docs/contributors/architecture.md";
  private static final int STEPS = 20_000;
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Placement PLACE = Placement.on(new NodeName("node-1"));

  private static final List<Class<? extends PodState>> STATES =
      List.of(
          Unplanned.class, Assumed.class, Ungating.class, Binding.class, Held.class, Bound.class);

  private static WrittenPlan plan(int number) {
    return new WrittenPlan(PLACE, "", 1, START.plusSeconds(number));
  }

  /// One event of each kind.
  private static Map<String, PodEvent> events(int number) {
    var events = new LinkedHashMap<String, PodEvent>();
    for (PodEvent event :
        List.of(
            new PodEvent.Assume(plan(number)),
            new PodEvent.Undo(),
            new PodEvent.Ungate(START.plusSeconds(number)),
            new PodEvent.Commit(number % 2 == 0),
            new PodEvent.Doubt(START.plusSeconds(number)),
            new PodEvent.Release(),
            new PodEvent.GiveBack(plan(number)),
            new PodEvent.Retain(plan(number)),
            new PodEvent.Hold(plan(number)),
            new PodEvent.Confirm(PLACE, ChargedTo.NONE))) {
      events.put(event.getClass().getSimpleName(), event);
    }
    assertThat(events).hasSameSizeAs(PodEvent.class.getPermittedSubclasses());
    return events;
  }

  /// All that can be reached, until nothing new comes.
  private static Set<PodState> reachable() {
    var found = new LinkedHashSet<PodState>();
    var next = new ArrayDeque<PodState>(List.of(PodState.NEW));
    while (!next.isEmpty()) {
      PodState state = next.remove();
      if (found.add(state)) {
        for (int number : new int[] {1, 2}) {
          events(number).values().forEach(event -> next.add(state.on(event).next()));
        }
      }
    }
    return found;
  }

  @Test
  void everyStateIsReached() {
    assertThat(STATES).hasSameSizeAs(PodState.class.getPermittedSubclasses());
    assertThat(reachable().stream().map(PodState::getClass).distinct().toList())
        .containsExactlyInAnyOrderElementsOf(STATES);
  }

  @Test
  void everyStateEnds() {
    for (PodState state : reachable()) {
      assertThat(state.on(new PodEvent.Confirm(PLACE, ChargedTo.NONE)).next())
          .as("%s confirmed", state)
          .isInstanceOf(Bound.class);
      if (!(state instanceof Bound)) {
        assertThat(state.on(new PodEvent.GiveBack(plan(3))).next())
            .as("%s given back", state)
            .isEqualTo(new Unplanned(plan(3)));
      }
    }
  }

  /// What a pod takes, where it stands and when its plan lapses follow from the state. A retained
  /// plan is the one that counts already.
  @Test
  void noChangeIsWithoutItsEffect() {
    for (PodState state : reachable()) {
      events(1)
          .forEach((name, event) -> {
            Transition transition = state.on(event);
            if (!transition.next().equals(state) && !(event instanceof PodEvent.Retain)) {
              assertThat(transition.effects())
                  .as("%s in %s", name, state)
                  .contains(Effect.REASSESS);
            }
            if (transition.effects().isEmpty() && !(event instanceof PodEvent.Retain)) {
              assertThat(transition.next()).as("%s in %s", name, state).isEqualTo(state);
            }
          });
    }
  }

  /// Random lives: what may be written keeps its place until that is known, and a plan ends by a
  /// Binding, by being given back or undone, and by nothing else.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void nothingThatMayBeWrittenIsLost(long seed) {
    var random = new Random(seed);
    PodState state = PodState.NEW;
    for (int i = 1; i <= STEPS; i++) {
      var events = new ArrayList<>(events(random.nextInt(5)).values());
      events.removeIf(event -> event instanceof PodEvent.Confirm && random.nextInt(50) > 0);
      PodEvent event = events.get(random.nextInt(events.size()));
      PodState next = state.on(event).next();
      boolean ends =
          event instanceof PodEvent.GiveBack
              || event instanceof PodEvent.Undo
              || event instanceof PodEvent.Confirm;
      if (!state.kept().isNone() && !ends) {
        assertThat(next.kept().isNone()).as("step %s: %s in %s", i, event, state).isFalse();
      }
      if (state instanceof Binding before && !ends) {
        boolean settled =
            event instanceof PodEvent.Release && !before.unanswered().isAfter(Instant.MIN);
        assertThat(next instanceof Binding)
            .as("step %s: %s in %s", i, event, state)
            .isNotEqualTo(settled);
      }
      if (state instanceof Binding before && next instanceof Binding after) {
        assertThat(after.unanswered()).as("step %s", i).isAfterOrEqualTo(before.unanswered());
        assertThat(after.admitted() || !before.admitted()).as("step %s: admitted", i).isTrue();
      }
      if (state instanceof Bound) {
        assertThat(next).as("step %s: %s in %s", i, event, state).isInstanceOf(Bound.class);
        state = PodState.NEW; // the next pod
      } else {
        state = next;
      }
    }
  }

  @Test
  void thePageHasTheTable() throws IOException {
    var rows = new ArrayList<String>();
    rows.add("| state | " + String.join(" | ", events(1).keySet()) + " |");
    rows.add("|---".repeat(events(1).size() + 1) + "|");
    for (Class<? extends PodState> kind : STATES) {
      rows.add("| `" + kind.getSimpleName() + "` | " + cells(kind) + " |");
    }
    assertThat(Files.readString(root().resolve(PAGE)))
        .as("%s must have the table, between its two sentences:%n%s", PAGE, String.join("\n", rows))
        .contains("\n\n" + String.join("\n", rows) + "\n\n");
  }

  private static String cells(Class<? extends PodState> kind) {
    return events(1).keySet().stream().map(event -> cell(kind, event)).collect(joining(" | "));
  }

  /// Where it may lead, and what follows.
  private static String cell(Class<? extends PodState> kind, String event) {
    var outcomes = new TreeSet<String>();
    for (PodState state : reachable()) {
      if (state.getClass() == kind) {
        for (int number : new int[] {1, 2}) {
          Transition transition = state.on(events(number).get(event));
          String next = transition.next().getClass().getSimpleName();
          String effects =
              transition.effects().stream()
                  .map(effect -> effect.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                  .collect(joining(", "));
          boolean stays = transition.effects().isEmpty() && transition.next().equals(state);
          outcomes.add(stays ? "–" : "`" + next + "`" + (effects.isEmpty() ? "" : " " + effects));
        }
      }
    }
    if (outcomes.size() > 1) {
      outcomes.remove("–"); // what is equal already
    }
    return String.join("; ", outcomes);
  }

  private static Path root() {
    Path here = Path.of("").toAbsolutePath();
    while (!Files.exists(here.resolve(PAGE))) {
      here = here.getParent();
    }
    return here;
  }
}
