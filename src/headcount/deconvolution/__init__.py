"""deconvolution"""
