package dev.berth.engine.model;

import dev.berth.engine.model.Backoffs.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Why a group waits: a closed list, data with numbers. Made a sentence only at the edge
/// (`engine.explain`); `code()` is the same word in condition, event, metric and log.
///
/// This file is long because the list of reasons is closed and kept in one place.
public sealed interface Reason {
  /// Constant for each kind of reason.
  default String code() {
    return getClass().getSimpleName();
  }

  /// Whether nothing has to be changed for it: others have to end, or time has to pass.
  default boolean startsByItself() {
    return switch (this) {
      case NoRoom room -> room.mayBeMade();
      case FairShareReached _,
          NothingToTakeBack _,
          VictimsProtected _,
          BudgetsForbid _,
          PreemptionDelayed _,
          NeverPreempts _,
          EvictionBackoff _,
          BorrowingBackoff _,
          VolumesOverdue _,
          MovesSpent _,
          WouldDelay _,
          HeldForHead _,
          NotProven _,
          Starting _ ->
          true;
      case OverLimit over -> !over.isForGood();
      case NonPreemptibleOverQuota over -> !over.isForGood();
      case BadRequest _,
          NoSuchQueue _,
          NotALeaf _,
          BrokenQueue _,
          QueueNotAllowed _,
          NamespaceTerminating _,
          NoSuchGroup _,
          NoSuchSubGroup _,
          NoSuchTopology _,
          OwnerUnknown _,
          NoSuchClaim _,
          VolumeNotReady _,
          NoSuchDevices _,
          ClaimOfOtherQueue _,
          TooFewMembers _,
          NeverFits _,
          NoSuchPool _ ->
          false;
    };
  }

  /// Something a user wrote is invalid.
  record BadRequest(String object, Problem problem) implements Reason {}

  /// The queue does not exist.
  ///
  /// @param near one that does and is called almost so; none = there is no such
  record NoSuchQueue(QueueName queue, QueueName near) implements Reason {
    /// None is called almost so.
    public NoSuchQueue(QueueName queue) {
      this(queue, QueueName.NONE);
    }
  }

  /// The queue has children; only leaves take workloads.
  record NotALeaf(QueueName queue, QueueName child) implements Reason {}

  /// The queue's ancestors lead nowhere or in a circle.
  record BrokenQueue(QueueName queue, QueueName at, boolean cyclic) implements Reason {}

  /// The queue takes no pods of this namespace.
  ///
  /// @param at the queue that says so: itself, or the nearest above it
  /// @param takes the labels of namespaces whose pods it takes
  record QueueNotAllowed(QueueName queue, String namespace, QueueName at, LabelSelector takes)
      implements Reason {}

  /// Its namespace is being deleted: no Binding can be created there, and its pods are deleted.
  record NamespaceTerminating(String namespace) implements Reason {}

  /// The pod names a PodGroup that does not exist.
  ///
  /// @param near one of its namespace that does and is called almost so; empty = none is known
  record NoSuchGroup(GroupKey group, String near) implements Reason {
    /// None is known to be called almost so.
    public NoSuchGroup(GroupKey group) {
      this(group, "");
    }

    public NoSuchGroup near(String name) {
      return new NoSuchGroup(group, name);
    }
  }

  /// A pod names a role that its group does not have.
  ///
  /// @param subGroup empty = it names none
  /// @param leaves the roles that the group has, sorted
  /// @param near one of them that is called almost so; empty = there is no such
  record NoSuchSubGroup(PodKey pod, String subGroup, List<String> leaves, String near)
      implements Reason {
    public NoSuchSubGroup {
      leaves = List.copyOf(leaves);
    }
  }

  /// The Topology, or the level of it, does not exist.
  ///
  /// @param level empty = the object does not exist
  /// @param levels that the topology has, from the widest
  /// @param near one that exists and is called almost so; empty = there is no such
  record NoSuchTopology(String topology, String level, List<String> levels, String near)
      implements Reason {
    public NoSuchTopology {
      levels = List.copyOf(levels);
    }

    /// The object does not exist.
    public NoSuchTopology(String topology, String near) {
      this(topology, "", List.of(), near);
    }
  }

  /// The object that controls the pod has not been read yet.
  record OwnerUnknown(PodKey pod, String kind, String name) implements Reason {}

  /// A ResourceClaim of the pod does not exist, or is still to be made from its template.
  ///
  /// @param template empty = the pod names the claim itself
  record NoSuchClaim(PodKey pod, String claim, String template) implements Reason {}

  /// A claim of the pod on a volume keeps it from every node.
  record VolumeNotReady(PodKey pod, Pod.VolumeRef volume) implements Reason {}

  /// No node offers a device of the class that a claim asks for.
  record NoSuchDevices(ClaimKey claim, String deviceClass) implements Reason {}

