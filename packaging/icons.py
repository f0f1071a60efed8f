"""Write the icons of Windows (.ico) and macOS (.icns) from our PNG pictures.

Both formats are containers that may hold whole PNG files, so no picture is converted. Sources:
Microsoft's description of ICONDIR, and Apple's list of icns types that hold PNG.
"""

import struct
import sys
from pathlib import Path

ICO_SIDES = (16, 24, 32, 48, 64, 128, 256)
ICNS_TYPES = {16: b"icp4", 32: b"icp5", 64: b"icp6", 128: b"ic07", 256: b"ic08", 512: b"ic09"}


def for_program(pictures: Path, folder: Path, platform: str = sys.platform) -> str | None:
    """Write the icon that programs have on this platform, and return its path.

    `pictures` holds backwire-SIDE.png. None on Linux, where the desktop entry names an icon.
    """
    makers = {"win32": ("backwire.ico", ico), "darwin": ("backwire.icns", icns)}
    if platform not in makers:
        return None
    name, make = makers[platform]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(make(pictures))
    return str(path)


def ico(pictures: Path) -> bytes:
    """An .ico file: a directory of 16 bytes per picture, then the pictures."""
    contents = [_png(pictures, side) for side in ICO_SIDES]
    offset = 6 + 16 * len(contents)
    directory = struct.pack("<HHH", 0, 1, len(contents))
    for side, content in zip(ICO_SIDES, contents, strict=True):
        edge = side % 256  # 0 stands for 256
        directory += struct.pack("<BBBBHHII", edge, edge, 0, 0, 1, 32, len(content), offset)
        offset += len(content)
    return directory + b"".join(contents)


def icns(pictures: Path) -> bytes:
    """An .icns file: per picture its type, its length with this header, and the picture."""
    parts = b""
    for side, kind in ICNS_TYPES.items():
        content = _png(pictures, side)
        parts += kind + struct.pack(">I", 8 + len(content)) + content
    return b"icns" + struct.pack(">I", 8 + len(parts)) + parts


def _png(pictures: Path, side: int) -> bytes:
    content = (pictures / f"backwire-{side}.png").read_bytes()
    width, height = struct.unpack(">II", content[16:24])
    if (width, height) != (side, side):
        raise ValueError(f"backwire-{side}.png is {width} × {height} pixels")
    return content
