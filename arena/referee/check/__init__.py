"""The conformance checker: one bot, and a scripted opponent that knows every corner of SPEC.md."""
