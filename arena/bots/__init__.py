"""Bots and their processes: bot.toml, content, build, the warden."""
