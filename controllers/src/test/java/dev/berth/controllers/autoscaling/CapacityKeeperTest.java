package dev.berth.controllers.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.World;
import dev.berth.controllers.client.CapacityClient;
import dev.berth.controllers.client.ClientException;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Over a ledger and a clock that is turned; the shipped planner says which groups wait, and why.
final class CapacityKeeperTest {
  private static final String GATED = "schedulingGates: [{name: 'berth.dev/queued'}]";
  private static final Duration AFTER = Duration.ofSeconds(10);

  private final World world = new World().node("n1", 1);
  private final InMemoryCapacity capacity = new InMemoryCapacity();
  private CapacityKeeper keeper = keeper(new AutoscalingSettings(true, AFTER, 5));

  private CapacityKeeper keeper(AutoscalingSettings settings) {
    return new CapacityKeeper(capacity, world.workers, settings);
  }

  @Test
  void wholeDevicesAreAskedForWhenTheyLackForAWhile() {
    whole("a", 4, "");
    cycle();
    turn(Duration.ofSeconds(9));
    assertThat(capacity.asked).as("too soon").isEmpty();
    turn(Duration.ofSeconds(1));
    assertThat(capacity.asked.values()).containsExactly("a{nvidia.com/gpu=4}");
    cycle();
    turn(Duration.ofMinutes(10));
    assertThat(capacity.calls).as("asked once").isEqualTo(1);
  }

  /// Be it that no node is large enough either.
  @Test
  void whatWaitsForItsQuotaStaysUnseen() {
    world.queue("q", "limit: {gpu: 2}", "");
    whole("a", 4, "labels: {'berth.dev/queue': 'q'}");
    waitsLong();
    assertThat(reasons()).containsValue("NeverFits");
    assertThat(capacity.asked).isEmpty();
    world.node("n4", 4);
    waitsLong();
    assertThat(reasons()).containsValue("OverLimit");
    assertThat(capacity.asked).isEmpty();
  }

  @Test
  void whatWaitsForItsMembersStaysUnseen() {
    world.group("gang", 3, "");
    whole("a", 4, "labels: {'berth.dev/pod-group': 'gang'}");
    waitsLong();
    assertThat(reasons()).containsValue("TooFewMembers");
    assertThat(capacity.asked).isEmpty();
  }

  @Test
  void aGangIsAskedForTogetherAndNoMoreThanItsMinimum() {
    world.group("gang", 3, "");
    for (String name : List.of("a", "b", "c", "surplus")) {
      whole(name, 8, "labels: {'berth.dev/pod-group': 'gang'}");
    }
    waitsLong();
    assertThat(capacity.asked.values())
        .containsExactly("a{nvidia.com/gpu=8}+b{nvidia.com/gpu=8}+c{nvidia.com/gpu=8} together");
  }

  @Test
  void sharesThatFitOnOneDeviceAreAskedForAsOne() {
    running();
    share("a", "0.5", "");
    share("b", "0.3", "");
    share("c", "0.3", "");
    share("d", "0.2", "nodeSelector: {zone: 'east'}");
    waitsLong();
    assertThat(capacity.asked.values())
        .as("a with b on one device, c on another, d where it may be")
        .containsExactlyInAnyOrder(
            "a{cpu=2, nvidia.com/gpu=1}",
            "c{cpu=1, nvidia.com/gpu=1}",
            "d{cpu=1, nvidia.com/gpu=1}");
  }

  @Test
  void noMoreIsAskedForThanTheMost() {
    for (int i = 0; i < 7; i++) {
      whole("a" + i, 4, "");
    }
    waitsLong();
    assertThat(capacity.asked).hasSize(5);
  }

  @Test
  void podThatGetsAPlaceIsAskedForNoMore() {
    whole("a", 4, "");
    waitsLong();
    assertThat(capacity.asked).hasSize(1);
    world.node("n2", 8);
    cycle();
    assertThat(capacity.asked).isEmpty();
  }

  @Test
  void aPlaceholderThatAnotherClientDeletedComesBack() {
    whole("a", 4, "");
    waitsLong();
    String want = capacity.asked.firstKey();
    keeper.seen(placeholder(want));
    capacity.asked.clear();
    keeper.gone(placeholder(want));
    turn(Duration.ofSeconds(1));
    assertThat(capacity.asked).containsOnlyKeys(want);
  }

  @Test
  void afterARestartWhatNoPodWantsGoesAndWhatIsWantedStays() {
    whole("a", 4, "");
    waitsLong();
    String want = capacity.asked.firstKey();
    keeper = keeper(new AutoscalingSettings(true, AFTER, 5));
    keeper.seen(placeholder(want));
    keeper.seen(placeholder("of-before"));
    cycle();
    turn(AFTER);
    assertThat(capacity.cleared).as("before everybody has waited anew").isEmpty();
    turn(Duration.ofSeconds(1));
    assertThat(capacity.cleared).containsExactly("berth-system/of-before-0");
    assertThat(capacity.asked).containsOnlyKeys(want);
  }

  @Test
  void whereItIsSwitchedOffWhatStandsFromBeforeGoes() {
    keeper = keeper(AutoscalingSettings.DEFAULT);
    keeper.seen(placeholder("of-before"));
    cycle();
    turn(Duration.ofMinutes(1));
    assertThat(capacity.cleared).containsExactly("berth-system/of-before-0");
  }

  @Test
  void aFailureComesAgain() {
    whole("a", 4, "");
    capacity.failures = 2;
    waitsLong();
    turn(Duration.ofMinutes(1));
    assertThat(capacity.asked).hasSize(1);
  }

