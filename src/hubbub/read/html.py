"""HTML as a small tree, and as the text that people see."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator

from .markup import Handler, tokenize

_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
_BLOCKS = frozenset(
    ["p", "div", "li", "ul", "ol", "blockquote", "pre", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6"]
)
_SILENT = frozenset(("script", "style", "head", "mx-reply"))
_CLOSED_BY_SAME = frozenset(("p", "li", "tr", "td", "th", "dt", "dd"))
_PLAIN = frozenset(["p", "div", "span", "a", "b", "i", "em", "strong", "u", "s", "code", "font"])
_DEEPEST = 200


Children = list["Node | str"]


class Node:
    """An element. `line` is where it starts in its document, from 1.

    A hostile page has millions of elements with nothing in them: dict and list are made when they are asked for.
    """

    __slots__ = ("_attributes", "_children", "line", "tag")

    def __init__(
        self, tag: str, attributes: dict[str, str] | None = None, line: int = 0, children: Children | None = None
    ) -> None:
        self.tag = tag
        self.line = line
        self._attributes = attributes
        self._children = children

    def __repr__(self) -> str:
        return f"Node({self.tag!r}, {self.attributes!r}, {self.line}, {len(self.children)} children)"

    @property
    def attributes(self) -> dict[str, str]:
        if self._attributes is None:
            self._attributes = {}
        return self._attributes

    @property
    def children(self) -> Children:
        if self._children is None:
            self._children = []
        return self._children

    @children.setter
    def children(self, children: Children) -> None:
        self._children = children

    def classes(self) -> list[str]:
        return self._attributes["class"].split() if self._attributes and "class" in self._attributes else []

    def walk(self) -> Iterator[Node]:
        """This element and every one below it, in document order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            if node._children:
                waiting += _elements(node)

    def all(self, tag: str = "", of_class: str = "") -> Iterator[Node]:
        if of_class:
            yield from self._of_class(tag, of_class)
            return
        for node in self.walk():
            if not tag or node.tag == tag:
                yield node

    def _of_class(self, tag: str, name: str) -> Iterator[Node]:
        """The same for a class: elements that have neither attributes nor anything in them are passed by at once."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if (
                node._attributes
                and name in node._attributes.get("class", "")
                and name in node.classes()
                and tag in ("", node.tag)
            ):
                yield node
            if node._children:
                waiting += [
                    child
                    for child in reversed(node._children)
                    if child.__class__ is Node and (child._attributes or child._children)
                ]

    def outermost(self, *classes: str, outside: frozenset[str] = frozenset()) -> Iterator[Node]:
        """The elements below this one of any of these classes that lie in no other of them, nor in one of `outside`.

        Each element is visited once, however they are nested; `all` gives those inside each other too.
        """
        wanted = frozenset(classes)
        waiting = _elements(self)
        while waiting:
            node = waiting.pop()
            names = node.classes()
            if names and not outside.isdisjoint(names):
                continue
            if names and not wanted.isdisjoint(names):
                yield node
            else:
                waiting += _elements(node)

    def first(self, tag: str = "", of_class: str = "") -> Node | None:
        return next(self.all(tag, of_class), None)

    def first_of(self, *classes: str) -> Node | None:
        """The first element of the first of these classes that there is."""
        return next((found for name in classes if (found := self.first(of_class=name))), None)

    def without(self, *classes: str) -> Node:
        """A copy without the elements of these classes."""
        gone = frozenset(classes)
        copy = Node(self.tag, self._attributes, self.line, self._children)
        waiting = [copy]
        while waiting:
            node = waiting.pop()
            if not node._children:
                continue
            kept: Children = []
            for child in node._children:
                if isinstance(child, str):
                    kept.append(child)
                elif gone.isdisjoint(child.classes()):
                    kept.append(Node(child.tag, child._attributes, child.line, child._children))
            node._children = kept
            waiting += [child for child in kept if isinstance(child, Node)]
        return copy

    def text(self) -> str:
        """What people see: blocks and <br> break lines, images speak by their alt text, runs of blanks are one."""
        raw = re.sub(r"[ \t\r\f]+", " ", "".join(_pieces(self)))
        return re.sub(r" ?\n[ \n]*", "\n", raw).strip().replace("\xa0", " ")


def _elements(node: Node) -> list[Node]:
    """The elements right below, the last one first, as a stack takes them."""
    return [child for child in reversed(node._children or ()) if isinstance(child, Node)]


def _pieces(root: Node) -> Iterator[str]:
    """The texts in order. Text in <pre> keeps its blanks and lines as they were typed."""
    waiting: list[tuple[Node | str, bool]] = [(root, False)]
    while waiting:
        node, typed = waiting.pop()
        if isinstance(node, str):
            yield node
            continue
        if node.tag in _SILENT:
            continue
        typed = typed or node.tag == "pre"
        if node.tag == "br" or node.tag in _BLOCKS:
            yield "\n"
        elif node.tag == "img":
            yield node.attributes.get("alt", "")
        if node.tag in _BLOCKS:
            waiting.append(("\n", typed))
        elif node.tag in ("td", "th"):
            waiting.append((" ", typed))
        for child in reversed(node._children or ()):
            waiting.append((_shown(child, typed) if isinstance(child, str) else child, typed))


def _shown(text: str, typed: bool) -> str:
    return text.replace(" ", "\xa0") if typed else re.sub(r"[^\S\xa0]+", " ", text)


class _Builder(Handler):
    """Builds the tree; `_open` are the elements not closed yet, and `_count` how many there are of each tag."""

    def __init__(self) -> None:
        self.root = Node("")
        self._open = [self.root]
        self._count: dict[str, int] = {}
        self._empty: dict[str, Node] = {}

    def start(self, tag: str, attributes: dict[str, str] | None, line: int, closed: bool) -> None:
        parent = self._open[-1]
        if tag in _CLOSED_BY_SAME and parent.tag == tag and not closed:
            self._close(len(self._open) - 1)
            parent = self._open[-1]
        if closed or tag in _VOID or len(self._open) >= _DEEPEST:
            self._put(parent, tag, attributes, line)
            return
        node = Node(tag, attributes, line)
        parent.children.append(node)
        self._open.append(node)
        self._count[tag] = self._count.get(tag, 0) + 1

    def end(self, tag: str) -> None:
        if not self._count.get(tag):
            return
        for depth in range(len(self._open) - 1, 0, -1):
            if self._open[depth].tag == tag:
                self._close(depth)
                return

    def text(self, text: str) -> None:
        self._open[-1].children.append(text)

    def _close(self, depth: int) -> None:
        while len(self._open) > depth:
            node = self._open.pop()
            self._count[node.tag] -= 1
            if not node._children and node._attributes is None and node.tag in _PLAIN:
                self._open[-1].children.pop()
                self._put(self._open[-1], node.tag, None, node.line)

    def _put(self, parent: Node, tag: str, attributes: dict[str, str] | None, line: int) -> None:
        """Adds an element with nothing in it. Of those that show nothing, one stands for a run of them in a line.

        What people see is the same, and a page of millions of them is read as fast as any other.
        """
        known = self._empty.get(tag) if attributes is None else None
        if known is None or known.line != line:
            known = Node(tag, attributes, line)
            if attributes is None and (tag in _PLAIN or tag == "br"):
                self._empty[tag] = known
        children = parent.children
        if not children or children[-1] is not known or tag == "br":
            children.append(known)


def parse(html: str) -> Node:
    builder = _Builder()
    collecting = gc.isenabled()
    gc.disable()  # a tree has no garbage while it grows, and looking for it takes as long as building it
    try:
        tokenize(html, builder)
    finally:
        if collecting:
            gc.enable()
    return builder.root
