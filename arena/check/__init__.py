"""Everything that `arena check` shows a bot, and the findings it reports."""
