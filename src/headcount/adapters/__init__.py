"""headcount inside the tools where people already work: a file a tool, loaded when it is asked.

Each file takes what its tool holds, asks the method, and hands back what the tool understands; no
number is computed here.
"""
