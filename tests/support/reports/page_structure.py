"""A page taken apart by the standard library's parser: its elements, its text, and what a browser would load or run."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from itertools import pairwise

VOID = {"meta", "input", "br", "rect", "link", "img", "wbr", "hr"}
LOOSE = {"tr", "td", "th"}  # their end tags may be left out
LANDMARKS = ("header", "main", "nav", "footer")
LOADS = ("src", "srcset", "data", "action", "formaction", "poster", "background", "ping", "xlink:href")


class Document(HTMLParser):
    """A page.

    Attributes:
        elements: Every element as (tag, attributes).
        text: The text outside of style and script.
        style: What is in its style elements.
        script: What is in its script elements.
        strays: End tags that end nothing.
    """

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text, self.style, self.script = "", "", ""
        self.strays: list[str] = []
        self._open: list[str] = []
        self.feed(page.decode())
        self.close()
        self.strays += [tag for tag in self._open if tag not in LOOSE]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self.text += " " if tag in ("td", "th", "br", "p") else ""
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open[-1] != tag and self._open[-1] in LOOSE:
            self._open.pop()
        if self._open and self._open[-1] == tag:
            self._open.pop()
        else:
            self.strays.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        inside = self._open[-1] if self._open else ""
        if inside in ("style", "script"):
            setattr(self, inside, getattr(self, inside) + data)
        else:
            self.text += data

    def all(self, *tags: str) -> list[dict[str, str]]:
        """Return the attributes of every element of these tags."""
        return [attributes for tag, attributes in self.elements if tag in tags]

    @property
    def words(self) -> str:
        """The text, spaces and all in one line."""
        return " ".join(self.text.split())

    @property
    def titles(self) -> list[str]:
        """Every title of the page; those of parts of a picture are what a pointer reads."""
        tags = [tag for tag, _ in self.elements]
        return [tag for tag in tags[: tags.index("body")] if tag == "title"]

    @property
    def ids(self) -> list[str]:
        return [attributes["id"] for _, attributes in self.elements if "id" in attributes]

    @property
    def policy(self) -> str:
        (meta,) = [meta for meta in self.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
        return meta["content"]


def hash_of(text: str) -> str:
    """Return how a policy names a style or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def assert_shut(document: Document, *, scripted: bool = False) -> None:
    """Assert that a page loads nothing, and runs nothing but the one script that its policy names."""
    rules = dict(rule.split(" ", 1) for rule in document.policy.split("; "))
    assert rules.pop("default-src") == rules.pop("base-uri") == rules.pop("form-action") == "'none'"
    assert rules.pop("style-src") == hash_of(document.style)
    assert rules == ({"script-src": hash_of(document.script)} if scripted else {})
    assert len(document.all("style")) == 1
    assert len(document.all("script")) == scripted
    assert document.all("link", "iframe", "object", "embed", "base", "form", "img") == []
    assert not re.search(r"url\(|@import|https?:", document.style + document.script)
    for tag, attributes in document.elements:
        assert not {name for name in attributes if name.startswith("on") or name in (*LOADS, "style")}, (
            tag,
            attributes,
        )
        assert re.match(r"#|\.\./\.\./for-students/", attributes.get("href", "#")), attributes


def assert_readable(document: Document, language: str) -> None:
    """Assert what a keyboard and a screen reader need: landmarks, headings in order, names, captions, no doubled id."""
    assert document.strays == []
    assert document.all("html") == [{"lang": language}]
    assert len(document.titles) == len(document.all("h1")) == len(document.all("main")) == 1
    assert sorted(set(document.ids)) == sorted(document.ids)
    levels = [int(tag[1]) for tag, _ in document.elements if re.fullmatch("h[1-6]", tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels
    for tag, attributes in document.elements:
        for name in ("aria-labelledby", "href"):
            if attributes.get(name, "").removeprefix("#") and not attributes[name].startswith(".."):
                assert attributes[name].removeprefix("#") in document.ids, attributes
        assert tag != "section" or {"aria-labelledby", "aria-label"} & attributes.keys()
        assert tag != "svg" or {"aria-hidden", "role"} & attributes.keys()
    assert len(document.all("caption")) == len(document.all("table"))
    assert len(document.all("summary")) == len(document.all("details"))
    assert all("scope" in heading for heading in document.all("th"))
    first = next(attributes for tag, attributes in document.elements if tag in ("a", "button", "input"))
    assert first["class"] == "skip"


def acts(text: str) -> list[str]:
    """Return the characters in a text that act on a terminal or on the reading direction."""
    return re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]", text)


def assert_sound(page: bytes, language: str = "en", *, scripted: bool = False) -> Document:
    """Assert that a page loads and runs nothing, can be read by everybody and holds nothing that acts; return it."""
    document = Document(page)
    assert_shut(document, scripted=scripted)
    assert_readable(document, language)
    assert acts(page.decode()) == []
    return document
