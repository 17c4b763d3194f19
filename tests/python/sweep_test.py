"""Sweeps from Python: the same rows as the command line's, in columns."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import convscope

try:
    import numpy
except ImportError as error:
    print(error)
    sys.exit(0)

COMMAND_LINE = os.environ["CONVSCOPE_CLI"]


def small_space(**others):
    return convscope.Space("lenet", target="nmp", parameters={"tles": [1, 2, 4], "bandwidth": numpy.array([1.5, 6.4])},
                           objectives=["seconds", "on_chip_bits"], **others)


class Sweeps(unittest.TestCase):
    def test_columns_are_arrays_over_the_machines(self):
        table = convscope.sweep(small_space())
        self.assertEqual(len(table), 6)
        self.assertEqual(sorted(set(table["nmp.tles"])), [1, 2, 4])
        self.assertEqual(table["seconds"].dtype, numpy.float64)
        machine = convscope.Machine("nmp", tles=4, bandwidth=1.5)
        row = numpy.flatnonzero((table["nmp.tles"] == 4) & (table["nmp.bandwidth"] == 1.5))[0]
        compiled = convscope.compile(convscope.Network("lenet"), machine)
        self.assertEqual(table["seconds"][row], compiled.total["seconds"].value)
        self.assertEqual(table.columns["seconds"].origin, "estimate")

    def test_the_front_is_what_nothing_dominates(self):
        table = convscope.sweep(small_space())
        costs = numpy.column_stack([table["seconds"], table["on_chip_bits"]])
        dominated = [any((other <= cost).all() and (other < cost).any() for other in costs) for cost in costs]
        numpy.testing.assert_array_equal(table.on_front, ~numpy.array(dominated))

    def test_results_are_the_bytes_of_the_command_line(self):
        space = small_space()
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "space.xml").write_text(space.xml)
            table = convscope.sweep(convscope.Space.open(folder / "space.xml"), output=folder / "python.db")
            subprocess.run([COMMAND_LINE, "sweep", folder / "space.xml", "-o", folder / "command_line.db"], check=True,
                           capture_output=True)
            self.assertEqual((folder / "python.db").read_bytes(), (folder / "command_line.db").read_bytes())
            again = convscope.results(folder / "python.db")
            numpy.testing.assert_array_equal(again["seconds"], table["seconds"])
            with self.assertRaisesRegex(convscope.Error, "python.db"):
                convscope.sweep(space, output=folder / "python.db")

    def test_as_a_frame(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas isn't installed")
        frame = convscope.sweep(small_space()).frame()
        self.assertEqual(frame["on_front"].sum(), frame[frame["on_front"]].shape[0])
        self.assertEqual(frame.shape[0], 6)

    def test_spaces_that_are_none_are_refused(self):
        with self.assertRaisesRegex(convscope.Error, "abacus"):
            convscope.Space("lenet", target="nmp", parameters={"abacus": [1]})
        with self.assertRaises(ValueError):
            convscope.sweep(small_space(), strategy="guess")
        with self.assertRaises(ValueError):
            convscope.sweep(small_space(), resume=True)

    def test_ctrl_c_stops_and_keeps_what_was_found(self):
        space = convscope.Space("resnet50", target="nmp",
                                parameters={"bandwidth": [number / 10 for number in range(1, 1001)],
                                            "input_memory": [2**power for power in range(11, 17)],
                                            "weight_memory": [2**power for power in range(11, 17)]})
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / "results.db"

            def interrupt():
                until = time.monotonic() + 30
                while time.monotonic() < until and not output.exists():
                    time.sleep(0.02)
                time.sleep(0.3)
                os.kill(os.getpid(), signal.SIGINT)

            threading.Thread(target=interrupt).start()
            with self.assertRaises(KeyboardInterrupt):
                convscope.sweep(space, output=output)
            self.assertGreater(len(convscope.results(output)), 0)


class Sample(unittest.TestCase):
    def test_draws_a_front(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("matplotlib isn't installed")
        script = pathlib.Path(os.environ["CONVSCOPE_SOURCE_DIR"]) / "samples" / "python" / "pareto_front.py"
        with tempfile.TemporaryDirectory() as folder:
            picture = pathlib.Path(folder) / "front.png"
            subprocess.run([sys.executable, script, "lenet", picture], check=True, capture_output=True)
            self.assertEqual(picture.read_bytes()[:4], b"\x89PNG")


if __name__ == "__main__":
    unittest.main()
