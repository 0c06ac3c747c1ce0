"""The command line over `commands/`."""
