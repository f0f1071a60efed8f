"""The speaker's window: pictures of the present and the next screen, hands, steps and notes.

`window` lays out the parts, `pictures` paints the two screens. `app.window.frame.speaker` opens it
and chooses its screen.
"""
