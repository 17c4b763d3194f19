"""Compiled networks and their figures."""

import collections
import functools
import json
import os
import shutil
import subprocess

from . import _convscope
from .place import prefix

Figure = collections.namedtuple("Figure", ["value", "unit", "origin"])
Figure.__doc__ = "A number, its unit, and where it comes from: measured, simulated, derived, estimate or published."

_UNITS = {"macs": "MAC", "cycles": "cycles", "seconds": "s", "utilization": "", "bytes_in": "byte", "bytes_out": "byte",
          "bytes_weights": "byte", "coefficients": "", "bytes_once": "byte"}


def _figures(report, target, units):
    """The common figures of a row of the report, then those of the target."""
    origins, origin = report.get("origins", {}), report.get("origin", "derived")
    own = {key: value for key, value in report.get(target, {}).items() if not isinstance(value, dict)}
    for key, value in report.get(target, {}).items():
        if isinstance(value, dict):
            own.update({f"{key}.{inner}": number for inner, number in value.items()})
    figures = {key: Figure(report[key], unit, origins.get(key, origin)) for key, unit in _UNITS.items() if key in report}
    figures.update({key: Figure(value, units.get(key, ""), origins.get(key, origin)) for key, value in own.items()})
    return figures


class Layer:
    """A layer of a compiled network: its figures by key, as docs/report-json.md names them."""

    def __init__(self, report, target, units):
        self.report = report
        self.name = report["name"]
        self.operator = report["operator"]
        self.mapped = report["mapped"]
        self.reason = report.get("reason", "")
        self.figures = _figures(report, target, units)

    def __getitem__(self, key):
        return self.figures[key]

    def __repr__(self):
        return f"<Layer {self.name}, {self.operator}{'' if self.mapped else ', not mapped'}>"


class Compiled:
    """A network compiled for a machine."""

    def __init__(self, network, machine, compiled):
        self.network, self.machine, self.level, self._compiled = network, machine, compiled.level, compiled

    @functools.cached_property
    def report(self):
        """The object of `convscope-cli report --json`."""
        return json.loads(self._compiled.report())

    @functools.cached_property
    def layers(self):
        units = self._compiled.units()
        return [Layer(layer, self.machine.target, units) for layer in self.report["layers"]]

    @functools.cached_property
    def total(self):
        """Figures of the whole network by key."""
        return _figures(self.report["total"], self.machine.target, self._compiled.units())

    @property
    def coverage(self):
        """MACs of mapped layers / MACs of the network; None where these aren't known."""
        return self.report["coverage"]

    def export_view(self, view, output, layer=None, size=None, theme="light"):
        """Draws a view ("roofline", "schedule", ...) into a .svg, .pdf, .png or .csv, by the window's program.

        Raises Error with what that program says, and FileNotFoundError if it isn't installed.
        """
        command = [_window_program(), self.network.file, "--target", self.machine.target, "--level", self.level,
                   "--export-view", view, "--output", os.fspath(output), "--theme", theme]
        for name, text in self.machine._machine.texts():
            command += ["--set", f"{name}={text}"]
        if self.network.batch is not None:
            command += ["--batch", str(self.network.batch)]
        if self.network.input_size is not None:
            command += ["--input-size", "{}x{}".format(*self.network.input_size)]
        if layer is not None:
            command += ["--layer", layer]
        if size is not None:
            command += ["--size", "{}x{}".format(*size)]
        ended = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
        if ended.returncode != 0:
            raise _convscope.Error(ended.stderr.strip())

    def __repr__(self):
        return f"<Compiled {self.network.name} for {self.machine.target}, {self.level}>"


def _window_program():
    beside = prefix() / "bin" / "convscope" if prefix() else None
    found = str(beside) if beside and beside.exists() else shutil.which("convscope")
    if not found:
        raise FileNotFoundError("views are drawn by the window's program 'convscope', which is not installed")
    return found


def compile(network, machine, level="", layers=(), threads=0):
    """Compiles all layers, or those named, at a level (the target's own by default) on `threads` cores (0: all)."""
    return Compiled(network, machine, _convscope.compile(network._network, machine._machine, level, list(layers), threads))
