"""HTML as a small tree, and as the text that people see."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator

from .html_tokens import Handler, tokenize

_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
_BLOCKS = frozenset(
    ["p", "div", "li", "ul", "ol", "blockquote", "pre", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6"]
)
_SILENT = frozenset(("script", "style", "head", "mx-reply"))
_CLOSED_BY_SAME = frozenset(("p", "li", "tr", "td", "th", "dt", "dd"))
_PLAIN = frozenset(["p", "div", "span", "a", "b", "i", "em", "strong", "u", "s", "code", "font"])
_DEEPEST = 200  # open elements: what is nested further is put side by side, so that no visit is deep
_BLANKS = re.compile(r"[ \t\r\f]+")
_BLANKS_AND_BREAKS = re.compile(r"[^\S\xa0]+")
_LINE_BREAKS = re.compile(r" ?\n[ \n]*")

Children = list["Node | str"]


class Node:
    """An element. `line` is where it starts in its document, from 1.

    A hostile page has millions of elements with nothing in them: dict and list are made when they are asked for, and
    `_has_classes` is False where neither the element nor any below it has a class, so that searches for one skip it.
    """

    __slots__ = ("_attributes", "_children", "_has_classes", "line", "tag")

    def __init__(
        self, tag: str, attributes: dict[str, str] | None = None, line: int = 0, children: Children | None = None
    ) -> None:
        self.tag = tag
        self.line = line
        self._attributes = attributes
        self._children = children
        self._has_classes = True

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
        self._has_classes = True

    def reversed_children(self) -> Iterator[Node | str]:
        """Children from the last to the first, as a stack takes them, without making a list where there is none."""
        return reversed(self._children or ())

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
        nodes = self.of_classes(of_class) if of_class else self.walk()
        return (node for node in nodes if node.tag == tag) if tag else nodes

    def of_classes(self, *classes: str) -> Iterator[Node]:
        """This element and those below it that have one of these classes, in document order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if node._attributes and (names := node._attributes.get("class")):
                for name in classes:
                    if name in names and name in names.split():
                        yield node
                        break
            if node._children:
                waiting += _with_classes(node)

    def outermost(self, *classes: str, outside: frozenset[str] = frozenset()) -> Iterator[Node]:
        """The elements below this one of any of these classes that lie in no other of them, nor in one of `outside`.

        Each element is visited once, however they are nested; `all` gives those inside each other too.
        """
        wanted = frozenset(classes)
        waiting = _with_classes(self)
        while waiting:
            node = waiting.pop()
            names = node.classes()
            if names and not outside.isdisjoint(names):
                continue
            if names and not wanted.isdisjoint(names):
                yield node
            else:
                waiting += _with_classes(node)

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

    def text(self, without: frozenset[str] = frozenset()) -> str:
        """What people see: blocks and <br> break lines, images speak by their alt text, runs of blanks are one.

        Elements of the classes `without` are left out.
        """
        raw = _BLANKS.sub(" ", "".join(_pieces(self, without)))
        return _LINE_BREAKS.sub("\n", raw).strip().replace("\xa0", " ")


def _elements(node: Node) -> list[Node]:
    """The elements right below, the last one first, as a stack takes them."""
    return [child for child in reversed(node._children or ()) if isinstance(child, Node)]


def _with_classes(node: Node) -> list[Node]:
    """The same without those that have no class and nothing below them that has one."""
    return [child for child in reversed(node._children or ()) if child.__class__ is Node and child._has_classes]


def _pieces(root: Node, without: frozenset[str]) -> list[str]:
    """The texts in order. Text in <pre> keeps its blanks and lines as they were typed."""
    found: list[str] = []
    waiting: list[tuple[Node | str, bool]] = [(root, False)]
    while waiting:
        node, typed = waiting.pop()
        if isinstance(node, str):
            found.append(node)
            continue
        tag = node.tag
        if tag == "br":
            found.append("\n")
            continue
        if tag in _SILENT or (without and node._attributes and not without.isdisjoint(node.classes())):
            continue
        typed = typed or tag == "pre"
        if tag in _BLOCKS:
            found.append("\n")
            waiting.append(("\n", typed))
        elif tag == "img":
            found.append(node.attributes.get("alt", ""))
        elif tag in ("td", "th"):
            waiting.append((" ", typed))
        children = node._children or ()
        if len(children) == 1 and isinstance(children[0], str) and tag not in _BLOCKS:
            found.append(_shown(children[0], typed))
            continue
        for child in reversed(children):
            waiting.append((_shown(child, typed) if isinstance(child, str) else child, typed))
    return found


def _shown(text: str, typed: bool) -> str:
    return text.replace(" ", "\xa0") if typed else text if text.isalnum() else _BLANKS_AND_BREAKS.sub(" ", text)


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
        has_class = attributes is not None and "class" in attributes
        if has_class:
            self._mark_open()
        if closed or tag in _VOID or len(self._open) >= _DEEPEST:
            self._put(parent, tag, attributes, line)
            return
        node = Node(tag, attributes, line)
        node._has_classes = has_class
        parent.children.append(node)
        self._open.append(node)
        self._count[tag] = self._count.get(tag, 0) + 1

    def _mark_open(self) -> None:
        """Notes that what is open has a class below it. Each element is marked once, so that time stays linear."""
        for node in reversed(self._open):
            if node._has_classes:
                break
            node._has_classes = True

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
            known._has_classes = attributes is not None and "class" in attributes
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