  /// A claim on GPUs is charged to one queue. As long as no pod uses it, its label says which;
  /// afterwards its users do.
  ///
  /// @param charged none = its label says nothing
  /// @param queue the pod's
  /// @param user a pod of the queue that is charged; none if no pod uses the claim
  record ClaimOfOtherQueue(ClaimKey claim, QueueName charged, QueueName queue, PodKey user)
      implements Reason {}

  /// Fewer pods than the minimum can start.
  ///
  /// @param subGroup empty = the group itself
  /// @param have pods that exist and can be planned, or sub-groups that can start
  /// @param heldBack further pods that exist and that scheduling gates of others hold
  /// @param gates names of these gates, sorted
  /// @param creator of its pods
  /// @param refusal why the API server did not create the next of its pods
  record TooFewMembers(
      String subGroup,
      int have,
      int need,
      int heldBack,
      List<String> gates,
      Creator creator,
      CreationRefusal refusal)
      implements Reason {
    public TooFewMembers {
      gates = List.copyOf(gates);
    }

    /// No refusal of a pod is known.
    public TooFewMembers(
        String subGroup, int have, int need, int heldBack, List<String> gates, Creator creator) {
      this(subGroup, have, need, heldBack, gates, creator, CreationRefusal.NONE);
    }

    /// Nothing is known of what creates its pods.
    public TooFewMembers(String subGroup, int have, int need, int heldBack, List<String> gates) {
      this(subGroup, have, need, heldBack, gates, Creator.NONE);
    }

    /// No pod is held back.
    public TooFewMembers(String subGroup, int have, int need) {
      this(subGroup, have, need, 0, List.of());
    }

    /// The same, with why its pods are not created.
    public TooFewMembers refused(CreationRefusal why) {
      return new TooFewMembers(subGroup, have, need, heldBack, gates, creator, why);
    }

    /// Members that do not exist yet.
    public int missing() {
      return need - have - heldBack;
    }
  }

  /// The object that creates the pods of a group.
  ///
  /// @param kind as `kubectl` takes it: `job`, `pytorchjob.kubeflow.org`; empty = none is known
  record Creator(String namespace, String kind, String name) {
    public static final Creator NONE = new Creator("", "", "");

    /// The controller of the pod: events on it tell what a quota or an admission policy refused. Of
    /// the kinds of Kubernetes itself the API group is left out.
    public static Creator of(Pod pod) {
      var owner = pod.belonging().owner();
      if (owner.isNone()) {
        return NONE;
      }
      int slash = owner.apiVersion().indexOf('/');
      String group = slash < 0 ? "" : owner.apiVersion().substring(0, slash);
      String kind = owner.kind().toLowerCase(Locale.ROOT);
      return new Creator(
          pod.key().namespace(), group.indexOf('.') < 0 ? kind : kind + "." + group, owner.name());
    }

    public boolean isNone() {
      return kind.isEmpty();
    }
  }

  /// The queue or an ancestor may not grow. Room elsewhere would not help.
  ///
  /// @param more of the same queue, in other resources
  /// @param counted claims of the group that may get less than they are counted as
  /// @param members that ask for it
  /// @param besides what else is in the way: bounds of this queue and of those above it, and nodes
  ///   without room
  /// @param pool the node pool of which the amounts are, where the queue has others in another one;
  ///   empty = it is not told
  record OverLimit(
      QueueName queue,
      Resource resource,
      long used,
      long asked,
      long limit,
      List<ExceededResource> more,
      List<CountedClaim> counted,
      AskingMembers members,
      List<Reason> besides,
      Optional<String> pool)
      implements Reason {
    public OverLimit {
      more = List.copyOf(more);
      counted = List.copyOf(counted);
      besides = List.copyOf(besides);
    }

    /// Without claims.
    public OverLimit(
        QueueName queue,
        Resource resource,
        long used,
        long asked,
        long limit,
        List<ExceededResource> more) {
      this(
          queue,
          resource,
          used,
          asked,
          limit,
          more,
          List.of(),
          AskingMembers.ALL,
          List.of(),
          Optional.empty());
    }

    /// In a node pool.
    public OverLimit in(String name) {
      return new OverLimit(
          queue, resource, used, asked, limit, more, counted, members, besides, Optional.of(name));
    }

    public OverLimit counting(List<CountedClaim> claims) {
      return new OverLimit(
          queue, resource, used, asked, limit, more, claims, members, besides, pool);
    }

    public OverLimit of(AskingMembers some) {
      return new OverLimit(queue, resource, used, asked, limit, more, counted, some, besides, pool);
    }

    public OverLimit besides(List<Reason> others) {
      return new OverLimit(
          queue, resource, used, asked, limit, more, counted, members, others, pool);
    }

    /// In this resource alone.
    public OverLimit(QueueName queue, Resource resource, long used, long asked, long limit) {
      this(queue, resource, used, asked, limit, List.of());
    }

    /// Whether the group never starts in this queue, whatever ends.
    public boolean isForGood() {
      return excesses().stream().anyMatch(ExceededResource::isForGood);
    }

    /// In all resources.
    public List<ExceededResource> excesses() {
      return ExceededResource.with(new ExceededResource(resource, used, asked, limit), more);
    }
  }

