"""Gets access tokens of an LTI platform: a statement signed with the tool's key in exchange for a token with an end.

As in IMS Security Framework 1.0, section 4.1: the grant is `client_credentials`, and the client shows who it is by
a JWT that is signed with RS256.
"""

import re
import time
import uuid
from dataclasses import dataclass
from typing import Any, Final

from grader.errors import UsageError

from . import web
from .secrets import Redactor, Secret

NAME = "The LTI platform"
SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope"
SCOPES = (f"{SCOPE}/lineitem.readonly", f"{SCOPE}/result.readonly", f"{SCOPE}/score")
BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
ASSERTED_S: Final = 300  # how long a statement is good for
EARLY_S: Final = 60.0  # a token is renewed this long before its end
TOKEN: Final = re.compile(r"[!-~]+")  # what a header can carry: no line end, blank or letter beyond ASCII
DEFAULT_LIFETIME_S: Final = 300.0  # how long a token is used whose end the platform does not tell


@dataclass(frozen=True)
class Tool:
    """How the grader is registered as a tool at a platform.

    Attributes:
        audience: Whom the statement is for; most platforms want the token's address.
        key_id: Which of the tool's keys signs.
        key: The private key, as PEM.
    """

    client_id: str
    token_url: str
    audience: str
    key_id: str
    key: Secret


class Tokens:
    """The access tokens of a run, each used until shortly before its end.

    Raises:
        UsageError: The key is not a private RSA key.
    """

    def __init__(self, session: Any, tool: Tool, redactor: Redactor) -> None:
        self._session, self._tool, self._redactor = session, tool, redactor
        redactor.add(tool.key.reveal())
        self._key = _private_key(tool.key)
        self._token = ""
        self._end = 0.0

    def token(self) -> str:
        """Return a token that is still good.

        Raises:
            PlatformError: The platform gives none.
        """
        if time.monotonic() >= self._end:
            self._renew()
        return self._token

    def forget(self) -> None:
        """Let the next request get a new token."""
        self._end = 0.0

    def _renew(self) -> None:
        import requests

        form = {
            "grant_type": "client_credentials",
            "client_assertion_type": BEARER,
            "client_assertion": self._statement(),
            "scope": " ".join(SCOPES),
        }
        asked = time.monotonic()
        try:
            answer = self._session.post(self._tool.token_url, data=form)
            if answer.status_code >= 400:
                raise self._refused(answer.status_code, answer.text)
            given = answer.json()
            token, lasts = given["access_token"], given.get("expires_in", DEFAULT_LIFETIME_S)
            if not isinstance(token, str) or not TOKEN.fullmatch(token):
                raise ValueError("no token")
            lasts = float(lasts)
        except (requests.exceptions.RequestException, *web.UNREADABLE) as problem:
            raise web.no_answer(f"{NAME} (for a token)", problem, self._redactor) from None
        self._redactor.add(token)
        self._token = token
        self._end = asked + max(lasts - EARLY_S, lasts / 2)

    def _refused(self, status: int, said: str) -> web.PlatformError:
        problem = web.refused(f"{NAME} (for a token)", status, said, self._redactor)
        if status >= 500 or status == 429:
            return problem
        hint = "Look at --client-id, --key-id, --audience and the key: the platform must know its public half."
        return web.PlatformError(problem.looked_for, problem.found, hint, status)

    def _statement(self) -> str:
        import jwt

        now = int(time.time())
        claims = {
            "iss": self._tool.client_id,
            "sub": self._tool.client_id,
            "aud": self._tool.audience,
            "iat": now,
            "exp": now + ASSERTED_S,
            "jti": str(uuid.uuid4()),
        }
        statement: str = jwt.encode(claims, self._key, algorithm="RS256", headers={"kid": self._tool.key_id})
        self._redactor.add(statement)
        return statement


def _private_key(key: Secret) -> Any:
    """Return the key, read."""
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        read = load_pem_private_key(key.reveal().encode(), password=None)
    except (ValueError, TypeError):  # both texts could quote the key
        read = None
    if not isinstance(read, RSAPrivateKey):
        raise UsageError(
            "The tool's private key was looked for.",
            "What was given is not a private RSA key in PEM without a password.",
            "It begins with -----BEGIN PRIVATE KEY----- or -----BEGIN RSA PRIVATE KEY-----.",
        ) from None
    return read
