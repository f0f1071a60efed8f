"""The window: creates and connects all parts, without state of its own."""
