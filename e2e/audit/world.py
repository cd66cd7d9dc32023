"""The cluster as the API tells it, version by version, and the history of each object."""

from collections import defaultdict, deque
from dataclasses import dataclass
from fractions import Fraction

from facts import ACCELERATORS, GATE, READERS, add

KEPT = 60  # lines of history of one object
FORGET = 3600  # seconds after which the history of an object that is gone is dropped


@dataclass
class Change:
    """What one message of a watch, or one difference found by a list, says."""

    when: float
    kind: str
    key: str
    before: object
    now: object
    listed: bool = False  # found by a list: when it happened is not known

    @property
    def bound(self):
        return self.kind == "pods" and self.now is not None and self.now.bound and (self.before is None or not self.before.bound)

    @property
    def evicted(self):
        """The Eviction API took the pod: its condition is written just before the deletion."""
        return self.kind == "pods" and self.now is not None and self.now.evicted and (self.before is None or not self.before.evicted)


class World:
    def __init__(self, schedulers=("berth",), default_queue="default", pool_label=""):
        self.schedulers, self.default_queue, self.pool_label = set(schedulers), default_queue, pool_label
        self.pods, self.nodes, self.queues, self.groups, self.budgets, self.leases = {}, {}, {}, {}, {}, {}
        self.namespaces = {}  # labels, by name
        self.now = 0.0
        self.by_node, self.by_group = defaultdict(set), defaultdict(set)
        self.by_owner = {}  # PodGroup keys, by UID of their owner
        self.group_of = {}  # group key, by pod UID
        self.ended = defaultdict(set)  # UIDs of members that ran to their end, by group
        self.charged = {}  # ((queue, pool), resources, class), by pod UID
        self.usage = {name: defaultdict(dict) for name in ("held", "leaving", "planned")}
        self.history, self.gone = defaultdict(lambda: deque(maxlen=KEPT)), {}
        self.shown = {}  # the name under which a history is printed, by UID or key

    # -- what is heard

    def hear(self, when, kind, type_, tree):
        """All changes of one message, after all of them have been applied."""
        self.now = max(self.now, when)
        if type_ == "LIST":
            return self.relist(when, kind, tree)
        changes = []
        key = self.key(kind, tree)
        before = self.table(kind).get(key)
        if type_ == "DELETED" and kind == "pods" and before is not None:
            last = self.read(kind, tree)  # its last version may be one that no message told
            if last.evicted and not before.evicted:
                changes.append(self.put(Change(when, kind, key, before, last)))
                before = last
        changes.append(self.put(Change(when, kind, key, before, None if type_ == "DELETED" else self.read(kind, tree))))
        return changes

    def key(self, kind, tree):
        meta = tree["metadata"]
        if kind in ("pods", "events"):
            return meta["uid"]
        return meta["name"] if kind in ("nodes", "queues", "namespaces", "leases") else f"{meta['namespace']}/{meta['name']}"

    def put(self, change):
        self.keep(change)
        self.applied(change)
        return change

    def keep(self, change):
        if change.now is None:
            self.table(change.kind).pop(change.key, None)
        elif change.kind != "events":
            self.table(change.kind)[change.key] = change.now

    def read(self, kind, tree):
        return dict(tree["metadata"].get("labels") or {}) if kind == "namespaces" else READERS[kind](tree)

    def table(self, kind):
        return {} if kind == "events" else getattr(self, kind)

    def relist(self, when, kind, trees):
        if kind == "events":
            return [Change(when, kind, tree["metadata"]["uid"], None, self.read(kind, tree), True) for tree in trees]
        changes, seen, table = [], set(), self.table(kind)
        for tree in trees:
            key = self.key(kind, tree)
            seen.add(key)
            change = Change(when, kind, key, table.get(key), self.read(kind, tree), True)
            if change.before is None or kind != "pods" or change.before.version != change.now.version:
                changes.append(change)
        changes += [Change(when, kind, key, table[key], None, True) for key in table if key not in seen]
        for change in changes:
            self.keep(change)
        for change in changes:
            self.applied(change)
        return changes

    def applied(self, change):
        if change.kind == "pods":
            self.index(change)
            self.tell(change)
        elif change.kind == "groups":
            self.owners(change)
            for uid in list(self.pods):
                if self.pods[uid].namespace == change.key.split("/")[0]:
                    self.place_in_group(self.pods[uid])
                    self.charge(uid)
        elif change.kind in ("queues", "namespaces") or change.kind == "nodes" and (change.before is None or change.now is None):
            for uid in list(self.pods):
                self.charge(uid)

    # -- indexes

    def index(self, change):
        uid = change.key
        if change.before is not None and change.before.bound:
            self.by_node[change.before.node].discard(uid)
        if change.now is not None:
            if change.now.takes:
                self.by_node[change.now.node].add(uid)
            self.place_in_group(change.now)
        else:
            group = self.group_of.pop(uid, "")
            self.by_group[group].discard(uid)
            if change.before.phase == "Succeeded":
                self.ended[group].add(uid)
        self.charge(uid)

    def place_in_group(self, pod):
        group = self.find_group(pod)
        known = self.group_of.get(pod.uid)
        if known != group:
            if known:
                self.by_group[known].discard(pod.uid)
            self.group_of[pod.uid] = group
            self.by_group[group].add(pod.uid)

    def find_group(self, pod):
        """namespace/name of its PodGroup; a pod alone is a group of its own key."""
        name = pod.labels.get("berth.dev/pod-group") or pod.annotations.get("berth.dev/pod-group")
        name = name or pod.annotations.get("pod-group-name") or pod.labels.get("scheduling.x-k8s.io/pod-group")
        if name:
            return f"{pod.namespace}/{name}"
        return self.by_owner.get(pod.owner, pod.key) if pod.owner else pod.key

    def owners(self, change):
        for group in (change.before, change.now):
            for owner in group.owners if group else ():
                if group is change.now:
                    self.by_owner[owner] = change.key
                elif self.by_owner.get(owner) == change.key:
                    del self.by_owner[owner]

    # -- queues

    def queue_of(self, pod):
        group = self.groups.get(self.group_of.get(pod.uid, ""))
        labels = self.namespaces.get(pod.namespace) or {}
        return (
            (group.queue if group else "")
            or pod.labels.get("berth.dev/queue")
            or pod.labels.get("kai.scheduler/queue")
            or labels.get("berth.dev/queue")
            or labels.get("kai.scheduler/queue")
            or self.default_queue
        )

    def path(self, queue):
        """A queue and those above it."""
        names = []
        while queue and queue not in names:
            names.append(queue)
            queue = self.queues[queue].parent if queue in self.queues else ""
        return names

    def pool_of(self, node):
        return node.labels.get(self.pool_label, "") if node and self.pool_label else ""

    def charge_of(self, pod):
        """What a pod counts for in its queues: gpu (shares included), cpu, memory, extended resources."""
        node = self.nodes.get(pod.node)
        amounts = {name: amount for name, amount in pod.requests.items() if name != "ephemeral-storage"}
        gpus = sum(amounts.get(name, 0) for name in ACCELERATORS)
        if pod.share:
            gpus += Fraction(pod.share.millis_on(node or self.any_gpu_node()) * pod.share.count, 1000)
        amounts["gpu"] = gpus
        return amounts

    def any_gpu_node(self):
        return next((node for node in self.nodes.values() if node.gpu_memory), None)

    def class_of(self, pod):
        """Whether a pod of Berth's holds its room, leaves it, or has a place promised; empty = none of these."""
        if pod.scheduler not in self.schedulers or pod.over:
            return ""
        if pod.bound:
            return "leaving" if pod.leaving else "held"
        return "planned" if pod.plan and GATE not in pod.gates and not pod.deleting else ""

    def charge(self, uid):
        pod = self.pods.get(uid)
        known = self.charged.pop(uid, None)
        if known:
            for place in known[0]:
                add(self.usage[known[2]][place], known[1], -1)
        kind = self.class_of(pod) if pod else ""
        if kind:
            pool = self.pool_of(self.nodes.get(pod.node))
            places, amounts = [(queue, pool) for queue in self.path(self.queue_of(pod))], self.charge_of(pod)
            for place in places:
                add(self.usage[kind][place], amounts)
            self.charged[uid] = (places, amounts, kind)

    def used(self, place, resource, *kinds):
        return sum(self.usage[kind][place].get(resource, 0) for kind in kinds)

    # -- groups

    def members(self, group):
        return [self.pods[uid] for uid in self.by_group.get(group, ()) if uid in self.pods]

    def minimum(self, group):
        if group in self.groups:
            return self.groups[group].minimum
        least = 1
        for pod in self.members(group):
            text = pod.annotations.get("berth.dev/min-member", "")
            least = max(least, int(text) if text.isdigit() else 1)
        return least

    def waits(self, pod):
        return pod.scheduler in self.schedulers and not pod.bound and not pod.over and not pod.deleting

    # -- histories

    def note(self, key, when, words):
        self.history[key].append((when, words))

    def tell(self, change):
        """A line for what changed of a pod."""
        before, now = change.before, change.now
        key = change.key
        words = []
        if now is None:
            words.append("is gone")
            self.gone[key] = change.when
        elif before is None:
            words.append("created" + (", gated" if GATE in now.gates else "") + (f", on {now.node}" if now.bound else "") + f", queue {self.queue_of(now)}, group {self.group_of[key]}")
            self.shown[key] = f"pod {now.key}"
        else:
            if now.plan != before.plan:
                words.append(f"plan: {now.plan or 'none'}")
            if GATE in before.gates and GATE not in now.gates:
                words.append("gate open")
            if now.bound and not before.bound:
                words.append(f"bound to {now.node}" + (f", {','.join(now.devices)}" if now.devices else ""))
            if now.evicted and not before.evicted:
                words.append("evicted (Eviction API)")
            if now.deleting and not before.deleting:
                words.append(f"deleted, grace {now.grace} s")
            if now.phase != before.phase:
                words.append(now.phase)
            if now.unschedulable and now.unschedulable != before.unschedulable:
                words.append(f"kube-scheduler: {now.unschedulable[:160]}")
            if now.reported and now.reported != before.reported:
                words.append(f"holds {','.join(now.reported)}")
        if words:
            self.note(key, change.when, ("(listed) " if change.listed else "") + "; ".join(words))

    def forget(self):
        for key in [key for key, when in self.gone.items() if when < self.now - FORGET]:
            del self.gone[key]
            self.history.pop(key, None)
            self.shown.pop(key, None)

