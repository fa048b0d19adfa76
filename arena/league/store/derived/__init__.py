"""Data that the store keeps besides the truth, worked out from it: all of it can be made anew."""
