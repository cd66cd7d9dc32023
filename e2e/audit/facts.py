"""What objects of the API say, read without any code of Berth: pods, nodes, queues, groups, budgets."""

import math
import re
from dataclasses import dataclass
from datetime import datetime, timezone
from fractions import Fraction
from functools import lru_cache

GPU = "nvidia.com/gpu"
ACCELERATORS = (GPU, "amd.com/gpu")
GATE = "berth.dev/queued"
LONG_GRACE = 60  # seconds: a deleted pod with more than this runs on, and counts as running

SUFFIX = {
    "": Fraction(1), "n": Fraction(1, 10**9), "u": Fraction(1, 10**6), "m": Fraction(1, 1000),
    "k": Fraction(10**3), "M": Fraction(10**6), "G": Fraction(10**9), "T": Fraction(10**12), "P": Fraction(10**15), "E": Fraction(10**18),
    "Ki": Fraction(2**10), "Mi": Fraction(2**20), "Gi": Fraction(2**30), "Ti": Fraction(2**40), "Pi": Fraction(2**50), "Ei": Fraction(2**60),
}  # fmt: skip
QUANTITY = re.compile(r"^([+-]?[0-9.]+)(?:[eE]([+-]?[0-9]+)|([numkMGTPE]i?|))$")
DURATION = re.compile(r"([0-9.]+)(ns|us|µs|ms|s|m|h)")
SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600}


@lru_cache(maxsize=65536)
def quantity(text):
    """A Kubernetes quantity as an exact number."""
    match = QUANTITY.match(str(text).strip())
    if not match:
        raise ValueError(f'"{text}" is no quantity')
    number, exponent, suffix = match.groups()
    value = Fraction(number) * SUFFIX[suffix or ""]
    return value * Fraction(10) ** int(exponent) if exponent else value


def duration(text):
    """Seconds of a text like 1h30m."""
    sign = -1 if text.startswith("-") else 1
    return sign * sum(float(number) * SECONDS[unit] for number, unit in DURATION.findall(text))


@lru_cache(maxsize=65536)
def moment(text):
    """Seconds since 1970 of a time of the API; 0 = none."""
    if not text:
        return 0.0
    head, _, rest = text.rstrip("Z").partition(".")
    whole = datetime.strptime(head, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc).timestamp()
    return whole + (float("0." + rest) if rest else 0.0)


def requests(spec):
    """What a pod asks of a node: its containers, or the largest of its init containers beside the sidecars before it."""
    total, largest, sidecars = {}, {}, {}

    def asks(container):
        resources = container.get("resources") or {}
        amounts = {name: quantity(value) for name, value in (resources.get("limits") or {}).items() if "/" in name}
        amounts.update({name: quantity(value) for name, value in (resources.get("requests") or {}).items()})
        for name, value in (resources.get("limits") or {}).items():
            amounts.setdefault(name, quantity(value))
        return amounts

    for container in spec.get("containers") or []:
        add(total, asks(container))
    for container in spec.get("initContainers") or []:
        if container.get("restartPolicy") == "Always":
            add(sidecars, asks(container))
            peak = dict(sidecars)
        else:
            peak = dict(sidecars)
            add(peak, asks(container))
        for name, amount in peak.items():
            largest[name] = max(largest.get(name, 0), amount)
    add(total, sidecars)
    for name, amount in largest.items():
        total[name] = max(total.get(name, 0), amount)
    for name, value in ((spec.get("resources") or {}).get("requests") or {}).items():
        total[name] = quantity(value)
    add(total, {name: quantity(value) for name, value in (spec.get("overhead") or {}).items()})
    return total


def add(sums, amounts, sign=1):
    for name, amount in amounts.items():
        sums[name] = sums.get(name, 0) + sign * amount


