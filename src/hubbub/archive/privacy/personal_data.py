"""Addresses, numbers and secrets in texts: e-mail, IP and hardware addresses, phone numbers, keys and passwords.

What looks alike and identifies nobody is left: versions such as 10.04.1.2, addresses of private networks, checksums and
commit ids of usual lengths, UUIDs, paths.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from .redaction import Replacement

EMAIL, IP_ADDRESS, HARDWARE_ADDRESS = "[e-mail address]", "[IP address]", "[hardware address]"
PHONE_NUMBER, SECRET = "[phone number]", "[secret]"

MIN_PHONE_DIGITS, MAX_PHONE_DIGITS = 7, 15  # local numbers have 7, E.164 allows 15
MAX_VERSION_NUMBER = 32  # four numbers below are an address once in 4,096 times, and mostly a version
MIN_RANDOM_LENGTH = 24  # characters; keys of web services are longer, words and identifiers mostly shorter
MIN_RANDOM_ENTROPY = 3.8  # bits a character; random base64 of this length has 4.2 and more, identifiers 3 to 3.7
MIN_RUN_LENGTH = 16  # characters without a separator; names of products and pages have shorter words
MIN_HEX_ENTROPY = 2.5  # bits a character; random digits have 3.5 and more, a key that got stuck has none
MANGLED = "_Z"  # names of C++ symbols
DIGEST_LENGTHS = frozenset({32, 40, 56, 64, 96, 128})  # hexadecimal digits of MD5, SHA-1, SHA-2
PUBLIC_RESOLVERS = frozenset(
    {"8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9", "208.67.222.222", "208.67.220.220"}
)

_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_IPV4 = re.compile(rf"(?<![\w.+~-])(?<!v )({_OCTET}(?:\.{_OCTET}){{3}})(?![\w~+]|[.-]\w)", re.IGNORECASE)
_VERSION_BEFORE = re.compile(
    r"(?i)\b(?:version|ver|release|build|kernel|v|driver|firmware|package)\s*(?:is|[:=])?\s*\Z"
)
_IPV6 = re.compile(r"(?<![\w:.])((?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4})(?:/\d{1,3})?(?![\w:])", re.IGNORECASE)
_HARDWARE = re.compile(r"(?i)(?<![\w:-])[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4}(?![\w:-])")
_EMAIL = re.compile(r"(?<![\w.+/-])[\w.+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,24}(?![\w-])", re.IGNORECASE)
_URL_PASSWORD = re.compile(r"(?<=://)[^\s/@:]*:[^\s/@]+(?=@)")
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)
_PHONE = re.compile(
    r"(?<![\w.+/:-])(?:\+\d[\d ().-]{6,18}\d|(?:\(\d{3}\) ?|\d{3}[.-])\d{3}[.-]\d{4})(?![\w-]|\.\d)"
    r"|(?i:(?<=phone)|(?<=mobile)|(?<=tel)|(?<=tel\.)|(?<=cell)|(?<=call me at)|(?<=whatsapp))"
    r"(?i:\s*(?:number|is|at|no\.?|:)?\s*)(?P<number>\(?\d[\d ().-]{6,16}\d)(?![\w-])"
)
_KNOWN_KEYS = re.compile(
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_\w{30,}|\bgithub_pat_\w{30,}|\bglpat-[\w-]{20,}|\bxox[abeprs]-[\w-]{10,}"
    r"|\bsk-[\w-]{20,}|\bAIza[\w-]{35}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|\b\d{8,10}:[\w-]{35}\b"
)
_NAMED_SECRET = re.compile(
    r"(?i)\b(?:password|passwd|passphrase|api[_ -]?key|secret(?:[_ -]?key)?|(?:access|auth|api|bearer)[_ -]?token"
    r"|token|pre-?shared[_ -]?key|psk|wpa[_ -]?key|bearer)[\"']?\s*(?:[:=]+|\bis\b:?)\s*"
    r"[\"']?(?P<value>[^\s\"',;<>]{4,})"
)
_RANDOM = re.compile(rf"(?<![\w/+.=$-])[A-Za-z0-9+/_-]{{{MIN_RANDOM_LENGTH},}}={{0,2}}(?![\w/+-]|\.\w)")
_DIGIT = re.compile(r"\d")
_SEPARATOR = re.compile(r"[-_/]")
_HEX = re.compile(r"[0-9a-fA-F]+\Z")
_UUID = re.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_PLAIN_VALUE = re.compile(r"[A-Za-z/'-]+[.!?):]*\Z")  # "the password is wrong"


def find_personal_data(text: str) -> Iterator[Replacement]:
    """What is to be replaced, by kind, in no order; parts may overlap."""
    kinds = _KINDS if _DIGIT.search(text) else _KINDS_WITHOUT_DIGITS
    for needed, pattern, replacement, is_meant in kinds:
        for match in pattern.finditer(text) if needed in text else ():
            if is_meant(match):
                group = next((name for name in ("value", "number") if match.groupdict().get(name)), 0)
                yield Replacement(match.start(group), match.end(group), replacement)


def _is_email(match: re.Match[str]) -> bool:
    """In an address such as https://user:password@host the part before the host is no e-mail address."""
    words = match.string[: match.start()].split(" ")
    return "://" not in words[-1]


