package dev.berth.simulator.scenario;

import dev.berth.engine.explain.WaitSentences;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.simulator.scenario.Expectations.Phase;
import dev.berth.simulator.world.ObjectTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.TreeSet;

/// A run, told to a newcomer: what each group got in each round and at whose expense, why the
/// others wait, and which pods run where in the end.
public final class RunReport {
  private final Ending ending;
  private final OtherPods others;
  private final UnboundPlaces unbound;
  private final boolean all;
  private final List<String> lines = new ArrayList<>();
  private final TreeMap<GroupKey, String> told = new TreeMap<>();

  private RunReport(Ending ending, boolean all) {
    this.ending = ending;
    this.others = new OtherPods(ending);
    this.unbound = new UnboundPlaces(ending, others);
    this.all = all;
  }

  /// @param all also where in a node, and why each group waits after each round
  public static List<String> of(Ending ending, boolean all) {
    var story = new RunReport(ending, all);
    story.tell();
    return story.lines;
  }

  private void tell() {
    for (var alike : alike()) {
      tell(alike.getFirst());
      if (alike.size() > 1) {
        String more = count(alike.size() - 1, "more round");
        lines.add("  The same again in " + more + ", until " + after(alike.getLast()));
      }
      lines.add("");
    }
    lines.add(closing());
    tellNodes();
    tellTheRest();
    tellIgnored();
  }

  // Rounds

  /// Rounds in a row that decide the same.
  private List<List<DecidedCycle>> alike() {
    var runs = new ArrayList<List<DecidedCycle>>();
    for (var round : ending.rounds()) {
      if (runs.isEmpty() || !runs.getLast().getLast().decidesAs(round)) {
        runs.add(new ArrayList<>());
      }
      runs.getLast().add(round);
    }
    return runs;
  }

  private String after(DecidedCycle round) {
    return DurationText.words(Duration.between(ending.scenario().now(), round.snapshot().now()));
  }

  private void tell(DecidedCycle round) {
    lines.add("Round " + round.number() + ", after " + after(round));
    var groups = new Cast(round.snapshot());
    for (var decision : round.plan().decisions()) {
      switch (decision) {
        case Decision.Reserve reserve -> {
          tell(reserve, groups);
          String lost = unbound.words(round, reserve);
          if (!lost.isEmpty()) {
            row("  not bound", lost);
          }
        }
        case Decision.Evict evict -> tellVictims("", evict.victims(), groups);
        case Decision.Withdraw withdraw ->
            row(
                "give back",
                groups.title(withdraw.group()) + " is planned anew: its room is taken");
        case Decision.Wait _ -> {}
      }
    }
    if (all) {
      tellWaits(round, groups);
    }
  }

  private void tell(Decision.Reserve reserve, Cast groups) {
    var places = new ArrayList<String>();
    reserve.block().forEach(reserved -> places.add(words(reserved)));
    reserve.surplus().forEach(reserved -> places.add(words(reserved)));
    var actions = new TreeSet<String>();
    reserve.victims().forEach(victim -> actions.add(Causes.action(victim.cause())));
    row(
        actions.isEmpty() ? "allocate" : String.join(", ", actions),
        groups.title(reserve.group()) + ": " + String.join(", ", places));
    tellVictims("  from", reserve.victims(), groups);
  }

  private String words(Reserved reserved) {
    return Names.of(reserved.pod()) + " on " + words(reserved.placement());
  }

  private String words(Placement placement) {
    var slots = placement.slots();
    return placement.node().value()
        + (slots.isEmpty() || !all
            ? ""
            : (slots.size() == 1 ? " (shared device " : " (shared devices ")
                + String.join(", ", slots.stream().map(String::valueOf).toList())
                + ")");
  }

  /// One line for each group that loses something.
  private void tellVictims(String verb, List<Victim> victims, Cast groups) {
    var byGroup = new LinkedHashMap<GroupKey, List<Victim>>();
    for (var victim : victims) {
      byGroup.computeIfAbsent(groups.of(victim.uid()), _ -> new ArrayList<>()).add(victim);
    }
    byGroup.forEach((group, of) -> {
      var cause = of.getFirst().cause();
      var names = of.stream().map(victim -> Names.of(victim.pod())).toList();
      row(
          verb.isEmpty() ? Causes.action(cause) : verb,
          groups.title(group)
              + ": "
              + String.join(", ", names)
              + (names.size() == 1 ? " leaves" : " leave")
              + Causes.because(cause));
    });
  }

  private void tellWaits(DecidedCycle round, Cast groups) {
    var classes = ending.scenario().priorityClasses();
    told.keySet().retainAll(round.waits().keySet());
    round
        .waits()
        .forEach((group, wait) -> {
          String sentence = withoutWaits(WaitSentences.of(wait, round.snapshot(), classes));
          if (!sentence.equals(told.put(group, sentence))) {
            row("waits", groups.title(group) + ": " + sentence);
          }
        });
  }