  /// Non-preemptible work lives within quota, on every level.
  ///
  /// @param more of the same queue, in other resources
  /// @param counted claims of the group that may get less than they are counted as
  /// @param members that ask for it
  /// @param stays why the group is not preemptible
  /// @param besides what else is in the way: bounds of this queue and of those above it, and nodes
  ///   without room
  /// @param pool the node pool of which the amounts are, where the queue has others in another one;
  ///   empty = it is not told
  record NonPreemptibleOverQuota(
      QueueName queue,
      Resource resource,
      long used,
      long asked,
      long quota,
      List<ExceededResource> more,
      List<CountedClaim> counted,
      AskingMembers members,
      Stays stays,
      List<Reason> besides,
      Optional<String> pool)
      implements Reason {
    public NonPreemptibleOverQuota {
      more = List.copyOf(more);
      counted = List.copyOf(counted);
      besides = List.copyOf(besides);
    }

    /// Why the group is not preemptible is not told.
    public NonPreemptibleOverQuota(
        QueueName queue,
        Resource resource,
        long used,
        long asked,
        long quota,
        List<ExceededResource> more) {
      this(queue, resource, used, asked, quota, more, Stays.UNTOLD);
    }

    /// Without claims.
    public NonPreemptibleOverQuota(
        QueueName queue,
        Resource resource,
        long used,
        long asked,
        long quota,
        List<ExceededResource> more,
        Stays stays) {
      this(
          queue,
          resource,
          used,
          asked,
          quota,
          more,
          List.of(),
          AskingMembers.ALL,
          stays,
          List.of(),
          Optional.empty());
    }

    /// In a node pool.
    public NonPreemptibleOverQuota in(String name) {
      return new NonPreemptibleOverQuota(
          queue,
          resource,
          used,
          asked,
          quota,
          more,
          counted,
          members,
          stays,
          besides,
          Optional.of(name));
    }

    public NonPreemptibleOverQuota counting(List<CountedClaim> claims) {
      return new NonPreemptibleOverQuota(
          queue, resource, used, asked, quota, more, claims, members, stays, besides, pool);
    }

    public NonPreemptibleOverQuota of(AskingMembers some) {
      return new NonPreemptibleOverQuota(
          queue, resource, used, asked, quota, more, counted, some, stays, besides, pool);
    }

    public NonPreemptibleOverQuota besides(List<Reason> others) {
      return new NonPreemptibleOverQuota(
          queue, resource, used, asked, quota, more, counted, members, stays, others, pool);
    }

    /// In this resource alone.
    public NonPreemptibleOverQuota(
        QueueName queue, Resource resource, long used, long asked, long quota) {
      this(queue, resource, used, asked, quota, List.of());
    }

    /// Whether the group never starts in this queue, whatever ends.
    public boolean isForGood() {
      return excesses().stream().anyMatch(ExceededResource::isForGood);
    }

    /// In all resources.
    public List<ExceededResource> excesses() {
      return ExceededResource.with(new ExceededResource(resource, used, asked, quota), more);
    }
  }

  /// Why a group is not preemptible.
  ///
  /// @param priority of the group, where that decides; else 0
  /// @param isMinimumAlone whether what it has beyond its minimum is preemptible
  record Stays(PreemptibilitySource source, int priority, boolean isMinimumAlone) {
    public static final Stays UNTOLD = new Stays(PreemptibilitySource.UNTOLD, 0, false);

    public Stays {
      priority = source.isByPriority() ? priority : 0;
    }
  }

  /// Of which members it is counted what a group asks for.
  ///
  /// @param count members that start together next, in their order
  /// @param of members that wait or have a place
  /// @param isFirst whether no member has a place
  /// @param areAlike whether each of them is charged the same, and would start with fewer of them
  record AskingMembers(int count, int of, boolean isFirst, boolean areAlike) {
    public static final AskingMembers ALL = new AskingMembers(0, 0, true, false);

    public boolean isAll() {
      return count == of;
    }
  }

  /// A claim that is still to be allocated, and the dearest that kube-scheduler may choose for it.
  ///
  /// @param count devices
  /// @param alternatives of the request, this one among them
  /// @param all as many as one node has at most
  record CountedClaim(
      ClaimKey claim, String deviceClass, int count, int alternatives, boolean all) {}

