"""A stand-in for Canvas on loopback that keeps Canvas's rules, for the tests of `grader push canvas`.

Written from the rules in Canvas's documentation and source: bearer tokens, form-encoded `grade_data`, answers in
pages with a Link header, bulk updates that become a job, whose known users get their grades also when another user
is unknown.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

PAGE = 2
COURSE, ASSIGNMENT = 12, 4711


@dataclass
class CanvasStub:
    """What this Canvas knows and what it was asked.

    Attributes:
        token: The token that it accepts.
        users: The course's students, as its API shows them.
        fields: Of the assignment.
        scores: The entered score by user.
        excused: Who is excused.
        failures: Answers, as (path's end, status, headers, text), that are given before anything is looked at.
        bodies: The fields of every bulk update.
        job_states: The states that a job goes through.
        forgets: Users whose grade a job leaves out without a word.
        withdrawn: Users who leave the course before the next update.
    """

    token: str
    users: list[dict[str, Any]]
    fields: dict[str, Any] = field(default_factory=lambda: {"points_possible": 30.0, "grading_type": "points"})
    scores: dict[int, float] = field(default_factory=dict)
    excused: set[int] = field(default_factory=set)
    failures: list[tuple[str, int, dict[str, str], str]] = field(default_factory=list)
    bodies: list[dict[str, str]] = field(default_factory=list)
    job_states: tuple[str, ...] = ("queued", "running", "completed")
    forgets: set[int] = field(default_factory=set)
    withdrawn: set[int] = field(default_factory=set)
    address: str = ""
    jobs: list[dict[str, Any]] = field(default_factory=list)

    def answer(self, method: str, path: str, query: dict[str, list[str]], form: list[tuple[str, str]]) -> Any:
        """Return (status, document or pages' rows)."""
        course = f"/api/v1/courses/{COURSE}"
        assignment = f"{course}/assignments/{ASSIGNMENT}"
        if method == "GET" and path == course:
            return 200, {"id": COURSE, "name": "Deep Learning"}
        if method == "GET" and path == assignment:
            return 200, {"id": ASSIGNMENT, "name": "Simple attention", "course_id": COURSE, **self.fields}
        if method == "GET" and path == f"{course}/search_users":
            assert query["enrollment_type[]"] == ["student"]
            hidden = set() if query.get("include[]") == ["email"] else {"email"}
            return 200, [{key: user[key] for key in user if key not in hidden} for user in self.users]
        if method == "GET" and path == f"{assignment}/submissions":
            return 200, [self.submission(user["id"]) for user in self.users]
        if method == "POST" and path == f"{assignment}/submissions/update_grades":
            return 200, self.update(dict(form))
        if method == "GET" and path.startswith("/api/v1/progress/"):
            return 200, self.progress(int(path.rpartition("/")[2]))
        return 404, {"errors": [{"message": "The specified resource does not exist."}]}

    def submission(self, user: int) -> dict[str, Any]:
        """Return a submission; a late penalty of Canvas is between the entered score and the score."""
        entered = self.scores.get(user)
        score = None if entered is None else entered * 0.9
        return {"user_id": user, "entered_score": entered, "score": score, "excused": user in self.excused}

    def update(self, form: dict[str, str]) -> dict[str, Any]:
        """Take a bulk update and return its job."""
        self.bodies.append(form)
        self.users = [user for user in self.users if user["id"] not in self.withdrawn]
        known = {user["id"] for user in self.users}
        missing = []
        for name, value in form.items():
            user, _, what = name.removeprefix("grade_data[").partition("][")
            assert what == "posted_grade]"
            if int(user) not in known:
                missing.append(user)
            elif int(user) not in self.forgets:
                self.scores[int(user)] = round(float(value), 2)
        message = f"Couldn't find User(s) with API ids '{', '.join(missing)}'" if missing else None
        states = [*self.job_states[:-1], "failed"] if missing else list(self.job_states)
        self.jobs.append({"states": states, "message": message})
        return self.progress(len(self.jobs) - 1)

    def progress(self, number: int) -> dict[str, Any]:
        job = self.jobs[number]
        state = job["states"].pop(0) if len(job["states"]) > 1 else job["states"][0]
        message = job["message"] if state == "failed" else None
        return {"id": number, "workflow_state": state, "message": message, "url": ""}


class Handler(BaseHTTPRequestHandler):
    stub: CanvasStub
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # in one packet; else the client's delayed acknowledgement of the first costs 40 ms a request

    def do_GET(self) -> None:
        stub, parts = self.stub, urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        for failure in stub.failures:
            if parts.path.endswith(failure[0]):
                stub.failures.remove(failure)
                return self.send(failure[1], failure[3].encode(), failure[2])
        if self.headers.get("Authorization") != f"Bearer {stub.token}":
            error = {"errors": [{"message": f"Invalid access token {self.headers.get('Authorization')}."}]}
            return self.send(401, json.dumps(error).encode(), {"WWW-Authenticate": 'Bearer realm="canvas-lms"'})
        query = parse_qs(parts.query)
        code, document = stub.answer(self.command, parts.path, query, parse_qsl(body, keep_blank_values=True))
        headers = {}
        if isinstance(document, list):
            page = int(query.get("page", ["1"])[0])
            if len(document) > page * PAGE:
                further = urlencode({**query, "page": page + 1}, doseq=True)
                headers["Link"] = f'<{stub.address}{parts.path}?{further}>; rel="next"'
            document = document[(page - 1) * PAGE : page * PAGE]
        return self.send(code, json.dumps(document).encode(), headers)

    do_POST = do_GET  # noqa: N815  # as http.server calls it

    def send(self, code: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(code)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Be quiet."""


@contextmanager
def running(stub: CanvasStub) -> Iterator[CanvasStub]:
    """Run a Canvas on loopback, in a thread of its own."""
    handler = type("Bound", (Handler,), {"stub": stub})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    stub.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
