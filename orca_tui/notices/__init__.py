"""Messages that wait for an agent and can be taken back: values, the rules about them (pure), and their store."""
