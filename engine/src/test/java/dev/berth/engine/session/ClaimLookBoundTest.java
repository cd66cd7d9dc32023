package dev.berth.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Which kinds of claims are looked for. Kinds are numbered as they come.
class ClaimLookBoundTest {
  private static final long MOST = 100;

  private final TreeMap<String, LinkedHashMap<Integer, Long>> costs = new TreeMap<>();
  private int kinds;

  private void namespace(String name, long... ofKinds) {
    var each = new LinkedHashMap<Integer, Long>();
    for (long cost : ofKinds) {
      each.put(kinds++, cost);
    }
    costs.put(name, each);
  }

  private TreeMap<String, Set<Integer>> looked(long mostInTurn, long turn) {
    return new TreeMap<>(ClaimLookBound.looked(costs, MOST, mostInTurn, turn).orElseThrow());
  }

  @Test
  void allAreWhereTheBoundSuffices() {
    namespace("a", 30, 30);
    namespace("b", 40);
    assertThat(ClaimLookBound.looked(costs, MOST, 0, 0)).isEmpty();
  }

  @Test
  void namespacesShareTheBoundAndTheirFirstKindsComeFirst() {
    namespace("a", 30, 30, 20);
    namespace("b", 50);
    assertThat(looked(0, 0)).containsEntry("a", Set.of(0, 2)).containsEntry("b", Set.of(3));
  }

  /// They would all wait for good.
  @Test
  void whereNoKindIsWithinThePartOfItsNamespaceTheyTakeTurns() {
    namespace("a", 45);
    namespace("b", 45);
    namespace("c", 45);
    assertThat(looked(0, 0)).containsEntry("a", Set.of(0)).containsEntry("b", Set.of(1));
    assertThat(looked(0, 0)).containsEntry("c", Set.of());
    assertThat(looked(0, 1)).containsEntry("a", Set.of());
    assertThat(looked(0, 2)).containsEntry("b", Set.of());
  }

  /// One namespace cannot stop those that ask for little.
  @Test
  void whatFitsIsLookedForBesideWhatDoesNot() {
    namespace("a", 1_000_000);
    namespace("b", 45);
    namespace("c", 45);
    var found = new TreeSet<String>();
    for (int turn = 0; turn < 3; turn++) {
      looked(500, turn)
          .forEach(
              (namespace, kinds) -> found.addAll(kinds.isEmpty() ? Set.of() : Set.of(namespace)));
      assertThat(looked(500, turn)).containsEntry("a", Set.of());
    }
    assertThat(found).containsExactly("b", "c");
  }

  @Test
  void aKindThatIsMoreThanTheBoundIsLookedForWhenItIsItsTurn() {
    namespace("a", 150);
    namespace("b", 150);
    assertThat(looked(200, 0)).containsEntry("a", Set.of(0)).containsEntry("b", Set.of());
    assertThat(looked(200, 1)).containsEntry("a", Set.of()).containsEntry("b", Set.of(1));
    assertThat(looked(149, 1)).containsEntry("a", Set.of()).containsEntry("b", Set.of());
  }
}
