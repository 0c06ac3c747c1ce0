"""Panes come, go and flood while UIs and servers are killed; nothing may be left behind."""
