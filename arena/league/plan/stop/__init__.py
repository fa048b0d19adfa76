"""[stop]: the rules that end a league before its format would."""
