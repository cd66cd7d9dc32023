package dev.berth.simulator.chaos;

import dev.berth.controllers.client.ApiWriter;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.client.WriterFacades;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.request.WellKnownNames;
import dev.berth.extender.verbs.OutcomeCounter;
import dev.berth.simulator.check.GangWatch;
import dev.berth.simulator.check.RoomWatch;
import dev.berth.simulator.world.Disruptions;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldClients;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/// What must hold when nothing goes wrong any more and nothing has changed for longer than Berth
/// waits for anything: everything that fits runs, what Berth believes is what is there, and nothing
/// is left over.
final class QuiescenceCheck {
  private static final int SHOWN = 150;
  private static final Duration LONGER_THAN_VETOES = Duration.ofMinutes(2);

  /// What ends by time alone is seen by the next look of Berth. A check from outside must not end
  /// it before, and so looks as of the look before.
  static final Duration HEARTBEAT = Duration.ofMillis(1100);

  /// A change that says nothing to Berth is not believed anew.
  private static final Pattern VERSION =
      Pattern.compile("version=\\d+, |staleSince=[^,]+, |run=Run\\[[^]]+], ");

  /// Of a process that only plans.
  private static final ApiWriter MUTE =
      _ -> {
        throw new ClientException(ClientException.Kind.REFUSED, "only looks on");
      };

  private final World world;
  private final BerthProcess.ReplicaTemplate replicaTemplate;
  private final Replicas replicas;
  private final RoomWatch rooms;
  private final Journal journal;

  QuiescenceCheck(
      World world,
      BerthProcess.ReplicaTemplate replicaTemplate,
      Replicas replicas,
      RoomWatch rooms,
      Journal journal) {
    this.rooms = rooms;
    this.world = world;
    this.replicaTemplate = replicaTemplate;
    this.replicas = replicas;
    this.journal = journal;
  }

  void check() {
    var now = world.time().instant();
    var anew = anew();
    var _ = anew.expire(now);
    var _ = anew.snapshot(now.plus(LONGER_THAN_VETOES)); // refusals are old, and read again
    var soon = now.plusSeconds(1);
    var heard = now.minus(HEARTBEAT);
    replicas.ledger().ifPresent(ledger -> tellWhatPasses(ledger.snapshot(heard), anew, soon));
    var truth = anew.snapshot(now);
    journal.count("calms");
    noEvictionIsPending();
    replicas
        .ledger()
        .ifPresentOrElse(
            ledger -> {
              var believed = ledger.snapshot(heard);
              nothingIsPlanned(believed);
              same(truth, believed);
              noGangIsBoundInPart(believed);
            },
            () -> journal.breaks("at rest Berth does not run"));
    nothingIsDue(truth.with(replicas.moves()).with(replicas.backoffs()));
    noHolderIsLeft();
    noPreemptorIsMarked();
    rooms.atRest().forEach(wrong -> journal.breaks("at rest " + wrong));
  }

  /// What a process that starts now would plan.
  private Ledger anew() {
    var clients = new WriterFacades(MUTE, WorldClients.of(world));
    var instance =
        replicaTemplate.launch(
            new BerthProcess.Place(
                "onlooker",
                clients,
                (_, _, _, _, _) -> {},
                clients.leases(),
                new Idle(world.time()),
                new BerthProcess.Listeners(_ -> {}, _ -> {}, OutcomeCounter.NONE),
                _ -> {}));
    for (Kind kind : Kind.values()) {
      world.list(kind).forEach(object -> instance.watcher().seen(kind, object));
      instance.watcher().readable(kind, true);
      instance.watcher().synced(kind);
    }
    return instance.ledger();
  }

  /// Troubles that nodes had with holders, and that a pod may not leave, end by themselves, after
  /// minutes, and cannot be read again: until then no process opens a device there, nor evicts that
  /// pod.
  private void tellWhatPasses(Snapshot believed, Ledger anew, Instant until) {
    for (NodeView room : believed.nodes()) {
      if (!room.trouble().isEmpty()) {
        journal.count("calms with a node in trouble");
        var _ = anew.trouble(room.name(), room.trouble(), until);
      }
    }
    for (DisruptionBudget budget : believed.budgets()) {
      if (!budget.only().isNone()) {
        journal.count("calms with a victim that is spared");
        var _ = anew.keep(budget.only(), until);
      }
    }
  }