  /// A resource of which a queue would have too much.
  ///
  /// @param most that it may have
  record ExceededResource(Resource resource, long used, long asked, long most) {
    private static List<ExceededResource> with(
        ExceededResource first, List<ExceededResource> more) {
      var all = new ArrayList<ExceededResource>();
      all.add(first);
      all.addAll(more);
      return all;
    }

    /// Whether it would have too much whatever ends.
    public boolean isForGood() {
      return asked > most;
    }
  }

  /// No node, or not enough nodes together, have room now.
  ///
  /// @param members that are to be placed together
  /// @param placed how many of them found a place before the rest did not
  /// @param alike how many of those without a place are like the first of them, itself included
  /// @param nodes looked at
  /// @param shortfalls why nodes do not take the first member that found none, most frequent first
  /// @param free what it finds of devices, those taken by members that were placed aside
  /// @param largest the domain of a required topology that comes nearest
  /// @param mixed where members ask for different things; else none
  /// @param startsSmaller whether those that found a place would start with a minimum of as many
  record NoRoom(
      int members,
      int placed,
      int alike,
      int nodes,
      List<Shortfall> shortfalls,
      Free free,
      Largest largest,
      Mixed mixed,
      boolean startsSmaller)
      implements Reason {
    public NoRoom {
      shortfalls = List.copyOf(shortfalls);
    }

    /// Whether those that found a place would start alone is not known.
    public NoRoom(
        int members,
        int placed,
        int alike,
        int nodes,
        List<Shortfall> shortfalls,
        Free free,
        Largest largest,
        Mixed mixed) {
      this(members, placed, alike, nodes, shortfalls, free, largest, mixed, false);
    }

    /// The same, where those that found a place would start with a minimum of as many.
    public NoRoom startingSmaller() {
      return new NoRoom(
          members, placed, alike, nodes, shortfalls, free, largest, mixed, placed > 0);
    }

    /// All members are alike.
    public NoRoom(
        int members,
        int placed,
        int alike,
        int nodes,
        List<Shortfall> shortfalls,
        Free free,
        Largest largest) {
      this(members, placed, alike, nodes, shortfalls, free, largest, Mixed.NONE);
    }

    /// All members are alike, and no topology is required.
    public NoRoom(int members, int placed, int nodes, List<Shortfall> shortfalls, Free free) {
      this(members, placed, members - placed, nodes, shortfalls, free, Largest.NONE);
    }

    /// The same, with what must be released for all of its unlike members.
    public NoRoom releasing(Released released) {
      return new NoRoom(
          members,
          placed,
          alike,
          nodes,
          shortfalls,
          free,
          largest,
          new Mixed(mixed.pod(), released),
          startsSmaller);
    }

    /// Nothing is said about what is free.
    public NoRoom(int members, int placed, int nodes, List<Shortfall> shortfalls) {
      this(members, placed, nodes, shortfalls, Free.UNTOLD);
    }

    /// Whether pods that leave could make room on any node, by the first thing that stands in the
    /// way there. True where nothing is told.
    public boolean mayBeMade() {
      return shortfalls.isEmpty() || shortfalls.stream().anyMatch(Shortfall::mayBeLeft);
    }
  }

  /// The domain of a topology level that holds most of the members that must share one.
  ///
  /// @param level its alias, or the last part of its label; empty = no topology is required
  /// @param domain its value of the label, after those of the levels above
  /// @param holds of these members
  /// @param members that must share a domain
  /// @param isWidest whether the topology has no wider level
  /// @param subGroup of which they are; empty = all of the group
  record Largest(
      String level, String domain, long holds, int members, boolean isWidest, String subGroup) {
    public static final Largest NONE = new Largest("", "", 0, 0, false, "");

    public boolean isNone() {
      return level.isEmpty();
    }
  }

  /// Of members that ask for different things.
  ///
  /// @param pod the first that found no place; empty = members are alike
  record Mixed(String pod, Released released) {
    public static final Mixed NONE = new Mixed("", Released.UNTOLD);

    public boolean isNone() {
      return pod.isEmpty();
    }
  }

  /// The fewest whole devices that must be released so that unlike members find room together.
  ///
  /// @param byNode on each node on which some must be, most first; empty = this is not told
  /// @param free devices on the first of these nodes
  /// @param isNever they find no room together on these nodes, whatever is released
  record Released(List<Integer> byNode, int free, boolean isNever) {
    public static final Released UNTOLD = new Released(List.of(), 0, false);
    public static final Released NEVER = new Released(List.of(), 0, true);

    public Released {
      byNode = List.copyOf(byNode);
    }

    public boolean isTold() {
      return !byNode.isEmpty();
    }
  }

