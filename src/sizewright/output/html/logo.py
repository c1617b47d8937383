"""A picture for the head of a page, checked, made safe, and written into the page itself."""

from __future__ import annotations

import re
from base64 import b64encode
from xml.etree.ElementTree import Element, ParseError, XMLParser, fromstring, tostring

from sizewright.errors import InputError, Location, refusal
from sizewright.limits import LOGO_BYTES_AT_MOST, LOGO_PIXELS_AT_MOST

_EXPECTED = "a PNG, JPEG or SVG picture of at most 256 KB"
_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
_SIZE_OF_PNG = slice(16, 24)
# The segments of a JPEG that state its size; the others are skipped.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_SVG = "{http://www.w3.org/2000/svg}"
_SHAPES = frozenset((
    "svg", "g", "defs", "title", "desc", "path", "rect", "circle", "ellipse", "line", "polyline",
    "polygon", "text", "tspan", "linearGradient", "radialGradient", "stop", "clipPath", "mask",
    "use", "symbol", "pattern",
))  # fmt: skip
# Addresses outside of the picture: anything but a part of itself.
_OUTSIDE = re.compile(r"url\(\s*['\"]?(?!#)|@import|expression\(|javascript:|data:", re.IGNORECASE)
_HIDDEN = re.compile(rb"<!(DOCTYPE|ENTITY)", re.IGNORECASE)


def picture_address(content: bytes, name: str) -> str:
    """Return a picture as a `data:` address; of SVG, only shapes are kept.

    Raises InputError for a file that is no such picture, or is too large.
    """
    if len(content) > LOGO_BYTES_AT_MOST:
        raise _unusable(name, "is too large")
    kind, size = "", (0, 0)
    if content.startswith(_PNG):
        kind, (width, height) = "png", (content[_SIZE_OF_PNG][:4], content[_SIZE_OF_PNG][4:])
        size = int.from_bytes(width), int.from_bytes(height)
    elif content.startswith(_JPEG):
        kind, size = "jpeg", _size_of_jpeg(content)
    else:
        kind, content = "svg+xml", _safe_svg(content, name)
        size = (1, 1)
    if not all(0 < side <= LOGO_PIXELS_AT_MOST for side in size):
        raise _unusable(name, f"is {size[0]} × {size[1]} pixels in size")
    return f"data:image/{kind};base64,{b64encode(content).decode('ascii')}"


def _unusable(name: str, what: str) -> InputError:
    return refusal(Location(name), what, _EXPECTED)


def _size_of_jpeg(content: bytes) -> tuple[int, int]:
    """Return width and height; zero if the file does not state them."""
    at = len(_JPEG) - 1
    while at + 9 <= len(content) and content[at] == _JPEG[0]:
        marker, length = content[at + 1], int.from_bytes(content[at + 2 : at + 4])
        if marker in _FRAMES:
            height, width = content[at + 5 : at + 7], content[at + 7 : at + 9]
            return int.from_bytes(width), int.from_bytes(height)
        at += 2 + length
    return 0, 0


def _safe_svg(content: bytes, name: str) -> bytes:
    """Return the shapes of a picture, without scripts, handlers, styles and outside addresses."""
    if _HIDDEN.search(content):
        raise _unusable(name, "declares a document type, which a logo may not")
    try:
        root = fromstring(content, XMLParser(encoding="utf-8"))
    except ParseError:
        raise _unusable(name, "is no picture") from None
    if root.tag not in (f"{_SVG}svg", "svg"):
        raise _unusable(name, "is no picture")
    _keep_shapes(root)
    safe: bytes = tostring(root, encoding="utf-8")
    return safe


def _keep_shapes(element: Element) -> None:
    for key, value in list(element.attrib.items()):
        short = key.rpartition("}")[2].lower()
        is_link = short == "href" and not value.startswith("#")
        if short.startswith("on") or is_link or _OUTSIDE.search(value):
            del element.attrib[key]
    for child in list(element):
        if str(child.tag).removeprefix(_SVG) in _SHAPES:
            _keep_shapes(child)
        else:
            element.remove(child)
