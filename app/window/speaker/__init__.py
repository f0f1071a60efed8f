"""The speaker's window: pictures of the present and the next screen, hands, marks and notes.

`plan` computes its layout as rectangles, `pictures` paints the two screens, `window` lays out the
parts. `app.window.frame.speaker` opens it and chooses its screen.
"""