  private static String withoutWaits(String sentence) {
    return sentence.startsWith("Waits: ") ? sentence.substring("Waits: ".length()) : sentence;
  }

  private void row(String what, String pods) {
    lines.add(String.format(Locale.ROOT, "  %-12s %s", what, pods));
  }

  // The end

  private String closing() {
    int rounds = ending.rounds().size();
    int evictions = ending.evictions().size();
    String what = count(rounds, "round") + ", " + count(evictions, "eviction");
    return ending.unrest().isEmpty()
        ? "At rest after " + DurationText.words(ending.span()) + ": " + what
        : "No rest: " + what + "; " + ending.unrest();
  }

  private static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  private void tellNodes() {
    var byNode = new TreeMap<String, List<String>>();
    ending.snapshot().nodes().forEach(room -> byNode.put(room.name().value(), new ArrayList<>()));
    for (var group : ending.snapshot().groups()) {
      for (var member : group.members()) {
        switch (member.standing()) {
          case Standing.Bound(var placement) -> occupants(byNode, placement).add(words(member));
          case Standing.Leaving(var placement, _, _) ->
              occupants(byNode, placement).add(words(member) + ", leaving");
          case Standing.Waiting _, Standing.Planned _, Standing.Awaited _, Standing.Over _ -> {}
        }
      }
    }
    others
        .words()
        .forEach((node, pods) -> byNode.computeIfAbsent(node, _ -> new ArrayList<>()).addAll(pods));
    byNode.forEach((node, pods) -> row(node, pods.isEmpty() ? "no pod" : String.join("; ", pods)));
  }

  private static List<String> occupants(TreeMap<String, List<String>> byNode, Placement place) {
    return byNode.computeIfAbsent(place.node().value(), _ -> new ArrayList<>());
  }

  private static String words(PodGroup.Member member) {
    return Names.of(member.pod().key()) + " (" + GpuRequestText.of(member.pod()) + ")";
  }

  /// Pods that run nowhere; those that wait for the same reason together.
  private void tellTheRest() {
    var waiting = new LinkedHashMap<String, List<String>>();
    var over = new TreeMap<String, List<String>>();
    for (var pod : ending.pods().values()) {
      var phase = Judge.phase(pod);
      if (phase == Phase.PENDING) {
        waiting
            .computeIfAbsent(withoutWaits(Waiting.why(ending, pod)), _ -> new ArrayList<>())
            .add(Names.of(pod.name()));
      } else if (phase == Phase.SUCCEEDED || phase == Phase.FAILED) {
        over.computeIfAbsent(phase.word().toLowerCase(Locale.ROOT), _ -> new ArrayList<>())
            .add(Names.of(pod.name()));
      }
    }
    waiting.forEach((why, names) -> row("waiting", String.join(", ", names) + ": " + why));
    over.forEach((phase, names) -> row(phase, String.join(", ", names)));
  }

  private void tellIgnored() {
    var kinds = new TreeMap<String, Integer>();
    ending.scenario().ignored().forEach(item -> kinds.merge(item.kind(), 1, Integer::sum));
    kinds.remove("ResourceClaimTemplate"); // claims were made from it, and those count
    var all = new ArrayList<>(ending.scenario().objects());
    all.addAll(ending.scenario().ignored());
    for (var item : all) {
      ObjectTree.maps(item.object(), "metadata", "ownerReferences")
          .forEach(owner -> kinds.remove(ObjectTree.text(owner, "kind")));
    }
    if (!kinds.isEmpty()) {
      var each = new ArrayList<String>();
      kinds.forEach((kind, count) -> each.add(count + " " + kind));
      lines.add(
          "Left out, as nothing of a simulation looks at them: " + String.join(", ", each) + ".");
    }
  }

  /// Which pods are in which group.
  private static final class Cast {
    private final TreeMap<String, GroupKey> byUid = new TreeMap<>();
    private final TreeMap<GroupKey, String> titles = new TreeMap<>();

    private Cast(Snapshot snapshot) {
      for (var group : snapshot.groups()) {
        group.members().forEach(member -> byUid.put(member.pod().uid().value(), group.key()));
        titles.put(
            group.key(),
            Names.of(group.key()) + (group.queue().isNone() ? "" : " of queue " + group.queue()));
      }
    }

    private GroupKey of(PodUid uid) {
      return byUid.getOrDefault(uid.value(), GroupKey.NONE);
    }

    private String title(GroupKey group) {
      return titles.getOrDefault(group, Names.of(group));
    }
  }
}
