#!/usr/bin/python3
"""Draws time against memory on chip for a hundred NMP machines that run a network: pareto_front.py [NETWORK] [FILE]

The machines on the front are those that no other one beats in both. Needs python3-matplotlib.
"""

import sys

import convscope
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the back end is chosen first)

network = sys.argv[1] if len(sys.argv) > 1 else "squeezenet_1_0"
output = sys.argv[2] if len(sys.argv) > 2 else "pareto_front.png"

memories = [2048, 4096, 8192, 16384, 32768]
space = convscope.Space(
    network,
    target="nmp",
    parameters={"tles": [1, 2, 4, 8], "input_memory": memories, "weight_memory": memories,
                "output_memory": "= input_memory"},
    objectives=["seconds", "on_chip_bits"],
)
table = convscope.sweep(space)
print(table)

seconds, bits, front = table["seconds"], table["on_chip_bits"], table.on_front
order = bits[front].argsort()

figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
points = axes.scatter(bits / 2**20, 1e3 * seconds, c=table["nmp.tles"], cmap="viridis", s=14)
axes.step(bits[front][order] / 2**20, 1e3 * seconds[front][order], where="post", color="crimson", linewidth=1)
axes.set(xscale="log", yscale="log", xlabel="memory on chip [Mbit]", ylabel="time of a frame [ms]", title=space.title)
figure.colorbar(points, label="TLEs")
figure.savefig(output, dpi=150)
print(f"{output}: {front.sum()} of {len(table)} machines on the front")
