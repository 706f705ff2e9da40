"""An evaluation as one self-contained page that people can read and share."""

from headcount.report.writing import page_of, render, write

__all__ = ["page_of", "render", "write"]
