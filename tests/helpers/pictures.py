"""Pictures beside each other."""

import numpy
from PySide6.QtGui import QImage


def apart(one: QImage, other: QImage) -> numpy.ndarray:
    """How far the colours of two pictures are apart, each of 255."""
    shots = [shot.convertToFormat(QImage.Format.Format_RGB32) for shot in (one, other)]
    first, second = (numpy.frombuffer(shot.constBits(), numpy.uint8) for shot in shots)
    return numpy.abs(first.astype(numpy.int16) - second.astype(numpy.int16))
