"""The parts of a swiss: the score sheet, who sits out, and the tables of a round."""
