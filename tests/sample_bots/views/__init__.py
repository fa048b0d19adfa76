"""The views as types in every language of the sample bots, made from the field tables of the games.

`python -m tests.sample_bots.views --write` writes them anew.
"""
