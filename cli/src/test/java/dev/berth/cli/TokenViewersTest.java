package dev.berth.cli;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.engine.model.QueueName;
import dev.berth.extender.access.AccessReviewer.NoVerdict;
import dev.berth.extender.access.AccessSettings;
import dev.berth.extender.access.Rights;
import dev.berth.extender.access.RightsReviewer;
import dev.berth.extender.rest.ApiProblem;
import dev.berth.extender.rest.answer.Visible;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What the owner of a token may see, by the rights that the API server tells.
class TokenViewersTest implements RightsReviewer<String> {
  private final Set<ObjectRight> granted = new HashSet<>();
  private int asked;
  private boolean isDown;
  private final TokenViewers<String> viewers =
      new TokenViewers<>(
          new Rights<>(
              this,
              new AccessSettings(ofSeconds(10), ofSeconds(2), 4, 1000),
              () -> Instant.parse("2026-01-01T00:00:00Z")));

  @Override
  public Optional<String> owner(String token) throws NoVerdict {
    if (isDown) {
      throw new NoVerdict("connection refused", new IOException("down"));
    }
    return token.equals("alices") ? Optional.of("alice") : Optional.empty();
  }

  @Override
  public String name(String user) {
    return user;
  }

  @Override
  public boolean may(String user, ObjectRight right) {
    asked++;
    return granted.contains(right);
  }

  @Test
  void aViewerOfLessThanEverythingIsAParty() {
    assertThat(viewers.viewer("Bearer alices", "berth").party()).isEqualTo("alice");
  }

  @Test
  void withoutATokenOrWithAForgedOneNothingIsSeen() {
    for (String authorization : new String[] {"", "Basic alices", "Bearer", "Bearer forged"}) {
      assertThatThrownBy(() -> viewers.viewer(authorization, "berth"))
          .as(authorization)
          .isInstanceOfSatisfying(
              ApiProblem.class, problem -> assertThat(problem.status()).isEqualTo(401))
          .message()
          .doesNotContain("forged");
    }
    isDown = true;
    assertThatThrownBy(() -> viewers.viewer("Bearer alices", "berth"))
        .isInstanceOfSatisfying(
            ApiProblem.class, problem -> assertThat(problem.status()).isEqualTo(503));
  }

  @Test
  void oneSeesWhatOneMayRead() {
    granted.add(ObjectRight.toList("berth.dev", "podgroups").in("ml"));
    granted.add(ObjectRight.toGet("berth.dev", "queues", "research"));
    var alice = viewers.viewer("bearer alices", "berth");
    assertThat(alice.namespace("ml")).as("sees namespace ml").isTrue();
    assertThat(alice.namespace("finance")).as("sees namespace finance").isFalse();
    assertThat(alice.queue(new QueueName("research"))).as("sees queue research").isTrue();
    assertThat(alice.queue(new QueueName("production"))).as("sees queue production").isFalse();
    assertThat(alice.nodes()).as("sees nodes").isFalse();
  }

  @Test
  void aRightToAllIsAskedOnce() {
    granted.add(ObjectRight.toList("berth.dev", "podgroups"));
    granted.add(ObjectRight.toList("berth.dev", "queues"));
    granted.add(ObjectRight.toList("", "nodes"));
    var alice = viewers.viewer("Bearer alices", "berth");
    for (int i = 0; i < 1000; i++) {
      assertThat(alice.namespace("n" + i)).as("sees each namespace").isTrue();
      assertThat(alice.queue(new QueueName("q" + i))).as("sees each queue").isTrue();
    }
    assertThat(alice.nodes()).as("sees nodes").isTrue();
    assertThat(asked).isEqualTo(3);
    assertThat(alice).as("what is told to all of them is written once").isEqualTo(Visible.ALL);
  }

  @Test
  void theApiServerIsNotAskedAboutThousandsOfNamespaces() {
    var alice = viewers.viewer("Bearer alices", "berth");
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1000; i++) {
                alice.namespace("n" + i);
              }
            })
        .isInstanceOf(ApiProblem.class)
        .hasMessageContaining("?namespace=");
    assertThat(asked).isLessThanOrEqualTo(201);
  }

  /// A receipt may name victims of more namespaces than that.
  @Test
  void whatAnAnswerNamesBesidesIsNotVisibleWhereTooMuchWouldHaveToBeAsked() {
    granted.add(ObjectRight.toList("", "nodes"));
    for (int i = 0; i < 1000; i += 100) {
      granted.add(ObjectRight.toList("berth.dev", "podgroups").in("n" + i));
    }
    var alice = viewers.viewer("Bearer alices", "berth");
    assertThat(alice.namespace("n900")).as("asked for by name").isTrue();
    var lenient = alice.lenient();
    var seen = IntStream.range(0, 1000).filter(i -> lenient.namespace("n" + i)).boxed();
    assertThat(seen).containsExactly(0, 100, 900);
    assertThat(lenient.queue(new QueueName("q"))).as("sees a queue that was not asked").isFalse();
    assertThat(lenient.nodes()).as("sees nodes").isTrue();
    assertThat(asked).isLessThanOrEqualTo(201);
  }
}
