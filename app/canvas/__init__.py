"""Drawing and building the graph with the mouse."""
