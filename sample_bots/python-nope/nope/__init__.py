"""The ideas of python-nope. Other bots may include this folder."""
