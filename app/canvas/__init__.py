"""The node canvas; imports between its parts point downwards only.

    view            the widget: makes the parts, forwards Qt's events
    accessibility   what assistive technology sees
    model_sync      tells the canvas what document, playback and style say
    compositor      paints all layers, and what can be reused
    input           mouse, hover, keyboard, wheel, drop; gestures, loaded by the first press
    editing         adding, typing, deleting; what opens on the canvas for that
    overlay         map, zoom buttons, legend, breadcrumbs, selection rings
    animation       a step running along its wire, sums lighting up, nodes gliding
    paint           painters; the pixmap cache; picture export
    context         CanvasContext, given to every part: camera, framing, repaint, messages
    scene           one sheet at one frame; hit tests
    layout          positions, sizes, wire paths, label places: geometry without drawing
    appearance      what nodes, wires and labels show, without geometry

A frame travels: Playback -> ModelSync -> Scene (Looks, NodeLayout, WireLayout) -> Repaint ->
paintEvent -> Compositor -> painter -> PixmapCache (within the budget of a frame).
"""
