"""What collects and checks: cards, ledger, published values, site, verification, archive."""
