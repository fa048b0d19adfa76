"""What crosses the wire between the referee and a bot, and the Python bot kit."""
