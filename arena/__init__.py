"""A tournament runner for card-playing bots: rules, referee, league, published tables."""

__version__ = "0.1.0"
