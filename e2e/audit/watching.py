"""Reads a cluster through its API server: lists, watches, and says when it was blind.

kubectl proxy on a socket of ours carries the requests, so every way to log in that a kubeconfig knows works here too.
One thread per kind puts what it hears into one queue. A watch that breaks goes on from its last version; where the server has
forgotten that version, all is listed anew, and what happened in between was not seen: a blind span. So it is where the server has
not reached that version, as etcd was restored from an older snapshot: a watch from there says nothing until it is reached again.
"""

import http.client
import json
import os
import queue
import socket
import subprocess
import tempfile
import threading
import time
from urllib.parse import quote

PAUSE = 0.2  # seconds before a broken watch is tried again
WATCH = 55  # seconds that one watch lives; a server that says nothing for longer than this is gone
PAGE = 500

KINDS = {
    "pods": "/api/v1/pods",
    "nodes": "/api/v1/nodes",
    "namespaces": "/api/v1/namespaces",
    "budgets": "/apis/policy/v1/poddisruptionbudgets",
    "events": "/apis/events.k8s.io/v1/events",
    "queues": "/apis/berth.dev/v1alpha1/queues",
    "groups": "/apis/berth.dev/v1alpha1/podgroups",
}


class CannotLook(Exception):
    """The API cannot be read at all."""


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Proxy:
    """kubectl proxy on a socket in a folder that only we may enter."""

    def __init__(self, kubectl, kubeconfig, context):
        self.folder = tempfile.TemporaryDirectory(prefix="berth-audit-")
        self.path = os.path.join(self.folder.name, "api")
        self.errors = open(os.path.join(self.folder.name, "errors"), "w+", encoding="utf-8")
        command = [kubectl]
        if kubeconfig:
            command += ["--kubeconfig", kubeconfig]
        if context:
            command += ["--context", context]
        try:
            self.process = subprocess.Popen(command + ["proxy", "--unix-socket", self.path], stdout=subprocess.DEVNULL, stderr=self.errors)
        except OSError as failed:
            self.errors.close()
            self.folder.cleanup()
            raise CannotLook(f"{kubectl} does not start ({failed}). Install kubectl, or name one by --kubectl.") from failed
        until = time.monotonic() + 20
        while not os.path.exists(self.path):
            if self.process.poll() is not None:
                self.errors.seek(0)
                words = self.errors.read().strip()
                self.close()
                raise CannotLook(f"kubectl proxy ended with status {self.process.returncode}. {words}")
            if time.monotonic() > until:
                self.close()
                raise CannotLook("kubectl proxy made no socket within 20 s.")
            time.sleep(0.05)

    def ask(self, path, timeout=60):
        """A reply to GET; reading it is the caller's."""
        connection = UnixConnection(self.path, timeout)
        connection.request("GET", path)
        return connection, connection.getresponse()

    def text(self, path, timeout=60):
        connection, reply = self.ask(path, timeout)
        try:
            body = reply.read()
            return reply.status, body
        finally:
            connection.close()

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.errors.close()
        self.folder.cleanup()


