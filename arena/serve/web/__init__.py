"""HTTP: what is asked is checked, answered from a look at a league, counted and logged."""