def _is_public_ipv4(match: re.Match[str]) -> bool:
    """Addresses of private networks are the same everywhere, and a version may look like an address."""
    try:
        address = IPv4Address(match[1])
    except AddressValueError:
        return False
    if _VERSION_BEFORE.search(match.string[max(0, match.start() - 16) : match.start()]):
        return False
    first, _, third, _ = numbers = [int(part) for part in match[1].split(".")]
    is_version = max(numbers) < MAX_VERSION_NUMBER or (first < 10 and third == 0)  # kernels such as 3.2.0.35
    is_public: bool = address.is_global and match[1] not in PUBLIC_RESOLVERS
    return is_public and not is_version


def _is_own_ipv6(match: re.Match[str]) -> bool:
    """An address of the own link has the hardware address of a computer in it, so that it counts too."""
    try:
        address = IPv6Address(match[1])
    except AddressValueError:
        return False
    return bool(address.is_global or address.is_link_local) and len(match[1]) > 6


def _has_phone_length(match: re.Match[str]) -> bool:
    number: str = match["number"] or match[0]
    return MIN_PHONE_DIGITS <= sum(map(str.isdigit, number)) <= MAX_PHONE_DIGITS


def _is_secret_value(match: re.Match[str]) -> bool:
    """A plain word after "password is" is seldom a password; after "password=" it may be one."""
    separator = match.string[match.start() : match.start("value")]
    return "=" in separator or not _PLAIN_VALUE.match(match["value"])


def _is_random(match: re.Match[str]) -> bool:
    """Characters in no order, of several kinds; paths, identifiers, UUIDs and checksums are none."""
    value = match[0].rstrip("=")
    if _UUID.match(value) or value.startswith(MANGLED):
        return False
    if _HEX.match(value):
        is_digest = len(value) in DIGEST_LENGTHS or len(value) < min(DIGEST_LENGTHS)
        return not is_digest and _entropy(value) >= MIN_HEX_ENTROPY
    kinds = (str.islower, str.isupper, str.isdigit)
    longest = max(_SEPARATOR.split(value), key=len)
    is_mixed = len(longest) >= MIN_RUN_LENGTH and all(sum(map(kind, longest)) >= 2 for kind in kinds)
    return is_mixed and value.count("/") <= len(value) // 16 and _entropy(value) >= MIN_RANDOM_ENTROPY


def _entropy(value: str) -> float:
    """Bits a character by the frequencies in the value itself (Shannon 1948)."""
    return -sum(count / len(value) * math.log2(count / len(value)) for count in Counter(value).values())


def _always(match: re.Match[str]) -> bool:
    return True


# A character without which there can be no match, the pattern, the replacement, and a check of what matches.
_KINDS_WITHOUT_DIGITS: tuple[tuple[str, re.Pattern[str], str, Callable[[re.Match[str]], bool]], ...] = (
    ("-----BEGIN", _PRIVATE_KEY, SECRET, _always),
    ("://", _URL_PASSWORD, SECRET, _always),
    ("", _NAMED_SECRET, SECRET, _is_secret_value),
    ("@", _EMAIL, EMAIL, _is_email),
)
_KINDS = (
    *_KINDS_WITHOUT_DIGITS,
    ("", _KNOWN_KEYS, SECRET, _always),
    ("", _RANDOM, SECRET, _is_random),
    (".", _IPV4, IP_ADDRESS, _is_public_ipv4),
    (":", _IPV6, IP_ADDRESS, _is_own_ipv6),
    ("", _HARDWARE, HARDWARE_ADDRESS, _always),
    ("", _PHONE, PHONE_NUMBER, _has_phone_length),
)
