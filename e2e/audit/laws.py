"""What must hold in a cluster with Berth: each law is a class, and its docstring is what the report says of it.

A law hears every change, and once a second that time has passed. What is wrong for a while is a span with a beginning and an end;
a law is broken by a span that lasts longer than the law allows.
"""

import math
from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

from facts import ACCELERATORS, GATE, GPU, add

CRASH = 10  # seconds: the event of an eviction may be lost with a leader that dies so soon after it
SHOWN = 12  # lines of history of an object that is printed


@dataclass
class Break:
    when: float
    object: str
    words: str
    history: list = field(default_factory=list)


class Law:
    title = ""
    within = 0.0  # seconds that something may be wrong

    def __init__(self, world, settings):
        self.world, self.settings = world, settings
        self.broken = []
        self.spans = {}  # (since, words, keys of histories, counted), by what is wrong
        self.longest = (0.0, "")
        self.looked = 0  # cases that were looked at: a law that saw none says nothing

    def changed(self, change):
        pass

    def ticked(self, now):
        pass

    def ended(self, now):
        pass

    def figures(self):
        return {}

    # -- spans

    def wrong(self, key, when, is_wrong, words="", histories=()):
        """Opens a span, or closes it. It counts as broken as soon as it has lasted too long."""
        span = self.spans.get(key)
        if is_wrong:
            if span is None:
                span = self.spans[key] = [when, words, tuple(histories), False]
            elif words:
                span[1] = words
            self.judge(span, when)
        elif span is not None:
            self.judge(span, when)
            del self.spans[key]

    def judge(self, span, when):
        lasted = when - span[0]
        if lasted > self.longest[0]:
            self.longest = (lasted, span[1])
        if not span[3] and (self.within == 0 or lasted > self.within):
            span[3] = True
            self.breaks(span[0], span[1] + (f" (for more than {self.within:g} s)" if self.within else ""), span[2])

    def judge_open(self, now):
        for span in self.spans.values():
            self.judge(span, now)

    def breaks(self, when, words, histories=()):
        lines = []
        for key in histories:
            lines += [(at, f"{self.world.shown.get(key, key)}: {line}") for at, line in list(self.world.history.get(key, ()))[-SHOWN:]]
        self.broken.append(Break(when, self.world.shown.get(histories[0], histories[0]) if histories else "", words, sorted(lines)))


class Devices(Law):
    """No GPU is given out beyond 1.0: shares of a GPU sum up to 1 at the most, each names GPUs that a holder on its node reports, and no GPU of a whole pod is shared."""

    title = "devices"

    def __init__(self, world, settings):
        super().__init__(world, settings)
        self.most = 0
        self.reports = {}  # node, by GPU

    def changed(self, change):
        if change.kind != "pods":
            return
        for node in {pod.node for pod in (change.before, change.now) if pod is not None and pod.bound}:
            self.look(node, change.when)

    def look(self, name, when):
        node = self.world.nodes.get(name)
        pods = [self.world.pods[uid] for uid in self.world.by_node[name] if uid in self.world.pods]
        held, used, users, owned = {}, defaultdict(int), defaultdict(list), {}
        wrongs = {}
        for pod in pods:
            for device in pod.reported:
                if device in held:
                    wrongs[(device, "two")] = (f"GPU {device} is reported by two holders, {held[device].key} and {pod.key}", (pod.uid, held[device].uid))
                held[device] = pod
            if not pod.share and not pod.holder:
                for device in pod.owned:
                    owned[device] = pod
        for pod in pods:
            if not pod.share:
                continue
            self.looked += 1
            if not pod.devices:
                wrongs[(pod.uid, "none")] = (f"pod {pod.key} is bound to {name} with a share and without a GPU", (pod.uid,))
            if len(pod.devices) != len(set(pod.devices)) or pod.devices and len(pod.devices) != pod.share.count:
                wrongs[(pod.uid, "count")] = (f"pod {pod.key} asks for {pod.share.count} GPUs and has {','.join(pod.devices)}", (pod.uid,))
            for device in pod.devices:
                used[device] += pod.share.millis_on(node)
                users[device].append(pod)
                if device not in held and node is not None:  # of a deleted node the holders go first, its shares some seconds later
                    wrongs[(pod.uid, device, "unheld")] = (f"pod {pod.key} on {name} uses {device}, which no holder there reports", (pod.uid,))
                if device in owned:
                    wrongs[(pod.uid, device, "whole")] = (f"GPU {device} is shared by {pod.key} and is a whole GPU of {owned[device].key}", (pod.uid, owned[device].uid))
        for device, millis in used.items():
            self.most = max(self.most, millis)
            if millis > 1000:
                names = ", ".join(sorted(pod.key for pod in users[device]))
                wrongs[(device, "sum")] = (f"GPU {device} on {name} is given out to {millis} thousandths: {names}", tuple(pod.uid for pod in users[device]))
        for key in [key for key in self.spans if key[0] == name and key not in {(name,) + k for k in wrongs}]:
            self.wrong(key, when, False)
        for key, (words, histories) in wrongs.items():
            self.wrong((name,) + key, when, True, words, histories)

    def figures(self):
        return {"most that was given out of one GPU": f"{self.most} thousandths"}


