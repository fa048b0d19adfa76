"""The rules in the shape of other people's tools: PettingZoo and OpenSpiel (extra `rl`)."""
