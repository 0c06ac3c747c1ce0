"""The commands: one file each with request, reply, arguments and help. Specs only; handlers are the server's.

This one table drives the wire, HTTP, the command line and the JSON Schema.
"""
