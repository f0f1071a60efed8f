"""Where everything stands: nodes, wires, labels, sections; pure geometry."""