class NodeRoom(Law):
    """No node is filled beyond its allocatable by a pod of Berth's: GPUs (those that holders keep included), cores, memory, places for pods, extended resources."""

    title = "nodes"

    def changed(self, change):
        if change.kind == "nodes":
            self.look(change.key, change.when, None)
        if change.kind == "pods":
            for pod in (change.before, change.now):
                if pod is not None and pod.bound:
                    self.look(pod.node, change.when, change.now if change.bound else None)

    def look(self, name, when, comer):
        node = self.world.nodes.get(name)
        if node is None:
            for key in [key for key in self.spans if key[0] == name]:
                self.wrong(key, when, False)
            return
        sums = {"pods": 0}
        for uid in self.world.by_node[name]:
            sums["pods"] += 1
            for resource, amount in self.world.pods[uid].requests.items():
                sums[resource] = sums.get(resource, 0) + amount
        ours = comer is not None and (comer.holder or comer.scheduler in self.world.schedulers)
        self.looked += ours
        for resource, amount in sums.items():
            most = node.allocatable.get(resource, 0 if resource in ACCELERATORS else math.inf)
            key = (name, resource)
            if amount <= most or key in self.spans:
                self.wrong(key, when, amount > most)
            elif ours and (resource == "pods" or comer.requests.get(resource, 0) > 0):
                self.wrong(key, when, True, f"node {name} gives out {show(amount)} of {show(most)} {resource} since {comer.key} came", (comer.uid,))


class Gangs(Law):
    """No gang is bound in part for longer than the stated time: neither before it was whole, nor, once it ran, below its minimum."""

    title = "gangs"

    def __init__(self, world, settings):
        super().__init__(world, settings)
        self.within = settings.gang_within
        self.whole = set()  # groups that once were
        self.starting, self.below = (0.0, ""), (0.0, "")
        self.many = 0

    def changed(self, change):
        if change.kind == "pods":
            group = self.world.group_of.get(change.key) or (self.world.find_group(change.before) if change.before else "")
            if group:
                self.look(group, change.when)
        elif change.kind == "groups":
            self.look(change.key, change.when)

    def look(self, group, when):
        minimum = self.world.minimum(group)
        if minimum <= 1:
            self.wrong(group, when, False)
            return
        members = self.world.members(group)
        done = len(self.world.ended[group] - {pod.uid for pod in members})
        count = done + sum(1 for pod in members if pod.bound and pod.phase != "Failed" and not (pod.deleting and not pod.over))
        alive = [pod for pod in members if not pod.over and not pod.deleting]
        if count >= minimum:
            if group not in self.whole:
                self.looked += 1
            self.whole.add(group)
        part = 0 < count < minimum and any(pod.bound for pod in alive) and not done
        known = self.spans.get(group)
        if part and known is None:
            self.many += 1
        how = "runs below its minimum" if group in self.whole else "is bound in part"
        self.wrong(group, when, part, f"gang {group} {how}: {count} of {minimum}", tuple(pod.uid for pod in sorted(members, key=lambda p: p.name)[:6]))
        if known is not None:
            self.count(group, when - known[0], known[1])
        if not members:
            self.whole.discard(group)

    def count(self, group, lasted, words):
        if group in self.whole and "below" in words:
            self.below = max(self.below, (lasted, group))
        else:
            self.starting = max(self.starting, (lasted, group))

    def ticked(self, now):
        for group, span in list(self.spans.items()):
            self.judge(span, now)
            self.count(group, now - span[0], span[1])

    def figures(self):
        return {
            "times that a gang was bound in part": self.many,
            "longest before it was whole": f"{self.starting[0]:.1f} s {self.starting[1]}",
            "longest below its minimum, once it had run": f"{self.below[0]:.1f} s {self.below[1]}",
        }


