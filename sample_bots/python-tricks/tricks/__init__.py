"""The ideas of python-tricks, one module for each phase. Other bots may include this folder."""
