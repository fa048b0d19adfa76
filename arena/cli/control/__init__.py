"""Commands that order something of a league, while it runs or rests: admit, retire, invite, who."""
