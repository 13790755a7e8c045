"""Asks a platform over the web with patience: time limits, a few more tries with growing pauses, no redirects.

To send the same score twice does no harm, so a request may be tried again; a comment would be there twice, so a
request with one is not. What a platform answers is shown shortened, made harmless and without secrets.
"""

from typing import Any, Final
from urllib.parse import urlsplit

from grader.errors import GraderError, UsageError
from grader.text import one_line

from .secrets import Redactor

CONNECT_S: Final = 10.0
ANSWER_S: Final = 60.0
TRIES: Final = 5
TIMES: Final = f", {TRIES} times"  # as failures say it
PAUSE_S = 1.0  # before the second try; doubled for each further one
LONGEST_PAUSE_S: Final = 60
AGAIN: Final = (429, 500, 502, 503, 504)
BEFORE: Final = (429,)  # said before anything is done
SHOWN: Final = 200  # characters of a platform's answer
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
UNREADABLE: Final = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
EXTRA = "Install it with `pip install 'attention-grader[lms]'`."


class PlatformError(GraderError):
    """A platform refused, failed or did not answer.

    Attributes:
        status: The HTTP status that it answered with; 0 for no answer.
    """

    exit_code = 1

    def __init__(self, looked_for: str, found: str = "", hint: str = "", status: int = 0) -> None:
        super().__init__(looked_for, found, hint)
        self.status = status


def need_extra() -> None:
    """Refuse where the packages of the extra `lms` are missing.

    Raises:
        UsageError: One is.
    """
    from importlib.util import find_spec

    for package in ("requests", "canvasapi"):
        if find_spec(package) is None:
            raise UsageError(f"Pushing scores needs the package {package}.", "It is not installed.", EXTRA)


def address(text: str, what: str) -> str:
    """Return an address that secrets may be sent to, as it was given with an option.

    Raises:
        UsageError: It is not a web address, not encrypted, or holds a name and password.
    """
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError:
        parts, host = urlsplit(""), ""
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError(
            f"{what} is the address of a platform.", f"{one_line(text, SHOWN)!r} is not one.", "Begin with https://."
        )
    if parts.username is not None or parts.password is not None:
        raise UsageError(
            f"{what} holds a name or a password.", hint="Leave them out: secrets come from variables or files."
        )
    if parts.scheme == "http" and host not in LOOPBACK:
        raise UsageError(f"{what} begins with http://, so secrets would be sent unencrypted.", hint="Use https://.")
    return text


def session(*, once: bool = False) -> Any:
    """Return a session of requests that is patient with a platform.

    Args:
        once: Whether a request that the platform may have taken is not tried again.
    """
    import requests
    from requests.adapters import HTTPAdapter
    from urllib3.exceptions import InvalidHeader
    from urllib3.util.retry import Retry

    class TimeoutAdapter(HTTPAdapter):
        def send(self, request: Any, *args: Any, **kwargs: Any) -> Any:
            kwargs["timeout"] = kwargs.get("timeout") or (CONNECT_S, ANSWER_S)
            if urlsplit(request.url).hostname in LOOPBACK:
                kwargs["proxies"] = {}  # by http:// a proxy would read the secrets that are for this machine alone
            return super().send(request, *args, **kwargs)

    statuses = BEFORE if once else AGAIN

    class BoundedRetry(Retry):
        RETRY_AFTER_STATUS_CODES = frozenset(statuses)  # otherwise any 503 that says when would be tried again

        def get_retry_after(self, response: Any) -> float | None:
            try:
                asked = super().get_retry_after(response)
            except (InvalidHeader, ValueError, OverflowError):  # neither seconds nor a date that there is
                return None
            return None if asked is None else min(asked, LONGEST_PAUSE_S)

    patience = BoundedRetry(
        total=TRIES - 1,
        read=0 if once else None,
        redirect=0,
        allowed_methods=None,
        status_forcelist=statuses,
        backoff_factor=PAUSE_S,
        raise_on_status=False,
        raise_on_redirect=False,
    )
    made = requests.Session()
    made.max_redirects = 0
    made.auth = lambda request: request  # otherwise an entry in ~/.netrc would take the place of our token
    for scheme in ("https://", "http://"):
        made.mount(scheme, TimeoutAdapter(max_retries=patience))
    return made


def no_answer(platform: str, problem: Exception, redactor: Redactor, times: str = TIMES) -> PlatformError:
    """Return the sentence for a platform that gave no answer, or none that could be read."""
    import requests

    if isinstance(problem, requests.exceptions.TooManyRedirects):
        found, hint = "It sends the request on to another address.", "Give the address that it is really at."
    elif isinstance(problem, requests.exceptions.SSLError):
        found, hint = "Its certificate is not trusted.", "Look at the address and at this machine's certificates."
    elif isinstance(problem, requests.exceptions.InvalidHeader):
        found, hint = "What shows it who is asking holds a character that cannot be sent.", "Look for a line end in it."
    elif isinstance(problem, requests.exceptions.Timeout):
        found, hint = f"It did not answer within {ANSWER_S:g} s{times}.", "Give the command again later."
    elif not isinstance(problem, requests.exceptions.RequestException) or isinstance(
        problem, requests.exceptions.JSONDecodeError | requests.exceptions.ContentDecodingError
    ):
        found, hint = "Its answer is not what this platform should say.", "Look at the address."
    else:
        found = f"It cannot be reached ({type(problem).__name__}){times}."
        hint = "Look at the address and the network, and give the command again: what was sent is not sent twice."
    return PlatformError(f"{platform} was asked.", redactor.redact(found), hint)


def refused(platform: str, status: int, said: str, redactor: Redactor, times: str = TIMES) -> PlatformError:
    """Return the sentence for a platform that answered with an error status, and what it said without secrets."""
    meanings = {
        401: ("It does not accept the credentials (401).", "Look whether they are of this platform and still valid."),
        403: ("It does not allow this (403).", "The credentials need the right to read and write grades there."),
        404: ("It has nothing at this address (404).", "Look at the address and the numbers in it."),
        429: (f"It asks for fewer requests (429), {TRIES} times.", "Give the command again later."),
    }
    broken = (f"It failed ({status}){times}.", "Give the command again later: what was sent is not sent twice.")
    found, hint = meanings.get(status, broken if status >= 500 else (f"It refused the request ({status}).", ""))
    words = one_line(redactor.redact(said), SHOWN).strip()
    return PlatformError(f"{platform} was asked.", f"{found} It says: {words}." if words else found, hint, status)
