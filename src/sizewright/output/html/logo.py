"""A picture for the head of a page, checked, made safe, and written into the page itself."""

from __future__ import annotations

import re
import struct
from base64 import b64encode
from xml.etree.ElementTree import Element, ParseError, XMLParser, fromstring, tostring

from sizewright.errors import InputError, Location, refusal
from sizewright.limits import LOGO_BYTES_AT_MOST, LOGO_PIXELS_AT_MOST

_EXPECTED = "a PNG, JPEG or SVG picture of at most 256 KB"
_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
# Where a PNG states width and height, and what begins a segment of a JPEG and one with its size.
_PNG_HEAD, _SEGMENT, _FRAME = ">16xII", ">BBH", ">BBHBHH"
_FRAMES = b"\xc0\xc1\xc2\xc3\xc5\xc6\xc7\xc9\xca\xcb\xcd\xce\xcf"
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
    kind, size = "svg+xml", (1, 1)
    try:
        if content.startswith(_PNG):
            kind, size = "png", struct.unpack_from(_PNG_HEAD, content)
        elif content.startswith(_JPEG):
            kind, size = "jpeg", _size_of_jpeg(content)
        else:
            content = _safe_svg(content, name)
    except struct.error:
        # The file ends before it states its size.
        size = (0, 0)
    if not all(0 < side <= LOGO_PIXELS_AT_MOST for side in size):
        raise _unusable(name, f"is {size[0]} × {size[1]} pixels in size")
    return f"data:image/{kind};base64,{b64encode(content).decode('ascii')}"


def _unusable(name: str, what: str) -> InputError:
    return refusal(Location(name), what, _EXPECTED)


def _size_of_jpeg(content: bytes) -> tuple[int, int]:
    at = len(_JPEG) - 1
    while True:
        _, marker, length = struct.unpack_from(_SEGMENT, content, at)
        if marker in _FRAMES:
            *_, height, width = struct.unpack_from(_FRAME, content, at)
            return width, height
        at += 2 + length


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
