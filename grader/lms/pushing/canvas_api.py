"""Asks Canvas by canvasapi, patiently; every failure becomes a sentence without a secret in it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, TypeVar

from . import web
from .secrets import Redactor, Secret

NAME = "Canvas"
THROTTLED = "Rate Limit Exceeded"  # said with 403 by older versions of Canvas

Answer = TypeVar("Answer")


class CanvasApi:
    """Canvas as the owner of a token sees it, at the address of an institution."""

    def __init__(self, address: str, token: Secret, redactor: Redactor) -> None:
        self.redactor = redactor
        redactor.add(token.reveal())
        self._requester = _requester(address.rstrip("/"), token)

    def course(self, number: int) -> Any:
        """Return a course.

        Raises:
            PlatformError: Canvas refused or did not answer.
        """
        course: Any = import_module("canvasapi.course").Course
        return self.ask(lambda: course(self._requester, self._requester.request("GET", f"courses/{number}").json()))

    def ask(self, question: Callable[[], Answer]) -> Answer:
        """Ask Canvas; every failure becomes a sentence without a secret in it.

        Raises:
            PlatformError: Canvas refused or did not answer.
        """
        import requests

        refusal: Any = import_module("canvasapi.exceptions").CanvasException  # canvasapi has no type hints
        for remaining in reversed(range(web.TRIES)):
            self._requester.seen.clear()
            try:
                return question()
            except refusal as problem:
                words, status = str(problem.message), self._requester.last_status
                if THROTTLED in words and remaining and status == 403:
                    time.sleep(min(web.PAUSE_S * 2 ** (web.TRIES - remaining), web.LONGEST_PAUSE_S))
                    continue
                raise web.refused(NAME, status, words, self.redactor, self._requester.times) from None
            except (requests.exceptions.RequestException, *web.UNREADABLE) as problem:
                if self._requester.last_status >= 400:
                    raise web.refused(
                        NAME, self._requester.last_status, "", self.redactor, self._requester.times
                    ) from None
                raise web.no_answer(NAME, problem, self.redactor, self._requester.times) from None
        raise AssertionError("the last try either returns or raises")

    def tell(self, statement: Callable[[], Answer]) -> Answer:
        """Tell Canvas what it must not be told twice, such as a comment: what it may have heard is not sent again.

        Raises:
            PlatformError: Canvas refused or did not answer; it may have heard all the same.
        """
        with self._requester.impatient():
            return self.ask(statement)


def _requester(address: str, token: Secret) -> Any:
    """Return canvasapi's requester with a patient session in it.

    It also remembers the last status, and the pages that were read for one question.
    """
    base: Any = import_module("canvasapi.requester").Requester

    class RecordingRequester(base):  # type: ignore[misc]  # canvasapi has no type hints
        last_status = 0
        times = web.TIMES

        def __init__(self) -> None:
            super().__init__(address, token.reveal())
            self.seen: set[str] = set()
            self._session = self._new_session()

        def _new_session(self, *, once: bool = False) -> Any:
            made = web.session(once=once)
            made.hooks["response"].append(self._remember)
            return made

        @contextmanager
        def impatient(self) -> Iterator[None]:
            before = self._session, self.times
            self._session, self.times = self._new_session(once=True), ""
            try:
                yield
            finally:
                self._session, self.times = before

        def _remember(self, response: Any, *_: Any, **__: Any) -> None:
            self.last_status = response.status_code
            if response.request.method == "GET" and response.ok:
                if response.url in self.seen:  # a page that is followed by itself has no end
                    raise ValueError("the same page twice")
                self.seen.add(response.url)

        def request(self, *args: Any, **kwargs: Any) -> Any:
            self.last_status = 0
            return super().request(*args, **kwargs)

    return RecordingRequester()
