"""`python -m sizewright`: the same as the `sizewright` command."""

from sizewright.cli.main import main

if __name__ == "__main__":
    main(prog_name="sizewright")
