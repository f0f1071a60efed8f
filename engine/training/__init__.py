"""Training: networks and losses as graphs, small data sets, and gradient descent over them."""
