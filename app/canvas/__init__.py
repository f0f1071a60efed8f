"""The node canvas; imports between its parts point downwards only.

    view            the widget: makes the parts, forwards Qt's events
    accessibility   accessible names, interfaces and announcements
    model_sync      updates the canvas when document, playback or style change
    compositor      paints all layers, from cached pixmaps where possible
    input           mouse, hover, keyboard, wheel, drop; gestures, loaded by the first press
    editing         adding, typing, deleting; the boxes and fields that open on the canvas
    overlay         minimap, zoom buttons, legend, selection rings, marks over nodes
    animation       a step running along its wire, sums lighting up, nodes gliding
    paint           painters; the pixmap cache; picture export
    context         CanvasContext, given to every part: camera, framing, repaint, messages
    scene           one sheet at one frame; hit tests
    layout          positions, sizes, wire paths, label places: geometry without drawing
    appearance      contents of nodes, wires and labels, without geometry

A frame travels: Playback -> ModelSync -> Scene (Looks, NodeLayout, WireLayout) -> Repaint ->
paintEvent -> Compositor -> painter -> PixmapCache.
"""
