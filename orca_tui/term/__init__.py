"""A terminal as an object: bytes in; rows, replies and facts out. Knows no process and no widget."""
