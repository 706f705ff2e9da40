"""The command line: one file a command; heavy imports wait until a command runs."""

import sys


def main() -> None:
    """Run the command line; bad input ends in one sentence and exit code 1."""
    from headcount.cli.app import app
    from headcount.errors import HeadcountError

    try:
        app()
    except HeadcountError as error:
        from headcount.results.escaping import plain

        print(f"headcount: {plain(str(error))}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        # The reader of our output left (head, less): nothing is wrong.
        sys.stderr.close()
        sys.exit(0)
