"""The command line: one file a command; heavy imports wait until a command runs."""

import os
import sys


def main() -> None:
    """Run the command line; bad input ends in one sentence and exit code 1."""
    _keep_to_one_thread()
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


def _keep_to_one_thread() -> None:
    """Let linear algebra use one thread, unless the user has said otherwise.

    Our matrices are small: threads that wait for their share of one turn in circles and take
    the processor from the rest. It must be said before NumPy is loaded.
    """
    for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
