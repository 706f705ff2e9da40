"""`headcount serve`: the whole of it in a browser, on this machine."""

from pathlib import Path
from typing import Annotated

import typer

_LIMITS = "Limits"


def serve(
    port: Annotated[
        int | None,
        typer.Option(help="Port to listen on (default: 8731, or any that is free; 0 for any)."),
    ] = None,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Do not open the browser, only print the address.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(help="Where studies are kept (default: in your data folder)."),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on; others than this machine's need --expose.")
    ] = "127.0.0.1",
    expose: Annotated[
        bool, typer.Option("--expose", help="Let other machines in, which --host may name.")
    ] = False,
    max_upload: Annotated[
        float, typer.Option(help="The largest file that is taken, in GB.", rich_help_panel=_LIMITS)
    ] = 1.0,
    memory: Annotated[
        float | None,
        typer.Option(
            help="Memory that one evaluation may take, in GB (default: three quarters of it all).",
            rich_help_panel=_LIMITS,
        ),
    ] = None,
    time_limit: Annotated[
        float, typer.Option(help="Minutes that one may take.", rich_help_panel=_LIMITS)
    ] = 60.0,
    jobs: Annotated[
        int | None,
        typer.Option(
            help="Evaluations at once; others wait (default: half the cores).",
            rich_help_panel=_LIMITS,
        ),
    ] = None,
) -> None:
    """Open a page that takes files, evaluates them and keeps the studies, on this machine."""
    from headcount.errors import MissingExtraError, OptionError

    for name, value in (("max-upload", max_upload), ("memory", memory), ("time-limit", time_limit)):
        if value is not None and not 0 < value < 1e6:
            raise OptionError(f"--{name} is a number above 0; it was {value:g}.")
    if jobs is not None and jobs < 1:
        raise OptionError(f"--jobs is a whole number of at least 1; it was {jobs}.")
    try:
        from headcount.web.limits import GIB, Limits
        from headcount.web.server import serve as run
    except ImportError as error:
        raise MissingExtraError(
            f"headcount serve needs {error.name}: pip install 'headcount[web]'."
        ) from error
    upload = int(max_upload * GIB)
    limits = Limits(
        upload=upload,
        unpacked=max(GIB, 4 * upload),
        memory=int((memory or 0) * GIB),
        seconds=60 * time_limit,
        jobs=jobs or 0,
    )
    run(
        host=host,
        port=port,
        folder=folder,
        open_browser=not no_open,
        expose=expose,
        limits=limits,
    )