@dataclass(frozen=True)
class Share:
    """A part of each of `count` GPUs: thousandths, or MiB."""

    millis: int
    mib: int
    count: int

    def millis_on(self, node):
        """Thousandths of one GPU of that node, rounded up."""
        if self.millis:
            return self.millis
        memory = node.gpu_memory if node else 0
        return math.ceil(Fraction(self.mib * 1000, memory)) if memory else 0


def share(annotations):
    count = int(annotations.get("gpu-fraction-num-devices") or 1)
    if "gpu-fraction" in annotations:
        return Share(math.ceil(quantity(annotations["gpu-fraction"]) * 1000), 0, count)
    if "gpu-memory" in annotations:
        text = annotations["gpu-memory"].strip()
        return Share(0, int(text) if text.isdigit() else math.ceil(quantity(text) / 2**20), count)
    return None


class Pod:
    """One version of a pod."""

    __slots__ = (
        "uid", "namespace", "name", "version", "scheduler", "node", "phase", "deleting", "grace", "created", "labels", "annotations", "gates", "requests", "share",
        "devices", "holder", "reported", "owned", "plan", "ready", "evicted", "unschedulable", "owner", "started", "plain", "priority",
    )  # fmt: skip

    def __init__(self, tree):
        meta, spec, status = tree["metadata"], tree.get("spec") or {}, tree.get("status") or {}
        self.uid, self.namespace, self.name, self.version = meta["uid"], meta["namespace"], meta["name"], meta.get("resourceVersion", "")
        self.labels, self.annotations = meta.get("labels") or {}, meta.get("annotations") or {}
        self.created = moment(meta.get("creationTimestamp", ""))
        self.deleting, self.grace = bool(meta.get("deletionTimestamp")), meta.get("deletionGracePeriodSeconds") or 0
        self.scheduler, self.node = spec.get("schedulerName", ""), spec.get("nodeName", "")
        self.priority = spec.get("priority") or 0
        self.phase = status.get("phase", "")
        self.started = moment(status.get("startTime", ""))
        self.gates = tuple(gate["name"] for gate in spec.get("schedulingGates") or [])
        self.requests = requests(spec)
        self.holder = self.labels.get("berth.dev/holder") == "true"
        try:
            self.share = None if self.holder or self.labels.get("berth.dev/probe") == "true" else share(self.annotations)
        except ValueError:
            self.share = None
        self.plan = self.annotations.get("berth.dev/plan", "")
        self.devices = tuple(d for d in self.annotations.get("berth.dev/gpu-devices", "").split(",") if d) if self.share else ()
        self.reported = reported(status) if self.holder else ()
        self.owned = allocated(status)
        conditions = {condition["type"]: condition for condition in status.get("conditions") or []}
        self.ready = (conditions.get("Ready") or {}).get("status") == "True"
        target = conditions.get("DisruptionTarget") or {}
        self.evicted = target.get("status") == "True" and target.get("reason") == "EvictionByEvictionAPI"
        scheduled = conditions.get("PodScheduled") or {}
        refused = scheduled.get("status") == "False" and scheduled.get("reason") != "SchedulingGated"
        self.unschedulable = scheduled.get("message", "") if refused else ""
        owners = [owner for owner in meta.get("ownerReferences") or [] if owner.get("controller")]
        self.owner = owners[0]["uid"] if owners else ""
        self.plain = is_plain(spec, self.annotations)

    @property
    def key(self):
        return f"{self.namespace}/{self.name}"

    @property
    def over(self):
        return self.phase in ("Succeeded", "Failed")

    @property
    def bound(self):
        return bool(self.node)

    @property
    def takes(self):
        """It has room on its node."""
        return bool(self.node) and not self.over

    @property
    def leaving(self):
        return self.deleting and self.grace <= LONG_GRACE

    @property
    def whole(self):
        return sum(int(self.requests.get(name, 0)) for name in ACCELERATORS)

    @property
    def healthy(self):
        return self.ready and not self.deleting and not self.over