class Limits(Law):
    """No pod is bound where its queue, or one above it, then has more than its limit; pods on their way out are not counted."""

    title = "limits"

    def __init__(self, world, settings):
        super().__init__(world, settings)
        self.over = {}  # since, by (queue, pool, resource): pods on their way out counted
        self.with_leaving = (0.0, 0.0, "")
        self.most, self.duration = Fraction(0), 0.0

    def changed(self, change):
        if change.kind == "pods":
            self.look(change.when, change.now if change.bound else None)
        elif change.kind == "queues":
            self.look(change.when, None)

    def look(self, when, comer):
        ours = comer is not None and comer.scheduler in self.world.schedulers
        path = set(self.world.path(self.world.queue_of(comer))) if ours else set()
        self.looked += ours
        for name, queue in self.world.queues.items():
            pools = {place[1] for place in self.world.usage["held"] if place[0] == name} | {""} if self.world.pool_label else ("",)
            for resource, limit in queue.limit.items():
                if limit == math.inf:
                    continue
                for pool in pools:
                    self.judge_limit(when, name, pool, resource, limit, comer if name in path else None)

    def judge_limit(self, when, name, pool, resource, limit, comer):
        place, key = (name, pool), (name, pool, resource)
        held = self.world.used(place, resource, "held")
        total = held + self.world.used(place, resource, "leaving")
        if total > limit:
            since = self.over.setdefault(key, when)
            self.with_leaving = max(self.with_leaving, (float(total - limit), when - since, f"{name} {resource}"))
            self.duration = max(self.duration, when - since)
        elif key in self.over:
            self.duration = max(self.duration, when - self.over.pop(key))
        if held <= limit or key in self.spans:
            self.wrong(key, when, held > limit)
        elif comer is not None and self.world.charge_of(comer).get(resource, 0) > 0:
            self.most = max(self.most, held - limit)
            self.wrong(key, when, True, f"queue {name} has {show(held)} {resource} of its limit of {show(limit)} since {comer.key} was bound", (comer.uid,))

    def figures(self):
        return {
            "most above a limit, pods on their way out not counted": f"{show(self.most)}, longest {self.longest[0]:.1f} s",
            "most above a limit, pods on their way out counted": f"{self.with_leaving[0]:g} {self.with_leaving[2]}, longest {self.duration:.1f} s",
        }


