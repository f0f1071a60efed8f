"""What can be done to the graph on the canvas, and the fields that open on it to do that."""