  private void noEvictionIsPending() {
    if (replicas.unanswered() > 0) {
      journal.breaks("at rest " + replicas.unanswered() + " binds are not answered");
    }
  }

  private void nothingIsPlanned(Snapshot believed) {
    for (var group : believed.groups()) {
      for (var member : group.members()) {
        if (member.standing() instanceof Standing.Planned(var plan, boolean released)) {
          journal.breaks(
              "at rest "
                  + member.pod().key()
                  + " is planned still ("
                  + plan
                  + (released ? ", its gate is off)" : ", its gate is on)"));
        }
      }
    }
  }

  /// A process that starts now would change nothing.
  private void nothingIsDue(Snapshot truth) {
    var plan = replicaTemplate.plan(truth);
    for (var decision : plan.decisions()) {
      switch (decision) {
        case Decision.Reserve reserve ->
            journal.breaks("at rest " + reserve.group() + " could have places: " + reserve);
        case Decision.Evict evict -> journal.count("calms with a victim that may not leave");
        case Decision.Withdraw withdraw ->
            journal.breaks("at rest a plan is to be withdrawn: " + withdraw);
        case Decision.Wait _ -> journal.count("waits in a calm");
      }
    }
  }

  private void noHolderIsLeft() {
    var used = new TreeSet<String>();
    for (var tree : world.list(Kind.POD)) {
      var pod = PodView.of(tree);
      if (pod.takesRoom()) {
        used.addAll(pod.devices("berth.dev/gpu-devices"));
      }
    }
    for (var tree : world.list(Kind.POD)) {
      var pod = PodView.of(tree);
      if (pod.isHolder() && !used.contains(pod.reportedDevice())) {
        journal.breaks("at rest " + pod.name() + " holds a device that no share uses");
      }
    }
  }

  /// Else the next leader would plan it first, though no victims left for it. One that is over (it
  /// can be without a node: etcd went back behind its Binding, and its kubelet told its end) is not
  /// planned.
  private void noPreemptorIsMarked() {
    for (var pod : world.list(Kind.POD)) {
      boolean isMarked = ObjectTree.has(pod, "metadata", "annotations", WellKnownNames.PREEMPTOR);
      var view = PodView.of(pod);
      boolean isOver = List.of("Succeeded", "Failed").contains(view.phase());
      if (isMarked && view.node().isEmpty() && !isOver) {
        journal.breaks("at rest " + ObjectTree.name(pod) + " is marked as preemptor");
      }
    }
  }

  /// Unless a budget keeps what is left of it, the API server refused to evict one of it less than
  /// `evictions.spare` ago, or others of it ended well or were moved.
  private void noGangIsBoundInPart(Snapshot believed) {
    for (String gang :
        GangWatch.partlyBound(
            world.list(Kind.POD_GROUP), world.list(Kind.POD), world.list(Kind.JOB))) {
      boolean kept =
          world.list(Kind.DISRUPTION_BUDGET).stream().anyMatch(budget -> coversAnyOf(gang, budget));
      if (kept) {
        journal.count("calms with a gang that a budget keeps in part");
      } else if (isSpared(gang, believed)) {
        journal.count("calms with a gang that is spared in part");
      } else if (isNotStale(gang, believed)) {
        journal.count("calms with a gang of which others ended well, or were moved");
      } else {
        journal.breaks("at rest " + gang + " is bound in part");
      }
    }
  }

  /// Others ended well and are deleted, so that nothing but Berth's memory tells, or were moved.
  private static boolean isNotStale(String gang, Snapshot believed) {
    return believed.groups().stream()
        .filter(group -> gang.startsWith(group.key() + " "))
        .anyMatch(group -> group.spec().isExcused());
  }

  private boolean isSpared(String gang, Snapshot believed) {
    return world.list(Kind.POD).stream()
        .filter(pod -> gang.contains(ObjectTree.name(pod)))
        .anyMatch(pod ->
            believed.budgets().stream()
                .anyMatch(budget -> budget.only().value().equals(ObjectTree.uid(pod))));
  }

