package dev.berth.extender.access;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.extender.access.AccessReviewer.NoVerdict;
import dev.berth.extender.access.RightsReviewer.ObjectRight;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// How often the cluster is asked, and how long its answers are believed.
class RightsTest implements RightsReviewer<String> {
  private final List<String> asked = new ArrayList<>();
  private boolean isDown;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final Rights<String> rights =
      new Rights<>(this, new AccessSettings(ofSeconds(10), ofSeconds(2), 1, 3), () -> now);

  @Override
  public Optional<String> owner(String token) throws NoVerdict {
    asked.add(token);
    if (isDown) {
      throw new NoVerdict("no answer", new IOException("down"));
    }
    return token.startsWith("of-") ? Optional.of(token.substring(3)) : Optional.empty();
  }

  @Override
  public String name(String user) {
    return user;
  }

  @Override
  public boolean may(String user, ObjectRight right) {
    asked.add(user + " " + right.resource() + " " + right.namespace());
    return user.equals("alice");
  }

  @Test
  void serviceAccountsOfANamespaceAreOneParty() {
    assertThat(rights.party("alice")).isEqualTo("alice");
    assertThat(rights.party("system:serviceaccount:team-a:one"))
        .isEqualTo(rights.party("system:serviceaccount:team-a:two"))
        .isNotEqualTo(rights.party("system:serviceaccount:team-b:one"));
  }

  @Test
  void aYesIsBelievedForLongerThanANo() throws NoVerdict {
    var queues = ObjectRight.toList("berth.dev", "queues");
    for (int i = 0; i < 3; i++) {
      assertThat(rights.owner("of-alice")).contains("alice");
      assertThat(rights.may("alice", queues)).as("alice may").isTrue();
      assertThat(rights.may("bob", queues.in("ml"))).as("bob may").isFalse();
      assertThat(rights.owner("forged")).isEmpty();
    }
    assertThat(asked).containsExactly("of-alice", "alice queues ", "bob queues ml", "forged");
    asked.clear();
    now = now.plusSeconds(2);
    rights.owner("of-alice");
    rights.may("alice", queues);
    rights.may("bob", queues.in("ml"));
    rights.owner("forged");
    assertThat(asked).containsExactly("bob queues ml", "forged");
    asked.clear();
    now = now.plusSeconds(8);
    rights.owner("of-alice");
    rights.may("alice", queues);
    assertThat(asked).containsExactly("of-alice", "alice queues ");
  }

  @Test
  void whatWasNotAnsweredIsAskedAgain() throws NoVerdict {
    isDown = true;
    assertThatThrownBy(() -> rights.owner("of-alice")).isInstanceOf(NoVerdict.class);
    isDown = false;
    assertThat(rights.owner("of-alice")).contains("alice");
  }
}