  @Test
  void aFailureComesAgainForWhatWasWithdrawnBefore() {
    whole("a", 4, "");
    waitsLong();
    world.node("n2", 8);
    cycle();
    turn(Duration.ofMinutes(1)); // what is left of an earlier process has been asked for, too
    assertThat(capacity.asked).as("withdrawn").isEmpty();
    world.nodeGone("n2");
    capacity.failures = 1;
    waitsLong();
    turn(Duration.ofMinutes(1));
    assertThat(capacity.asked).hasSize(1);
  }

  @Test
  void whatWasAskedForWithoutAnAnswerIsWithdrawnWhenNoPodWantsIt() {
    whole("a", 4, "");
    capacity.unanswered = true;
    waitsLong();
    assertThat(capacity.asked).as("it was made all the same").hasSize(1);
    world.node("n2", 8);
    cycle();
    turn(Duration.ofMinutes(1));
    assertThat(capacity.asked).isEmpty();
  }

  @Test
  void unwantedRequestsOfAFormerLeaderGo() {
    world.group("gang", 2, "");
    whole("a", 8, "labels: {'berth.dev/pod-group': 'gang'}");
    whole("b", 8, "labels: {'berth.dev/pod-group': 'gang'}");
    waitsLong();
    turn(Duration.ofSeconds(1)); // it has looked at what stood when it began
    String want = capacity.asked.firstKey();
    keeper = keeper(new AutoscalingSettings(true, AFTER, 5));
    capacity.requests.add(new CapacityClient.Request(want, "default", List.of(want + "-0")));
    capacity.requests.add(
        new CapacityClient.Request("of-before", "default", List.of("of-before-0")));
    capacity.failures = 1; // the list is asked for again
    cycle();
    turn(AFTER);
    assertThat(capacity.requests).as("before everybody has waited anew").hasSize(2);
    turn(Duration.ofMinutes(1));
    assertThat(capacity.requests).extracting(CapacityClient.Request::want).containsExactly(want);
  }

  @Test
  void nothingIsAskedWhereItIsSwitchedOff() {
    keeper = keeper(AutoscalingSettings.DEFAULT);
    whole("a", 4, "");
    waitsLong();
    assertThat(capacity.calls).isZero();
  }

  private void running() {
    world.pod(
        "r",
        "",
        "nodeName: 'n1', containers: [{name: 'm', resources: {limits: {'nvidia.com/gpu': '1'}}}]",
        "phase: 'Running'");
  }

  private void whole(String name, int gpus, String metadata) {
    world.pod(
        name,
        metadata,
        GATED
            + ", containers: [{name: 'm', resources: {limits: {'nvidia.com/gpu': '%d'}}}]"
                .formatted(gpus),
        "");
  }

  private void share(String name, String fraction, String spec) {
    world.pod(
        name,
        "annotations: {'gpu-fraction': '%s'}".formatted(fraction),
        GATED
            + (spec.isEmpty() ? "" : ", " + spec)
            + ", containers: [{name: 'm', resources: {requests: {cpu: '1'}}}]",
        "");
  }

  private void waitsLong() {
    cycle();
    turn(AFTER);
    cycle();
  }

  private void cycle() {
    keeper.planned(world.snapshot(), waits());
    turn(Duration.ZERO);
  }

  private TreeMap<GroupKey, Reason> waits() {
    var waits = new TreeMap<GroupKey, Reason>();
    var plan =
        new Planner(PlannerSettings.DEFAULT).incremental().plan(world.snapshot(), new TreeMap<>());
    for (Decision decision : plan.decisions()) {
      if (decision instanceof Decision.Wait wait) {
        waits.put(wait.group(), wait.reason());
      }
    }
    return waits;
  }

  private Map<GroupKey, String> reasons() {
    return waits().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().code()));
  }

  private void turn(Duration time) {
    world.workers.turn(time);
  }

  private static Map<String, Object> placeholder(String want) {
    return Map.of(
        "metadata",
        Map.of(
            "name",
            want + "-0",
            "namespace",
            "berth-system",
            "labels",
            Map.of("berth.dev/placeholder", want)));
  }

  /// What stands in the cluster, as `pod{requests}`.
  private static final class InMemoryCapacity implements CapacityClient {
    final TreeMap<String, String> asked = new TreeMap<>();
    final List<String> cleared = new ArrayList<>();
    int calls;
    final List<Request> requests = new ArrayList<>();
    int failures;
    boolean unanswered;

    @Override
    public void ask(Want want) throws ClientException {
      calls++;
      fail();
      String units =
          want.units().stream()
              .map(unit -> unit.like().name() + unit.requests())
              .collect(Collectors.joining("+"));
      asked.put(want.name(), units + (want.together() ? " together" : ""));
      if (unanswered) {
        throw new ClientException(ClientException.Kind.UNREACHABLE, "no answer");
      }
    }

    private void fail() throws ClientException {
      if (failures-- > 0) {
        throw new ClientException(ClientException.Kind.UNREACHABLE, "failed");
      }
    }

    @Override
    public List<Request> requests() throws ClientException {
      fail();
      return List.copyOf(requests);
    }

    @Override
    public void clear(Request request) {
      requests.remove(request);
    }

    @Override
    public void withdraw(Want want) {
      asked.remove(want.name());
    }

    @Override
    public void clear(PodKey placeholder) {
      cleared.add(placeholder.namespace() + "/" + placeholder.name());
    }
  }
}
