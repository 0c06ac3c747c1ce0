"""The generated OpenCode status plugin: sources, exact bytes, installer. Knows nothing of orca_tui."""
