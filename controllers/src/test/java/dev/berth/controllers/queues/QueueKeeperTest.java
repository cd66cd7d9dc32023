package dev.berth.controllers.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.World;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.QueueClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.crd.Condition;
import dev.berth.controllers.crd.QueueStatus;
import dev.berth.controllers.crd.QueueStatus.Workloads;
import dev.berth.engine.IncrementalPlanner;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.PastUse;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class QueueKeeperTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final World world = new World().node("n1", 8);
  private final Instant start = world.workers.time().instant();
  private final InMemoryQueues queues = new InMemoryQueues();
  private final IncrementalPlanner planner = new Planner(PlannerSettings.DEFAULT).incremental();
  private final QueueKeeper keeper =
      new QueueKeeper(
          queues,
          Reason::code,
          world.workers,
          new QueueSettings(Duration.ofSeconds(5), 0.01, HOUR));

  QueueKeeperTest() {
    world.listener.add((kind, object) -> {
      if (kind == Kind.QUEUE) {
        keeper.seen(object);
      }
    });
  }

  @Test
  void tellsHowAQueueStands() {
    world.queue("q", "quota: {gpu: 1}, limit: {'example.com/widget': 3}", "");
    runs("a");
    runs("b");
    waits("c");
    cycle();
    var status = queues.statuses.getLast();
    assertThat(status.allocated().toString())
        .as("and nothing of what no node has")
        .isEqualTo("{cpu=0, gpu=2, memory=0}");
    assertThat(status.allocatedNonPreemptible()).containsEntry("gpu", "0");
    assertThat(status.requested()).containsEntry("gpu", "3");
    assertThat(status.fairShare()).containsEntry("gpu", "3");
    assertThat(status.usage()).isEmpty();
    assertThat(status.workloads()).isEqualTo(new Workloads(1, 2));
    assertThat(status.observedGeneration()).isEqualTo(1);
    assertThat(conditions(status))
        .containsExactly(
            "Ready True Ready",
            "OverQuota True OverQuota",
            "Orphan False ParentsExist",
            "Cycle False ReachesTheRoot",
            "InUse True Workloads");
    assertThat(status.conditions().get(1).message())
        .isEqualTo("Has more than its quota: gpu 2 of 1.");
  }

  @Test
  void aQueueThatLeadsNowhereIsNotReady() {
    world.queue("child", "parent: 'gone'", "");
    world.queue("one", "parent: 'two'", "");
    world.queue("two", "parent: 'one'", "");
    world.queue("wrong", "quota: {gpu: 'many'}", "");
    cycle();
    assertThat(conditions(queues.of("child")))
        .contains(
            "Ready False BrokenQueue", "Orphan True NoSuchParent", "Cycle False ReachesTheRoot");
    assertThat(conditions(queues.of("one")))
        .contains(
            "Ready False BrokenQueue", "Orphan False ParentsExist", "Cycle True ItsOwnAncestor");
    assertThat(conditions(queues.of("wrong"))).contains("Ready False BadRequest");
  }

  /// The rest of the queue counts.
  @Test
  void aKeyThatIsNoResourceIsToldOnAQueueThatIsReady() {
    world.queue("ops", "quota: {gpus: 8, cpu: 2}", "");
    cycle();
    var ready = queues.of("ops").conditions().getFirst();
    assertThat(conditions(queues.of("ops"))).contains("Ready True UnknownResource");
    assertThat(ready.message())
        .isEqualTo(
            "spec.quota.gpus is \"8\" on queue ops, but there is no resource gpus (did you mean"
                + " gpu?), so it has no effect. Write one of gpu, cpu, memory, ephemeral-storage,"
                + " pods, gpu/MODEL, and extended resources like example.com/fpga, or remove it.");
    world.queue("ops", "quota: {gpu: 8, 'hugepages-2Mi': '4Gi', 'example.com/fpga': 1}", "");
    turn(HOUR);
    cycle();
    assertThat(conditions(queues.of("ops"))).contains("Ready True Ready");
  }

  @Test
  void tellsWhichGroupsAreInItSoThatItIsNotDeleted() {
    world.queue("top", "quota: {gpu: 1}", "");
    world.queue("leaf", "parent: 'top'", "");
    cycle();
    assertThat(use("top")).isEqualTo("True QueuesBelow queue leaf is below it.");
    assertThat(use("leaf")).isEqualTo("False Empty ");
    world.pod("a", "labels: {'berth.dev/queue': 'leaf'}", "nodeName: 'n1'", "phase: 'Running'");
    turn(HOUR);
    cycle();
    assertThat(use("top")).isEqualTo("True Workloads workloads run in it, queue leaf is below it.");
    assertThat(use("leaf")).isEqualTo("True Workloads workloads run in it.");
    world.podGone("a");
    turn(HOUR);
    cycle();
    assertThat(use("leaf")).isEqualTo("False Empty ");
  }

  private String use(String queue) {
    var condition = queues.of(queue).conditions().getLast();
    return (condition.status() ? "True " : "False ")
        + condition.reason()
        + " "
        + condition.message();
  }

  @Test
  void nothingChangesNothingIsWritten() {
    world.queue("q", "quota: {gpu: 1}", "");
    runs("a");
    cycle();
    assertThat(queues.statuses).hasSize(1);
    for (int i = 0; i < 100; i++) {
      cycle();
      turn(Duration.ofMinutes(1));
    }
    show("q");
    cycle();
    assertThat(queues.statuses).hasSize(1);
  }

  @Test
  void afterARestartNothingIsWrittenThatStandsThereAlready() {
    world.queue("q", "quota: {gpu: 1}", "");
    runs("a");
    cycle();
    show("q");
    var restarted = new QueueKeeper(queues, Reason::code, world.workers, QueueSettings.DEFAULT);
    restarted.seen(queues.object("q"));
    turn(HOUR);
    restarted.told(planner.accounts(world.snapshot()), Usage.NONE);
    turn(HOUR);
    assertThat(queues.statuses).hasSize(1);
  }

  @Test
  void theLastStatusWinsAndNotMoreThanOneIsWrittenInAPause() {
    world.queue("q", "", "");
    for (int i = 0; i < 4; i++) {
      runs("a" + i);
      cycle();
    }
    assertThat(queues.statuses).hasSize(1);
    turn(Duration.ofSeconds(6));
    assertThat(queues.statuses).hasSize(2);
    assertThat(queues.statuses.getLast().allocated()).containsEntry("gpu", "4");
    turn(HOUR);
    assertThat(queues.statuses).hasSize(2);
  }

  @Test
  void aWriteThatFailedComesAgain() {
    queues.failures.add(ClientException.Kind.UNREACHABLE);
    world.queue("q", "", "");
    cycle();
    turn(Duration.ofSeconds(5));
    assertThat(queues.statuses).hasSize(2);
  }

  @Test
  void whatAnotherClientWroteIsPutRight() {
    world.queue("q", "", "");
    cycle();
    turn(Duration.ofSeconds(10));
    world.queue("q", "", "allocated: {gpu: 99, odd: 1}");
    turn(Duration.ofSeconds(10));
    assertThat(queues.statuses).hasSize(2);
    assertThat(queues.befores.getLast().allocated()).containsEntry("odd", "1");
  }

  @Test
  void clientThatWritesAgainAndAgainIsAnsweredMoreAndMoreSeldom() {
    world.queue("q", "", "");
    cycle();
    for (int i = 0; i < 3600; i++) {
      turn(Duration.ofSeconds(1));
      world.queue("q", "", "allocated: {gpu: 99}");
      if (i % 10 == 0) {
        cycle();
      }
    }
    assertThat(queues.statuses).as("5, 10, 20 s … and then every 5 min").hasSizeBetween(10, 22);
  }

  @Test
  void aQueueWithoutAnObjectIsNotWritten() {
    cycle();
    world.queue("gone", "", "");
    keeper.gone(queues.object("gone"));
    cycle();
    turn(HOUR);
    assertThat(queues.statuses).isEmpty();
  }

  @Test
  void theTimeOfAConditionStaysWhereNothingTurned() {
    world.queue("q", "", "");
    cycle();
    turn(HOUR);
    runs("a");
    cycle();
    var status = queues.statuses.getLast();
    assertThat(status.conditions().get(0).lastTransition()).as("Ready").isEqualTo(start);
    assertThat(status.conditions().get(1).lastTransition())
        .as("OverQuota")
        .isEqualTo(start.plus(HOUR));
  }

  @Test
  void usageAloneIsWrittenWhenItMovedByAStepOrAPeriodPassed() {
    world.queue("q", "", "");
    cycle(0.25);
    assertThat(queues.statuses.getLast().usage().toString()).isEqualTo("{gpu=0.25}");
    assertThat(queues.statuses.getLast().usageUntil()).isEqualTo(start);
    turn(Duration.ofMinutes(10));
    cycle(0.2591);
    assertThat(queues.statuses).as("less than a step").hasSize(1);
    cycle(0.2601);
    assertThat(queues.statuses).as("a step").hasSize(2);
    turn(Duration.ofMinutes(59));
    cycle(0.2601);
    assertThat(queues.statuses).as("not yet").hasSize(2);
    turn(Duration.ofMinutes(1));
    cycle(0.2601);
    assertThat(queues.statuses).as("a period").hasSize(3);
    assertThat(queues.statuses.getLast().usageUntil()).isEqualTo(world.workers.time().instant());
  }

  @Test
  void usageComesAlongWithWhateverElseIsWritten() {
    world.queue("q", "", "");
    cycle(0.25);
    turn(Duration.ofMinutes(1));
    runs("a");
    cycle(0.251);
    assertThat(queues.statuses.getLast().usage()).containsEntry("gpu", "0.251");
  }

  @Test
  void whatIsKeptWhereTimeDoesNotCountAnyMoreGoes() {
    world.queue("q", "", "");
    cycle(0.25);
    turn(Duration.ofMinutes(1));
    cycle();
    assertThat(queues.statuses.getLast().usage()).isEmpty();
    assertThat(queues.statuses.getLast().usageUntil()).isEqualTo(Instant.EPOCH);
    turn(HOUR);
    cycle();
    assertThat(queues.statuses).hasSize(2);
  }

  private void runs(String name) {
    pod(name, "nodeName: 'n1'", "phase: 'Running'");
  }

  private void waits(String name) {
    pod(name, "schedulingGates: [{name: 'berth.dev/queued'}]", "phase: 'Pending'");
  }

  private void pod(String name, String spec, String status) {
    world.pod(
        name,
        "labels: {'berth.dev/queue': 'q'}",
        spec + ", containers: [{name: 'm', resources: {limits: {'nvidia.com/gpu': '1'}}}]",
        status);
  }

  private void cycle() {
    keeper.told(planner.accounts(world.snapshot()), Usage.NONE);
    turn(Duration.ZERO);
  }

  /// @param gpus what the queue q used
  private void cycle(double gpus) {
    var now = world.workers.time().instant();
    var fractions = new TreeMap<Resource, Double>();
    fractions.put(Resource.GPU, gpus);
    keeper.told(
        planner.accounts(world.snapshot()),
        Usage.of(now, List.of(new PastUse(new QueueName("q"), 1, now, fractions)), HOUR));
    turn(Duration.ZERO);
  }

  /// The watch shows what was written.
  private void show(String queue) {
    keeper.seen(queues.object(queue));
    turn(Duration.ofSeconds(10));
  }

  private void turn(Duration time) {
    world.workers.turn(time);
  }

  private static List<String> conditions(QueueStatus status) {
    return status.conditions().stream().map(QueueKeeperTest::text).toList();
  }

  private static String text(Condition condition) {
    return condition.type() + (condition.status() ? " True " : " False ") + condition.reason();
  }

  private static final class InMemoryQueues implements QueueClient {
    final List<QueueStatus> befores = new ArrayList<>();
    final List<QueueStatus> statuses = new ArrayList<>();
    final TreeMap<QueueName, QueueStatus> written = new TreeMap<>();
    final ArrayDeque<ClientException.Kind> failures = new ArrayDeque<>();

    @Override
    public void status(QueueName queue, QueueStatus before, QueueStatus after)
        throws ClientException {
      befores.add(before);
      statuses.add(after);
      if (!failures.isEmpty()) {
        throw new ClientException(failures.remove(), "failed");
      }
      written.put(queue, after);
    }

    QueueStatus of(String queue) {
      return written.get(new QueueName(queue));
    }

    /// As the API server would show it.
    Map<String, Object> object(String queue) {
      var object = new LinkedHashMap<String, Object>();
      object.put("metadata", Map.of("name", queue));
      var status = written.get(new QueueName(queue));
      if (status != null) {
        object.put("status", QueueStatus.read(Map.of()).patch(status, "gone"));
      }
      return object;
    }
  }
}
