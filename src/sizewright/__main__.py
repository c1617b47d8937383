"""The `sizewright` command as a process of its own; `python -m sizewright` is the same."""

import gc
import os
import sys

from sizewright.limits import OBJECTS_BETWEEN_COLLECTIONS


def tune_process() -> None:
    """Spare a process that runs one command what only long ones need.

    Quantities have no reference cycles to be collected. Pydantic would search all installed
    packages for plugins, which takes a tenth of the time of a plan.
    """
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


def run() -> None:
    """Run the command, and end the process without freeing its objects one by one.

    Freeing them takes a sixth of the time of a plan. The usual end is kept for a debugger or a
    profiler, and if a stream cannot be written.
    """
    tune_process()
    # Imported now, because the import takes part in what is tuned.
    from sizewright.cli.main import SHOW_TRACEBACK, main

    try:
        main(prog_name="sizewright")
    except SystemExit as end:
        if os.environ.get(SHOW_TRACEBACK) or not isinstance(end.code, int):
            raise
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (AttributeError, OSError, ValueError):
            # A stream is closed, or what it leads to.
            raise end from None
        os._exit(end.code)


if __name__ == "__main__":
    run()
