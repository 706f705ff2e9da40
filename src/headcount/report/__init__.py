"""An evaluation as one self-contained page that people can read and share."""

from headcount.report.writing import check_path, page_of, render, write

__all__ = ["check_path", "page_of", "render", "write"]
