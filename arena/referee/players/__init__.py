"""A bot as a match uses it: started here, or dialled in; and its output afterwards."""
