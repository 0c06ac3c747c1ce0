"""Talking to a server: `AsyncClient` for the UI and async programs, `Client` for scripts and the CLI."""
