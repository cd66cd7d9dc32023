package dev.berth.controllers.idle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.World;
import dev.berth.controllers.client.MetricSeries;
import dev.berth.controllers.client.MetricsClient;
import dev.berth.controllers.client.MetricsException;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Idleness;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What series say of workloads of a queue with an idle rule of an hour, in true and in forged
/// form.
class IdleKeeperTest {
  private final World world = new World();
  private final List<MetricSeries> series = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();
  private Optional<String> failure = Optional.empty();
  private String failing = ""; // what a question has in it that fails

  @BeforeEach
  void cluster() {
    world.node("n1", 8).node("n2", 8);
    queue("idle: {after: '1h', action: 'Evict'}");
    runs("train", 2, Duration.ofHours(2));
    start(Optional.of(this::answer));
  }

  private void queue(String spec) {
    world.seen(Kind.QUEUE, "{metadata: {name: 'strict'}, spec: {%s}}".formatted(spec));
  }

  private void start(Optional<MetricsClient> server) {
    new IdleKeeper(
            world.ledger,
            server,
            world,
            Metrics.unseen(),
            world.workers,
            MeasurementSettings.DEFAULT)
        .start();
  }

  private List<MetricSeries> answer(String expression) throws MetricsException {
    asked.add(expression);
    if (failure.isPresent() && expression.contains(failing)) {
      throw new MetricsException(failure.get());
    }
    return List.copyOf(series);
  }

  private void runs(String name, int gpus, Duration since) {
    world.seen(
        Kind.POD,
        ("{metadata: {name: '%1$s', namespace: 'default', uid: 'uid-%1$s', labels:"
                + " {'berth.dev/queue': 'strict'}}, spec: {schedulerName: 'berth', nodeName: 'n1',"
                + " containers: [{name: 'main', resources: {limits: {'nvidia.com/gpu': '%2$d'}}}]},"
                + " status: {phase: 'Running', startTime: '%3$s'}}")
            .formatted(name, gpus, world.workers.time().instant().minus(since)));
  }

  private void gpu(String pod, String uuid, double percent, String... others) {
    var labels = new TreeMap<String, String>();
    labels.put("exported_namespace", "default");
    labels.put("exported_pod", pod);
    labels.put("namespace", "gpu-operator");
    labels.put("pod", "nvidia-dcgm-exporter-x");
    labels.put("UUID", uuid);
    for (int i = 0; i < others.length; i += 2) {
      labels.put(others[i], others[i + 1]);
    }
    var samples = new TreeMap<Instant, Double>();
    samples.put(world.workers.time().instant(), percent);
    series.add(new MetricSeries(labels, samples));
  }

  private Idleness idle(String group) {
    return world.snapshot().group(new GroupKey("default", group)).orElseThrow().spec().run().idle();
  }

  private boolean isIdle() {
    world.workers.turn(Duration.ofSeconds(1));
    return !idle("train").isNone();
  }

  @Test
  void aWorkloadIsIdleIfEachOfItsGpusIs() {
    gpu("train", "GPU-1", 0);
    gpu("train", "GPU-2", 4.9);
    assertThat(isIdle()).isTrue();
    var idle = idle("train");
    assertThat(idle.gpus()).isEqualTo(2);
    assertThat(idle.millis()).isEqualTo(2000);
    assertThat(idle.rule().queue().value()).isEqualTo("strict");
    assertThat(asked)
        .containsExactly(
            "max_over_time(DCGM_FI_DEV_GPU_UTIL{job=~\"nvidia-dcgm-exporter|dcgm-exporter\"}[3600s])"
                + " and (count_over_time(DCGM_FI_DEV_GPU_UTIL{job=~\"nvidia-dcgm-exporter|dcgm-exporter\"}[3600s:60s])"
                + " >= 54) and DCGM_FI_DEV_GPU_UTIL{job=~\"nvidia-dcgm-exporter|dcgm-exporter\"}");
  }

  @Test
  void oneBusyGpuKeepsIt() {
    gpu("train", "GPU-1", 0);
    gpu("train", "GPU-2", 5);
    assertThat(isIdle()).isFalse();
  }

  @Test
  void aGpuWithoutSeriesOrWithAValueThatCannotBeIsNotIdle() {
    gpu("train", "GPU-1", 0);
    assertThat(isIdle()).as("of 2 GPUs one was measured").isFalse();
    gpu("train", "GPU-2", 2_147_483_632);
    world.workers.turn(Duration.ofMinutes(1));
    assertThat(isIdle()).isFalse();
    series.removeLast();
    gpu("train", "GPU-2", -1);
    world.workers.turn(Duration.ofMinutes(1));
    assertThat(isIdle()).isFalse();
  }

