"""Verdicts on claims: one module a topic, tables in, verdicts out."""
