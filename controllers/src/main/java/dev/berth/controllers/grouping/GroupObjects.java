package dev.berth.controllers.grouping;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.PodGroupClient;
import dev.berth.controllers.crd.PodGroupSpec;
import dev.berth.controllers.crd.PodGroupSpec.Edits;
import dev.berth.controllers.grouping.kinds.AssignedPod;
import dev.berth.controllers.grouping.kinds.KubeObject;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.request.GroupManifest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// The PodGroup of each gang, so that users see it and its status has a place. It is owned by the
/// workload and collected with it; that of one gang of several (a replica, a run) also goes when it
/// has had no members for a while. What must start together is kept as the owners say. What else
/// stands in it is left to its author, but follows the workload where the object says what the
/// workload said.
final class GroupObjects {
  /// @param wanted what the object should say
  /// @param part its workload may have others, and outlive it
  private record Wish(GroupSpec wanted, PodGroupClient.Owner owner, boolean part) {}

  private static final Duration FAREWELL = Duration.ofSeconds(5);

  /// What is seen of an object may be older than what was written last. It is not put right more
  /// often either: another client may want it otherwise.
  private static final Duration DOUBT = Duration.ofSeconds(5);

  /// Long enough for a replica that begins anew, and for the Job controller, which makes pods anew
  /// after six minutes at the latest: the gang keeps its age, and what people wrote into its
  /// object.
  private static final Duration DESERTED = Duration.ofMinutes(7);

  private final LedgerReader ledger;
  private final PodGroupClient groups;
  private final Workers workers;
  private final KeyedLoop<GroupKey> loop;

  // All below: guarded by this.
  private boolean held;
  private final TreeMap<GroupKey, Wish> wishes = new TreeMap<>();
  private final TreeMap<GroupKey, GroupSpec> written = new TreeMap<>();
  private final TreeSet<GroupKey> doubted = new TreeSet<>();

  /// Parts without members, and when their objects go.
  private final TreeMap<GroupKey, Instant> deserted = new TreeMap<>();

  GroupObjects(
      LedgerReader ledger, PodGroupClient groups, Workers workers, KeyedLoopSettings pace) {
    this.ledger = ledger;
    this.groups = groups;
    this.workers = workers;
    this.loop = new KeyedLoop<>("group objects", workers, pace, GroupKey::namespace, this::keep);
  }

  /// A gang is so now.
  synchronized void are(GroupKey key, GroupSpec spec, AssignedPod member) {
    boolean part = !member.seat().part().isEmpty();
    wishes.put(key, new Wish(spec, owner(member.subject()), part));
    deserted.remove(key);
    if (!held && !spec.equals(written.get(key))) {
      loop.add(key);
    }
  }

  /// Writes nothing before [#listed]: most objects exist when a process begins to lead.
  synchronized void holdUntilListed() {
    held = true;
  }

  /// The ledger knows the objects that exist.
  synchronized void listed() {
    if (held) {
      held = false;
      wishes.forEach((key, wish) -> {
        if (!wish.wanted().equals(written.get(key))) {
          loop.add(key);
        }
      });
    }
  }

  /// Its members have joined a group that others of them name.
  synchronized void areElsewhere(GroupKey key) {
    var wish = wishes.remove(key);
    if (written.remove(key) != null || wish != null) {
      deserted.put(key, workers.time().instant().plus(DESERTED));
      loop.add(key);
    }
  }

  /// It has no members any more.
  synchronized void areNoMore(GroupKey key) {
    var wish = wishes.remove(key);
    written.remove(key);
    if (wish != null && wish.part()) {
      deserted.put(key, workers.time().instant().plus(DESERTED));
      loop.add(key);
    }
  }

  /// An object was deleted. If there are still members after a while, it is created anew: it may
  /// have gone before its members, with their workload.
  synchronized void gone(GroupKey key) {
    if (written.remove(key) != null) {
      workers.at(workers.time().instant().plus(FAREWELL), () -> makeAnew(key));
    }
  }