  /// What is free at once of the devices of nodes that a pod may be on.
  ///
  /// @param devices that the pod asks for; 0 = this is not told
  /// @param millis of each of them, in thousandths; 1000 = whole devices
  /// @param mib of the memory of each of them; 0 = it does not ask for memory
  /// @param nodes with devices that it may be on
  /// @param total whole devices that are free there; where it asks for parts, 0
  /// @param most of the whole devices on one node; where it asks for parts, the largest free part
  ///   of one device, in thousandths or MiB
  /// @param lacking where it asks for whole devices: how many nodes lack one of them, two, and so
  ///   on; where for memory: what the devices of the largest free parts lack, in MiB
  /// @param parts where it asks for parts of several devices: the largest free parts of as many
  ///   devices on the node that lacks least, in thousandths or MiB, largest first
  record Free(
      int devices,
      int millis,
      long mib,
      int nodes,
      long total,
      int most,
      List<Integer> lacking,
      List<Integer> parts) {
    public static final Free UNTOLD = new Free(0, 0, 0, 0, 0);

    public Free {
      lacking = List.copyOf(lacking);
      parts = List.copyOf(parts);
    }

    /// Not of parts of several devices.
    public Free(
        int devices, int millis, long mib, int nodes, long total, int most, List<Integer> lacking) {
      this(devices, millis, mib, nodes, total, most, lacking, List.of());
    }

    /// Of parts of several devices; each lacks what its part is less than what is asked for.
    public static Free ofParts(int devices, int millis, long mib, int nodes, List<Integer> parts) {
      return ofParts(devices, millis, mib, nodes, List.of(), parts);
    }

    /// Of parts of several devices.
    public static Free ofParts(
        int devices, int millis, long mib, int nodes, List<Integer> lacking, List<Integer> parts) {
      int most = parts.isEmpty() ? 0 : parts.getFirst();
      return new Free(devices, millis, mib, nodes, 0, most, lacking, parts);
    }

    /// Without a node that lacks so many devices, as nothing can be released there.
    public Free withoutLacking(int lack) {
      if (lack < 1 || lack > lacking.size() || lacking.get(lack - 1) == 0) {
        return this;
      }
      var fewer = new ArrayList<>(lacking);
      fewer.set(lack - 1, fewer.get(lack - 1) - 1);
      return new Free(devices, millis, mib, nodes, total, most, fewer, parts);
    }

    /// Of thousandths of devices; of how much nodes lack nothing is said.
    public Free(int devices, int millis, int nodes, long total, int most) {
      this(devices, millis, 0, nodes, total, most, List.of());
    }
  }

  /// No room, and no pod has to make any: the queue has what it is owed.
  ///
  /// @param used what its workloads have
  /// @param share its fair share
  /// @param quotaHelps whether pods that a larger quota lets it evict could make the room
  /// @param pool the node pool of which the amounts are, where the queue has others in another one;
  ///   empty = it is not told
  record FairShareReached(
      NoRoom room,
      QueueName queue,
      Resource resource,
      long used,
      long asked,
      long share,
      boolean quotaHelps,
      Optional<String> pool)
      implements Reason {
    /// Of all nodes.
    public FairShareReached(
        NoRoom room,
        QueueName queue,
        Resource resource,
        long used,
        long asked,
        long share,
        boolean quotaHelps) {
      this(room, queue, resource, used, asked, share, quotaHelps, Optional.empty());
    }

    /// In a node pool.
    public FairShareReached in(String name) {
      return new FairShareReached(
          room, queue, resource, used, asked, share, quotaHelps, Optional.of(name));
    }

    /// A larger quota helps.
    public FairShareReached(
        NoRoom room, QueueName queue, Resource resource, long used, long asked, long share) {
      this(room, queue, resource, used, asked, share, true);
    }
  }

  /// No room, and no pod has to make any: no other queue has more than it is owed.
  record NothingToTakeBack(NoRoom room, QueueName queue) implements Reason {}

  /// No room, and the pods that could be evicted are protected by a min-runtime.
  ///
  /// @param groups that are
  /// @param until when the first of them is protected no longer; `MAX` = that is not known
  record VictimsProtected(NoRoom room, int groups, Instant until) implements Reason {}

  /// No room, and the pods that could be evicted are protected by disruption budgets, or by a
  /// min-runtime.
  ///
  /// @param groups that budgets keep
  /// @param budgets that do, in order of their names; those of single pods that the API server
  ///   refused are not among them
  /// @param notRead budgets of which Berth does not know which pods they cover, as their selector
  ///   is too long; without a name = those of a namespace, which are too many
  /// @param spared others that a min-runtime protects
  record BudgetsForbid(
      NoRoom room,
      int groups,
      List<DisruptionBudget.Key> budgets,
      List<DisruptionBudget.Key> notRead,
      BudgetsKeep keeps,
      Spared spared)
      implements Reason {
    public BudgetsForbid {
      budgets = List.copyOf(budgets);
      notRead = List.copyOf(notRead);
    }

    /// No min-runtime protects others.
    public BudgetsForbid(
        NoRoom room,
        int groups,
        List<DisruptionBudget.Key> budgets,
        List<DisruptionBudget.Key> notRead,
        BudgetsKeep keeps) {
      this(room, groups, budgets, notRead, keeps, Spared.NONE);
    }

    /// With the amounts of a node pool.
    public BudgetsForbid in(String pool) {
      return new BudgetsForbid(room, groups, budgets, notRead, keeps.in(pool), spared);
    }
  }

