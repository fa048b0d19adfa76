"""How many connections a door takes unless it is told otherwise."""

MOST = 512
# A person with a few bots, each with a few connections; some share an address with others.
MOST_OF_AN_ADDRESS = 32
