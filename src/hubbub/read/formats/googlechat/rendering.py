"""What a message of Google Chat shows beside its text: files, meetings, calls, tasks and links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...parsing.json_document import dicts, mapping, string
from ...parsing.rendering import bracketed, file_word

_WRAPPED = "private_do_not_access_or_else_safe_url_wrapped_value"


def files(record: Mapping[str, Any]) -> list[str]:
    """Attachments by the names that people gave them, else by those that the download gave them."""
    return [
        file_word(string(each.get("original_name")) or string(each.get("export_name")))
        for each in dicts(record.get("attached_files"))
    ]


def extras(record: Mapping[str, Any], text: str) -> Iterator[str]:
    """What the annotations tell beside the text; a link that stands in the text is not repeated."""
    for each in dicts(record.get("annotations")):
        drive = mapping(each.get("drive_metadata"))
        if (title := string(drive.get("title"))) and title not in text:
            yield file_word(title)
        meeting = mapping(mapping(each.get("video_call_metadata")).get("meeting_space"))
        if (url := string(meeting.get("meeting_url"))) and url not in text:
            yield bracketed("meeting", url)
        if not text:
            yield from _link(mapping(each.get("url_metadata")))
        if task := string(_task(each).get("title")):
            yield bracketed("task", task)


def call(record: Mapping[str, Any]) -> str:
    """What happened to a call, such as "Call ended", if the message tells just that; else ""."""
    for each in dicts(record.get("annotations")):
        data = mapping(mapping(each.get("gsuite_integration_metadata")).get("call_data"))
        if status := string(data.get("call_status")):
            return status.replace("_", " ").capitalize()
    return ""


def _link(metadata: Mapping[str, Any]) -> Iterator[str]:
    """A picture or a page that is the whole message."""
    wrapped = metadata.get("url")
    url = string(mapping(wrapped).get(_WRAPPED)) or string(wrapped)
    if url or metadata.get("image_url"):
        title = string(metadata.get("title"))
        yield " ".join(part for part in (title, url or string(metadata.get("image_url"))) if part)


def _task(annotation: Mapping[str, Any]) -> Mapping[str, Any]:
    data = mapping(mapping(annotation.get("gsuite_integration_metadata")).get("tasks_data"))
    return mapping(data.get("task_properties"))
