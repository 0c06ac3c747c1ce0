"""Screens: the work screen and the dialogs over it. A dialog returns a value and does nothing itself."""
