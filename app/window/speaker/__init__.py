"""The speaker's window: what the room sees, what comes next, hands, marks and notes.

`plan` is its layout as rectangles, `pictures` the two sheets, `window` puts the parts into their
places. `app.window.frame.speaker` opens it and knows the screens.
"""
