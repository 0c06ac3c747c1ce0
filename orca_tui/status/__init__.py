"""What an agent is doing, and why we believe it. Pure: no I/O, no agent by name."""
