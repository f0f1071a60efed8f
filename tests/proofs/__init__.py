"""Proofs: what must hold for every file, crash, input and text, tried on very many of them."""