  private synchronized void makeAnew(GroupKey key) {
    if (wishes.containsKey(key)) {
      loop.add(key);
    }
  }

  /// The ledger has heard of an object. If it still says otherwise after a while, it is put right:
  /// it was edited, or a write of before was done late.
  synchronized void seen(GroupKey key) {
    if (isOtherwise(key) && doubted.add(key)) {
      workers.at(workers.time().instant().plus(DOUBT), () -> lookAgain(key));
    }
  }

  private synchronized void lookAgain(GroupKey key) {
    doubted.remove(key);
    if (isOtherwise(key)) {
      loop.add(key);
    }
  }

  private boolean isOtherwise(GroupKey key) {
    var wish = wishes.get(key);
    return wish != null
        && ledger.object(key).filter(object -> !hasShapeOf(wish.wanted(), object)).isPresent();
  }

  /// @param wanted as it is in an object once that has been written, and read
  private static boolean hasShapeOf(GroupSpec wanted, GroupSpec object) {
    var tree = Map.of("metadata", Map.of("name", "any"), "spec", PodGroupSpec.shape(wanted));
    var read = GroupManifest.read(tree).orElseThrow();
    return read.minMember() == object.minMember()
        && read.minSubGroup() == object.minSubGroup()
        && read.subGroups().equals(object.subGroups());
  }

  private Next keep(GroupKey key) throws ClientException {
    Wish wish;
    Optional<GroupSpec> before;
    synchronized (this) {
      wish = wishes.get(key);
      before = Optional.ofNullable(written.get(key));
    }
    if (wish == null) {
      return letGo(key);
    }
    if (ledger.group(key).filter(PodGroup::namespaceTerminates).isPresent()) {
      return Next.done(); // nothing can be created there, and what is there goes
    }
    var object = ledger.object(key);
    var edits =
        before.isPresent() && object.isPresent()
            ? edits(key, before.get(), wish.wanted(), object.get())
            : Edits.NONE;
    if (!edits.isNone() || object.filter(is -> hasShapeOf(wish.wanted(), is)).isEmpty()) {
      write(key, wish, edits);
    }
    synchronized (this) {
      if (wishes.containsKey(key)) {
        written.put(key, wish.wanted());
      }
    }
    return Next.done();
  }

  /// What the workload says otherwise since the object was written. The queue that pods name comes
  /// before that of their workload.
  private Edits edits(GroupKey key, GroupSpec before, GroupSpec now, GroupSpec object) {
    boolean doPodsName =
        group(key).stream()
            .flatMap(group -> group.members().stream())
            .anyMatch(member -> !member.pod().belonging().queue().isNone());
    var edits = PodGroupSpec.edits(before, now, object);
    return doPodsName ? edits.without("queue") : edits;
  }

  private void write(GroupKey key, Wish wish, Edits edits) throws ClientException {
    var queue = group(key).map(PodGroup::queue).orElse(QueueName.NONE);
    groups.keep(wish.wanted(), queue, wish.owner(), edits);
  }

  /// Which the member need not be shown in.
  private Optional<PodGroup> group(GroupKey key) {
    return ledger.group(key).filter(group -> !group.single());
  }

  /// It is created again, should a member come in this very moment.
  private Next letGo(GroupKey key) throws ClientException {
    Instant due;
    synchronized (this) {
      due = deserted.getOrDefault(key, Instant.MAX);
    }
    if (due.isAfter(workers.time().instant())) {
      return due.equals(Instant.MAX) ? Next.done() : Next.at(due);
    }
    var object = ledger.object(key);
    if (object.isPresent()) {
      groups.delete(key, object.get().uid());
    }
    synchronized (this) {
      deserted.remove(key, due);
    }
    return Next.done();
  }

  private static PodGroupClient.Owner owner(KubeObject subject) {
    return new PodGroupClient.Owner(
        subject.apiVersion(), subject.kind(), subject.name(), new OwnerUid(subject.uid()));
  }
}
