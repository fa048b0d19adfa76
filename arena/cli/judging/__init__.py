"""Commands about the decisions of a recorded match: `arena judge` and `arena ask`."""
