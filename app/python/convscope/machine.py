"""Networks and machines."""

import collections.abc
import os

from . import _convscope


def targets():
    """The machines that ConvScope knows: id -> title, presets, levels and their defaults."""
    return {target["id"]: {key: value for key, value in target.items() if key != "id"}
            for target in _convscope.targets()}


class Network:
    """A network, from a file of any format that `convscope-cli formats` lists, or a sample by name."""

    def __init__(self, file, batch=None, input_size=None):
        """`batch`, and `input_size` as (height, width), fill what the file leaves open."""
        file = os.fspath(file)
        sample = _convscope.sample_path(f"networks/{file}.xml")
        self.file = sample if os.sep not in file and not os.path.exists(file) and os.path.exists(sample) else file
        self.batch = batch
        self.input_size = None if input_size is None else tuple(input_size)
        size = "" if input_size is None else "{}x{}".format(*self.input_size)
        self._network = _convscope.Network(self.file, batch, size)
        self.name = self._network.name
        self.layers = self._network.layer_names()

    def __repr__(self):
        return f"<Network {self.name}, {len(self.layers)} layers>"


def _text(value):
    """A value as presets write it."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        value = value.item() if hasattr(value, "item") else value  # NumPy's numbers
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise TypeError(f"{value!r} is no value of a parameter; expected a number, or the name of a choice")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value)


def _texts(settings):
    return [(name, _text(value)) for name, value in settings.items()]


class Machine(collections.abc.Mapping):
    """Values of all parameters of a target: a preset, changed. Never changes itself; `changed` makes another one."""

    def __init__(self, target, preset="", **settings):
        """`preset` by name or file; settings by the parameters' names, e.g. tles=8."""
        self._machine = _convscope.Machine(target, os.fspath(preset), _texts(settings))

    def changed(self, **settings):
        """The same machine with other values."""
        machine = object.__new__(Machine)
        machine._machine = self._machine.changed(_texts(settings))
        return machine

    @property
    def target(self):
        return self._machine.target

    @property
    def preset(self):
        """Name of the preset that it began as."""
        return self._machine.preset

    @property
    def parameters(self):
        """Name, label, unit, help, range or choices of each parameter."""
        return self._machine.descriptions()

    def __getitem__(self, name):
        return self._machine.values()[name]

    def __iter__(self):
        return iter(self._machine.values())

    def __len__(self):
        return len(self._machine.values())

    def __repr__(self):
        return f"<Machine {self.target}, {self.preset}>"
