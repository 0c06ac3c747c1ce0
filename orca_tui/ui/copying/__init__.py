"""Copy mode: a pane's history held still, to read, search, select and copy with the keyboard."""
