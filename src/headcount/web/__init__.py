"""`headcount serve`: files in a browser become studies, reports and plans, on this machine."""
