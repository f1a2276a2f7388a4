"""Word pieces and vectors: what the encoder's files must give, alone and in a batch."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from hubbub.errors import HubbubError, Missing
from hubbub.ml.encoder import encoder, similar_words, static_vectors, tokenizer
from hubbub.ml.encoder.half_encoder import MAX_WEIGHT, dequantised, names, quantised
from hubbub.ml.encoder.make_encoder_files import source_folder
from hubbub.ml.encoder.sentence_encoder import MAX_PIECES
from hubbub.ml.encoder.wordpiece import Tokenizer, words
from hubbub.ml.registry import bundled

SMALL = Tokenizer(["[UNK]", "play", "##ing", "##s", "a", "game", "!", "##me"])
TEXTS = [
    "Where is my parcel?",
    "",
    "ring me",
    "where is my parcel?",
    "the café on the corner, 中文 \U0001f600",
    "x " * 999,
]
LETTERS = [
    *range(0x20, 0x530),
    *range(0x5D0, 0x5EB),
    *range(0x4E00, 0x4E80),
    *range(0xAC00, 0xAC80),
    *range(0x2000, 0x2070),
]


def pieces(text: str, limit: int = 99) -> list[str]:
    return [SMALL.vocabulary[number] for number in SMALL.ids(text, limit)]


def test_the_longest_known_pieces_are_taken() -> None:
    assert pieces("Playing a GAMES!") == ["play", "##ing", "a", "game", "##s", "!"]
    assert pieces("chess a") == ["[UNK]", "a"]
    assert pieces("a" * 101) == ["[UNK]"]
    assert pieces("") == pieces(" \t\n\x00") == []


def test_only_so_many_pieces_are_read_of_a_text_without_end() -> None:
    assert pieces("playing " * 1_000_000, 3) == ["play", "##ing", "play"]
    assert pieces(" " * 10_000_000 + "a", 3) == []


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("It's 5_000", ["it", "'", "s", "5", "_", "000"]),
        ("Crème BRÛLÉE", ["creme", "brulee"]),
        ("中文ok", ["中", "文", "ok"]),
        ("one\u200btwo\u2028three\ufffd", ["onetwo", "three"]),
        ("«ÇA VA»", ["«", "ca", "va", "»"]),
        ("ΣΟΦΟΣ", ["σοφοσ"]),
    ],
)
def test_words_are_bare(text: str, split: list[str]) -> None:
    assert words(text) == split


def test_the_pieces_are_those_of_the_original_tokenizer() -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="the original tokenizer is not installed")
    try:
        original = tokenizers.Tokenizer.from_file(str(source_folder([]) / "tokenizer.json"))
    except HubbubError as error:
        pytest.skip(str(error))
    original.no_padding()
    original.no_truncation()
    chance = random.Random(1)
    letters = [chr(code) for code in LETTERS]
    for _ in range(3000):
        mix = (
            chance.choice(letters if chance.random() < 0.5 else "abcdeing ,.'-THE ")
            for _ in range(chance.randrange(60))
        )
        text = "".join(mix)
        assert tokenizer().ids(text, 999) == original.encode(text, add_special_tokens=False).ids, repr(text)


def test_a_text_has_the_same_vector_whatever_stands_beside_it() -> None:
    together = encoder().encode(TEXTS)
    assert together.shape == (len(TEXTS), 384)
    assert np.array_equal(together, np.concatenate([encoder().encode([text]) for text in TEXTS]))
    assert np.array_equal(together[::-1], encoder().encode(TEXTS[::-1]))
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    assert encoder().encode([]).shape == (0, 384)


def test_vectors_mean_something() -> None:
    one, same, other = encoder().encode(["how do i reset my password", "i forgot my login", "the soup needs salt"])
    assert one @ same > 0.4 > one @ other + 0.2


def test_hidden_states_have_a_row_for_each_token_that_is_read() -> None:
    assert [len(rows) for rows in encoder().hidden(["ring me", "x " * 999])] == [4, MAX_PIECES]


def test_a_half_survives_its_rounding() -> None:
    chance = np.random.default_rng(0)
    shapes = {name: (4, 3) if name.endswith("weight") and "norm" not in name else (3,) for name in names()}
    weights = {name: chance.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    balance = {name: np.array([1, 2, 5, 0.5]) for name in names() if name.endswith("balance")}
    stored = quantised(weights, balance)
    assert set(stored) == set(names())
    assert max(abs(stored["0.up.weight"].astype(int)).max(axis=0)) == MAX_WEIGHT
    for name, array in dequantised(stored).items():
        assert np.allclose(array, weights[name], atol=0.4), name


def test_every_piece_has_a_static_vector() -> None:
    vectors = static_vectors()
    assert vectors.shape == (len(tokenizer().vocabulary), 256)
    card, cards, soup = (vectors[tokenizer().ids(word)[0]] for word in ("card", "cards", "soup"))
    assert card @ cards > 2 * abs(card @ soup)


def test_words_know_those_of_about_the_same_meaning() -> None:
    found = similar_words(["door", "restaurant", "##ing", "zzxq", "a"], 5)
    assert set(found) == {"door", "restaurant"}
    assert len(found["door"]) == 5
    assert "door" not in found["door"]
    assert "doors" in found["door"]
    assert found == similar_words(["restaurant", "door"], 5)


def test_the_encoder_is_no_model_of_a_room() -> None:
    assert not [name for name in bundled() if name.startswith("encoder")]


def test_a_folder_without_the_original_is_an_error_of_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Missing, match=r"model\.safetensors: there is no such file"):
        source_folder([str(tmp_path)])
