"""The dashboards of Ray clusters, simulated: fake kubelets run no Ray.

KubeRay asks the dashboard of a cluster for its jobs and its Serve applications, by the name of a Service. Its HTTP client takes this process for
its proxy (HTTP_PROXY), so that all these requests end here. Every job has the status that PUT /double/job-status set last (RUNNING at first; NONE: no
dashboard knows the job). Serve applications run from the start, and their proxies are healthy.

  ray-dashboard.py PORT     listens on 127.0.0.1
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

job_status = "RUNNING"


class Dashboard(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = urlsplit(self.path).path
        if path.startswith("/api/jobs/"):
            name = path.removeprefix("/api/jobs/").strip("/")
            if not name:
                self.answer(200, [])
            elif job_status == "NONE":
                self.answer(404, {})
            else:
                self.answer(200, {"submission_id": name, "job_id": name, "status": job_status, "message": "simulated", "start_time": 1, "end_time": 2})
        elif path.startswith("/api/serve/applications"):
            self.answer(200, {"applications": {"app": {"name": "app", "status": "RUNNING", "deployments": {}}}})
        elif path == "/-/healthz":
            self.reply(200, "text/plain", b"success")
        else:
            self.answer(200, {})

    def do_PUT(self):
        global job_status
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        if urlsplit(self.path).path == "/double/job-status":
            job_status = body.strip()
        self.answer(200, {})

    do_POST = do_PUT

    def answer(self, status, value):
        self.reply(status, "application/json", json.dumps(value).encode())

    def reply(self, status, kind, body):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, form, *words):
        print(self.command, self.path, form % words, flush=True)


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Dashboard).serve_forever()
