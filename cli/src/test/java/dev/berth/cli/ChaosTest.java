package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.controllers.client.ApiWrite;
import dev.berth.controllers.client.ApiWriter;
import dev.berth.controllers.client.ClientException;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import dev.berth.simulator.chaos.BerthProcess;
import dev.berth.simulator.chaos.ChaosRun;
import dev.berth.simulator.chaos.InvariantViolation;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/// Some dozens of seeds of `berth chaos`; `-Dchaos.seeds=500` plays more.
class ChaosTest {
  private static final BerthProcess.ReplicaFactory FACTORY = SimulatedReplica.replicaFactory();

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("chaos.seeds", 24));
  }

  private static ChaosRun.Log run(long seed, BerthProcess.ReplicaFactory replicaFactory) {
    return ChaosRun.run(seed, replicaFactory, _ -> {});
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everythingIsRightOnceNoFaultsAreInjected(long seed) {
    var log = run(seed, FACTORY);
    assertThat(log.steps() > 100).as("much happens: " + log.steps()).isTrue();
  }

  @Test
  void theSameSeedIsTheSameRun() {
    assertThat(run(7, FACTORY)).isEqualTo(run(7, FACTORY));
  }

  @Test
  void anotherSeedIsAnother() {
    assertThat(run(8, FACTORY).fingerprint()).isNotEqualTo(run(7, FACTORY).fingerprint());
  }

  @Test
  void aWrongDeviceIsCaught() {
    var broken =
        assertThatExceptionOfType(InvariantViolation.class)
            .isThrownBy(() -> run(1, wrong(Wrong.DEVICES)))
            .actual();
    assertThat(broken.rules().getFirst().contains("which no holder there reports"))
        .as(broken.rules().toString())
        .isTrue();
  }

  @Test
  void aForgottenBindIsCaught() {
    var broken =
        assertThatExceptionOfType(InvariantViolation.class)
            .isThrownBy(() -> run(1, wrong(Wrong.SILENT)))
            .actual();
    assertThat(
            broken.rules().getFirst().contains("is planned still")
                || broken.rules().getFirst().contains("come to rest")
                || broken.rules().getFirst().contains("believed"))
        .as(broken.rules().toString())
        .isTrue();
  }

  /// For minutes it is not asked again, and that stands nowhere in the API.
  @Test
  void podThatMayNotLeaveIsSparedAtRestToo() {
    boolean spared = LongStream.rangeClosed(1, 60).anyMatch(ChaosTest::isSparedAtRest);
    assertThat(spared).as("a victim is spared at rest").isTrue();
  }

  private static boolean isSparedAtRest(long seed) {
    try {
      var log = run(seed, wrong(Wrong.REFUSED));
      return log.counts().containsKey("calms with a victim that is spared");
    } catch (InvariantViolation broken) { // a stale gang that may not leave stays in part
      assertThat(broken.rules().getFirst().contains("is bound in part"))
          .as(broken.toString())
          .isTrue();
      return false;
    }
  }

  @Test
  void seedsThatAreNoneAreRefused() {
    for (String seeds : List.of("20..1", "1..2..3", "x", "1..")) {
      var command = new CommandLine(new Chaos(new PrintStream(OutputStream.nullOutputStream())));
      assertThat(command.execute("--seeds", seeds)).as(seeds).isEqualTo(2);
    }
  }

  /// How the product is wrong on purpose, or its world is unkind.
  private enum Wrong {
    /// Names other devices than its holders tell.
    DEVICES,
    /// Says that it has bound, and has not.
    SILENT,
    /// Is told of everybody that he may not leave.
    REFUSED
  }

  private static BerthProcess.ReplicaFactory wrong(Wrong how) {
    return new BerthProcess.ReplicaFactory() {
      @Override
      public BerthProcess.ReplicaTemplate template(Map<String, Object> settings) {
        var right = FACTORY.template(settings);
        return new BerthProcess.ReplicaTemplate() {
          @Override
          public BerthProcess launch(BerthProcess.Place place) {
            return right.launch(place.with(wrong(place.clients().writer(), how)));
          }

          @Override
          public Plan plan(Snapshot snapshot) {
            return right.plan(snapshot);
          }
        };
      }

      @Override
      public void listen(Consumer<BerthProcess.Said> listener) {
        FACTORY.listen(listener);
      }
    };
  }

  private static ApiWriter wrong(ApiWriter inner, Wrong how) {
    return write ->
        switch (write) {
          case ApiWrite.Bind bind when how == Wrong.DEVICES -> {
            var others = new TreeMap<>(bind.annotations());
            others.computeIfPresent("berth.dev/gpu-devices", (_, _) -> "GPU-of-another");
            yield inner.write(new ApiWrite.Bind(bind.pod(), bind.uid(), bind.node(), others));
          }
          case ApiWrite.Bind _ when how == Wrong.SILENT -> ApiWriter.NOT_TOLD;
          case ApiWrite.Evict _ when how == Wrong.REFUSED ->
              throw new ClientException(ClientException.Kind.NOT_NOW, "may not leave");
          default -> inner.write(write);
        };
  }
}
