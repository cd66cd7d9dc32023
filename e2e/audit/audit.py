"""The audit: watches a cluster for a while, tries the laws on all that it hears, and reports. See docs/operators/audit.md."""

import argparse
import gzip
import json
import os
import queue
import shutil
import signal
import sys
import time
from collections import defaultdict

from facts import duration
from laws import LAWS, quantiles
from watching import CannotLook, Proxy, Watching
from world import World

PRINTED = 10  # broken cases of one law that are printed with their history
SETTLES = 30  # seconds after a change of leaders or a blind span in which a cluster is not at rest


class Leaders:
    """Who held Berth's lease, and how long nothing was bound after one was gone."""

    def __init__(self, world):
        self.world = world
        self.changes = []
        self.deaths = []  # the last renewal of each holder that lost the lease
        self.unsure = 0.0  # when the last blind or late span ended
        self.pending = None
        self.gaps = []

    def heard(self, change):
        if change.kind == "leases":
            before, now = change.before, change.now
            if before is not None and now is not None and before.holder != now.holder:
                self.changes.append(change.when)
                self.deaths.append(before.renewed or change.when)
                self.pending = self.pending or before.renewed or change.when
        elif change.bound and change.now.scheduler in self.world.schedulers and self.pending:
            self.gaps.append(change.when - self.pending)
            self.pending = None

    def changed(self, since, until):
        return any(since <= when <= until for when in self.changes)

    def died(self, since, until):
        """Whether a leader renewed its lease for the last time about then."""
        return any(since <= when <= until for when in self.deaths)

    def unsettled(self, now):
        recent = max([self.unsure] + self.changes[-1:])
        expired = any(lease.holder and lease.renewed and now > lease.renewed + max(lease.duration, 1) for lease in self.world.leases.values())
        return now - recent < SETTLES or expired


class Writes:
    """Counters of processes that restart from zero: what grew between two samples, and what a new one counted already."""

    def __init__(self):
        self.last, self.sums, self.rss = {}, defaultdict(float), defaultdict(float)

    def heard(self, source, values):
        before = self.last.get(source)
        for name, value in values.items():
            if name.startswith("process_resident"):
                self.rss[source] = max(self.rss[source], value)
            elif before is not None:
                known = before.get(name, 0.0)
                self.sums[name] += value - known if value >= known else value
        self.last[source] = values