def reported(status):
    """UUIDs that a holder tells: by the kubelet's own status, else by its termination message."""
    for container in status.get("containerStatuses") or []:
        ids = [r["resourceID"] for a in container.get("allocatedResourcesStatus") or [] for r in a.get("resources") or [] if r.get("resourceID")]
        for state in ("state", "lastState"):
            message = ((container.get(state) or {}).get("terminated") or {}).get("message", "").strip()
            if message:
                return tuple(d.strip() for d in message.split(",") if d.strip())
        if ids:
            return tuple(ids)
    return ()


def allocated(status):
    """GPUs that the kubelet says it gave to the pod."""
    return tuple(
        r["resourceID"]
        for c in (status.get("containerStatuses") or []) + (status.get("initContainerStatuses") or [])
        for a in c.get("allocatedResourcesStatus") or []
        if a.get("name") in ACCELERATORS
        for r in a.get("resources") or []
        if r.get("resourceID")
    )


def is_plain(spec, annotations):
    """Whether a pod fits wherever there is room: the audit does not play kube-scheduler's other rules."""
    odd = ("nodeSelector", "affinity", "topologySpreadConstraints", "resourceClaims", "hostNetwork")
    volumes = any("persistentVolumeClaim" in v or "ephemeral" in v for v in spec.get("volumes") or [])
    ports = any(p.get("hostPort") for c in spec.get("containers") or [] for p in c.get("ports") or [])
    words = any(w in annotations for w in ("berth.dev/topology", "berth.dev/gpu-model", "berth.dev/gpu-isolation", "berth.dev/segment-size", "kai.scheduler/topology", "mps"))
    return not (volumes or ports or words or any(spec.get(field) for field in odd))


class Node:
    __slots__ = ("name", "allocatable", "gpu_memory", "labels", "open")

    def __init__(self, tree):
        spec, status = tree.get("spec") or {}, tree.get("status") or {}
        self.name = tree["metadata"]["name"]
        self.labels = tree["metadata"].get("labels") or {}
        self.allocatable = {name: quantity(value) for name, value in (status.get("allocatable") or {}).items()}
        memory = self.labels.get("nvidia.com/gpu.memory", "")
        self.gpu_memory = int(memory) if memory.isdigit() else 0
        ready = any(c["type"] == "Ready" and c["status"] == "True" for c in status.get("conditions") or [])
        tainted = any(t.get("effect") in ("NoSchedule", "NoExecute") for t in spec.get("taints") or [])
        self.open = ready and not spec.get("unschedulable") and not tainted and not tree["metadata"].get("deletionTimestamp")


def amounts(tree):
    """Of a quota or a limit; what is unlimited is left out of limits, and infinite in quotas."""
    return {name: (math.inf if value == "unlimited" else quantity(value)) for name, value in (tree or {}).items()}


class Queue:
    __slots__ = ("name", "parent", "quota", "limit")

    def __init__(self, tree):
        spec = tree.get("spec") or {}
        self.name = tree["metadata"]["name"]
        self.parent = spec.get("parent", "")
        self.quota, self.limit = amounts(spec.get("quota")), amounts(spec.get("limit"))


class Group:
    """A PodGroup of Berth."""

    __slots__ = ("key", "uid", "queue", "minimum", "plain", "owners", "phase", "reason", "message", "preemptibility")

    def __init__(self, tree):
        meta, spec, status = tree["metadata"], tree.get("spec") or {}, tree.get("status") or {}
        self.key, self.uid = f"{meta['namespace']}/{meta['name']}", meta["uid"]
        self.queue = spec.get("queue", "")
        subgroups = spec.get("subGroups") or []
        leaves = [s for s in subgroups if not any(c.get("parent") == s["name"] for c in subgroups)]
        partial = bool(spec.get("minSubGroup")) or any(s.get("minSubGroup") for s in subgroups)
        self.minimum = spec.get("minMember") or (1 if partial else sum(leaf.get("minMember") or 1 for leaf in leaves)) or 1
        self.plain = not subgroups and not spec.get("topology") and not spec.get("preemptionDelay")
        self.owners = tuple(owner["uid"] for owner in meta.get("ownerReferences") or [])
        self.phase, self.reason, self.message = status.get("phase", ""), status.get("reason", ""), status.get("message", "")
        self.preemptibility = spec.get("preemptibility", "")


