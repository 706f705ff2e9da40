"""What people said: reading, checking, and counting it once."""

from headcount.ratings.answers import Answers
from headcount.ratings.block import Block, full_block
from headcount.ratings.labels import Labels
from headcount.ratings.patterns import ItemCounts, Patterns
from headcount.ratings.ratings import Ratings

__all__ = ["Answers", "Block", "ItemCounts", "Labels", "Patterns", "Ratings", "full_block"]
