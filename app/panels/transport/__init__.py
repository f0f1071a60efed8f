"""The transport: buttons, timeline and the sentence of the step, along the lower edge."""

from app.panels.transport.transport import Transport

__all__ = ["Transport"]