  /// Further groups that could make room, and that a min-runtime protects.
  ///
  /// @param until when the first of them is protected no longer; `MAX` = that is not known
  record Spared(int groups, Instant until) {
    public static final Spared NONE = new Spared(0, Instant.MAX);
  }

  /// What disruption budgets protect of the pods that could make room.
  ///
  /// @param until when the preemptor has waited long enough: what a queue owes leaves against them
  ///   from then on; `MAX` = not by time
  /// @param queue that would have fewer GPUs than its quota without the victims; none = no pod is
  ///   protected by that
  /// @param left thousandths of GPUs that it would have
  /// @param pool the node pool of which the amounts are, where the queue has others in another one;
  ///   empty = it is not told
  record BudgetsKeep(Instant until, QueueName queue, long left, long quota, Optional<String> pool) {
    /// As long as they allow no disruption, all.
    public static final BudgetsKeep ALL = until(Instant.MAX);

    public static BudgetsKeep until(Instant until) {
      return new BudgetsKeep(until, QueueName.NONE, 0, 0, Optional.empty());
    }

    public static BudgetsKeep quota(QueueName queue, long left, long quota) {
      return new BudgetsKeep(Instant.MAX, queue, left, quota, Optional.empty());
    }

    /// In a node pool.
    public BudgetsKeep in(String name) {
      return new BudgetsKeep(until, queue, left, quota, Optional.of(name));
    }

    public boolean isForNow() {
      return !until.equals(Instant.MAX);
    }
  }

  /// No room, and no pod is evicted for it as long as its preemption delay runs.
  record PreemptionDelayed(NoRoom room, Instant until) implements Reason {}

  /// No room, and no pod is evicted for it: its `preemptionPolicy`, or that of its priority class,
  /// is `Never`.
  record NeverPreempts(NoRoom room) implements Reason {}

  /// No room, and no pod is evicted for it for a while: plans with victims ended without a Binding.
  record EvictionBackoff(NoRoom room, Backoff backoff) implements Reason {}

  /// There may be room, but the queue has its fair share, and kube-scheduler kept room for pods of
  /// this workload or namespace in vain: they borrow nothing for a while.
  ///
  /// @param used what the workloads of the queue have
  /// @param share its fair share
  /// @param pool the node pool of which the amounts are, where the queue has others in another one;
  ///   empty = it is not told
  record BorrowingBackoff(
      QueueName queue,
      Resource resource,
      long used,
      long asked,
      long share,
      Backoff backoff,
      Optional<String> pool)
      implements Reason {
    /// Of all nodes.
    public BorrowingBackoff(
        QueueName queue, Resource resource, long used, long asked, long share, Backoff backoff) {
      this(queue, resource, used, asked, share, backoff, Optional.empty());
    }

    /// In a node pool.
    public BorrowingBackoff in(String name) {
      return new BorrowingBackoff(queue, resource, used, asked, share, backoff, Optional.of(name));
    }
  }

  /// There may be room, but the queue has its fair share, and kube-scheduler waits for a volume of
  /// another pod, longer than it should, and keeps its room: no workload with a volume to come
  /// borrows meanwhile.
  ///
  /// @param used what the workloads of the queue have
  /// @param share its fair share
  /// @param namespace of such a pod, the same as of this workload; empty = it is of this queue
  /// @param pool the node pool of which the amounts are, where the queue has others in another one;
  ///   empty = it is not told
  record VolumesOverdue(
      QueueName queue,
      Resource resource,
      long used,
      long asked,
      long share,
      String namespace,
      Optional<String> pool)
      implements Reason {
    /// Of all nodes.
    public VolumesOverdue(
        QueueName queue, Resource resource, long used, long asked, long share, String namespace) {
      this(queue, resource, used, asked, share, namespace, Optional.empty());
    }

    /// In a node pool.
    public VolumesOverdue in(String name) {
      return new VolumesOverdue(queue, resource, used, asked, share, namespace, Optional.of(name));
    }
  }

