"""hubbub thread: who answers whom in a chat, as JSON lines, links, a table, clusters or a corpus."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..chat import Message
from ..errors import OptionError
from .console import show
from .inputs import add_inputs, streams
from .options import add_spreadsheet_safe, csv_options
from .screen import add_screen, put_on_screen

if TYPE_CHECKING:
    from ..model import AnyModel
    from ..read import ChatStream
    from ..thread.outputs import Passing, Threaded
    from ..view.style import Line

TO = ("jsonl", "links", "csv", "clusters", "convokit")


def add(parser: argparse.ArgumentParser) -> None:
    add_inputs(parser)
    parser.add_argument("--model", metavar="NAME", default="thread/hubbub", help="a model's name, or a trained folder")
    parser.add_argument("--to", choices=TO, help="what to write (default: a drawing on a terminal, jsonl on a pipe)")
    add_spreadsheet_safe(parser)
    parser.add_argument("--out", metavar="PLACE", help="write to this file, for convokit to this folder")
    parser.add_argument("--threshold", metavar="P", type=float, help="a less probable answer counts as a new start")
    parser.add_argument("--second", metavar="P", type=float, help="name a second parent too if it is this probable")
    parser.add_argument("--conversation", metavar="N", type=int, help="only the conversation of this number, from 1")
    parser.add_argument("--by", choices=["conversation"], help="each conversation as a chat of its own")
    parser.add_argument("--why", metavar="N", type=int, help="tell what decided about the message at this position")
    add_screen(parser)


def run(arguments: argparse.Namespace) -> int:
    options, model = csv_options(arguments), _model(arguments)
    if arguments.why is not None:
        return _why(model, next(streams(arguments)), arguments.why)
    passing = _chosen((_passing(model, one) for one in streams(arguments)), arguments)
    if _is_drawn(arguments):
        put_on_screen(partial(_drawing, (_passing(model, one) for one in streams(arguments)), arguments), arguments)
    elif arguments.to == "convokit":
        from ..thread.outputs import write_corpus

        if not arguments.out:
            raise OptionError("--out", "is missing", "a ConvoKit corpus is a folder: name it with --out")
        write_corpus(passing, arguments.out)
    else:
        from ..thread.outputs import WRITERS
        from ..view.export import placed

        with placed(arguments.out) as file:
            WRITERS[arguments.to or "jsonl"](passing, file, **options)
    return 0


def _is_drawn(arguments: argparse.Namespace) -> bool:
    """On a terminal, and for a picture, unless another form was asked for."""
    return bool(arguments.svg) or (not arguments.to and not arguments.out and sys.stdout.isatty())


def _drawing(chats: Iterator[Passing], arguments: argparse.Namespace, width: int) -> Iterator[Line]:
    from ..view.threads import draw_conversations, draw_threads

    for chat in chats:
        whole = chat.whole()
        if arguments.by or arguments.conversation is not None:
            _must_exist(arguments.conversation, whole)
            yield from draw_conversations(whole.chat, whole.graph, width, arguments.conversation)
        else:
            yield from draw_threads(whole.chat, whole.graph, width)


def _must_exist(wish: int | None, whole: Threaded) -> None:
    count = len(whole.numbered())
    if wish is not None and not 1 <= wish <= count:
        raise OptionError("--conversation", wish, f"{whole.chat.name} has conversations 1 to {count}")


def _model(arguments: argparse.Namespace) -> AnyModel:
    from ..model import load

    model = load(arguments.model, task="thread")
    for option in ("threshold", "second"):
        value = getattr(arguments, option)
        if value is not None and not (hasattr(model, option) and 0 <= value <= 1):
            raise OptionError(f"--{option}", value, "it is a probability from 0 to 1, for models that have one")
        if value is not None:
            setattr(model, option, value)
    return model


def _passing(model: Any, one: ChatStream) -> Passing:
    from ..thread.hubbub import judged
    from ..thread.outputs import Passing

    return Passing(one.name, one.format, one.messages, partial(judged, model, one.name, one.format), one.layers)


def _chosen(chats: Iterator[Passing], arguments: argparse.Namespace) -> Iterator[Passing]:
    """The chats as they are, or their conversations."""
    wish = arguments.conversation
    for chat in chats:
        if wish is None and not arguments.by:
            yield chat
            continue
        whole = chat.whole()
        _must_exist(wish, whole)
        yield from (whole.conversation(*each).passing() for each in whole.numbered() if wish in (None, each[0]))


def _why(model: Any, one: ChatStream, position: int) -> int:
    """The best candidates of a message, the likeliest first."""
    from ..thread.hubbub import Hubbub

    if not isinstance(model, Hubbub):
        raise OptionError("--why", position, "only thread/hubbub can say why")
    messages = list(islice(one.messages, min(max(position, 0), sys.maxsize - 1) + 1))
    if not 0 <= position < len(messages):
        raise OptionError("--why", position, f"{one.name} has messages 0 to {len(messages) - 1}")
    if messages[-1].kind == "system":
        raise OptionError("--why", position, "that is a system line, and those answer nothing")
    show("\n".join(_told(model, messages)))
    return 0


def _told(model: Any, messages: list[Message]) -> Iterator[str]:
    from ..thread.why import options

    yield f"{len(messages) - 1}  {_said(messages[-1])}"
    for option in options(model.trained(), messages):
        starts = option.position == len(messages) - 1
        what = "starts a conversation" if starts else _said(messages[option.position])
        yield f"{100 * option.chance:5.1f} %  {option.position}  {what}"
        for reason in option.reasons:
            yield f"         {reason.weight:+.2f}  {reason.feature}: {reason.value:g} rather than {reason.instead:g}"


def _said(message: Message) -> str:
    text = " ".join(message.text.split())
    return f"{message.author}: {text if len(text) <= 80 else text[:79] + '…'}"
