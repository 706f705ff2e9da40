"""`python -m headcount` is the command line too."""

from headcount.cli import run

if __name__ == "__main__":
    run()
