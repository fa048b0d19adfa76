"""The broadcast: matches of complete sets card by card, the same for all who watch."""
