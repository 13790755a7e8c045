"""Keys and tokens of `grader push lti`: renewed in time, refused with a sentence, never shown or sent elsewhere."""

import http.server
import json
import logging

import pytest

from grader.lms.pushing import lti, token, web
from grader.lms.pushing.secrets import Redactor

from .....support.needed import skip_without
from .....support.serving import serving

skip_without("jwt", "requests", "canvasapi", "flask", "lti1p3platform")
import requests  # noqa: E402

from .....support.lti_pushes import push, scores_of  # noqa: E402


def test_another_key_is_refused_with_a_sentence(reports, platform, keys, monkeypatch, capsys):
    monkeypatch.setenv("LTI_PRIVATE_KEY", keys[1])
    assert push(reports, platform) == 1
    told = capsys.readouterr().err
    assert "does not accept the credentials (401)" in told and "--key-id" in told
    assert platform.scores == {}


def test_an_unknown_key_id_is_refused(reports, platform, capsys):
    assert push(reports, platform, "--key-id", "another") == 1
    assert "Unable to find public key" in capsys.readouterr().err


def test_a_token_is_renewed_before_its_end(reports, platform, monkeypatch):
    clock = iter(range(0, 100_000, 3000))
    monkeypatch.setattr(token.time, "monotonic", lambda: float(next(clock)))
    assert push(reports, platform) == 0
    assert len(platform.tokens) > 2
    assert platform.newest() == scores_of(reports)
    assert not any(code == 401 for _, _, code in platform.asked)


def test_a_token_that_ended_early_is_renewed(reports, platform):
    platform.failures.append(("/scores", 401, {"WWW-Authenticate": "Bearer"}, "expired"))
    assert push(reports, platform) == 0
    assert len(platform.tokens) == 2
    assert platform.newest() == scores_of(reports)


def test_a_token_that_is_never_accepted_ends_the_push(reports, platform, capsys):
    platform.failures += [("/scores", 401, {}, "no")] * 2
    assert push(reports, platform) == 1
    assert "does not accept the credentials (401)" in capsys.readouterr().err


def test_no_token_goes_where_the_platform_sends_a_request_on_to(reports, platform, capsys):
    platform.failures.append(("/lineitems/7", 302, {"Location": "https://elsewhere.test/7"}, ""))
    assert push(reports, platform) == 1
    assert "It sends the request on to another address." in capsys.readouterr().err


@pytest.mark.parametrize("given", ["one\ntwo", "t\u00f6ken", "", 7])
def test_a_token_that_cannot_be_sent_is_no_token(reports, platform, capsys, given):
    told = {"access_token": given, "token_type": "bearer", "expires_in": 3600, "scope": ""}
    platform.failures.append(("/token", 200, {"Content-Type": "application/json"}, json.dumps(told)))
    assert push(reports, platform) == 1
    told = capsys.readouterr().err
    assert "(for a token) was asked. Its answer is not what this platform should say." in told
    assert "cannot be reached" not in told and platform.count("GET", "/lineitems/7") == 0


def test_credentials_with_a_line_end_are_no_matter_of_the_network():
    problem = web.no_answer("Canvas", requests.exceptions.InvalidHeader("secret"), Redactor())
    assert "holds a character that cannot be sent. Look for a line end in it." in str(problem)
    assert "secret" not in str(problem)


@pytest.fixture
def proxy(monkeypatch):
    """A proxy of this machine that the environment names; gives the requests that it got."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append((self.path, dict(self.headers)))
            self.send_error(502)

        def log_message(self, *_):
            """Be quiet."""

    for method in ("POST", "CONNECT"):
        setattr(Handler, f"do_{method}", Handler.do_GET)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv(name.upper(), f"http://127.0.0.1:{server.server_port}")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with serving(server):
        yield asked


def test_no_proxy_reads_what_is_for_this_machine(reports, platform, proxy):
    assert push(reports, platform) == 0
    assert platform.newest() == scores_of(reports)
    assert proxy == []


def test_a_proxy_is_asked_for_a_tunnel_to_another_machine(reports, platform, proxy):
    assert push(reports, platform, "--token-url", "https://platform.test/token") == 1
    assert {path for path, _ in proxy} == {"platform.test:443"}


def test_no_secret_is_shown_whatever_the_platform_says(reports, platform, keys, monkeypatch, capsys, caplog):
    """The platform sends back what it was sent, in every kind of failure."""
    caplog.set_level(logging.DEBUG)
    real = lti.Lineitem._request

    def remembered(self, method, address, **more):
        for code in (401, 403, 418, 500):
            platform.failures.append(("/scores", code, {}, f"you sent {self._tokens.token()} and {keys[0]}"))
        return real(self, method, address, **more)

    monkeypatch.setattr(lti.Lineitem, "_request", remembered)
    for _ in range(3):
        push(reports, platform)
    shown = capsys.readouterr()
    told = shown.out + shown.err + caplog.text
    assert "***" in told
    for secret in (*platform.tokens, keys[0], *[line for line in keys[0].splitlines() if len(line) > 30]):
        assert secret not in told


@pytest.mark.parametrize("text", ["", "no key", "-----BEGIN PRIVATE KEY-----\nMIIBdead\n-----END PRIVATE KEY-----\n"])
def test_what_is_no_key_is_refused_without_being_shown(reports, platform, monkeypatch, capsys, text):
    monkeypatch.setenv("LTI_PRIVATE_KEY", text)
    assert push(reports, platform) == 2
    told = capsys.readouterr().err
    assert "private key was looked for" in told
    assert "MIIBdead" not in told


def test_the_key_can_come_from_a_file_that_nobody_else_can_read(reports, platform, keys, monkeypatch, tmp_path, capsys):
    monkeypatch.delenv("LTI_PRIVATE_KEY")
    assert push(reports, platform) == 2
    assert "The variable LTI_PRIVATE_KEY is not set." in capsys.readouterr().err
    file = tmp_path / "key.pem"
    file.write_text(keys[0])
    file.chmod(0o644)
    assert push(reports, platform, "--key-file", str(file)) == 2
    assert "has the mode 0644, so other users can read it." in capsys.readouterr().err
    file.chmod(0o600)
    assert push(reports, platform, "--key-file", str(file)) == 0


@pytest.mark.parametrize(
    ("lineitem", "said"),
    [
        ("http://platform.test/lineitems/7", "unencrypted"),
        ("ftp://platform.test/7", "is the address of a platform"),
        ("https://me:pass@platform.test/7", "holds a name or a password"),
        ("https://platform.test/lineitems/7/scores", "without /scores"),
    ],
)
def test_an_address_that_secrets_must_not_go_to_is_refused(reports, platform, capsys, lineitem, said):
    assert push(reports, platform, lineitem=lineitem) == 2
    assert said in capsys.readouterr().err
    assert platform.asked == []
