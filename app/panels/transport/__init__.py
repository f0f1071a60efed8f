"""The transport: buttons, timeline and the sentence of the step, along the lower edge."""

from app.panels.transport.transport import Transport, playback_height

__all__ = ["Transport", "playback_height"]
