"""What cannot be kept for the next run is made again, and that is said once; nothing else is put beside it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import Put

POSIX = pytest.mark.skipif(os.name == "nt", reason="devices and limits of POSIX")
EXAMPLES = "text,intent\n" + "".join(f"what is the price of {n},price\nhow do I return {n},return\n" for n in range(5))


def hubbub(*words: str, cache: Path) -> subprocess.CompletedProcess[str]:
    environ = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    return subprocess.run(
        [sys.executable, "-m", "hubbub", *words], capture_output=True, text=True, timeout=100,
        env={**environ, "XDG_CACHE_HOME": str(cache)},
    )  # fmt: skip


COMPILED = """
import logging, sys
logging.basicConfig(format="%(message)s")
if len(sys.argv) > 1:
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
from hubbub.ml import compilation as compiling
def double(x):
    return 2 * x
def triple(x):
    return 3 * x
for function in (double, triple):
    function.__module__ = "hubbub.ml.trees.runtime"
    print(compiling.entry(function)(2))
"""


@POSIX
@pytest.mark.parametrize("place", ["file", "small disk"])
def test_compiled_code_that_cannot_be_kept_is_told_once(tmp_path: Path, place: str) -> None:
    script, where = tmp_path / "compiled.py", tmp_path / "cache"
    script.write_text(COMPILED, encoding="utf-8")
    if place == "file":
        where.touch()
    command = [sys.executable, str(script), *(["limited"] if place == "small disk" else [])]
    # Coverage would write a file of its own, and complain that it cannot.
    environ = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    environ["NUMBA_CACHE_DIR"] = str(where)
    done = subprocess.run(command, capture_output=True, text=True, env=environ, timeout=100)
    assert (done.returncode, done.stdout) == (0, "4\n6\n")
    assert f"compiled code cannot be kept in {where} (" in done.stderr
    assert "NUMBA_CACHE_DIR" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_classifier_that_cannot_be_kept_is_told(put: Put, tmp_path: Path) -> None:
    cache = tmp_path / "file"
    cache.touch()
    done = hubbub("intent", "what is the price?", "--intents", str(put("shop.csv", EXAMPLES)), cache=cache)
    assert done.returncode == 0
    assert '"name":"price"' in done.stdout
    assert f"hubbub: {cache}/hubbub/intents/" in done.stderr
    assert "every run trains on" in done.stderr
    assert "XDG_CACHE_HOME" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_cache_holds_nothing_of_others(put: Put, tmp_path: Path) -> None:
    """onnxruntime would write an identifier of the machine there, and send it with reports."""
    done = hubbub("intent", "price?", "--intents", str(put("shop.csv", EXAMPLES)), cache=tmp_path / "cache")
    assert (done.returncode, done.stderr) == (0, "")
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["hubbub"]
