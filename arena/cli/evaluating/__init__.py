"""`arena evaluate`: what was asked for, what is shown meanwhile, and the results."""
