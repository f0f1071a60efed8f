"""Mouse, hover, keyboard, wheel and drops."""
