"""The standings as files, as a table in the terminal, and as web pages."""