class Budget:
    __slots__ = ("key", "namespace", "selector", "least", "most", "expected", "granted")

    def __init__(self, tree):
        meta, spec, status = tree["metadata"], tree.get("spec") or {}, tree.get("status") or {}
        self.key, self.namespace = f"{meta['namespace']}/{meta['name']}", meta["namespace"]
        self.selector = spec.get("selector")
        self.least, self.most = spec.get("minAvailable"), spec.get("maxUnavailable")
        self.expected = status.get("expectedPods") or 0
        self.granted = frozenset(status.get("disruptedPods") or ())  # names of pods whose eviction the API server granted a moment ago

    def covers(self, pod):
        return pod.namespace == self.namespace and self.selector is not None and matches(self.selector, pod.labels)

    def desired(self, matched):
        """How many must stay healthy, as the budget's own controller counts."""
        expected = self.expected or matched
        if self.least is not None:
            return of_all(self.least, expected)
        return max(0, expected - of_all(1 if self.most is None else self.most, expected))


def of_all(amount, whole):
    return math.ceil(int(amount.rstrip("%")) * whole / 100) if isinstance(amount, str) else amount


def matches(selector, labels):
    for name, value in (selector.get("matchLabels") or {}).items():
        if labels.get(name) != value:
            return False
    for rule in selector.get("matchExpressions") or []:
        value, values = labels.get(rule["key"]), rule.get("values") or []
        met = {"In": value in values, "NotIn": value not in values, "Exists": value is not None, "DoesNotExist": value is None}[rule["operator"]]
        if not met:
            return False
    return True


LEAVES = re.compile(r"^Leaves for ([^\s:]+)(?: of queue .*|: .*)? \((\w+)\)\.$", re.S)


ALONE = {"max-runtime": "max-runtime", "stale": "less than its minimum"}  # who leaves for nobody, and the words that say so


class Event:
    """An event on an object; `cause` and `beneficiary` where it tells of an eviction by Berth."""

    __slots__ = ("ours", "kind", "uid", "key", "reason", "action", "note", "cause", "beneficiary", "at", "instance")

    def __init__(self, tree):
        regarding = tree.get("regarding") or {}
        self.ours = tree.get("reportingController", "").startswith("berth.dev/")
        self.instance = tree.get("reportingInstance", "")
        self.kind, self.uid = regarding.get("kind", ""), regarding.get("uid", "")
        self.key = f"{regarding.get('namespace', '')}/{regarding.get('name', '')}"
        self.reason, self.action, self.note = tree.get("reason", ""), tree.get("action", ""), tree.get("note", "")
        self.at = moment(tree.get("eventTime") or "")
        leaves = LEAVES.match(self.note) if self.ours and self.reason == "Evicted" else None
        self.beneficiary, self.cause = (leaves.group(1), leaves.group(2)) if leaves else ("", "")
        if self.ours and self.reason == "Evicted" and not leaves:
            self.cause = next((cause for cause, words in ALONE.items() if words in self.note), "unread")


class Lease:
    __slots__ = ("holder", "renewed", "duration")

    def __init__(self, tree):
        spec = tree.get("spec") or {}
        self.holder, self.renewed = spec.get("holderIdentity") or "", moment(spec.get("renewTime") or "")
        self.duration = spec.get("leaseDurationSeconds") or 0


READERS = {"pods": Pod, "nodes": Node, "queues": Queue, "groups": Group, "budgets": Budget, "events": Event, "leases": Lease}
