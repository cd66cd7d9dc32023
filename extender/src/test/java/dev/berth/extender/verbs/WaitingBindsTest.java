package dev.berth.extender.verbs;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.extender.barrier.VirtualLater;
import dev.berth.extender.verbs.BindRequests.BindRequest;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WaitingBindsTest {
  private final VirtualLater later = new VirtualLater();
  private final WaitingBinds waitingBinds = new WaitingBinds();
  private final BindRequest request =
      new BindRequest(VerbCluster.bindOf("p", "n"), later.instant());

  @Test
  void aChangeBetweenLookingAndParkingIsNotMissed() {
    long seen = waitingBinds.changes();
    assertThat(waitingBinds.add(request, seen).again()).as("nothing happened").isFalse();
    waitingBinds.changed();
    assertThat(waitingBinds.add(request, seen).again()).as("look again").isTrue();
  }

  @Test
  void bindThatIsTakenOutIsNotTakenAgain() {
    waitingBinds.add(request, 0);
    assertThat(waitingBinds.take(request)).as("it was there").isTrue();
    assertThat(waitingBinds.take(request)).as("only once").isFalse();
    assertThat(waitingBinds.takeAll()).isEmpty();
  }

  @Test
  void aBindThatParksAgainKeepsItsAlarmUntilThatGoesOff() {
    assertThat(waitingBinds.add(request, 0).needsAlarm()).as("it needs an alarm").isTrue();
    assertThat(waitingBinds.take(request)).as("taken by a change").isTrue();
    assertThat(waitingBinds.add(request, 0).needsAlarm()).as("it needs an alarm").isFalse();
    assertThat(waitingBinds.takeAlarmed(request)).as("taken by its alarm").isTrue();
    assertThat(waitingBinds.add(request, 0).needsAlarm()).as("it needs an alarm").isTrue();
  }

  @Test
  void manyPokesAreOneLookAndALaterOneIsAnother() {
    var looks = new AtomicInteger();
    var coalescer = new Coalescer(later, ofMillis(5), looks::incrementAndGet);
    for (int i = 0; i < 100; i++) {
      coalescer.trigger();
    }
    assertThat(looks).hasValue(0);
    later.pass(ofMillis(5));
    assertThat(looks).hasValue(1);

    coalescer.trigger();
    later.pass(ofMillis(5));
    assertThat(looks).hasValue(2);
  }
}
