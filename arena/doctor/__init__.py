"""`arena doctor`: what a league can promise on this machine, tried rather than assumed."""
