"""Matches as commands give them to other programs: as JSON documents, and as files of records."""
