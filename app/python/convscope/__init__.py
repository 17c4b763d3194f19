"""ConvScope from Python: the same engine and the same figures as the window and the command line.

    import convscope
    network = convscope.Network("resnet50")                 # a file, or a sample's name
    machine = convscope.Machine("nmp", tles=8)              # the target's own preset, changed
    compiled = convscope.compile(network, machine)
    print(compiled.total["seconds"])                        # value, unit, and where it comes from

    table = convscope.sweep(convscope.Space.open("space.xml"))
    table["seconds"], table.on_front                        # NumPy arrays

Input that is refused raises convscope.Error, with every mistake on a line of its own. Ctrl+C stops long work.
"""

import os as _os

from .place import prefix as _prefix

if "CONVSCOPE_DATA" not in _os.environ and _prefix():
    _os.environ["CONVSCOPE_DATA"] = str(_prefix() / "share" / "convscope")

from ._convscope import Error, version as __version__  # noqa: E402  (resources are found by the environment)
from .compiled import Compiled, Figure, Layer, compile  # noqa: E402
from .machine import Machine, Network, targets  # noqa: E402
from .sweep import Space, Table, results, sweep  # noqa: E402

__all__ = ["Compiled", "Error", "Figure", "Layer", "Machine", "Network", "Space", "Table", "compile", "results", "sweep",
           "targets"]
