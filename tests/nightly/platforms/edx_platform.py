"""Runs the LTI services of Open edX on loopback: lti-consumer-xblock's own Django application, with one line item.

A process of its own, because Django's settings hold for a whole process: `python edx_platform.py FOLDER KEY CLIENT
PORTFILE`. KEY is a file with the tool's public key; PORTFILE gets the addresses and the client's id as JSON when
all is ready. Only the block of a course, which lives in the platform around it, is not there, so nothing is passed
on to a course's progress.
"""

import json
import sys
import types
from pathlib import Path
from unittest import mock
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
from django.conf import settings


class Quiet(WSGIRequestHandler):
    """A handler that writes no log."""

    def log_message(self, *_: object) -> None:
        """Be quiet."""


def configure(folder: Path) -> None:
    """Configure Django as the platform around it would, with a database in a folder."""
    settings.configure(
        ALLOWED_HOSTS=["127.0.0.1"],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(folder / "edx.sqlite3")}},
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework", "lti_consumer"],
        ROOT_URLCONF="edx_addresses",
        SECRET_KEY="of the tests",
        USAGE_ID_PATTERN=r"(?P<usage_id>(?:i4x://?[^/]+/[^/]+/[^/]+/[^@]+(?:@[^/]+)?)|(?:[^/]+))",
        USE_TZ=True,
        LMS_ROOT_URL="http://127.0.0.1",
        LMS_BASE="127.0.0.1",
        LOGGING_CONFIG=None,
        DEBUG_PROPAGATE_EXCEPTIONS=True,
        FEATURES={},
    )
    django.setup()
    from django.urls import include, path

    addresses = types.ModuleType("edx_addresses")
    addresses.urlpatterns = [path("", include("lti_consumer.plugin.urls"))]
    sys.modules["edx_addresses"] = addresses


def main(folder: Path, key: Path, port_file: Path) -> None:
    """Make the tables, one registration and one line item, and answer until killed."""
    configure(folder)
    from django.core.management import call_command
    from django.core.wsgi import get_wsgi_application
    from django.db.models.signals import post_save

    call_command("migrate", run_syncdb=True, verbosity=0)
    from lti_consumer import models

    for receiver in list(post_save.receivers):
        post_save.receivers.remove(receiver)  # they look for the course's block
    post_save.sender_receivers_cache.clear()
    passport = models.Lti1p3Passport.objects.create(lti_1p3_tool_public_key=key.read_text())
    with mock.patch.object(models.LtiConfiguration, "clean"):
        configuration = models.LtiConfiguration(
            version=models.LtiConfiguration.LTI_1P3,
            config_store=models.LtiConfiguration.CONFIG_ON_DB,
            lti_1p3_passport=passport,
        )
        configuration.save()
    item = models.LtiAgsLineItem.objects.create(lti_configuration=configuration, label="Tiny steps", score_maximum=100)
    server = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet)
    root = f"http://127.0.0.1:{server.server_port}/lti_consumer/v1"
    settings.LMS_ROOT_URL = f"http://127.0.0.1:{server.server_port}"
    told = {
        "lineitem": f"{root}/lti/{configuration.pk}/lti-ags/{item.pk}",
        "token_url": f"{root}/token/{passport.passport_id}",
        "client_id": passport.lti_1p3_client_id,
    }
    port_file.with_suffix(".draft").write_text(json.dumps(told))
    port_file.with_suffix(".draft").rename(port_file)
    server.serve_forever(0.05)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
