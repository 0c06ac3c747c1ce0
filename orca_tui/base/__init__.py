"""Words used everywhere: the clock, errors and ids. Standard library only."""
