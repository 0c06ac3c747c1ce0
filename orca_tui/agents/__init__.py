"""One file per agent: how it is launched and how its reports are read."""
