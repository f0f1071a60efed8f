"""Differences of colours: contrast as eyes see it, distances of two pictures."""

import numpy
from PySide6.QtGui import QColor, QImage


def contrast(a: QColor, b: QColor) -> float:
    """The contrast ratio of two colours as WCAG defines it, from 1 to 21."""
    lighter, darker = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: QColor) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (color.redF(), color.greenF(), color.blueF())
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def apart(one: QImage, other: QImage) -> numpy.ndarray:
    """How far the colours of two pictures are apart, each of 255."""
    shots = [
        picture_options.convertToFormat(QImage.Format.Format_RGB32)
        for picture_options in (one, other)
    ]
    first, second = (
        numpy.frombuffer(picture_options.constBits(), numpy.uint8) for picture_options in shots
    )
    return numpy.abs(first.astype(numpy.int16) - second.astype(numpy.int16))
