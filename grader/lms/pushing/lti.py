"""Pushes scores by LTI 1.3's Assignment and Grade Services, with a small client of PyJWT and requests.

A platform takes a score only with a later time than the one it has. So each score gets the time at which it is
sent, and one that comes too late for the platform's clock is sent once more with the platform's own time.
"""

import time
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from email.utils import parsedate_to_datetime
from typing import Any, Final
from urllib.parse import urljoin, urlsplit, urlunsplit

from grader.errors import UsageError
from grader.lms.class_sheets.lti_scores import Score, timestamp
from grader.lms.one_report.json_text import json_bytes
from grader.text import name_shown

from . import web
from .plan import STEP, Change, Plan, Sent, score_text, scores_equal
from .results import has_unreadable_score, maximum_of, score_of
from .secrets import Redactor
from .target_scores import TargetScores
from .token import NAME, Tokens, Tool

LINEITEM = "application/vnd.ims.lis.v2.lineitem+json"
RESULTS = "application/vnd.ims.lis.v2.resultcontainer+json"
SCORE = "application/vnd.ims.lis.v1.score+json"
MOST_PAGES: Final = 10_000
SEND_TRIES: Final = 3  # times at which one score is sent before the platform's clock is given up
TOO_OLD = (400, 409)  # by the specification 409; Canvas says 400
STOPPING = (0, 401, 429)  # no answer, no credentials, too many requests: nobody else would fare better
EQUAL_REFUSALS: Final = 3  # students refused in the same way one after another, before it is believed of all
ROUNDED: Final = Decimal("0.0051")  # of the platform's points: many keep hundredths of theirs
CLOSEST: Final = Decimal("0.0049")  # of ours: no two scores of the reports are that close
RESULT_READS: Final = 3  # at the results after sending, since some platforms show them a moment later


