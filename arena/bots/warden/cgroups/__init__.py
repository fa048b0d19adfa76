"""The control groups of one bot, and on which of the processors it runs."""