class Budgets(Law):
    """No eviction of a healthy pod leaves its disruption budget with fewer healthy pods than it demands, unless the budget's own status, which may be late, granted it."""

    title = "budgets"
    MEMORY = 10  # seconds in which the grant of the API server must show in the budget's status

    def __init__(self, world, settings):
        super().__init__(world, settings)
        self.short = []  # (when, budget, pod, words): not known yet whether they were granted
        self.grants = {}  # when, by (budget, name of pod)
        self.by_late_status = 0

    def changed(self, change):
        if change.kind == "budgets" and change.now is not None:
            for name in change.now.granted:
                self.grants[change.key, name] = change.when
        if not change.evicted or change.now.scheduler not in self.world.schedulers:
            return
        if change.before is not None and not change.before.healthy:
            return
        for budget in self.world.budgets.values():
            if budget.covers(change.now):
                self.looked += 1
                covered = [pod for pod in self.world.pods.values() if budget.covers(pod)]
                healthy = sum(1 for pod in covered if pod.healthy and not pod.evicted)
                desired = budget.desired(sum(1 for pod in covered if not pod.over))
                if healthy < desired:
                    words = f"the eviction of {change.now.key} leaves budget {budget.key} with {healthy} healthy pods of {desired}"
                    self.short.append((change.when, budget.key, change.now, words))

    def ticked(self, now):
        for case in [case for case in self.short if now - case[0] > self.MEMORY]:
            self.settle(case)

    def ended(self, now):
        for case in list(self.short):
            self.settle(case)

    def settle(self, case):
        when, budget, pod, words = case
        self.short.remove(case)
        if abs(self.grants.get((budget, pod.name), 0) - when) <= self.MEMORY:
            self.by_late_status += 1
        else:
            self.breaks(when, words, (pod.uid,))

    def figures(self):
        return {"evictions of pods that a budget covers": self.looked, "of them below the budget, granted by its own late status": self.by_late_status}


@dataclass
class Eviction:
    pod: object
    when: float
    queue: str
    ran: float
    event: object = None
    told: float = 0.0


class Evictions(Law):
    """Each eviction of a pod of Berth's has its event, unless Berth's leader died within seconds after it.

    kube-apiserver writes the condition, then deletes the pod. One that is cut off between the two evicts nobody: such a pod stays."""

    title = "evictions told"
    HALFWAY = 5.0  # seconds from the condition to the deletion, above which it is not of the same eviction

    def __init__(self, world, settings):
        super().__init__(world, settings)
        self.evictions = {}
        self.events = {}  # by pod UID: events may come first
        self.unsaid_by_crash = 0
        self.leaves = {}  # when a pod was first seen on its way out, by UID
        self.halfway = 0

    def changed(self, change):
        if change.evicted and change.now.scheduler in self.world.schedulers:
            pod = change.now
            self.evictions.setdefault(change.key, Eviction(pod, change.when, self.world.queue_of(pod), change.when - pod.started if pod.started else 0.0))
            self.looked += 1
            if change.key in self.events:
                self.join(change.key, *self.events[change.key])
        elif change.kind == "events" and change.now is not None and change.now.ours and change.now.reason == "Evicted":
            self.events.setdefault(change.now.uid, (change.now, change.when))
            self.world.note(change.now.uid, change.when, f"event: {change.now.note}")
            self.join(change.now.uid, change.now, change.when)
        if change.kind == "pods" and change.key in self.evictions and (change.now is None or change.now.deleting):
            self.leaves.setdefault(change.key, change.when)

    def join(self, uid, event, when):
        eviction = self.evictions.get(uid)
        if eviction and eviction.event is None:
            eviction.event, eviction.told = event, when
            if event.cause == "unread":
                self.breaks(when, f"the event of the eviction of {eviction.pod.key} says what this program cannot read: {event.note}", (uid,))

    def ended(self, now):
        for uid, eviction in self.evictions.items():
            late = (eviction.told or now) - eviction.when
            if late > self.settings.told_within and eviction.event is None:
                if self.leaves.get(uid, now) > eviction.when + self.HALFWAY:
                    self.halfway += 1
                elif self.settings.leaders.died(eviction.when - 2, eviction.when + CRASH):
                    self.unsaid_by_crash += 1
                else:
                    self.breaks(eviction.when, f"pod {eviction.pod.key} was evicted and no event of Berth tells why (or somebody else evicted it)", (uid,))

    def figures(self):
        ran = sorted(eviction.ran for eviction in self.evictions.values())
        causes = defaultdict(int)
        for eviction in self.evictions.values():
            causes[eviction.event.cause if eviction.event else "untold"] += 1
        return {
            "evictions": f"{len(ran)}: " + (", ".join(f"{cause} {count}" for cause, count in sorted(causes.items())) or "none"),
            "moves (consolidate)": causes["consolidate"],
            "how long victims had run": quantiles(ran) + f"; {sum(1 for each in ran if each < 5)} less than 5 s",
            "evictions without an event whose leader died": self.unsaid_by_crash,
            "conditions of an eviction on pods that were not deleted then": self.halfway,
        }