class Audit:
    """The laws over one stream of what was heard, live or recorded."""

    def __init__(self, options):
        self.gang_within, self.reason_within, self.start_within = options.gang_within, options.reason_within, options.start_within
        self.told_within, self.used_within, self.quota_window = options.told_within, options.used_within, options.quota_window
        self.world = World(options.scheduler, options.default_queue, options.pool_label)
        self.leaders, self.writes = Leaders(self.world), Writes()
        self.begun, self.now, self.next = 0.0, 0.0, 0.0
        self.queues_of = {}  # of pods, also of those that are gone
        self.heard_of, self.spans = defaultdict(int), defaultdict(list)
        self.seen_of, self.changes_until_bound = defaultdict(int), []
        self.bound = 0
        self.laws = [law(self.world, self) for law in LAWS]

    def hear(self, when, kind, type_, tree):
        self.begun = self.begun or when
        self.tick(when)
        if kind == "sight":
            self.spans[type_, tree["kind"]].append((tree["since"], when))
            self.leaders.unsure = when
        elif kind == "metrics":
            self.writes.heard(type_, tree)
        else:
            self.heard_of[kind] += len(tree) if type_ == "LIST" else 1
            for change in self.world.hear(when, kind, type_, tree):
                self.change(change)

    def change(self, change):
        self.leaders.heard(change)
        if change.kind == "pods" and change.now is not None:
            self.queues_of[change.key] = self.world.queue_of(change.now)
            if change.now.scheduler in self.world.schedulers and not change.listed:
                if change.before is not None and not change.before.bound:
                    self.seen_of[change.key] += 1
                if change.bound:
                    self.bound += 1
                    self.changes_until_bound.append(self.seen_of.pop(change.key, 0))
        for law in self.laws:
            law.changed(change)

    def tick(self, when):
        """Once a second of the time that was heard."""
        if not self.next:
            self.next = when + 1
        while self.next <= when:
            self.now = self.world.now = max(self.world.now, self.next)
            for law in self.laws:
                law.ticked(self.next)
                law.judge_open(self.next)
            self.next += 1
        if len(self.queues_of) > 50_000:
            self.queues_of = dict(list(self.queues_of.items())[-25_000:])
        self.world.forget()

    def end(self):
        for law in self.laws:
            law.judge_open(self.now)
            law.ended(self.now)

    @property
    def is_broken(self):
        return any(law.broken for law in self.laws)

    # -- the report

    def report(self, out):
        took = self.now - self.begun
        print(f"Audit of {took / 60:.1f} minutes from {clock(self.begun)} to {clock(self.now)} UTC.", file=out)
        print("Seen: " + ", ".join(f"{count} of {kind}" for kind, count in sorted(self.heard_of.items())), file=out)
        self.report_sight(out)
        print("\nLaws", file=out)
        for law in self.laws:
            state = f"BROKEN {len(law.broken)} times" if law.broken else "held" if law.looked else "held, but nothing was there to look at"
            within = f" Stated time: {law.within:g} s." if law.within else ""
            print(f"\n  {law.title}: {state}\n    {law.__doc__}{within} Looked at {law.looked} cases.", file=out)
            for name, value in law.figures().items():
                print(f"    {name}: {value}", file=out)
            for each in law.broken[:PRINTED]:
                print(f"    ! {clock(each.when)} {each.words}", file=out)
                for at, line in each.history:
                    print(f"        {clock(at)} {line}", file=out)
            if len(law.broken) > PRINTED:
                print(f"    … and {len(law.broken) - PRINTED} more", file=out)
        self.report_figures(out)

    def report_sight(self, out):
        kinds = sorted({kind for _, kind in self.spans})
        if not kinds:
            print("No watch broke.", file=out)
        for kind in kinds:
            blind, late = self.spans["blind", kind], self.spans["late", kind]
            print(
                f"  {kind}: blind {len(blind)} times, {sum(to - since for since, to in blind):.1f} s in all"
                + (f" (longest {max(to - since for since, to in blind):.1f} s)" if blind else "")
                + f"; late {len(late)} times, {sum(to - since for since, to in late):.1f} s, after which nothing was missing",
                file=out,
            )

    def report_figures(self, out):
        print("\nFigures", file=out)
        figures = {
            "pods bound": self.bound,
            "changes of a pod from its creation to its binding, the binding included": f"{mean(self.changes_until_bound):.2f} on average",
            "changes of the lease's holder": len(self.leaders.changes),
            "from the last renewal of a leader that was gone to the first binding after it": quantiles(self.leaders.gaps),
        }
        figures.update(self.write_figures())
        for name, value in figures.items():
            print(f"  {name}: {value}", file=out)

    def write_figures(self):
        sums = self.writes.sums
        served = {name: value for name, value in sums.items() if name.startswith("apiserver_request_total") and 'subresource="status"' not in name}
        figures = {}
        if not any(source == "kube-apiserver" for source in self.writes.last):
            figures["writes"] = "not known: /metrics of kube-apiserver may not be read"
        else:
            bindings = matching(served, 'resource="pods"', 'subresource="binding"')
            refused = matching(bindings, 'code="409"')
            patches = matching(served, 'resource="pods"', 'verb="PATCH"', 'subresource=""')
            evictions = matching(served, 'subresource="eviction"')
            refused_evictions = total(matching(evictions, 'code="429"'))
            per_pod = (total(bindings) + total(patches)) / self.bound if self.bound else 0
            figures["Bindings and patches of pods for each pod bound (kube-apiserver's metrics, all clients)"] = f"{per_pod:.2f}"
            conflicts = total(refused) + total(matching(patches, 'code="409"'))
            figures["of them answered by 409"] = f"{percent(conflicts, total(bindings) + total(patches))}; of Bindings {percent(total(refused), total(bindings))}"
            figures["evictions asked"] = f"{total(evictions):.0f}, of which {refused_evictions:.0f} were refused for a budget"
            events = matching(served, 'resource="events"', 'verb="POST"')
            figures["events written for each pod bound"] = f"{total(events) / self.bound if self.bound else 0:.2f}"
        ours = matching(sums, "berth_api_writes_total")
        if ours:
            figures["writes of Berth for each pod bound (its own metrics)"] = f"{total(ours) / self.bound if self.bound else 0:.2f}"
            figures["of them refused for a conflict"] = percent(total(matching(ours, 'outcome="conflict"')), total(ours))
            figures["of them without an answer, or answered 5xx"] = percent(total(matching(ours, 'outcome="unreachable"')), total(ours))
            lost = total(matching(sums, "berth_events_lost_total"))
            figures["events that Berth says were lost"] = f"{lost:.0f}"
        memory = {source: rss for source, rss in self.writes.rss.items() if source != "kube-apiserver"}
        figures["resident memory of Berth, most"] = ", ".join(f"{rss / 2**20:.0f} MiB ({source})" for source, rss in memory.items()) or "not in its metrics"
        return figures


