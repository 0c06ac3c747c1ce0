"""What each command does. One file per family, each with a function that gives its handlers for a session."""
