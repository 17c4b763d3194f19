"""The figures that Python reads are those that the command line writes."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import unittest.mock
import warnings

import convscope

COMMAND_LINE = os.environ["CONVSCOPE_CLI"]


def report_json(*arguments):
    return json.loads(subprocess.run([COMMAND_LINE, "report", *arguments, "--json"], check=True, capture_output=True).stdout)


class Reports(unittest.TestCase):
    def test_equal_those_of_the_command_line(self):
        samples = pathlib.Path(os.environ["CONVSCOPE_SOURCE_DIR"]) / "samples" / "networks"
        for sample, target, settings, level in [("face_detection", "nve", {"lanes": 32}, "fusion"),
                                                ("squeezenet_1_0", "nmp", {"tles": 8, "bandwidth": 12.5}, "banked"),
                                                ("snowflake_resnet18", "snowflake", {}, ""),
                                                ("lenet", "cpu", {}, "")]:
            with self.subTest(sample=sample, target=target):
                machine = convscope.Machine(target, **settings)
                compiled = convscope.compile(convscope.Network(sample), machine, level)
                arguments = [f"--set={name}={value}" for name, value in settings.items()]
                arguments += ["--level", level] if level else []
                self.assertEqual(compiled.report, report_json(str(samples / f"{sample}.xml"), "--target", target, *arguments))

    def test_figures_have_unit_and_origin(self):
        compiled = convscope.compile(convscope.Network("lenet"), convscope.Machine("nmp"))
        seconds = compiled.total["seconds"]
        self.assertEqual((seconds.value, seconds.unit, seconds.origin),
                         (compiled.report["total"]["seconds"], "s", "estimate"))
        mapped = [layer for layer in compiled.layers if layer.mapped]
        self.assertEqual(sum(layer["macs"].value for layer in mapped), compiled.total["macs"].value)
        self.assertIn("tile.TR", mapped[0].figures)
        self.assertTrue(all(layer.reason for layer in compiled.layers if not layer.mapped))

    def test_only_layers_that_are_named(self):
        network = convscope.Network("face_detection")
        compiled = convscope.compile(network, convscope.Machine("nve"), layers=[network.layers[1]])
        self.assertEqual([layer.name for layer in compiled.layers], [network.layers[1]])

    def test_sizes_that_a_file_leaves_open(self):
        compiled = convscope.compile(convscope.Network("lenet", batch=4), convscope.Machine("nmp"))
        self.assertEqual(compiled.report["total"]["batch"]["images"], 4)


class Machines(unittest.TestCase):
    def test_are_mappings_of_their_parameters(self):
        machine = convscope.Machine("nmp", tles=2)
        self.assertEqual(machine["tles"], 2)
        self.assertEqual(set(machine), {parameter["name"] for parameter in machine.parameters})
        self.assertEqual((machine.changed(tles=8)["tles"], machine["tles"]), (8, 2))

    def test_every_target_has_its_defaults(self):
        for name, target in convscope.targets().items():
            self.assertEqual(convscope.Machine(name).preset, target["default_preset"])
            self.assertIn(target["default_level"], target["levels"])


class Refusals(unittest.TestCase):
    def test_say_everything_that_is_wrong(self):
        with self.assertRaisesRegex(convscope.Error, "(?s)tles.*no parameter|no parameter.*tles|tles"):
            convscope.Machine("nmp", tles=-3)
        with self.assertRaisesRegex(convscope.Error, "abacus"):
            convscope.Machine("abacus")
        with self.assertRaisesRegex(convscope.Error, "level 'best of all'"):
            convscope.compile(convscope.Network("lenet"), convscope.Machine("nve"), "best of all")
        with self.assertRaisesRegex(convscope.Error, "no layer 'L99'"):
            convscope.compile(convscope.Network("lenet"), convscope.Machine("nve"), layers=["L99"])
        with self.assertRaises(TypeError):
            convscope.Machine("nmp", tles=True)
        with self.assertRaises(ValueError):
            convscope.Network("lenet", batch=0)

    def test_files_that_are_no_networks(self):
        with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
            file.write(b"no network at all")
            file.flush()
            with self.assertRaisesRegex(convscope.Error, file.name):
                convscope.Network(file.name)
        with self.assertRaises(convscope.Error):
            convscope.Network("/nowhere/at_all.xml")


class Views(unittest.TestCase):
    def test_are_drawn_by_the_window_s_program(self):
        program = pathlib.Path(COMMAND_LINE).parent / "convscope"
        if not program.exists():
            self.skipTest("the window isn't built")
        compiled = convscope.compile(convscope.Network("lenet"), convscope.Machine("nmp", tles=2))
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / "roofline.svg"
            compiled.export_view("roofline", output)
            self.assertIn("<svg", output.read_text())
            output.unlink()
            with unittest.mock.patch.dict(os.environ, CONVSCOPE_DATA=os.environ["CONVSCOPE_SOURCE_DIR"]):
                compiled.export_view("roofline", output)  # other data, the same program
            self.assertIn("<svg", output.read_text())
            with self.assertRaisesRegex(convscope.Error, "no such view|abacus"):
                compiled.export_view("abacus", output)


if __name__ == "__main__":
    warnings.simplefilter("error")
    unittest.main()
