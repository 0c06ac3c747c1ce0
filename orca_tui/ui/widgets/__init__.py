"""Widgets: they draw the values they are handed and post messages; they know no link and no action."""
