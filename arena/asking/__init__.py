"""Asking a bot again for decisions of a recorded match (`arena ask`)."""
