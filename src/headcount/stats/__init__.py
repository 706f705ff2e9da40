"""Numerics shared by the methods."""
