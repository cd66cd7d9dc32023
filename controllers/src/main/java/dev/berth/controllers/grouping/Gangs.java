package dev.berth.controllers.grouping;

import dev.berth.controllers.grouping.kinds.Seated;
import dev.berth.controllers.grouping.kinds.Verdicts;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.PodUid;
import java.util.Collection;
import java.util.TreeMap;
import java.util.TreeSet;

/// The gangs that pods form, and what the ledger has heard of them. Guarded by [Grouping].
final class Gangs {
  private final Ledger ledger;
  private final Verdicts verdicts;
  private final GroupObjects objects;
  private final Workers workers;
  private final TreeMap<GroupKey, Gang> gangs = new TreeMap<>();

  Gangs(Ledger ledger, Verdicts verdicts, GroupObjects objects, Workers workers) {
    this.ledger = ledger;
    this.verdicts = verdicts;
    this.objects = objects;
    this.workers = workers;
  }

  /// Somebody deleted the object of a gang.
  void lost(GroupKey key) {
    var gang = gangs.get(key);
    if (gang != null && gang.isAlive()) {
      objects.gone(key);
    }
  }

  /// Finds out where pods belong now, and tells what is new.
  void tell(Collection<Entry> entries) {
    var touched = new TreeSet<GroupKey>();
    var seats = new TreeMap<String, Seated>();
    for (Entry entry : entries) {
      if (Verdicts.lacksItsGroup(entry.member)) {
        continue; // it is known by the name alone
      }
      var seated = verdicts.seat(entry.member);
      seats.put(entry.uid(), seated);
      leave(entry, seated.group());
      entry.group = seated.group();
      if (!seated.isAlone()) {
        gangs.computeIfAbsent(seated.group(), _ -> new Gang()).members.put(entry.uid(), seated);
        touched.add(seated.group());
      }
    }
    for (Entry entry : entries) {
      var seated = seats.get(entry.uid());
      if (seated != null && seated.isAlone()) {
        var membership = verdicts.alone(seated);
        say(entry, membership, membership);
      }
    }
    touched.forEach(this::form);
    for (Entry entry : entries) {
      var seated = seats.get(entry.uid());
      var gang = gangs.get(entry.group);
      if (seated != null && !seated.isAlone() && gang != null) {
        say(entry, seated.seat(), verdicts.member(seated, gang.spec));
      }
    }
  }

  /// @param news what would be different if there were something to say
  private void say(Entry entry, Object news, Membership membership) {
    var key = new Said(entry.group, news);
    if (!key.equals(entry.told)) {
      entry.told = key;
      ledger.record(new Fact.PodGrouped(new PodUid(entry.uid()), membership));
    }
  }

  private record Said(GroupKey group, Object news) {}

  /// What a gang is now. The ledger hears it of one member for all.
  private void form(GroupKey key) {
    var gang = gangs.get(key);
    if (gang == null) {
      return;
    }
    gang.spec = Levels.named(verdicts.gang(gang.all()), ledger, workers.time().instant());
    var first = gang.members.firstEntry();
    if (!gang.spec.equals(gang.told)) {
      gang.told = gang.spec;
      ledger.record(
          new Fact.PodGrouped(
              new PodUid(first.getKey()), verdicts.member(first.getValue(), gang.spec)));
    }
    objects.are(key, gang.spec, first.getValue());
  }

  /// It is gone.
  void leave(Entry entry) {
    leave(entry, GroupKey.NONE);
  }

  /// It belongs elsewhere.
  private void leave(Entry entry, GroupKey next) {
    var gang = gangs.get(entry.group);
    if (gang == null || entry.group.equals(next)) {
      return;
    }
    gang.members.remove(entry.uid());
    if (gang.members.isEmpty()) {
      gangs.remove(entry.group);
      objects.areNoMore(entry.group);
    } else {
      form(entry.group);
    }
  }
}
