package dev.berth.engine.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Constraints.Peers;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.placement.DomainCounts.Question;
import dev.berth.engine.placement.DomainMap.Where;
import dev.berth.engine.request.PodManifest;
import dev.berth.engine.session.Session;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pods are compared with those terms alone that may mean them. What is counted here is work.
class PodMatchesTest {
  private static final int PODS = 1_000;

  private static DomainCounts tally(int number, Peers... peers) {
    var where = new Where("zone", List.of("zone"), NodeInclusion.NOTHING);
    var room = Session.over(Snapshot.empty(Instant.EPOCH)).room();
    return new DomainCounts(
        number,
        new Question(List.of(peers), where),
        new DomainMap(where, room, List.of(), new IncludedNodes()));
  }

  private static Peers peers(List<String> namespaces, Expression... expressions) {
    return new Peers(namespaces, namespaces.isEmpty(), List.of(expressions));
  }

  private static Expression label(String key, Operator operator, String... values) {
    return new Expression(false, key, operator, List.of(values));
  }

  private static Pod pod(String namespace, String name, Map<String, String> labels) {
    return PodManifest.read(
            Map.of("metadata", Map.of("namespace", namespace, "name", name, "labels", labels)))
        .orElseThrow();
  }

  /// How many of a thousand pods with labels of their own a term is compared with.
  private static long compared(Peers... peers) {
    var tally = tally(0, peers);
    var matches = new PodMatches(List.of(tally));
    for (int i = 0; i < PODS; i++) {
      matches.see(pod("theirs", "p" + i, Map.of("app", "a" + i, "tier", "t" + i % 10)));
    }
    matches.weigh();
    return matches.pods(tally);
  }

  @Test
  void termsAreComparedWithPodsOfTheirNamespaceAndLabelAlone() {
    var theirs = List.of("theirs");
    assertThat(compared(peers(List.of("mine"), label("app", Operator.EXISTS)))).isZero();
    assertThat(compared(peers(List.of("mine")))).isZero();
    assertThat(compared(peers(theirs, label("app", Operator.IN, "mine")))).isZero();
    assertThat(compared(peers(List.of(), label("app", Operator.IN, "mine", "a7")))).isOne();
    assertThat(compared(peers(List.of(), label("job", Operator.EXISTS)))).isZero();
    var tier = label("tier", Operator.IN, "t3");
    assertThat(compared(peers(theirs, label("app", Operator.NOT_IN, "a3"), tier))).isEqualTo(100);
    assertThat(compared(peers(List.of()), peers(theirs, tier))).isEqualTo(100);
    assertThat(compared(peers(theirs, label("app", Operator.NOT_IN, "a3")))).isEqualTo(PODS);
    assertThat(compared(new Peers(List.of(), false, List.of()))).as("nobody").isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void podsThatAreCountedAreThoseThatTheTermsInclude(long seed) {
    var random = new Random(seed);
    var tallies = new ArrayList<DomainCounts>();
    for (int i = 0; i < 200; i++) {
      var tally =
          random.nextInt(4) == 0
              ? tally(i, anyPeers(random), anyPeers(random))
              : tally(i, anyPeers(random));
      if (random.nextInt(10) > 0) {
        tally.judge();
      }
      tallies.add(tally);
    }
    var matches = new PodMatches(tallies);
    matches.judged();
    for (int i = 0; i < 100; i++) {
      var pod =
          pod(
              "n" + random.nextInt(12),
              "p" + i,
              random.nextBoolean()
                  ? Map.of("a", "v" + random.nextInt(4))
                  : Map.of("a", "v" + random.nextInt(12), "b", "v" + random.nextInt(4)));
      assertThat(matches.kindOf(pod).counted())
          .containsExactly(
              tallies.stream()
                  .filter(tally -> tally.isJudged() && tally.counts(pod))
                  .mapToInt(DomainCounts::number)
                  .toArray());
    }
  }

  private static Peers anyPeers(Random random) {
    var namespaces = new ArrayList<String>();
    int named = List.of(0, 1, 2, 10).get(random.nextInt(4));
    for (int i = 0; i < named; i++) {
      namespaces.add("n" + random.nextInt(12));
    }
    var expressions = new ArrayList<Expression>();
    for (int i = random.nextInt(3); i > 0; i--) {
      var operator = Operator.values()[random.nextInt(4)]; // no numbers here
      var values = new ArrayList<String>();
      int many = random.nextInt(3) == 0 ? 10 : 1 + random.nextInt(3);
      for (int v = 0; v < many; v++) {
        values.add("v" + random.nextInt(12));
      }
      expressions.add(new Expression(false, random.nextBoolean() ? "a" : "b", operator, values));
    }
    return new Peers(namespaces, random.nextInt(4) == 0, expressions);
  }
}
