"""The sockets of bots in a match: links, the lookout that polls them, arrival times, host lag."""