  /// No room, whatever leaves: all nodes that it may be on, or all of one domain, hold fewer
  /// members together, were they empty, or no node is large enough for one of them.
  ///
  /// @param most members that they would hold
  /// @param largest the domain that would hold most; none = no topology stands in the way
  /// @param apart how many domains their own anti-affinity needs, and how many there are; empty =
  ///   it is not that
  /// @param startsSmaller whether so many start once the devices are released that `room` lacks
  /// @param besides a limit or quota of its queue that is too small for it, too; at most one
  record NeverFits(
      NoRoom room,
      long most,
      Largest largest,
      String apart,
      boolean startsSmaller,
      List<Reason> besides)
      implements Reason {
    public NeverFits {
      besides = List.copyOf(besides);
    }

    /// Its queue may have as much.
    public NeverFits(NoRoom room, long most, Largest largest, String apart) {
      this(room, most, largest, apart, false, List.of());
    }

    /// The same, where so many start once the devices are released that `room` lacks.
    public NeverFits startingSmaller() {
      return new NeverFits(room, most, largest, apart, true, besides);
    }

    /// The same, with a limit or quota that is too small for it, too.
    public NeverFits besides(Reason ofItsQueue) {
      return new NeverFits(room, most, largest, apart, startsSmaller, List.of(ofItsQueue));
    }

    /// Neither a topology nor its own anti-affinity stands in the way.
    public NeverFits(NoRoom room, long most) {
      this(room, most, Largest.NONE, "");
    }
  }

  /// No room, and no other pod is relocated to make it: as many were relocated as the settings
  /// allow.
  ///
  /// @param until when the next may be moved; `MAX` = not by time alone
  record MovesSpent(NoRoom room, Instant until) implements Reason {}

  /// There is room, but it is reserved in time: a group that comes first needs it then.
  ///
  /// @param head the first group
  /// @param startsBy when it starts at the latest, if those that run end as they said
  /// @param runtime how long this group says that it runs; zero = it does not say
  record WouldDelay(GroupKey head, Instant startsBy, Duration runtime) implements Reason {}

  /// There is room, but it is held for a while: a group that comes first gathers devices.
  ///
  /// @param devices that it gathers
  record HeldForHead(GroupKey head, int devices, Instant until) implements Reason {}

  /// No node belongs to the pool.
  ///
  /// @param label that divides nodes into pools
  /// @param pool empty = it names none, and every node is in one
  /// @param pools there are
  record NoSuchPool(String label, String pool, List<String> pools) implements Reason {
    public NoSuchPool {
      pools = List.copyOf(pools);
    }
  }

  /// The search was cut short. Says nothing about whether a place exists, or others could make one.
  ///
  /// @param tried how many it looked at before that
  /// @param of how many there are
  record NotProven(Sought sought, int tried, int of) implements Reason {}

  /// What a search goes through.
  enum Sought {
    NODES,
    /// Steps in which others would leave: a surplus member, or the core of a group.
    VICTIMS,
    /// Sets of such steps, some in each plan: the search goes on in the next plan.
    VICTIM_SETS
  }

  /// A place is found; it waits for others to leave it or for its devices to be held.
  ///
  /// @param leaving pods that have not left yet
  /// @param left pods that have
  /// @param holders devices that are still to be held
  /// @param steps what is under way, or fails, in words; one a pod, device or node
  /// @param wayOut what ends a failure among them; empty = none is known
  record Starting(
      int members, int leaving, int left, int holders, List<String> steps, String wayOut)
      implements Reason {
    public Starting {
      steps = List.copyOf(steps);
    }

    /// None has left yet.
    public Starting(int members, int leaving, int holders, List<String> steps, String wayOut) {
      this(members, leaving, 0, holders, steps, wayOut);
    }

    /// Nothing more is known.
    public Starting(int members, int leaving, int holders) {
      this(members, leaving, holders, List.of(), "");
    }
  }

