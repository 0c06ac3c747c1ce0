"""What people see: a Textual app over one connection to a server. The only importer of textual."""
