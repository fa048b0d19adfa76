"""How the matches of a league share the cores: jobs and their lanes, adjusted while it runs."""