def matching(values, *texts):
    return {name: value for name, value in values.items() if all(text in name for text in texts)}


def total(values):
    return sum(values.values())


def mean(values):
    return sum(values) / len(values) if values else 0.0


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "none of 0"


def clock(when):
    return time.strftime("%H:%M:%S", time.gmtime(when)) + f".{int(when % 1 * 10)}"


def slim(kind, type_, tree):
    """What need not be recorded."""
    for each in tree if type_ == "LIST" else [tree] if kind not in ("sight", "metrics") else []:
        each["metadata"].pop("managedFields", None)
    return tree


def live(options, stop):
    proxy = Proxy(options.kubectl, options.kubeconfig, options.context)
    try:
        watching = Watching(proxy, options.lease)
        watching.start()
        watching.sample(options.sample, options.metrics)
        end = time.monotonic() + options.time
        while time.monotonic() < end and not stop:
            try:
                yield watching.heard.get(timeout=0.5)
            except queue.Empty:
                yield None
        watching.stopped = True
        while not watching.heard.empty():
            yield watching.heard.get()
    finally:
        proxy.close()


def recorded(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        try:
            for line in lines:
                yield json.loads(line)
        except EOFError:
            pass  # the recording was cut off


def parse(arguments):
    parser = argparse.ArgumentParser(prog="e2e/audit/run", description="Watches a cluster with Berth through its API alone, tries laws on what it sees, and reports. Exit status: 0 all laws held, 1 one is broken, 2 it could not look.")
    add = parser.add_argument
    add("--kubeconfig", default="", help="of a user who may read pods, nodes, namespaces, events, budgets, leases, queues and PodGroups of all namespaces (default as kubectl)")
    add("--context", default="")
    add("--kubectl", default="", help="the program (default kubectl of PATH, else that of e2e/control-plane/build)")
    add("--for", dest="time", type=duration, default=1800, metavar="30m", help="how long to watch (default 30m; Ctrl-C ends it earlier, with the report)")
    add("--lease", default="berth-system/berth", help="namespace/name of Berth's lease")
    add("--scheduler", action="append", help="scheduler name of Berth's pods (default berth; may come several times)")
    add("--default-queue", default="default")
    add("--pool-label", default="", help="nodePools.label of Berth's configuration")
    add("--metrics", action="append", default=[], metavar="URL", help="of Berth's /metrics, for its own figures (may come several times)")
    add("--sample", type=duration, default=10, metavar="10s", help="how often metrics are read")
    add("--gang-within", type=duration, default=120, metavar="120s", help="how long a gang may be bound in part")
    add("--reason-within", type=duration, default=60, metavar="60s", help="how long a pod may wait without a reason")
    add("--start-within", type=duration, default=120, metavar="120s", help="how long a group that could start may wait, at rest")
    add("--told-within", type=duration, default=30, metavar="30s", help="how late the event of an eviction may be")
    add("--used-within", type=duration, default=180, metavar="180s", help="how long after an eviction its beneficiary must be bound")
    add("--quota-window", type=duration, default=30, metavar="30s", help="how long before a reclaim, or after it, its queue must have been above its quota at some time")
    add("--record", metavar="FILE", help="write all that is heard, as gzipped lines of JSON")
    add("--replay", metavar="FILE", help="read such a file in place of a cluster")
    options = parser.parse_args(arguments)
    options.scheduler = options.scheduler or ["berth"]
    options.kubectl = options.kubectl or shutil.which("kubectl") or built_kubectl()
    return options


def built_kubectl():
    """That of the test cluster, where it was built already."""
    here = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "berth")
    found = [os.path.join(folder, "kubectl") for folder, _, files in os.walk(here) if "kubectl" in files]
    return max(found, key=os.path.getmtime) if found else "kubectl"


def main(arguments, out=sys.stdout):
    options = parse(arguments)
    audit, stop = Audit(options), []
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.append(True))
    record = gzip.open(options.record, "wt", encoding="utf-8", compresslevel=3) if options.record else None
    try:
        for message in recorded(options.replay) if options.replay else live(options, stop):
            if message is None:
                audit.tick(time.time())
                continue
            when, kind, type_, tree = message
            if record:
                record.write(json.dumps([when, kind, type_, slim(kind, type_, tree)]) + "\n")
            audit.hear(when, kind, type_, tree)
    except (CannotLook, OSError) as reason:
        print(f"audit: {reason}", file=sys.stderr)
        return 2
    finally:
        if record:
            record.close()
    audit.end()
    audit.report(out)
    if not audit.heard_of["nodes"]:
        print("audit: the API told of no nodes.", file=sys.stderr)
        return 2
    return 1 if audit.is_broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
