"""A real LTI 1.3 platform on loopback for the tests of `grader push lti`: lti1p3platform's services behind Flask.

The library checks statements, signatures, tokens and scopes; what is here keeps its line item and scores in memory,
with the rule of the specification that a score must have a later time than the one before. Tests can let it fail
beforehand.
"""

import functools
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import flask
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from jwcrypto.jwk import JWK
from lti1p3platform.exceptions import LtiException
from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract
from lti1p3platform.registration import Registration
from lti1p3platform.request import Request
from lti1p3platform.score import UpdateScoreStatus
from lti1p3platform.service_connector import AssignmentsGradesService
from werkzeug.serving import WSGIRequestHandler, make_server

from .serving import serving

CLIENT, KEY_ID = "the-grader", "key-1"


@functools.cache
def own_key() -> str:
    """Return the platform's key; making one takes a moment."""
    return new_key()


def new_key() -> str:
    """Return a private RSA key as PEM."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    form = serialization.PrivateFormat.PKCS8
    return key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()).decode()


def public_of(pem: str) -> dict[str, Any]:
    """Return the public half of a key as a JSON Web Key."""
    public = json.loads(JWK.from_pem(pem.encode()).export_public())
    return {**public, "kid": KEY_ID, "alg": "RS256", "use": "sig"}


@dataclass
class Platform:
    """What the platform knows and what it was asked.

    Attributes:
        tool_key: The tool's private key, whose public half is registered.
        users: Whom it knows.
        score_maximum: What the line item is worth.
        lifetime_s: How long a token is good.
        page: Results on a page.
        ahead_s: How far its clock is ahead of this machine's.
        address: Of the server.
        scores: Every score that was taken, the newest last, by user.
        failures: Answers, as (path's end, status, headers, text), that are given before anything is looked at.
        refusing: The status with which every score of a user is refused.
        asked: Every request as (method, path, status).
        tokens: Every token that was given.
    """

    tool_key: str
    users: set[str]
    score_maximum: float = 5.5
    lifetime_s: int = 3600
    page: int = 2
    ahead_s: float = 0
    address: str = ""
    scores: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    failures: list[tuple[str, int, dict[str, str], str]] = field(default_factory=list)
    refusing: dict[str, int] = field(default_factory=dict)
    asked: list[tuple[str, str, int]] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    @property
    def lineitem(self) -> str:
        return f"{self.address}/lineitems/7"

    @property
    def token_url(self) -> str:
        return f"{self.address}/token"

    def newest(self) -> dict[str, float]:
        """Return the score of each user."""
        return {user: given[-1]["scoreGiven"] for user, given in self.scores.items()}

    def count(self, method: str, end: str, status: int | None = None) -> int:
        """Return how many requests there were to an address."""
        return sum(m == method and path.endswith(end) and status in (None, code) for m, path, code in self.asked)


class FlaskRequest(Request):
    """What the library wants to know of a request."""

    def build_metadata(self, request: Any) -> Any:
        pages = {name: int(value) for name, value in request.args.items()}
        return {
            "method": request.method,
            "form_data": request.form.to_dict(),
            "get_data": pages,
            "headers": request.headers,
            "content_type": request.content_type,
            "path": request.path,
            "json": request.get_json(force=True, silent=True),
        }


class Configured(LTI1P3PlatformConfAbstract):
    """The platform's registration of the one tool."""

    def init_platform_config(self, **kwargs: Any) -> None:
        self._registration = kwargs["registration"]

    def get_registration_by_params(self, **kwargs: Any) -> Registration:
        return self._registration


class Grades(AssignmentsGradesService):
    """The line item and its scores."""

    def __init__(self, platform: Platform, configured: Configured) -> None:
        super().__init__(FlaskRequest(flask.request), configured, f"{platform.address}/lineitems", platform.lineitem)
        self.platform = platform

    def find_lineitem(self, line_item_id: str) -> Any:
        return {"id": self.platform.lineitem, "label": "Tiny steps", "scoreMaximum": self.platform.score_maximum}

    def update_score(self, line_item_id: str, score: Any) -> UpdateScoreStatus:
        given = self.platform.scores.setdefault(score["userId"], [])
        if given and datetime.fromisoformat(score["timestamp"]) <= datetime.fromisoformat(given[-1]["timestamp"]):
            return UpdateScoreStatus.OLD_TIMESTAMP
        given.append(score)
        return UpdateScoreStatus.SUCCESS

    def get_results(self, line_item_id: str, page: int = 1, limit: Any = None, user_id: Any = None) -> Any:
        rows = [
            {"userId": user, "resultScore": given[-1]["scoreGiven"], "resultMaximum": given[-1]["scoreMaximum"]}
            for user, given in sorted(self.platform.scores.items())
        ]
        size = self.platform.page
        return {"content": rows[(page - 1) * size : page * size], "has_next": len(rows) > page * size, "next": None}

    def unused(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    find_lineitems = create_lineitem = update_lineitem = delete_lineitem = unused


def application(platform: Platform) -> flask.Flask:
    """Return the platform as a Flask application."""
    app = flask.Flask(__name__)
    own = own_key()
    public = JWK.from_pem(own.encode()).export_to_pem().decode()
    registration = Registration().set_iss("https://platform.test").set_client_id(CLIENT)
    registration.set_platform_private_key(own).set_platform_public_key(public)
    registration.set_tool_key_set({"keys": [public_of(platform.tool_key)]})

    @app.before_request
    def fail_first() -> Any:
        for failure in platform.failures:
            if flask.request.path.endswith(failure[0]):
                platform.failures.remove(failure)
                return failure[3], failure[1], failure[2]
        return None

    @app.after_request
    def note(response: flask.Response) -> flask.Response:
        platform.asked.append((flask.request.method, flask.request.path, response.status_code))
        return response

    @app.post("/token")
    def token() -> Any:
        try:
            given = Configured(registration=registration).get_access_token(flask.request.form.to_dict())
        except (LtiException, ValueError) as problem:
            return {"error": "invalid_client", "error_description": str(problem)}, 401
        except Exception as problem:  # a signature of another key comes as PyJWT's own exception
            return {"error": "invalid_client", "error_description": type(problem).__name__}, 401
        claims = {"sub": CLIENT, "iss": "https://platform.test", "scopes": given["scope"], "n": time.time_ns()}
        given["access_token"] = registration.encode_and_sign(claims, own, expiration=platform.lifetime_s)
        given["expires_in"] = platform.lifetime_s
        platform.tokens.append(given["access_token"])
        return given

    def answered(handle: Any) -> Any:
        try:
            response = handle("7")
        except Exception as problem:  # an expired token comes as PyJWT's own exception
            return {"error": getattr(problem, "message", type(problem).__name__)}, 401
        result, headers = response.result, {"Content-Type": response.media_type}
        if isinstance(result, dict) and "has_next" in result:
            if result["next"]:
                headers["Link"] = f'<{result["next"]}>; rel="next"'
            result = result["content"]
        return json.dumps(result if result is not None else {"message": response.message}), response.code, headers

    @app.get("/lineitems/7")
    def lineitem() -> Any:
        return answered(Grades(platform, Configured(registration=registration)).handle_get_lineitem)

    @app.get("/lineitems/7/results")
    def results() -> Any:
        return answered(Grades(platform, Configured(registration=registration)).handle_get_results)

    @app.post("/lineitems/7/scores")
    def scores() -> Any:
        if flask.request.content_type != "application/vnd.ims.lis.v1.score+json":
            return "another content type", 415
        user = flask.request.get_json(force=True)["userId"]
        if user in platform.refusing:
            return "not for this user", platform.refusing[user]
        if user not in platform.users:
            return {"error": "user not found in course"}, 404
        return answered(Grades(platform, Configured(registration=registration)).handle_update_score)

    return app


@contextmanager
def running(platform: Platform) -> Iterator[Platform]:
    """Run a platform on loopback."""

    class Handler(WSGIRequestHandler):
        def date_time_string(self, timestamp: float | None = None) -> str:
            return super().date_time_string(time.time() + platform.ahead_s)

        def log(self, *_: Any) -> None:
            """Be quiet."""

    server = make_server("127.0.0.1", 0, application(platform), threaded=True, request_handler=Handler)
    platform.address = f"http://127.0.0.1:{server.server_port}"
    with serving(server):
        yield platform
