"""What all parts of the canvas are given: the camera, framing, automatic layout."""