class Watching:
    """All that a cluster tells, as (when, kind, type, object); for a list the object is all of its items.

    Two kinds are about the audit itself: `sight` tells since when a kind was not seen, `blind` where what came and went meanwhile is
    unknown, `late` where all was told afterwards; `metrics` are samples of counters.
    """

    def __init__(self, proxy, lease):
        self.proxy = proxy
        self.stopped = False
        self.heard = queue.Queue()
        namespace, name = lease.split("/")
        self.kinds = dict(KINDS)
        self.fields = {"leases": f"fieldSelector=metadata.name%3D{quote(name)}&"}
        self.kinds["leases"] = f"/apis/coordination.k8s.io/v1/namespaces/{quote(namespace)}/leases"

    def first_look(self):
        """One list of each kind, or the reason why nothing can be seen."""
        versions = {}
        for kind in self.kinds:
            try:
                versions[kind] = self.list(kind)
            except (OSError, http.client.HTTPException, ValueError) as failed:
                raise CannotLook(f"{self.kinds[kind]} cannot be read: {failed or type(failed).__name__}") from failed
        return versions

    def start(self):
        versions = self.first_look()
        for kind in self.kinds:
            threading.Thread(target=self.follow, args=(kind, versions[kind]), daemon=True, name=kind).start()

    def list(self, kind):
        items, more, version = [], "", ""
        while True:
            path = f"{self.kinds[kind]}?{self.fields.get(kind, '')}limit={PAGE}" + (f"&continue={quote(more)}" if more else "")
            status, body = self.proxy.text(path)
            if status != 200:
                raise ValueError(f"status {status}: {body[:200].decode('utf-8', 'replace')}")
            tree = json.loads(body)
            items += tree.get("items") or []
            version = tree["metadata"]["resourceVersion"]
            more = tree["metadata"].get("continue", "")
            if not more:
                break
        self.heard.put((time.time(), kind, "LIST", items))
        return version

    def went_back(self, kind, version):
        """Whether the server's newest version is older than the last one heard: etcd holds less than it did."""
        status, body = self.proxy.text(f"{self.kinds[kind]}?{self.fields.get(kind, '')}limit=1")
        if status != 200:
            raise ValueError(f"status {status}")
        newest = json.loads(body)["metadata"]["resourceVersion"]
        return newest.isdigit() and version.isdigit() and int(newest) < int(version)

    def follow(self, kind, version):
        last = time.time()  # until then all was heard
        broken = None
        while not self.stopped:
            try:
                if version is None:
                    version = self.list(kind)
                    self.heard.put((time.time(), "sight", "blind", {"kind": kind, "since": broken or last}))
                    last, broken = time.time(), None
                if self.went_back(kind, version):
                    version = None
                    continue
                path = f"{self.kinds[kind]}?{self.fields.get(kind, '')}watch=true&allowWatchBookmarks=true&timeoutSeconds={WATCH}&resourceVersion={version}"
                connection, reply = self.proxy.ask(path, WATCH + 20)
                try:
                    if reply.status == 410:
                        version = None
                        continue
                    if reply.status != 200:
                        raise ValueError(f"status {reply.status}")
                    if broken is not None:
                        self.heard.put((time.time(), "sight", "late", {"kind": kind, "since": broken}))
                        broken = None
                    for line in reply:
                        event = json.loads(line)
                        if event["type"] == "ERROR":
                            version = None
                            break
                        last = time.time()
                        version = event["object"]["metadata"]["resourceVersion"]
                        if event["type"] != "BOOKMARK":
                            self.heard.put((last, kind, event["type"], event["object"]))
                    else:
                        continue  # its time was over
                finally:
                    connection.close()
            except (OSError, http.client.HTTPException, ValueError):
                pass
            if broken is None and not self.stopped:
                broken = time.time()
            time.sleep(PAUSE)

    def sample(self, period, urls):
        """Metrics of kube-apiserver, through itself, and of Berth where URLs were given."""
        threading.Thread(target=self.sampling, args=(period, urls), daemon=True, name="metrics").start()

    def sampling(self, period, urls):
        import urllib.request

        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        while not self.stopped:
            try:
                status, body = self.proxy.text("/metrics", 10)
                if status == 200:
                    self.heard.put((time.time(), "metrics", "kube-apiserver", interesting(body)))
            except (OSError, http.client.HTTPException):
                pass
            for url in urls:
                try:
                    with direct.open(url, timeout=5) as reply:
                        self.heard.put((time.time(), "metrics", url, interesting(reply.read())))
                except (OSError, http.client.HTTPException):
                    pass
            time.sleep(period)


WANTED = (b"apiserver_request_total{", b"process_resident_memory_bytes", b"berth_api_writes_total{", b"berth_events_lost_total", b"berth_leader ")


def interesting(body):
    """Lines of a metrics page that become figures, by name and labels."""
    values = {}
    for line in body.splitlines():
        if line.startswith(WANTED) and b'verb="WATCH"' not in line and b'verb="GET"' not in line and b'verb="LIST"' not in line:
            name, _, value = line.decode().rpartition(" ")
            values[name] = float(value)
    return values