class Useful(Law):
    """Whoever a pod was evicted for is bound afterwards within the stated time, as long as it is wanted at all."""

    title = "evictions used"
    PATIENCE = 60  # seconds, after which who deletes its claimant does not excuse that others left for it

    @dataclass
    class Due:
        uid: str
        when: float
        beneficiary: str
        cause: str

    def __init__(self, world, settings):
        super().__init__(world, settings)
        self.due, self.heard = [], set()
        self.outcomes = defaultdict(int)
        self.bound_late = []

    def changed(self, change):
        if change.kind == "events" and change.now is not None and change.now.ours and change.now.reason == "Evicted" and change.now.beneficiary:
            event = change.now
            if event.at >= self.settings.begun and event.uid not in self.heard:
                self.heard.add(event.uid)
                self.looked += 1
                self.due.append(self.Due(event.uid, event.at, event.beneficiary, event.cause))
        elif change.bound and self.due:
            self.bound(self.world.group_of.get(change.key, ""), change.when)

    def bound(self, group, when):
        for due in [due for due in self.due if due.beneficiary == group and when >= due.when]:
            self.bound_late.append(when - due.when)
            self.settle(due, "its beneficiary was bound")

    def settle(self, due, outcome):
        self.outcomes[outcome] += 1
        self.due.remove(due)

    def ticked(self, now):
        for due in list(self.due):
            members = self.world.members(due.beneficiary)
            waiting = [pod for pod in members if self.world.waits(pod)]
            late = now - due.when > self.settings.used_within
            if not waiting:
                if any(pod.bound for pod in members) and now - due.when > 5:
                    since = [at for pod in members for at, words in self.world.history.get(pod.uid, ()) if "bound to" in words and at >= due.when - 2]
                    self.settle(due, "its beneficiary was bound" if since else "its beneficiary had all its pods already")
                elif not members and now - due.when > self.PATIENCE:
                    self.settle(due, "for nothing: its beneficiary waited and was deleted")
                    self.breaks(
                        due.when,
                        f"{self.world.shown.get(due.uid, due.uid)} was evicted for {due.beneficiary} ({due.cause}), which was not bound within {self.PATIENCE} s and was deleted then",
                        (due.uid,),
                    )
                elif not members and now - due.when > 5:
                    self.settle(due, "its beneficiary was deleted before it was bound")
            elif late:
                crashed = self.settings.leaders.changed(due.when, due.when + self.settings.used_within)
                self.settle(due, "for nothing" + (", a change of leaders between" if crashed else ""))
                self.breaks(
                    due.when,
                    f"{self.world.shown.get(due.uid, due.uid)} was evicted for {due.beneficiary} ({due.cause}), which was not bound within {self.settings.used_within:g} s"
                    + (" (Berth's leader changed meanwhile)" if crashed else ""),
                    (due.uid, waiting[0].uid),
                )

    def ended(self, now):
        for due in list(self.due):
            self.settle(due, "not known: the audit ended first")

    def figures(self):
        return {
            "what became of those for whom pods were evicted": ", ".join(f"{what} {count}" for what, count in sorted(self.outcomes.items())) or "none",
            "from an eviction to the binding": quantiles(self.bound_late),
        }


