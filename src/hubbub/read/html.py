"""HTML as a small tree, and as the text that people see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
_BLOCKS = frozenset(
    ["p", "div", "li", "ul", "ol", "blockquote", "pre", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6"]
)
_SILENT = frozenset(("script", "style", "head", "mx-reply"))
_CLOSED_BY_SAME = frozenset(("p", "li", "tr", "td", "th", "dt", "dd"))
_DEEPEST = 200


@dataclass(slots=True)
class Node:
    """An element. `line` is where it starts in its document, from 1."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    line: int = 0
    children: list[Node | str] = field(default_factory=list)

    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    def walk(self) -> Iterator[Node]:
        """This element and every one below it, in document order."""
        yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child.walk()

    def all(self, tag: str = "", of_class: str = "") -> Iterator[Node]:
        for node in self.walk():
            if (not tag or node.tag == tag) and (not of_class or of_class in node.classes()):
                yield node

    def first(self, tag: str = "", of_class: str = "") -> Node | None:
        return next(self.all(tag, of_class), None)

    def first_of(self, *classes: str) -> Node | None:
        """The first element of the first of these classes that there is."""
        return next((found for name in classes if (found := self.first(of_class=name))), None)

    def without(self, *classes: str) -> Node:
        """A copy without the elements of these classes."""
        kept: list[Node | str] = []
        for child in self.children:
            if isinstance(child, str):
                kept.append(child)
            elif not set(classes).intersection(child.classes()):
                kept.append(child.without(*classes))
        return Node(self.tag, self.attributes, self.line, kept)

    def text(self) -> str:
        """What people see: blocks and <br> break lines, images speak by their alt text, runs of blanks are one."""
        raw = re.sub(r"[ \t\r\f]+", " ", "".join(_pieces(self)))
        return re.sub(r" ?\n[ \n]*", "\n", raw).strip().replace("\xa0", " ")


def _pieces(node: Node, typed: bool = False) -> Iterator[str]:
    """The texts in order; `typed` is text whose blanks and lines stand as they were typed."""
    if node.tag in _SILENT:
        return
    typed = typed or node.tag == "pre"
    if node.tag == "br" or node.tag in _BLOCKS:
        yield "\n"
    elif node.tag == "img":
        yield node.attributes.get("alt", "")
    for child in node.children:
        if isinstance(child, str):
            yield child.replace(" ", "\xa0") if typed else re.sub(r"[^\S\xa0]+", " ", child)
        else:
            yield from _pieces(child, typed)
    if node.tag in _BLOCKS:
        yield "\n"
    elif node.tag in ("td", "th"):
        yield " "


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("")
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _CLOSED_BY_SAME and self._open[-1].tag == tag:
            self._open.pop()
        node = Node(tag, {key: value or "" for key, value in attrs}, self.getpos()[0])
        self._open[-1].children.append(node)
        if tag not in _VOID and len(self._open) < _DEEPEST:
            self._open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(Node(tag, {k: v or "" for k, v in attrs}, self.getpos()[0]))

    def handle_endtag(self, tag: str) -> None:
        for depth in range(len(self._open) - 1, 0, -1):
            if self._open[depth].tag == tag:
                del self._open[depth:]
                return

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


def parse(html: str) -> Node:
    builder = _Builder()
    builder.feed(html)
    builder.close()
    return builder.root
