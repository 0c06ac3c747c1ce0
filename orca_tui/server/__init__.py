"""The background server: owns panes, status and layout; events in, effects out."""