class WithinQuota(Law):
    """No reclaim takes a pod of a queue that was within its quota, with all queues between it and the one that claims, all through the time around it.

    Plans are counted, also those that no gate shows yet: a group for which pods were evicted has a plan until it is bound."""

    title = "quotas"
    PROMISED = 60.0  # seconds, after which a group for which pods left counts as waiting again

    def __init__(self, world, settings):
        super().__init__(world, settings)
        self.above = {}  # when a (queue, pool) was last above its quota in anything
        self.open = []  # reclaims whose queue was not above its quota before: plans of the same moment show later
        self.asked = set()
        self.promised = {}  # when a pod was last evicted for it, by group
        self.by_plans = 0

    def changed(self, change):
        if change.kind in ("pods", "queues"):
            self.look(change.when)
        elif change.kind == "events" and change.now is not None and change.now.ours and change.now.beneficiary and change.now.uid not in self.asked and not change.listed:
            self.asked.add(change.now.uid)
            self.promised[change.now.beneficiary] = change.when
            self.look(change.when)
            if change.now.cause == "reclaim":
                self.judge_reclaim(change.now, change.now.at or change.when)

    def look(self, when):
        promised = self.charged_by_promises(when)
        for place in {place for kind in ("held", "planned", "leaving") for place in self.world.usage[kind]} | set(promised):
            queue = self.world.queues.get(place[0])
            if queue is None:
                continue
            for resource in ("gpu", "cpu", "memory"):
                # Who leaves makes room for who was promised it: never both.
                leaving = self.world.used(place, resource, "leaving")
                used = self.world.used(place, resource, "held", "planned") + max(leaving, promised.get(place, {}).get(resource, 0))
                if used > queue.quota.get(resource, 0) and (resource == "gpu" or resource in queue.quota):
                    self.above[place] = when

    def charged_by_promises(self, when):
        """What groups for which pods were evicted, and that still wait, will be charged: by place, the least that each still needs."""
        self.promised = {group: at for group, at in self.promised.items() if when - at <= self.PROMISED}
        charged = defaultdict(dict)
        for group in self.promised:
            members = self.world.members(group)
            waiting = sorted((pod for pod in members if self.world.waits(pod) and not self.world.class_of(pod)), key=lambda pod: pod.uid)
            there = sum(1 for pod in members if self.world.class_of(pod) in ("held", "planned"))
            for pod in waiting[: max(1, self.world.minimum(group) - there)]:
                for queue in self.world.path(self.world.queue_of(pod)):
                    add(charged[queue, ""], self.world.charge_of(pod))
        return charged

    def judge_reclaim(self, event, when):
        pod = self.world.pods.get(event.uid)
        path = self.world.path(self.settings.queues_of.get(event.uid) or (self.world.queue_of(pod) if pod else ""))
        claimants = self.world.members(event.beneficiary)
        if not path or not claimants:
            return
        self.looked += 1
        theirs = set(self.world.path(self.world.queue_of(claimants[0])))
        between = [queue for queue in path if queue not in theirs]
        if between and not self.was_above(between, when):
            self.open.append((when, event, between))

    def was_above(self, queues, when):
        return any(place[0] in queues and last >= when - self.settings.quota_window for place, last in self.above.items())

    def ticked(self, now):
        for case in [case for case in self.open if now - case[0] > self.settings.quota_window]:
            self.settle(case)

    def ended(self, now):
        for case in list(self.open):
            self.settle(case)

    def settle(self, case):
        when, event, between = case
        self.open.remove(case)
        if self.was_above(between, when):
            self.by_plans += 1
        else:
            window = self.settings.quota_window
            self.breaks(when, f"pod {event.key} was reclaimed for {event.beneficiary}, but none of {', '.join(between)} was above its quota in the {window:g} s before and after", (event.uid,))

    def figures(self):
        return {"reclaims from a queue that was above its quota only after them, by plans of the same moment": self.by_plans}


