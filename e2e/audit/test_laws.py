"""Histories that break each law, and their neighbours that do not. Run by `python3 -m unittest discover -s e2e/audit`."""

import contextlib
import gzip
import io
import json
import os
import tempfile
import unittest
from datetime import datetime, timezone
from fractions import Fraction

import audit
import facts
import watching

BEGUN = 1_700_000_000.0
GPU = "nvidia.com/gpu"


def iso(when):
    return datetime.fromtimestamp(when, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Story:
    """A cluster that a test tells, message by message."""

    def __init__(self, *arguments):
        self.audit = audit.Audit(audit.parse(list(arguments)))
        self.now, self.version, self.last = BEGUN, 0, {}
        self.messages = []
        for kind in ("nodes", "namespaces", "queues", "groups", "budgets", "pods", "events", "leases"):
            self.say(kind, "LIST", [])
        self.lease("berth-1")

    def say(self, kind, type_, tree):
        self.messages.append(json.loads(json.dumps([self.now, kind, type_, tree])))
        self.audit.hear(*self.messages[-1])

    def after(self, seconds):
        """Time passes, and the leader renews its lease."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + 1)
            self.lease(self.leader)
        return self

    def tell(self, kind, tree, uid=None):
        self.version += 1
        tree["metadata"].setdefault("uid", uid or tree["metadata"]["name"])
        tree["metadata"]["resourceVersion"] = str(self.version)
        key = (kind, tree["metadata"]["uid"])
        type_ = "MODIFIED" if key in self.last else "ADDED"
        self.last[key] = tree
        self.say(kind, type_, tree)

    def lease(self, holder):
        self.leader = holder
        self.tell("leases", {"metadata": {"name": "berth"}, "spec": {"holderIdentity": holder, "renewTime": iso(self.now), "leaseDurationSeconds": 15}})

    def node(self, name="n1", gpus=8, cpu="64", pods="110", ready=True):
        self.tell(
            "nodes",
            {
                "metadata": {"name": name, "labels": {"nvidia.com/gpu.memory": "80000"}},
                "status": {"allocatable": {"cpu": cpu, "memory": "1Ti", "pods": pods, GPU: str(gpus)}, "conditions": [{"type": "Ready", "status": "True" if ready else "False"}]},
            },
        )

    def queue(self, name, parent="", quota=None, limit=None):
        amounts = lambda gpus: {} if gpus is None else {"gpu": gpus}
        self.tell("queues", {"metadata": {"name": name}, "spec": {"parent": parent, "quota": amounts(quota), "limit": amounts(limit)}})

    def group(self, name, minimum, queue="", **status):
        self.tell("groups", {"metadata": {"name": name, "namespace": "default"}, "spec": {"minMember": minimum, "queue": queue}, "status": status})

    def pod(self, name, gpus=0, queue="default", group="", labels=None, annotations=None, scheduler="berth", cpu="100m", **spec):
        labels = {"berth.dev/queue": queue, **({"berth.dev/pod-group": group} if group else {}), **(labels or {})}
        resources = {"requests": {"cpu": cpu, **({GPU: str(gpus)} if gpus else {})}}
        self.tell(
            "pods",
            {
                "metadata": {"name": name, "namespace": "default", "labels": labels, "annotations": annotations or {}, "creationTimestamp": iso(self.now)},
                "spec": {"schedulerName": scheduler, "schedulingGates": [{"name": "berth.dev/queued"}], "containers": [{"name": "main", "resources": resources}], **spec},
                "status": {"phase": "Pending"},
            },
        )

    def change(self, name, **changes):
        tree = json.loads(json.dumps(self.last["pods", name]))
        for path, value in changes.items():
            part, _, field = path.partition("_")
            if path == "annotations":
                tree["metadata"].setdefault("annotations", {}).update(value)
            else:
                tree[part][field] = value
        self.tell("pods", tree)

    def bind(self, name, node="n1", devices="", ready=True):
        self.change(
            name,
            spec_nodeName=node,
            spec_schedulingGates=[],
            annotations={"berth.dev/gpu-devices": devices} if devices else {},
            status_phase="Running",
            status_startTime=iso(self.now)[:19] + "Z",
            status_conditions=[{"type": "Ready", "status": "True" if ready else "False"}],
        )

    def running(self, name, node="n1", devices="", **words):
        self.pod(name, **words)
        self.bind(name, node, devices)

    def share(self, name, part, devices, node="n1", **words):
        self.running(name, node, devices, annotations={"gpu-fraction": part, **words})

    def holder(self, name, device, node="n1"):
        self.pod(name, gpus=1, labels={"berth.dev/holder": "true"}, scheduler="")
        self.bind(name, node)
        self.change(name, status_containerStatuses=[{"lastState": {"terminated": {"message": device}}}])

    def evict(self, name, told="", event=True):
        ready = [{"type": "Ready", "status": "True"}]
        self.change(name, status_conditions=ready + [{"type": "DisruptionTarget", "status": "True", "reason": "EvictionByEvictionAPI"}])
        self.gone(name)
        if event:
            self.event("Pod", name, "Evicted", told or "Leaves because its group has run for its max-runtime.", "Evict")

    def event(self, kind, uid, reason, note, action="Wait"):
        self.version += 1
        self.tell(
            "events",
            {
                "metadata": {"name": f"e{self.version}", "namespace": "default"},
                "eventTime": iso(self.now),
                "reportingController": "berth.dev/berth",
                "reason": reason,
                "action": action,
                "note": note,
                "regarding": {"kind": kind, "namespace": "default", "name": uid, "uid": uid},
            },
        )

    def gone(self, name):
        self.say("pods", "DELETED", self.last.pop(("pods", name)))

    def law(self, title):
        return next(law for law in self.audit.laws if law.title == title)

    def broken(self):
        self.audit.tick(self.now)
        self.audit.end()
        return {law.title: [each.words for each in law.broken] for law in self.audit.laws if law.broken}


class LawsTest(unittest.TestCase):
    def expect(self, story, title, *words):
        broken = story.broken()
        self.assertEqual([title], list(broken), broken)
        for word in words:
            self.assertIn(word, broken[title][0])
        self.assertTrue(story.law(title).broken[0].history, "a broken law shows the history of its object")

    def holds(self, story, title=None):
        self.assertEqual({}, story.broken())
        if title:
            self.assertGreater(story.law(title).looked, 0, "the law must have looked at something")

    # devices

    def test_shares_beyond_one_gpu(self):
        story = Story()
        story.node()
        story.holder("h", "GPU-a")
        story.share("a", "0.6", "GPU-a")
        story.share("b", "0.5", "GPU-a")
        self.expect(story, "devices", "GPU-a", "1100 thousandths", "default/a", "default/b")

    def test_shares_that_fill_a_gpu_and_one_that_came_after_another_left(self):
        story = Story()
        story.node()
        story.holder("h", "GPU-a")
        story.share("a", "0.6", "GPU-a")
        story.share("b", "0.4", "GPU-a")
        story.change("a", status_phase="Succeeded")
        story.share("c", "0.6", "GPU-a")
        self.holds(story, "devices")

    def test_shares_by_memory_count_by_the_memory_of_the_node(self):
        story = Story()
        story.node()
        story.holder("h", "GPU-a")
        story.running("a", devices="GPU-a", annotations={"gpu-memory": "40000"})
        story.running("b", devices="GPU-a", annotations={"gpu-memory": "40001"})
        self.expect(story, "devices", "1001 thousandths")

    def test_a_share_whose_gpu_nobody_holds(self):
        story = Story()
        story.node()
        story.share("a", "0.5", "GPU-a")
        self.expect(story, "devices", "no holder")

    def test_a_share_on_the_holder_of_another_node(self):
        story = Story()
        story.node()
        story.node("n2")
        story.holder("h", "GPU-a", "n2")
        story.share("a", "0.5", "GPU-a")
        self.expect(story, "devices", "no holder")

    def test_the_shares_of_a_deleted_node_go_after_their_holder(self):
        story = Story()
        story.node()
        story.holder("h", "GPU-a")
        story.share("a", "0.5", "GPU-a")
        story.say("nodes", "DELETED", story.last.pop(("nodes", "n1")))
        story.gone("h")
        self.holds(story.after(5), "devices")

    def test_a_share_without_a_gpu_or_with_too_few(self):
        story = Story()
        story.node()
        story.holder("h", "GPU-a")
        story.share("a", "0.5", "")
        self.expect(story, "devices", "without a GPU")
        story = Story()
        story.node()
        story.holder("h", "GPU-a")
        story.share("a", "0.5", "GPU-a", **{"gpu-fraction-num-devices": "2"})
        self.expect(story, "devices", "asks for 2 GPUs")

    def test_a_whole_gpu_that_is_shared(self):
        story = Story()
        story.node()
        story.holder("h", "GPU-a")
        story.share("a", "0.5", "GPU-a")
        story.running("w", gpus=1)
        owned = [{"name": "main", "allocatedResourcesStatus": [{"name": GPU, "resources": [{"resourceID": "GPU-a"}]}]}]
        story.change("w", status_containerStatuses=owned)
        self.expect(story, "devices", "whole GPU of default/w")

    def test_one_gpu_reported_by_two_holders(self):
        story = Story()
        story.node()
        story.holder("h", "GPU-a")
        story.holder("i", "GPU-a")
        self.expect(story, "devices", "two holders")

    # nodes

    def test_more_whole_gpus_than_a_node_has_holders_included(self):
        story = Story()
        story.node(gpus=2)
        story.holder("h", "GPU-a")
        story.running("w", gpus=2)
        self.expect(story, "nodes", "gives out 3 of 2 nvidia.com/gpu")

    def test_more_cores_than_a_node_has(self):
        story = Story()
        story.node(cpu="1")
        story.running("a", cpu="600m")
        story.running("b", cpu="401m")
        self.expect(story, "nodes", "cpu", "default/b")

    def test_more_pods_than_a_node_takes(self):
        story = Story()
        story.node(pods="1")
        story.running("a")
        story.running("b")
        self.expect(story, "nodes", "2 of 1 pods")

    def test_a_pod_that_is_deleted_has_its_room_until_it_is_gone(self):
        story = Story()
        story.node(gpus=1)
        story.running("a", gpus=1)
        story.change("a", metadata_deletionTimestamp=iso(story.now), metadata_deletionGracePeriodSeconds=5)
        story.running("b", gpus=1)
        self.expect(story, "nodes", "2 of 1")

    def test_a_node_that_shrinks_or_that_others_fill(self):
        story = Story()
        story.node(gpus=2)
        story.running("a", gpus=2)
        story.node(gpus=1)
        story.running("b", gpus=1, scheduler="default-scheduler")
        self.holds(story, "nodes")

    # gangs

    def gang(self, *bound):
        story = Story()
        story.node()
        story.group("g", 3, reason="NoRoom")
        for name in "abc":
            story.pod(name, group="g")
        for name in bound:
            story.bind(name)
        return story

    def test_a_gang_that_stays_bound_in_part(self):
        self.expect(self.gang("a", "b").after(125), "gangs", "bound in part: 2 of 3")

    def test_a_gang_that_becomes_whole_in_time(self):
        story = self.gang("a", "b").after(110)
        story.bind("c")
        self.holds(story.after(200), "gangs")
        self.assertAlmostEqual(110, story.law("gangs").starting[0], delta=2)

    def test_a_gang_that_runs_on_below_its_minimum(self):
        story = self.gang("a", "b", "c").after(10)
        story.gone("c")
        self.expect(story.after(125), "gangs", "below its minimum: 2 of 3")

    def test_a_gang_whose_members_end(self):
        story = self.gang("a", "b", "c").after(10)
        story.change("a", status_phase="Succeeded")
        story.after(5).gone("a")
        self.holds(story.after(200), "gangs")

    # limits

    def limited(self):
        story = Story()
        story.node()
        story.queue("org", limit=4)
        story.queue("default", parent="org")
        story.running("a", gpus=3)
        return story

    def test_a_queue_above_the_limit_of_its_parent(self):
        story = self.limited()
        story.running("b", gpus=2)
        self.expect(story, "limits", "queue org has 5 gpu of its limit of 4", "default/b")
        self.assertEqual(Fraction(1), story.law("limits").most)

    def test_shares_count_against_a_limit(self):
        story = self.limited()
        story.holder("h", "GPU-a")
        story.holder("i", "GPU-b")
        story.share("b", "0.6", "GPU-a,GPU-b", **{"gpu-fraction-num-devices": "2"})
        self.expect(story, "limits", "4.2 gpu")

    def test_pods_on_their_way_out_are_a_figure_and_no_breach(self):
        story = self.limited()
        story.change("a", metadata_deletionTimestamp=iso(story.now), metadata_deletionGracePeriodSeconds=5)
        story.running("b", gpus=2)
        story.after(4).gone("a")
        self.holds(story, "limits")
        self.assertEqual(1.0, story.law("limits").with_leaving[0])
        self.assertAlmostEqual(4, story.law("limits").duration, delta=1)

    def test_a_deleted_pod_with_a_long_grace_counts(self):
        story = self.limited()
        story.change("a", metadata_deletionTimestamp=iso(story.now), metadata_deletionGracePeriodSeconds=3600)
        story.running("b", gpus=2)
        self.expect(story, "limits")

    def test_a_limit_that_is_lowered(self):
        story = self.limited()
        story.queue("org", limit=2)
        self.holds(story.after(10), "limits")

    # budgets

    def budget(self, story, least, granted=()):
        spec = {"minAvailable": least, "selector": {"matchLabels": {"app": "x"}}}
        story.tell("budgets", {"metadata": {"name": "keep", "namespace": "default"}, "spec": spec, "status": {"disruptedPods": {name: "now" for name in granted}}})

    def budgeted(self, least):
        story = Story()
        story.node()
        self.budget(story, least)
        for name in "abc":
            story.running(name, labels={"app": "x"})
        return story

    def test_an_eviction_below_a_budget(self):
        story = self.budgeted(3)
        story.evict("a")
        self.expect(story, "budgets", "default/keep", "2 healthy pods of 3")

    def test_an_eviction_that_a_late_status_granted(self):
        story = self.budgeted(3)
        story.evict("a")
        self.budget(story, 3, ["a"])
        self.holds(story.after(20), "budgets")
        self.assertEqual(1, story.law("budgets").by_late_status)

    def test_an_eviction_that_a_budget_allows(self):
        story = self.budgeted("60%")
        story.evict("a")
        self.holds(story, "budgets")

    # evictions

    def test_an_eviction_that_nobody_tells_of(self):
        story = Story()
        story.node()
        story.running("a")
        story.evict("a", event=False)
        self.expect(story.after(40), "evictions told", "default/a")

    def test_an_eviction_whose_leader_died(self):
        story = Story()
        story.node()
        story.running("a")
        story.evict("a", event=False)
        story.after(3).lease("berth-2")
        self.holds(story.after(40), "evictions told")
        self.assertEqual(1, story.law("evictions told").unsaid_by_crash)

    def test_an_eviction_that_was_cut_off_before_the_deletion(self):
        story = Story()
        story.node()
        story.running("a")
        story.change("a", status_conditions=[{"type": "DisruptionTarget", "status": "True", "reason": "EvictionByEvictionAPI"}])
        story.after(6).gone("a")
        self.holds(story.after(40), "evictions told")
        self.assertEqual(1, story.law("evictions told").halfway)

    def test_an_eviction_that_is_told_in_words_that_nobody_can_read(self):
        story = Story()
        story.node()
        story.running("a")
        story.evict("a", "Leaves for somebody.")
        self.expect(story.after(3), "evictions told", "cannot read: Leaves for somebody.")

    def test_an_eviction_for_a_group_whose_queue_is_not_known_any_more(self):
        story = Story()
        story.node()
        story.running("a")
        story.evict("a", "Leaves for default/b: the queue that gains takes back what it is owed, and the other has more than that (reclaim).")
        self.holds(story.after(3), "evictions told")

    def for_whom(self):
        story = Story()
        story.node(gpus=1)
        story.running("a", gpus=1)
        story.pod("b", gpus=1)
        story.event("Pod", "b", "NoRoom", "no node fits")
        story.after(7).evict("a", "Leaves for default/b of queue left: its priority is higher, 90 against 50 (preempt).")
        return story

    def test_an_eviction_for_nothing(self):
        story = self.for_whom()
        story.running("thief", gpus=1)
        self.expect(story.after(200), "evictions used", "evicted for default/b", "not bound within")

    def test_an_eviction_that_is_used(self):
        story = self.for_whom()
        story.after(3).bind("b")
        self.holds(story.after(200), "evictions used")
        self.assertEqual({"its beneficiary was bound": 1}, dict(story.law("evictions used").outcomes))

    def test_an_eviction_whose_beneficiary_is_deleted(self):
        story = self.for_whom()
        story.after(3).gone("b")
        self.holds(story.after(200))
        self.assertEqual({"its beneficiary was deleted before it was bound": 1}, dict(story.law("evictions used").outcomes))

    def test_an_eviction_for_somebody_who_waits_and_is_deleted(self):
        story = self.for_whom()
        story.after(90).gone("b")
        self.expect(story.after(200), "evictions used", "evicted for default/b", "was deleted then")

    # quotas

    def reclaimed(self, quota):
        story = Story()
        story.node()
        story.queue("left", quota=quota)
        story.queue("right", quota=8)
        story.running("a", gpus=4, queue="left")
        story.pod("b", gpus=8, queue="right")
        story.event("Pod", "b", "NoRoom", "no node fits")
        story.after(30).evict("a", "Leaves for default/b of queue right: the queue that gains takes back what queue left borrowed (reclaim).")
        story.bind("b")
        return story

    def test_a_reclaim_from_a_queue_within_its_quota(self):
        self.expect(self.reclaimed(4), "quotas", "none of left was above its quota")

    def test_a_reclaim_from_a_queue_above_its_quota(self):
        self.holds(self.reclaimed(3), "quotas")

    def test_a_reclaim_beside_plans_that_show_later(self):
        story = self.reclaimed(4)
        story.node("n2")
        story.after(2).running("c", "n2", gpus=5, queue="left")
        self.holds(story.after(30), "quotas")
        self.assertEqual(1, story.law("quotas").by_plans)

    def promised(self, quota):
        """Pods of queue left are evicted for a group of that queue, whose gate stays closed, and a moment later one is reclaimed."""
        story = Story()
        story.node()
        story.queue("left", quota=quota)
        story.queue("right", quota=8)
        story.running("a", gpus=2, queue="left")
        story.running("small", gpus=1, queue="right")
        story.pod("b", gpus=4, queue="left")
        story.pod("c", gpus=2, queue="right")
        story.event("Pod", "b", "NoRoom", "no node fits")
        story.event("Pod", "c", "NoRoom", "no node fits")
        story.after(30).evict("small", "Leaves for default/b of queue left: the queue that gains takes back what queue right borrowed (reclaim).")
        story.after(1).evict("a", "Leaves for default/c of queue right: the queue that gains takes back what queue left borrowed (reclaim).")
        return story

    def test_a_reclaim_from_a_queue_whose_claimant_was_promised_room(self):
        self.judged(self.promised(5), broken=False)

    def test_a_reclaim_from_a_queue_that_has_its_quota_with_what_was_promised(self):
        self.judged(self.promised(6), broken=True)

    def judged(self, story, broken):
        story.after(30)
        found = [words for words in story.broken().get("quotas", ()) if "default/a" in words]
        self.assertEqual(1 if broken else 0, len(found), found)

    # reasons

    def test_a_pod_that_waits_without_a_word(self):
        story = Story("--start-within", "1000s")
        story.node()
        story.pod("a", gpus=9)
        self.expect(story.after(65), "reasons", "default/a")

    def test_pods_that_say_why(self):
        story = Story()
        story.node()
        story.pod("a", gpus=9)
        story.event("Pod", "a", "NoRoom", "no node fits")
        story.group("g", 2, reason="TooFewMembers")
        story.pod("b", gpus=9, group="g")
        story.pod("c", gpus=9)
        story.change("c", status_conditions=[{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/1 nodes"}])
        self.holds(story.after(100), "reasons")

    def test_the_gate_alone_is_no_reason(self):
        story = Story()
        story.node()
        story.pod("a", gpus=9)
        story.change("a", status_conditions=[{"type": "PodScheduled", "status": "False", "reason": "SchedulingGated", "message": "gated"}])
        self.expect(story.after(65), "reasons")

    # liveness

    def waiting(self, **words):
        story = Story()
        story.node(gpus=4)
        story.queue("default", limit=4)
        story.pod("a", **words)
        story.event("Pod", "a", "NoRoom", "no node fits")
        return story

    def test_a_pod_that_waits_beside_room(self):
        self.expect(self.waiting(gpus=4).after(170), "liveness", "a on n1")

    def test_a_share_that_waits_beside_room(self):
        self.expect(self.waiting(annotations={"gpu-fraction": "0.5"}).after(170), "liveness")

    def test_a_pod_that_is_too_large_or_below_no_limit(self):
        self.holds(self.waiting(gpus=5).after(170), "liveness")
        story = self.waiting(gpus=3)
        story.running("b", gpus=2, node="elsewhere")
        self.holds(story.after(170), "liveness")

    def test_a_gang_waits_for_room_for_all_of_it(self):
        story = Story()
        story.node(gpus=4)
        story.queue("default")
        story.group("g", 2, reason="NoRoom")
        story.pod("a", gpus=3, group="g")
        story.pod("b", gpus=2, group="g")
        self.holds(story.after(170), "liveness")

    def test_a_cordoned_node_is_no_room_and_a_new_leader_has_time(self):
        story = self.waiting(gpus=1)
        story.node(gpus=4, ready=False)
        self.holds(story.after(170), "liveness")
        story = self.waiting(gpus=1).after(100)
        story.lease("berth-2")
        self.holds(story.after(100), "liveness")


class AuditTest(unittest.TestCase):
    def run_on(self, story, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            path, out = os.path.join(folder, "heard.gz"), io.StringIO()
            with gzip.open(path, "wt") as lines:
                for message in story.messages:
                    lines.write(json.dumps(message) + "\n")
            return audit.main(["--replay", path, *arguments], out), out.getvalue()

    def test_exit_status_says_what_was_found(self):
        story = Story()
        story.node(gpus=2)
        story.running("w", gpus=2)
        status, report = self.run_on(story)
        self.assertEqual(0, status, report)
        story.running("v", gpus=1)
        status, report = self.run_on(story)
        self.assertEqual(1, status, report)
        self.assertIn("nodes: BROKEN 1 times", report)
        self.assertIn("pod default/v: bound to n1", report.replace("gate open; ", ""))

    def test_a_cluster_that_cannot_be_read(self):
        for program, word in (("false", "ended with status 1"), ("/no/such/program", "does not start")):
            words = io.StringIO()
            with contextlib.redirect_stderr(words):
                self.assertEqual(2, audit.main(["--kubectl", program, "--for", "1s"], io.StringIO()))
            self.assertIn(word, words.getvalue())

    def test_a_blind_span_is_told_and_what_came_meanwhile_is_found_by_the_list(self):
        story = Story()
        story.node()
        story.holder("h", "GPU-a")
        story.share("a", "0.6", "GPU-a")
        story.pod("b", annotations={"gpu-fraction": "0.5"})
        pods = [tree for (kind, _), tree in story.last.items() if kind == "pods"]
        late = json.loads(json.dumps(story.last["pods", "b"]))
        late["spec"].update(nodeName="n1", schedulingGates=[])
        late["metadata"].update(resourceVersion="999", annotations={"gpu-fraction": "0.5", "berth.dev/gpu-devices": "GPU-a"})
        story.now += 5
        story.say("pods", "LIST", [late if tree["metadata"]["name"] == "b" else tree for tree in pods])
        story.say("sight", "blind", {"kind": "pods", "since": story.now - 5})
        status, report = self.run_on(story)
        self.assertEqual(1, status, report)
        self.assertIn("pods: blind 1 times, 5.0 s in all", report)
        self.assertIn("(listed) ", report)
        self.assertIn("1100 thousandths", report)

    def test_a_change_of_leaders_is_timed_until_the_first_binding(self):
        story = Story()
        story.node()
        story.after(10).lease("berth-1")
        story.now += 8
        story.lease("berth-2")
        story.now += 2
        story.running("a")
        self.assertEqual([10.0], [round(gap, 1) for gap in story.audit.leaders.gaps])

    def test_counters_that_restart_from_zero(self):
        writes = audit.Writes()
        for value in (10, 15, 3, 4):
            writes.heard("x", {"berth_api_writes_total{}": float(value)})
        self.assertEqual(9.0, writes.sums["berth_api_writes_total{}"])


class Api:
    """Answers lists as a server whose newest version is told; a watch that reaches it ends the story."""

    path = "/api/v1/pods?"

    def __init__(self, *newest):
        self.newest, self.asked, self.looks = list(newest), [], None

    def text(self, path, timeout=60):
        self.asked.append(path.removeprefix(self.path))
        version = self.newest.pop(0) if len(self.newest) > 1 else self.newest[0]
        return 200, json.dumps({"metadata": {"resourceVersion": version}, "items": []}).encode()

    def ask(self, path, timeout=60):
        self.asked.append(path.removeprefix(self.path))
        self.looks.stopped = True
        raise OSError("the story is over")


class WatchingTest(unittest.TestCase):
    def follow(self, api):
        api.looks = watching.Watching(api, "berth-system/berth")
        api.looks.follow("pods", "900")
        heard = []
        while not api.looks.heard.empty():
            heard.append(api.looks.heard.get()[1:3])
        return heard

    def test_a_server_that_has_not_reached_the_last_version_is_listed_anew(self):
        api = Api("400", "401")
        self.assertEqual([("pods", "LIST"), ("sight", "blind")], self.follow(api))
        self.assertEqual(["limit=1", "limit=500", "limit=1"], api.asked[:3])
        self.assertTrue(api.asked[3].endswith("resourceVersion=401"), api.asked[3])

    def test_a_server_that_is_further_on_is_watched_from_the_last_version(self):
        api = Api("1000")
        self.assertEqual([], self.follow(api))
        self.assertTrue(api.asked[1].endswith("resourceVersion=900"), api.asked[1])


class FactsTest(unittest.TestCase):
    def test_quantities(self):
        for text, value in (("100m", Fraction(1, 10)), ("1Gi", Fraction(2**30)), ("2e3", Fraction(2000)), ("0.5", Fraction(1, 2)), ("12E", Fraction(12 * 10**18))):
            self.assertEqual(value, facts.quantity(text))
        self.assertRaises(ValueError, facts.quantity, "many")

    def test_requests_of_init_containers_and_sidecars(self):
        asks = lambda cpu, **more: {"resources": {"requests": {"cpu": cpu}}, **more}
        spec = {"containers": [asks("1")], "initContainers": [asks("1", restartPolicy="Always"), asks("3")], "overhead": {"cpu": "250m"}}
        self.assertEqual(Fraction(17, 4), facts.requests(spec)["cpu"])

    def test_durations(self):
        self.assertEqual(5400, facts.duration("1h30m"))
        self.assertAlmostEqual(0.5, facts.duration("500ms"))

    def test_budgets_in_percent_round_up(self):
        budget = facts.Budget({"metadata": {"name": "b", "namespace": "d"}, "spec": {"maxUnavailable": "30%", "selector": {}}})
        self.assertEqual(2, budget.desired(4))


if __name__ == "__main__":
    unittest.main()
