"""Sweeps: many machines at once, in columns."""

import collections
import os
import xml.etree.ElementTree as _xml

from . import _convscope
from .machine import Network, _text

Column = collections.namedtuple("Column", ["key", "label", "unit", "origin", "objective", "maximize", "values"])


class Space:
    """Networks, and the machines to compile them for."""

    def __init__(self, networks, target, parameters, presets=(), levels=(), objectives=("seconds", "on_chip_bits"),
                 title="", minimum_coverage=None):
        """Networks are files, samples' names or Networks. `parameters`: name -> value, list of values, or a text as in docs/space.md for one derived from others ("= a/b")."""
        networks = [networks] if isinstance(networks, (str, os.PathLike, Network)) else list(networks)
        networks = [network if isinstance(network, Network) else Network(network) for network in networks]
        title = title or "{} on {}".format(target, ", ".join(network.name for network in networks))
        space = _xml.Element("space", name="space", title=title)
        if minimum_coverage is not None:
            space.set("minimum-coverage", repr(minimum_coverage))
        for network in networks:
            element = _xml.SubElement(space, "network", file=os.path.abspath(network.file))
            if network.batch is not None:
                element.set("batch", str(network.batch))
            if network.input_size is not None:
                element.set("input-size", "{}x{}".format(*network.input_size))
        machines = _xml.SubElement(space, "machines", target=target)
        if presets:
            machines.set("presets", " ".join([presets] if isinstance(presets, str) else presets))
        if levels:
            machines.set("levels", " ".join([levels] if isinstance(levels, str) else levels))
        for key, values in parameters.items():
            parameter = _xml.SubElement(machines, "parameter", name=key)
            if isinstance(values, str) and values.startswith("="):
                parameter.set("equals", values[1:].strip())
            elif isinstance(values, (str, int, float)):
                parameter.text = _text(values)
            else:
                parameter.text = " ".join(_text(value) for value in values)
        for objective in objectives:
            _xml.SubElement(space, "objective", name=objective)
        self._space = _convscope.Space.parse(_xml.tostring(space, encoding="unicode"), os.getcwd())

    @classmethod
    def open(cls, path):
        """A file, see docs/space.md; or a sample by name."""
        path = os.fspath(path)
        sample = _convscope.sample_path(f"spaces/{path}.xml")
        space = object.__new__(cls)
        space._space = _convscope.Space.open(sample if not os.path.exists(path) and os.path.exists(sample) else path)
        return space

    @property
    def title(self):
        return self._space.title

    @property
    def xml(self):
        """As a file that the command line and the window open."""
        return self._space.xml

    def __len__(self):
        return self._space.size()

    def __repr__(self):
        return f"<Space {self._space.title!r}, {len(self)} machines>"


class Table:
    """What a sweep found, one row a machine: columns by key, in order of the space's points."""

    def __init__(self, table):
        self.title = table.title
        self.removed = table.removed  #: points that are no machine: reason -> how many
        self.columns = {column["key"]: Column(**column) for column in table.columns()}
        self.points = table.points()  #: index of each row's machine in the space
        self.on_front = table.on_front()  #: whether no other machine is better in every objective
        self.comparable = table.comparable()  #: whether it maps enough of the networks to be compared
        self.objectives = table.objectives()

    def __getitem__(self, key):
        return self.columns[key].values

    def __len__(self):
        return len(self.points)

    def frame(self):
        """As a pandas.DataFrame with the points as index."""
        import pandas

        frame = pandas.DataFrame({key: column.values for key, column in self.columns.items()}, index=self.points)
        frame["on_front"] = self.on_front
        return frame

    def __repr__(self):
        return f"<Table {self.title!r}, {len(self)} machines, {int(self.on_front.sum())} on the front>"


def sweep(space, strategy="grid", budget=0, seed=1, output=None, resume=False, threads=0):
    """Compiles the networks for every machine of the space, or for as many as the strategy hands out.

    strategy: grid (all), random (`budget` of them), refine (a coarse grid, then neighbours of the front). `output` keeps
    results in a file that `convscope-cli` and the window read; with `resume` the sweep goes on with it.
    """
    if resume and output is None:
        raise ValueError("resume needs the file to go on with: output")
    return Table(_convscope.sweep(space._space, strategy, budget, seed, "" if output is None else os.fspath(output), resume,
                                  threads))


def results(path):
    """A results file as a table."""
    return Table(_convscope.results(os.fspath(path)))