  @Test
  void ofTwoSeriesOfAGpuTheBusierCounts() {
    gpu("train", "GPU-1", 0);
    gpu("train", "GPU-2", 0);
    gpu("train", "GPU-2", 90, "instance", "other");
    assertThat(isIdle()).isFalse();
  }

  @Test
  void aPodThatIsYoungerThanTheRuleIsNotIdle() {
    runs("young", 1, Duration.ofMinutes(59));
    gpu("young", "GPU-9", 0);
    world.workers.turn(Duration.ofSeconds(1));
    assertThat(idle("young")).isEqualTo(Idleness.NONE);
  }

  /// A forger wants GPUs without series to be taken as idle.
  @Test
  void aSeriesThatNamesAnotherNodeSaysNothing() {
    gpu("train", "GPU-1", 0, "Hostname", "n1");
    gpu("train", "GPU-2", 0, "Hostname", "n2");
    assertThat(isIdle()).isFalse();
  }

  @Test
  void whereSeriesNameTheNodeThoseThatNameNoneSayNothing() {
    gpu("train", "GPU-1", 0, "Hostname", "n1");
    gpu("train", "GPU-2", 0, "Hostname", "a-pod-of-a-tenant");
    assertThat(isIdle()).isFalse();
  }

  @Test
  void whereNoneNamesTheNodeAllCount() {
    gpu("train", "GPU-1", 0, "Hostname", "nvidia-dcgm-exporter-x");
    gpu("train", "GPU-2", 0, "Hostname", "nvidia-dcgm-exporter-x");
    assertThat(isIdle()).isTrue();
  }

  /// Of three GPUs of a pod that has two it is not told which are its own.
  @Test
  void seriesOfMoreGpusThanThePodHasSayNothing() {
    gpu("train", "GPU-1", 0);
    gpu("train", "GPU-2", 0);
    gpu("train", "GPU-forged", 0);
    assertThat(isIdle()).isFalse();
  }

  @Test
  void aUuidThatThePodDoesNotHaveSaysNothing() {
    world.seen(
        Kind.POD,
        ("{metadata: {name: 'train', namespace: 'default', uid: 'uid-train', labels:"
                + " {'berth.dev/queue': 'strict'}, annotations: {'berth.dev/gpu-devices':"
                + " 'GPU-1,GPU-2'}}, spec: {schedulerName: 'berth', nodeName: 'n1', containers:"
                + " [{name: 'main', resources: {limits: {'nvidia.com/gpu': '2'}}}]}, status:"
                + " {phase: 'Running', startTime: '%s'}}")
            .formatted(world.workers.time().instant().minus(Duration.ofHours(2))));
    gpu("train", "GPU-1", 0);
    gpu("train", "GPU-forged", 0);
    assertThat(isIdle()).isFalse();
    series.removeLast();
    gpu("train", "GPU-2", 0);
    world.workers.turn(Duration.ofMinutes(1));
    assertThat(isIdle()).isTrue();
  }

  @Test
  void withoutAnAnswerItIsIdleForAWhileAndThenNotKnown() {
    gpu("train", "GPU-1", 0);
    gpu("train", "GPU-2", 0);
    assertThat(isIdle()).isTrue();
    failure = Optional.of("gone");
    world.workers.turn(Duration.ofMinutes(4));
    assertThat(isIdle()).isTrue();
    world.workers.turn(Duration.ofMinutes(2));
    assertThat(isIdle()).isFalse();
    failure = Optional.empty();
    world.workers.turn(Duration.ofMinutes(1));
    assertThat(isIdle()).isTrue();
  }

  /// One rule that looks at more than the server gives would turn off all others.
  @Test
  void aQuestionThatFailsEndsTheRulesThatNeedItAlone() {
    world.seen(
        Kind.QUEUE, "{metadata: {name: 'long'}, spec: {parent: 'strict', idle: {after: '2h'}}}");
    gpu("train", "GPU-1", 0);
    gpu("train", "GPU-2", 0);
    failure = Optional.of("query processing would load too many samples into memory");
    failing = "[7200s]";
    assertThat(isIdle()).isTrue();
    world.workers.turn(Duration.ofMinutes(20));
    assertThat(isIdle()).isTrue();
    failing = "[3600s]";
    world.workers.turn(Duration.ofMinutes(4));
    assertThat(isIdle()).as("as it was known until a moment ago").isTrue();
    world.workers.turn(Duration.ofMinutes(3));
    assertThat(isIdle()).isFalse();
  }

  @Test
  void withoutARuleNothingIsAsked() {
    queue("quota: {gpu: 1}");
    gpu("train", "GPU-1", 0);
    gpu("train", "GPU-2", 0);
    assertThat(isIdle()).isFalse();
    world.workers.turn(Duration.ofMinutes(3));
    assertThat(asked).isEmpty();
  }
}
