"""What reproduces a paper rather than serves a user: beside the package, not in the wheel."""
