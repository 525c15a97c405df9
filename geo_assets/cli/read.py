"""`geo read`: the reader of the assets on texts of your own, JSON Lines in and out."""

import sys
from pathlib import Path

import click


@click.command()
@click.argument("kind", type=click.Choice(["mentions", "validity", "urls", "domains"]))
@click.argument("source", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.argument("target", type=click.Path(dir_okay=False, allow_dash=True))
def read(kind: str, source: str, target: str) -> None:
    r"""Read texts of your own with the code that the assets use: KIND SOURCE TARGET (`-` = standard input or output).

    \b
    mentions  in  id, text, brand {name, aliases, exclude?, category?}
              out id, mentioned, count, list_rank, stance, confidence, review
    validity  in  id, question, text            out id, label, confidence, review
    urls      in  id, url                       out id, normalised
    domains   in  id, host                      out id, registrable_domain
    """
    from geo_assets.analysis.bulk import read_lines

    with click.open_file(source, encoding="utf-8") as lines:
        name = "standard input" if source == "-" else source
        if target == "-":
            for line in read_lines(kind, lines, source=name):
                sys.stdout.write(line if line.endswith("\n") else f"{line}\n")
            return
        partial = Path(f"{target}.partial")
        try:
            with partial.open("w", encoding="utf-8", newline="\n") as out:
                for line in read_lines(kind, lines, source=name):
                    out.write(line if line.endswith("\n") else f"{line}\n")
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