  /// Why some nodes do not take a pod.
  ///
  /// @param obstacle what stands in the way
  /// @param detail the resource, taint or words of kube-scheduler; empty where there is none
  /// @param wanted what is asked for instead of what nodes have; none = the detail says it
  /// @param besides where the selector or affinity of the pod chooses none of all nodes, and none
  ///   would have room without it: what else stands in the way on these, most frequent first
  /// @param ready such pods that would have room there now but for this, at the least; 0 where it
  ///   is not asked
  record Shortfall(
      Obstacle obstacle,
      String detail,
      int nodes,
      Wanted wanted,
      List<Shortfall> besides,
      int ready) {
    /// Of claims: the node has too few such devices, were all of them free.
    public static final String EVEN_IF_FREE = "even if all were free";

    public Shortfall {
      besides = List.copyOf(besides);
    }

    /// The detail says what is asked for, and nothing else is known to stand in the way.
    public Shortfall(Obstacle obstacle, String detail, int nodes) {
      this(obstacle, detail, nodes, Wanted.NONE, List.of(), 0);
    }

    /// Whether it is of a kind that pods which leave could end.
    boolean mayBeLeft() {
      return switch (obstacle) {
        case DEVICES,
            SHARED_DEVICES,
            HOLDERS,
            RESOURCE,
            PODS,
            HOST_PORTS,
            POD_ANTI_AFFINITY,
            OWN_ANTI_AFFINITY,
            OTHERS_ANTI_AFFINITY,
            SPREAD ->
            true;
        case CLAIMS -> !detail.equals(EVEN_IF_FREE);
        case TOPOLOGY -> detail.isEmpty(); // no label lacks: the room of another domain
        case NOT_READY,
            UNSCHEDULABLE,
            TAINT,
            NODE_SELECTOR,
            NODE_AFFINITY,
            VOLUME,
            DEVICE_MODEL,
            DEVICE_MEMORY_UNKNOWN,
            DEVICE_MODE,
            DEVICE_HEALTH,
            DEVICE_PLUGIN,
            NO_DEVICES,
            NOT_OFFERED,
            TOO_SMALL,
            DEVICE_TOO_SMALL,
            OWN_HOST_PORTS,
            POD_AFFINITY,
            SPREAD_LABEL,
            INTER_POD,
            ISOLATION,
            INJECTION,
            RUNTIME_CLASS,
            NUMA,
            VETO ->
            false;
      };
    }

    /// The same, with other words.
    public Shortfall told(String words) {
      return new Shortfall(obstacle, words, nodes, wanted, besides, ready);
    }

    /// The same, on so many nodes less.
    public Shortfall onFewer(int less) {
      return new Shortfall(obstacle, detail, nodes - less, wanted, besides, ready);
    }

    /// The same, with what is asked for.
    public Shortfall wanting(Wanted what) {
      return new Shortfall(obstacle, detail, nodes, what, besides, ready);
    }

    /// The same, with what else stands in the way there.
    public Shortfall besides(List<Shortfall> others) {
      return new Shortfall(obstacle, detail, nodes, wanted, others, ready);
    }

    /// The same, with the pods that would have room there now but for it.
    public Shortfall ready(int pods) {
      return new Shortfall(obstacle, detail, nodes, wanted, besides, pods);
    }

    /// Whether so many such pods would have room on these nodes now, but for this.
    public boolean isReadyFor(long pods) {
      return ready > 0 && ready >= pods;
    }

    /// The same, with the label that nodes lack where no domain of a topology comes into question.
    public Shortfall lacking(String label) {
      return obstacle == Obstacle.TOPOLOGY ? new Shortfall(obstacle, label, nodes) : this;
    }
  }

  /// A GPU model, a node label or the pods of an affinity that a pod asks for.
  ///
  /// @param near one that a node has and that is called almost so, where no node has what is asked
  ///   for; empty = there is no such
  record Wanted(String what, String near) {
    public static final Wanted NONE = new Wanted("", "");
  }

  enum Obstacle {
    NOT_READY,
    UNSCHEDULABLE,
    TAINT,
    NODE_SELECTOR,
    NODE_AFFINITY,
    /// A volume of the pod cannot be reached from the node; the words tell from where it can.
    VOLUME,
    DEVICE_MODEL,
    DEVICE_MEMORY_UNKNOWN,
    DEVICE_MODE,
    DEVICE_HEALTH,
    /// The node has GPUs and its device plugin offers none of them.
    DEVICE_PLUGIN,
    /// The node has no devices of the kind.
    NO_DEVICES,
    /// The node has none of a resource; the words name it.
    NOT_OFFERED,
    /// The member asks for more than the node has, whatever leaves.
    TOO_SMALL,
    /// The member asks for more memory of a device than each there has.
    DEVICE_TOO_SMALL,
    DEVICES,
    SHARED_DEVICES,
    /// No further device can be held for shares: a holder does not tell its device.
    HOLDERS,
    RESOURCE,
    PODS,
    HOST_PORTS,
    /// Another member of its gang has the host port.
    OWN_HOST_PORTS,
    TOPOLOGY,
    POD_AFFINITY,
    POD_ANTI_AFFINITY,
    /// It keeps away from pods of its own kind, such as the other members, and one is there.
    OWN_ANTI_AFFINITY,
    /// Pods that are there keep away from pods like it; the words name one.
    OTHERS_ANTI_AFFINITY,
    SPREAD,
    /// The node lacks a label that it spreads over; the words name it.
    SPREAD_LABEL,
    /// Pods of its namespace, which the words name, ask for more affinity, anti-affinity and spread
    /// than one plan compares.
    INTER_POD,
    CLAIMS,
    ISOLATION,
    /// A container there would not see the GPU of its share; the words say why.
    INJECTION,
    /// Shares need another `runtimeClassName` there; the words name it.
    RUNTIME_CLASS,
    /// The topology manager of the kubelet would refuse it, whatever leaves.
    NUMA,
    VETO
  }
}