class Lineitem:
    """One column of a platform's gradebook."""

    def __init__(self, address: str, tool: Tool, redactor: Redactor) -> None:
        self._address, self._redactor = address, redactor
        self._session = web.session()
        self._tokens = Tokens(self._session, tool, redactor)
        self._last = datetime.fromtimestamp(0, UTC)
        self._ahead = timedelta()
        self._rounded = STEP

    def plan(self, wanted: TargetScores, *, without_reading: bool, scale: bool) -> Plan:
        """Return what would change.

        Args:
            without_reading: Whether every score is sent, for a platform that does not show what it has.
            scale: Whether the line item may count other points than the reports.

        Raises:
            PlatformError: The platform refused or did not answer.
            UsageError: The line item counts other points, and that was not asked for.
        """
        item = self._read(self._address, LINEITEM)[0]
        if not isinstance(item, dict):
            raise web.no_answer(f"{NAME} (for its line item)", ValueError(), self._redactor)
        label, points = str(item.get("label", "")), maximum_of(item)
        worth = "" if points is None else f", {score_text(points)} points there"
        plan = wanted.plan(f'{NAME}: "{label}" at {self._address}{worth}')
        if points is None:
            plan.notes.append(
                "The platform does not say what the line item is worth: look whether it is the right one."
            )
        elif not scores_equal(points, wanted.max_score):
            theirs = score_text(points)
            if not scale:
                raise UsageError(
                    f"The line item {name_shown(label)} of the platform was to get the scores of {wanted.assignment}.",
                    f"It is worth {theirs} points there, and {wanted.max_score:f} in the reports.",
                    "Is it the right one? Add --scale to let the platform convert the scores.",
                )
            plan.notes.append(f"Scores are sent out of {wanted.max_score:f}; it converts them to its {theirs}.")
        if points:
            self._rounded = max(STEP, ROUNDED * wanted.max_score / points)
        there = {} if without_reading else self._results()
        if without_reading:
            plan.notes.append("What the platform has was not looked at, so every score is sent.")
        for student, score in wanted.scores.items():
            user = wanted.people[student].lti_user_id
            if not user:
                plan.left_out.append((student, "the roster gives no lti_user_id."))
                continue
            if has_unreadable_score(there.get(user)):
                plan.notes.append(f"{name_shown(student)} has something there that is not a number of points.")
            before = score_of(there.get(user), wanted.max_score)
            plan.add_score(student, user, before, score, within=min(self._rounded, CLOSEST))
        return plan

    def send(self, changes: list[Change], wanted: TargetScores, *, without_reading: bool) -> Sent:
        """Send scores, one after another, and look whether they are there.

        A platform may fail over one student, such as one who has left; so the others are sent until it refuses
        several in a row in the same way.
        """
        sent = Sent(looked=not without_reading)
        refusals: list[int] = []  # the statuses of the last students, back to one who was not refused so
        for place, change in enumerate(changes):
            try:
                self._score(change, wanted)
                refusals.clear()
            except web.PlatformError as problem:
                if problem.status in STOPPING:
                    sent.untried = [each.student for each in changes[place:]]
                    sent.looked, sent.stopped = False, problem
                    return sent
                sent.failed.append((change.student, problem.found))
                if problem.status != 403 and problem.status < 500:
                    refusals.clear()
                    continue
                refusals = [each for each in refusals if each == problem.status] + [problem.status]
                if len(refusals) == EQUAL_REFUSALS:
                    sent.untried = [each.student for each in changes[place + 1 :]]
                    break
        if sent.looked:
            self._look(changes, wanted, sent)
        return sent

    def _look(self, changes: list[Change], wanted: TargetScores, sent: Sent) -> None:
        """Read the results again, and correct what is said of each student by what the platform shows."""
        refused = dict(sent.failed)
        waiting = [each for each in changes if each.student not in {*refused, *sent.untried}]
        if not waiting:
            return
        there: dict[str, dict[str, Any]] = {}
        try:
            for look in range(RESULT_READS):
                time.sleep(web.PAUSE_S * look)
                there = self._results()
                if all(self._has(score_of(there.get(each.user), wanted.max_score), each) for each in waiting):
                    break
        except web.PlatformError as problem:
            sent.unconfirmed = [(each.student, f"what is there could not be read. {problem.found}") for each in waiting]
            return
        for each in changes:
            found = score_of(there.get(each.user), wanted.max_score)
            if self._has(found, each):
                refused.pop(each.student, None)
            elif each in waiting:
                stored = "no score" if found is None else f"{score_text(found)}, not {score_text(each.after)}"
                why = f"the platform shows {stored}. Look there, or push again later."
                sent.unconfirmed.append((each.student, why))
        sent.failed = list(refused.items())

    def _has(self, found: Decimal | None, change: Change) -> bool:
        """Return whether the platform shows what was sent, or what came of it where it rounds its own points."""
        return scores_equal(found, change.after) or (
            found != change.before and scores_equal(found, change.after, self._rounded)
        )

    def _score(self, change: Change, wanted: TargetScores) -> None:
        """Send one score, again with a later time where the platform finds it too old."""
        for remaining in reversed(range(SEND_TRIES)):
            score = Score(
                user_id=change.user,
                score_given=change.after,
                score_maximum=wanted.max_score,
                comment=wanted.comments[change.student],
                timestamp=self._stamp(),
            )
            place = _below(self._address, "scores")
            answer = self._request("POST", place, data=json_bytes(score), headers={"Content-Type": SCORE})
            if answer.status_code < 300:
                return
            if answer.status_code not in TOO_OLD or not remaining:
                raise web.refused(NAME, answer.status_code, answer.text, self._redactor)
            self._set_clock(answer)

    def _stamp(self) -> str:
        """Return the time now, later than every one before, in milliseconds with its zone."""
        now = datetime.now(UTC) + self._ahead
        step = timedelta(milliseconds=1)
        self._last = max(now.replace(microsecond=now.microsecond // 1000 * 1000), self._last + step)
        return timestamp(self._last)

    def _set_clock(self, answer: Any) -> None:
        """Go by the platform's clock where it is ahead of ours; wait a moment where it is not."""
        try:
            theirs = parsedate_to_datetime(answer.headers.get("Date", ""))
            ahead = theirs + timedelta(seconds=1) - datetime.now(UTC)
        except (TypeError, ValueError):
            ahead = timedelta()
        self._ahead = max(self._ahead, ahead, timedelta())
        time.sleep(min(web.PAUSE_S, 0.05))

    def _results(self) -> dict[str, dict[str, Any]]:
        """Return the results that the platform has, by user."""
        found: dict[str, dict[str, Any]] = {}
        address = _below(self._address, "results")
        seen: set[str] = set()
        while address not in seen and len(seen) < MOST_PAGES:
            seen.add(address)
            page, following = self._read(address, RESULTS)
            rows = page if isinstance(page, list) else None
            if rows is None or not all(isinstance(row, dict) and "userId" in row for row in rows):
                raise web.no_answer(f"{NAME} (for its results)", ValueError(), self._redactor)
            for row in rows:
                found.setdefault(str(row["userId"]), row)  # a platform that keeps a history gives the newest first
            if following is None:
                return found
            address = self._same_place(address, following)
        raise web.no_answer(f"{NAME} (for its results)", ValueError(), self._redactor)

    def _read(self, address: str, kind: str) -> tuple[Any, str | None]:
        """Return a document and the address of its next page."""
        answer = self._request("GET", address, headers={"Accept": kind})
        if answer.status_code >= 400:
            problem = web.refused(NAME, answer.status_code, answer.text, self._redactor)
            if kind == RESULTS and answer.status_code in (403, 404, 405, 501):
                hint = "If it does not show its results, add --without-reading: then every score is sent."
                problem = web.PlatformError(problem.looked_for, problem.found, hint, answer.status_code)
            raise problem
        try:
            return answer.json(), answer.links.get("next", {}).get("url") or None
        except (ValueError, RecursionError) as problem:
            raise web.no_answer(NAME, problem, self._redactor) from None

    def _request(self, method: str, address: str, **more: Any) -> Any:
        """Ask with a token; with a new one where the platform no longer takes the old."""
        import requests

        headers = more.pop("headers", {})
        for again in (True, False):
            given = {**headers, "Authorization": f"Bearer {self._tokens.token()}"}
            try:
                answer = self._session.request(method, address, headers=given, **more)
            except (requests.exceptions.RequestException, ValueError) as problem:
                raise web.no_answer(NAME, problem, self._redactor) from None
            if answer.status_code != 401 or not again:
                return answer
            self._tokens.forget()
        raise AssertionError("the second try returns")

    def _same_place(self, address: str, following: str) -> str:
        """Return the address of the next page; refuse one elsewhere, since the token is for this platform."""
        try:
            there = urljoin(address, following)
            if urlsplit(there)[:2] == urlsplit(self._address)[:2]:
                return there
        except ValueError:  # it is not an address
            pass
        raise web.PlatformError(f"{NAME} was asked.", "Its next page of results is at another place.")


def _below(address: str, name: str) -> str:
    """Return the address of a part of the line item; what follows a question mark stays at the end."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{name}", fragment=""))


def check_lineitem(address: str) -> str:
    """Return the address of a line item.

    Raises:
        UsageError: It is the address of its scores or results instead.
    """
    last = urlsplit(address).path.rstrip("/").rpartition("/")[2]
    if last in ("scores", "results"):
        raise UsageError(f"--lineitem ends with /{last}.", hint=f"Give the line item itself, without /{last}.")
    return web.address(address, "--lineitem")
