"""Rasa's training files: NLU YAML of versions 2 and 3, and the older markdown. Entities are taken out of the texts."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from ...errors import BadExample, Broken, NoExamples
from .example import ExampleRow, example

MARKDOWN = re.compile(r"^##\s*intent:\s*(.+?)\s*$", re.MULTILINE)
MAX_YAML_DEPTH = 100  # the library recurses, and deeper files overflow its stack
OTHER_RASA_KEYS = (
    "stories",
    "rules",
    "intents",
    "responses",
    "actions",
    "slots",
    "entities",
    "forms",
    "pipeline",
    "policies",
)

_ENTITY = re.compile(r"\[([^\[\]]+)\](?:\([^()]*\)|\{[^{}]*\}|\[\s*\{.*?\}\s*\])")
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def plain(text: str) -> str:
    """A text without the marks of entities: [Berlin](city) and [Berlin]{"entity": "city"} are Berlin."""
    return _ENTITY.sub(r"\1", text)


def rasa_yaml(file: str, text: str) -> list[ExampleRow]:
    """What stands below `nlu:`, or a plain mapping of intents to their texts."""
    try:
        # The YAML library composes nodes by recursion, and falls over what is nested too deeply for that.
        depth = 0
        for event in yaml.parse(text, Loader=_Loader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_YAML_DEPTH:
                raise Broken(file, f"line {event.start_mark.line + 1}: it is nested too deeply")
        root = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}: " if mark else ""
        raise Broken(file, f"{place}{error.problem or error.context or 'invalid YAML'}") from error
    except yaml.YAMLError as error:
        raise Broken(file, "; ".join(str(error).splitlines())) from error
    if not isinstance(root, yaml.MappingNode):
        raise NoExamples(file, "it is YAML without nlu at its top")
    return list(_of_top(file, root))


def _of_top(file: str, root: yaml.Node) -> Iterator[ExampleRow]:
    top = _mapping(root)
    if "nlu" in top:
        for item in _items(file, top["nlu"], "nlu"):
            fields = _mapping(item)
            if "intent" in fields:
                yield from _of_intent(file, fields["intent"], fields.get("examples"))
    elif found := [name for name in OTHER_RASA_KEYS if name in top]:
        raise NoExamples(file, f"it has {', '.join(found)}, and Rasa's examples stand below nlu")
    elif not any(map(_is_texts, top.values())):
        raise NoExamples(file, "no intent in it has a list of texts")
    else:
        for key, value in root.value:
            if key.value != "version":
                yield from _of_intent(file, key, value)


def _is_texts(node: yaml.Node) -> bool:
    """A list, or a block of lines with a dash before each."""
    return isinstance(node, yaml.SequenceNode) or str(node.value).lstrip().startswith("-")


def _of_intent(file: str, name: yaml.Node, texts: yaml.Node) -> Iterator[ExampleRow]:
    line = name.start_mark.line + 1
    label = str(name.value).strip() if isinstance(name, yaml.ScalarNode) else ""
    if not label:
        raise BadExample(file, f"line {line}", "an intent has no name")
    empty = True
    for at, text in _texts(file, texts, label) if texts is not None else ():
        empty = False
        yield ExampleRow(example(file, at, plain(text), label))
    if empty:
        raise BadExample(file, f"line {line}", f"the intent {label!r} has no examples")


def _texts(file: str, node: yaml.Node, label: str) -> Iterator[tuple[int, str]]:
    """Texts and their lines: a block with a dash before each, or a list of texts or of mappings with a text."""
    if isinstance(node, yaml.ScalarNode):
        below = 2 if node.style in ("|", ">") else 1
        for line, row in enumerate(node.value.split("\n"), node.start_mark.line + below):
            shown = row.strip()
            if shown.startswith("-"):
                yield line, shown[1:]
            elif shown and not shown.startswith("#"):
                raise BadExample(file, f"line {line}", f"an example begins with a dash, and this is {shown[:40]!r}")
        return
    for item in _items(file, node, f"the intent {label!r}"):
        inner = _mapping(item).get("text") if isinstance(item, yaml.MappingNode) else item
        if not isinstance(inner, yaml.ScalarNode):
            raise BadExample(file, f"line {item.start_mark.line + 1}", f"an example of {label!r} has no text")
        yield item.start_mark.line + 1, inner.value


def _mapping(node: yaml.Node) -> dict[str, yaml.Node]:
    return {str(key.value): value for key, value in node.value} if isinstance(node, yaml.MappingNode) else {}


def _items(file: str, node: yaml.Node, what: str) -> list[yaml.Node]:
    if not isinstance(node, yaml.SequenceNode):
        raise BadExample(file, f"line {node.start_mark.line + 1}", f"{what} takes a list")
    items: list[yaml.Node] = node.value
    return items


def rasa_markdown(file: str, text: str) -> list[ExampleRow]:
    """Sections headed `## intent:NAME` with a dash or a star before each text; other sections are not for us."""
    rows: list[ExampleRow] = []
    intent = ""
    for number, line in enumerate(text.split("\n"), 1):
        shown = line.strip()
        if heading := MARKDOWN.match(shown):
            intent = heading[1]
        elif shown.startswith("##"):
            intent = ""
        elif intent and shown[:2] in ("- ", "* "):
            rows.append(ExampleRow(example(file, number, plain(shown[2:]), intent)))
    return rows