  private boolean coversAnyOf(String gang, Map<String, Object> budget) {
    return gang.contains("/" + ObjectTree.name(budget))
        || world.list(Kind.POD).stream()
            .filter(pod -> gang.contains(ObjectTree.name(pod)))
            .anyMatch(pod -> Disruptions.covers(budget, pod));
  }

  // Belief and truth

  private void same(Snapshot truth, Snapshot believed) {
    compare("node", truth.nodes(), believed.nodes(), NodeView::name, String::valueOf);
    var untold = new TreeSet<GroupKey>();
    for (var snapshot : List.of(truth, believed)) {
      snapshot.groups().stream().filter(this::hasOrphan).forEach(each -> untold.add(each.key()));
    }
    compare(
        "group",
        told(truth, untold),
        told(believed, untold),
        PodGroup::key,
        QuiescenceCheck::words);
    compare("queue", truth.queues(), believed.queues(), queue -> queue.name(), String::valueOf);
    compare("stranger", truth.strangers(), believed.strangers(), pod -> pod.key(), String::valueOf);
    compare("budget", objects(truth), objects(believed), budget -> budget.key(), String::valueOf);
  }

  private static List<PodGroup> told(Snapshot snapshot, TreeSet<GroupKey> untold) {
    return snapshot.groups().stream().filter(each -> !untold.contains(each.key())).toList();
  }

  /// Whether a pod of it has outlived its owner, since it has a year to end: what that owner said
  /// of it is remembered by the process that read it, and is stored nowhere any more.
  private boolean hasOrphan(PodGroup group) {
    for (var member : group.members()) {
      var owner = member.pod().belonging().owner();
      if (member.pod().life().runsOn()
          && world.list(Kind.JOB).stream()
              .noneMatch(job -> ObjectTree.name(job).equals(owner.name()))) {
        journal.count("calms with a pod that outlives its owner");
        return true;
      }
    }
    return false;
  }

  /// Without the pods that may not leave whatever objects say: some of those are gone.
  private static List<DisruptionBudget> objects(Snapshot snapshot) {
    return snapshot.budgets().stream().filter(budget -> budget.only().isNone()).toList();
  }

  private static String words(PodGroup group) {
    var words = new StringBuilder(group.key() + " of " + group.spec() + " in " + group.queue());
    for (var member : group.members()) {
      var pod = member.pod();
      words.append("; ").append(pod.key()).append(' ').append(member.standing());
      if (!pod.traits().volumes().isEmpty()) {
        words.append(pod.traits().volumes()).append(pod.asks().constraints().volumes());
      }
    }
    return words.toString();
  }

  private <T, K extends Comparable<K>> void compare(
      String kind, List<T> truth, List<T> believed, Function<T, K> key, Function<T, String> words) {
    var is = byKey(truth, key, words);
    var seems = byKey(believed, key, words);
    var all = new TreeSet<>(is.keySet());
    all.addAll(seems.keySet());
    for (K each : all) {
      String one = is.getOrDefault(each, "none");
      String other = seems.getOrDefault(each, "none");
      if (!one.equals(other)) {
        journal.breaks(
            "at rest "
                + kind
                + " "
                + each
                + " is "
                + at(one, other)
                + " but believed "
                + at(other, one));
      }
    }
  }

  /// From a little before where it differs from the other.
  private static String at(String words, String other) {
    int differs = 0;
    int shorter = Math.min(words.length(), other.length());
    while (differs < shorter && words.charAt(differs) == other.charAt(differs)) {
      differs++;
    }
    int from = Math.max(0, differs - SHOWN);
    return (from > 0 ? "…" : "") + words.substring(from, Math.min(words.length(), differs + SHOWN));
  }

  private static <T, K extends Comparable<K>> SortedMap<K, String> byKey(
      List<T> list, Function<T, K> key, Function<T, String> words) {
    var map = new TreeMap<K, String>();
    list.forEach(
        each -> map.put(key.apply(each), VERSION.matcher(words.apply(each)).replaceAll("")));
    return map;
  }

  /// For a process that only plans: does nothing.
  private record Idle(InstantSource time) implements Workers {
    @Override
    public void run(Runnable task) {}

    @Override
    public void at(Instant when, Runnable task) {}

    @Override
    public double chance() {
      return 0.5;
    }
  }
}
