"""Tests of the commands about the decisions of a recorded match."""
