"""Saving, disturbed in every way that a machine knows: kills, a full disk, another writer."""