class Reasons(Law):
    """Each waiting pod has a reason within the stated time: a message of kube-scheduler, an event of Berth on it or its PodGroup, the group's status, or a plan."""

    title = "reasons"

    def __init__(self, world, settings):
        super().__init__(world, settings)
        self.within = settings.reason_within
        self.told = set()  # UIDs of objects of which an event told something

    def changed(self, change):
        if change.kind == "events" and change.now is not None and change.now.ours and change.now.action in ("Wait", "Plan", "MakeRoom"):
            self.told.add(change.now.uid)
            self.world.note(change.now.uid, change.when, f"event {change.now.reason}: {change.now.note[:200]}")
        elif change.kind == "pods" and (change.now is None or not self.world.waits(change.now)):
            self.wrong(change.key, change.when, False)

    def ticked(self, now):
        for uid, pod in self.world.pods.items():
            if self.world.waits(pod):
                group = self.world.groups.get(self.world.group_of.get(uid, ""))
                reason = pod.unschedulable or pod.plan or uid in self.told or group and (group.reason or group.message or group.uid in self.told or group.phase in ("Planned", "Starting"))
                self.looked += uid not in self.spans
                if not reason and uid not in self.spans:
                    self.spans[uid] = [max(pod.created, self.settings.begun), f"pod {pod.key} waits without a reason", (uid,), False]
                self.wrong(uid, now, not reason)

    def figures(self):
        return {"longest that a pod waited without a reason": f"{self.longest[0]:.1f} s"}


class Liveness(Law):
    """At rest, each group that could start has started within the stated time: there is room for it on open nodes and below all limits, and neither a change of leaders nor a blind span falls into that time."""

    title = "liveness"

    EVERY = 3.0

    def __init__(self, world, settings):
        super().__init__(world, settings)
        self.within = settings.start_within
        self.next = 0.0
        self.unsure = set()  # groups whose other rules the audit does not play

    def ticked(self, now):
        if now < self.next:
            return
        self.next = now + self.EVERY
        if self.settings.leaders.unsettled(now):
            self.spans.clear()
            return
        rooms = Rooms(self.world)
        waiting = defaultdict(list)
        for pod in self.world.pods.values():
            if self.world.waits(pod):
                waiting[self.world.group_of[pod.uid]].append(pod)
        for group in [group for group in self.spans if group not in waiting]:
            self.wrong(group, now, False)
        for group, pods in waiting.items():
            self.looked += group not in self.spans
            could = self.could_start(group, pods, rooms)
            self.wrong(group, now, bool(could), f"group {group} could start: {could}", (pods[0].uid,))

    def could_start(self, group, pods, rooms):
        """Where it would fit; empty = not, or not sure."""
        known = self.world.groups.get(group)
        named = group != pods[0].key
        if named and known is None or known and not known.plain or not all(self.is_simple(pod, known) for pod in pods):
            self.unsure.add(group)
            return ""
        bound = sum(1 for pod in self.world.members(group) if pod.bound and pod.phase != "Failed" and not pod.deleting)
        need = max(1, self.world.minimum(group) - bound)
        ready = [pod for pod in pods if set(pod.gates) <= {GATE} and not (pod.plan and GATE not in pod.gates)]
        if len(ready) < need:
            return ""
        chosen = sorted(ready, key=lambda pod: (pod.whole, pod.share.millis * pod.share.count if pod.share else 0))[:need]
        return rooms.place(chosen) if self.below_limits(chosen) else ""

    def is_simple(self, pod, group):
        preemptible = (group.preemptibility if group else "") or pod.labels.get("berth.dev/preemptibility") or pod.labels.get("kai.scheduler/preemptibility") or ""
        delayed = any(word in pod.annotations for word in ("berth.dev/preemption-delay", "kai.scheduler/preemption-delay"))
        return pod.plain and not delayed and pod.priority < 100 and preemptible.lower() in ("", "preemptible") and self.world.queue_of(pod) in self.world.queues

    def below_limits(self, pods):
        for queue in self.world.path(self.world.queue_of(pods[0])):
            for resource, limit in self.world.queues[queue].limit.items() if queue in self.world.queues else ():
                asked = sum(self.world.charge_of(pod).get(resource, 0) for pod in pods)
                if asked > 0 and self.world.used((queue, ""), resource, "held", "leaving", "planned") + asked > limit:
                    return False
        return not self.world.pool_label

    def figures(self):
        return {"longest that a group could have started, at rest": f"{self.longest[0]:.0f} s {self.longest[1]}", "groups with rules that the audit does not judge": len(self.unsure)}


