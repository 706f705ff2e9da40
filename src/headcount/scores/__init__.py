"""How a judge's numbers compare with people's: worth, bias, limits, error, reliability."""
