package dev.berth.controllers.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.ClientException.Kind;
import dev.berth.controllers.client.LeaseClient;
import dev.berth.controllers.loop.HandCranked;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ElectorTest {
  private static final LeaseSettings SETTINGS =
      new LeaseSettings(
          true,
          "berth-system",
          "berth",
          Duration.ofSeconds(15),
          Duration.ofSeconds(10),
          Duration.ofSeconds(2));

  private final HandCranked workers = new HandCranked();
  private final List<String> heard = new ArrayList<>();
  private Optional<LeaseClient.Lease> kept = Optional.empty();
  private int versions;
  private Duration slept = Duration.ZERO;

  private final Line lineOfA = new Line();
  private final Line lineOfB = new Line();
  private final Elector a = elector("a", lineOfA);
  private final Elector b = elector("b", lineOfB);

  @Test
  void theFirstLeadsAndTheOtherNamesTheLeader() {
    both();
    seconds(60);
    assertThat(heard).containsExactly("a leads term 0");
    assertThat(a.barred()).isEmpty();
    assertThat(b.barred()).contains("a holds the lease, this one stands by");
    assertThat(b.left()).isZero();
  }

  @Test
  void leaderThatDoesNotReachTheServerBeginsNoWriteLongBeforeTheNextOneLeads() {
    both();
    seconds(20);
    Instant cut = workers.time().instant();
    lineOfA.failsWith = Optional.of(Kind.UNREACHABLE);
    int gap = 0;
    for (int tenths = 0; tenths < 400; tenths++) {
      seconds(0.1);
      assertThat(a.left().isPositive() && b.left().isPositive()).as("both lead").isFalse();
      gap += a.left().isZero() && b.left().isZero() ? 1 : 0;
    }
    assertThat(heard).containsExactly("a leads term 0", "b leads term 1");
    assertThat(gap).as("tenths of a second in which nobody writes").isBetween(45, 80);
    assertThat(kept.orElseThrow().acquired()).isBetween(cut.plusSeconds(13), cut.plusSeconds(20));
    lineOfA.failsWith = Optional.empty();
    seconds(3);
    assertThat(heard).containsExactly("a leads term 0", "b leads term 1", "a is deposed by b");
    assertThat(a.barred()).contains("the lease was taken away, it is held by b");
  }

  @Test
  void aWriteMayTakeUntilTheLeaseEnds() {
    a.start();
    seconds(0);
    assertThat(a.left()).isEqualTo(Duration.ofSeconds(15));
    lineOfA.failsWith = Optional.of(Kind.UNREACHABLE);
    seconds(9.9);
    assertThat(a.left()).isEqualTo(Duration.ofMillis(5100));
    seconds(0.1);
    assertThat(a.left()).isZero();
    assertThat(a.barred().orElseThrow()).startsWith("the lease could not be renewed since ");
  }

  @Test
  void leaderThatCouldNotRenewGoesOnIfNoOtherTookTheLease() {
    a.start();
    seconds(1);
    lineOfA.failsWith = Optional.of(Kind.UNREACHABLE);
    seconds(60);
    assertThat(a.left()).isZero();
    lineOfA.failsWith = Optional.empty();
    seconds(3);
    assertThat(a.left()).isPositive();
    assertThat(heard).containsExactly("a leads term 0");
  }

  @Test
  void aRenewalWhoseReplyIsLostIsNoDeposition() {
    both();
    seconds(3);
    lineOfA.losesReplies = true;
    seconds(9);
    lineOfA.losesReplies = false;
    seconds(30);
    assertThat(heard).containsExactly("a leads term 0");
    assertThat(a.left()).isPositive();
  }

  @Test
  void oneRenewalThatIsLostLateCostsNoWrite() {
    a.start();
    seconds(1);
    lineOfA.givesUpAfter = Optional.of(Duration.ofSeconds(6));
    var shut = new ArrayList<Instant>();
    for (int tenths = 0; tenths < 300; tenths++) {
      Instant then = workers.time().instant().plusMillis(100L * tenths);
      workers.at(
          then,
          () -> {
            if (a.left().isZero()) {
              shut.add(then);
            }
          });
    }
    seconds(30);
    assertThat(shut).isEmpty();
    assertThat(heard).containsExactly("a leads term 0");
  }

  @Test
  void replicaThatTookTheLeaseWithoutHearingOfItLeadsAllTheSame() {
    lineOfA.losesReplies = true;
    a.start();
    seconds(1);
    assertThat(a.left()).isZero();
    lineOfA.losesReplies = false;
    seconds(2);
    assertThat(heard).containsExactly("a leads term 1");
  }

  @Test
  void aStandbyTakesTheLeaseWhenItRunsOutAndNotAtItsNextTurn() {
    a.start();
    seconds(0.5);
    b.start(); // its turns are half a second after those of a
    seconds(20);
    Instant lastRead = kept.orElseThrow().renewed().plusMillis(500);
    a.stop();
    seconds(30);
    assertThat(heard).containsExactly("a leads term 0", "b leads term 1");
    assertThat(kept.orElseThrow().acquired()).isEqualTo(lastRead.plusSeconds(15).plusMillis(1));
  }

  @Test
  void aReleasedLeaseIsTakenAtOnce() {
    both();
    seconds(20);
    a.release();
    assertThat(a.left()).isZero();
    seconds(2);
    assertThat(heard).containsExactly("a leads term 0", "b leads term 1");
    seconds(30);
    assertThat(heard).as("who released it takes no part").hasSize(2);
  }

  /// The write may be done as long as the lease lasts that was ours when it was sent: an earlier
  /// next leader would not know of it.
  @Test
  void aLeaseIsNotReleasedWhileAWriteThatGotNoAnswerMayStillBeDone() {
    both();
    seconds(20);
    a.unanswered();
    Instant atTheLatest = workers.time().instant().plus(a.left());
    a.release();
    a.stop();
    while (b.left().isZero()) {
      seconds(0.1);
    }
    assertThat(kept.orElseThrow().acquired()).isAfter(atTheLatest);
  }

  @Test
  void aWriteThatGotNoAnswerIsForgottenWhenItsLeaseIsOver() {
    both();
    seconds(20);
    a.unanswered();
    seconds(15);
    a.release();
    seconds(2);
    assertThat(heard).containsExactly("a leads term 0", "b leads term 1");
  }

  @Test
  void aClockThatJumpsAheadEndsNoWrite() {
    both();
    seconds(20);
    a.unanswered();
    slept = Duration.ofSeconds(60);
    a.release();
    a.stop();
    seconds(2);
    assertThat(heard).containsExactly("a leads term 0");
  }

  @Test
  void aDeletedLeaseIsNotTakenBeforeItsHolderKnows() {
    both();
    seconds(20);
    lineOfA.failsWith = Optional.of(Kind.UNREACHABLE);
    kept = Optional.empty();
    for (int tenths = 0; tenths < 300; tenths++) {
      seconds(0.1);
      assertThat(a.left().isPositive() && b.left().isPositive()).as("both lead").isFalse();
    }
    assertThat(b.left()).isPositive();
  }

  @Test
  void aClockThatIsTurnedBackKeepsNoLease() {
    a.start();
    seconds(1);
    lineOfA.failsWith = Optional.of(Kind.UNREACHABLE);
    slept = Duration.ofSeconds(11); // what the other clock noticed
    assertThat(a.left()).isZero();
  }

  private void both() {
    a.start();
    b.start();
  }

  private void seconds(double seconds) {
    workers.turn(Duration.ofMillis((long) (seconds * 1000)));
  }

  private Elector elector(String name, Line line) {
    return new Elector(
        line,
        name,
        SETTINGS,
        workers,
        () -> workers.time().instant().plus(slept),
        new Elector.Listener() {
          @Override
          public void leads(int term, Instant silent) {
            heard.add(name + " leads term " + term);
          }

          @Override
          public void deposed(String sentence) {
            heard.add(name + " is deposed by " + kept.orElseThrow().holder());
          }
        });
  }

  /// What leads one of them to the one lease. A backup of etcd is put back: the lease stands there
  /// as this one wrote it some time ago.
  @Test
  void leaderEndsWhenTheLeaseIsOfAnEarlierVersion() {
    a.start();
    seconds(20);
    var backup = kept;
    seconds(20);
    kept = backup;
    seconds(3);
    assertThat(heard).hasSize(2).endsWith("a is deposed by a");
    assertThat(a.barred().orElseThrow())
        .matches(
            "etcd went back to an earlier state: the lease was of version \\d+ and is of \\d+, so"
                + " what this process knows is not true any more");
    assertThat(a.left()).isZero();
  }

  /// What a warm standby keeps is not true any more either.
  @Test
  void aStandbyEndsWhenTheLeaseIsOfAnEarlierVersion() {
    both();
    seconds(20);
    var backup = kept;
    seconds(20);
    kept = backup;
    seconds(3);
    assertThat(b.barred().orElseThrow()).startsWith("etcd went back to an earlier state: ");
    assertThat(heard).filteredOn(line -> line.startsWith("b is deposed")).hasSize(1);
    seconds(60);
    assertThat(heard).noneMatch(line -> line.startsWith("b leads"));
  }

  private final class Line implements LeaseClient {
    private Optional<Kind> failsWith = Optional.empty();
    private boolean losesReplies;
    private Optional<Duration> givesUpAfter = Optional.empty(); // once

    @Override
    public Optional<Lease> read() throws ClientException {
      up();
      return kept;
    }

    @Override
    public Lease write(Lease lease) throws ClientException {
      up();
      if (!kept.map(Lease::version).orElse("").equals(lease.version())) {
        throw new ClientException(Kind.CONFLICT, "the test");
      }
      kept = Optional.of(lease.withVersion(Integer.toString(++versions)));
      if (givesUpAfter.isPresent()) {
        Duration patience = givesUpAfter.get();
        givesUpAfter = Optional.empty();
        workers.turn(patience);
        throw new ClientException(Kind.UNREACHABLE, "the reply is lost");
      }
      if (losesReplies) {
        throw new ClientException(Kind.UNREACHABLE, "the reply is lost");
      }
      return kept.get();
    }

    private void up() throws ClientException {
      if (failsWith.isPresent()) {
        throw new ClientException(failsWith.get(), "the test");
      }
    }
  }
}
