"""Tables at which people play against bots: a referee of their own, apart from that of a league."""
