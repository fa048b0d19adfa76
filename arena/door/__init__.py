"""`arena door`: a process that takes bots in over TLS and WebSockets, for a referee elsewhere."""
