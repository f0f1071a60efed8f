"""The window, edited without a pause and killed, and what its next start offers."""
