"""Where the module's own resources and programs are."""

import pathlib


def prefix():
    """Where share/convscope lies: in a build, in /usr, or wherever an archive was unpacked. None if nowhere."""
    for folder in pathlib.Path(__file__).resolve().parents:
        if (folder / "share" / "convscope" / "resources").is_dir():
            return folder
    return None
