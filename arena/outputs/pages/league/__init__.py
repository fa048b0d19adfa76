"""The pages of a league besides its matches: table, matrix, history, bots, pairs of bots."""
