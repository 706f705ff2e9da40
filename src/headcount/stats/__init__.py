"""Statistics that know nothing of ratings or classifiers: arrays in, numbers out."""