class Rooms:
    """What is free on open nodes, and a first fit of some pods on it. Finding no place says nothing; a place that is found is one."""

    def __init__(self, world):
        self.world, self.free, self.devices = world, {}, {}
        promised = defaultdict(list)
        for pod in world.pods.values():
            if world.class_of(pod) == "planned":
                promised[planned_node(pod)].append(pod)
        for name, node in world.nodes.items():
            if not node.open:
                continue
            free = dict(node.allocatable)
            pods = [world.pods[uid] for uid in world.by_node[name]]
            free["pods"] = free.get("pods", 0) - len(pods)
            shared = {device: 1000 for pod in pods if not pod.deleting for device in pod.reported}
            for pod in pods:
                for resource, amount in pod.requests.items():
                    free[resource] = free.get(resource, 0) - amount
                for device in pod.devices:
                    if device in shared:
                        shared[device] -= pod.share.millis_on(node)
            for pod in promised[name]:
                self.promise(pod, node, free, shared)
            self.free[name], self.devices[name] = free, shared

    @staticmethod
    def promise(pod, node, free, shared):
        """A place that is planned and not bound: which GPU a share is to get does not count, each of the node has less, and one more is gone."""
        free["pods"] -= 1
        for resource, amount in pod.requests.items():
            free[resource] = free.get(resource, 0) - amount
        if pod.share:
            free["pods"] -= pod.share.count
            free[GPU] = free.get(GPU, 0) - pod.share.count
            for device in shared:
                shared[device] -= pod.share.millis_on(node)

    def place(self, pods):
        free = {name: dict(amounts) for name, amounts in self.free.items()}
        devices = {name: dict(shared) for name, shared in self.devices.items()}
        places = []
        for pod in sorted(pods, key=lambda pod: -pod.whole):
            for name in free:
                if self.fits(pod, name, free[name], devices[name]):
                    places.append(f"{pod.name} on {name}")
                    break
            else:
                return ""
        return ", ".join(places[:4])

    def fits(self, pod, name, free, shared):
        for resource, amount in pod.requests.items():
            if amount > 0 and free.get(resource, 0) < amount:
                return False
        holders = 0
        if pod.share:
            millis = pod.share.millis_on(self.world.nodes[name])
            fitting = sorted((device for device, left in shared.items() if left >= millis), key=lambda device: shared[device])[: pod.share.count]
            holders = pod.share.count - len(fitting)
            if not millis or free.get(GPU, 0) < holders:
                return False
        if free["pods"] < 1 + holders:
            return False
        free["pods"] -= 1 + holders
        for resource, amount in pod.requests.items():
            free[resource] -= amount
        if pod.share:
            for device in fitting:
                shared[device] -= millis
            free[GPU] -= holders
            for i in range(holders):
                shared[f"new-{len(shared)}-{i}"] = 1000 - millis
        return True


def planned_node(pod):
    """The node that a plan names; empty = it names none."""
    return next((word[len("node=") :] for word in pod.plan.split() if word.startswith("node=")), "")


def show(amount):
    return "all" if amount == math.inf else f"{float(amount):g}"


def quantiles(seconds):
    if not seconds:
        return "none"
    ordered = sorted(seconds)
    at = lambda part: ordered[min(len(ordered) - 1, math.ceil(len(ordered) * part) - 1)]
    return f"p50 {at(0.5):.1f} s, p99 {at(0.99):.1f} s, most {ordered[-1]:.1f} s, of {len(ordered)}"


LAWS = (Devices, NodeRoom, Gangs, Limits, Budgets, Evictions, Useful, WithinQuota, Reasons, Liveness)
