#!/usr/bin/env python3
"""Writes the small TensorFlow graphs of this folder, each as .pb and .pbtxt, and the values that they compute.

Without TensorFlow: fields are numbered as in tensorflow/core/framework's .proto files, and the operators are computed
here by plain loops over (batch, height, width, maps). Run in this folder.
"""

import math
import struct

TYPES = {"DT_FLOAT": 1, "DT_INT32": 3}


# Values: (shape, list in row-major order).

def numbers(shape, seed, scale):
    count, state, values = math.prod(shape), seed, []
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        values.append(scale * (state // 65536 % 256 - 128) / 128)
    return list(shape), values


def same(size, kernel, stride):
    out = -(-size // stride)
    return out, max((out - 1) * stride + kernel - size, 0) // 2


def places(size, kernel, stride, padding):
    return same(size, kernel, stride) if padding == "SAME" else ((size - kernel) // stride + 1, 0)


def slide(x, kernel, stride, padding, visit):
    """visit(batch, row, column, [(dy, dx, place of the pixel's first map)]) gives the maps of one pixel."""
    (n, h, w, c), _ = x
    (rows, top), (columns, left) = (places(s, k, stride, padding) for s, k in zip((h, w), kernel))
    values = []
    for b in range(n):
        for oy in range(rows):
            for ox in range(columns):
                taps = []
                for dy in range(kernel[0]):
                    for dx in range(kernel[1]):
                        y, xx = oy * stride + dy - top, ox * stride + dx - left
                        if 0 <= y < h and 0 <= xx < w:
                            taps.append((dy, dx, ((b * h + y) * w + xx) * c))
                values.extend(visit(taps))
    return [n, rows, columns, len(values) // (n * rows * columns)], values


def conv(x, weights, stride, padding):
    (kh, kw, cin, cout), f = weights
    data = x[1]
    return slide(x, (kh, kw), stride, padding, lambda taps: [
        sum(data[p + i] * f[((dy * kw + dx) * cin + i) * cout + o] for dy, dx, p in taps for i in range(cin))
        for o in range(cout)])


def depthwise(x, weights, stride, padding):
    (kh, kw, cin, mult), f = weights
    data = x[1]
    return slide(x, (kh, kw), stride, padding, lambda taps: [
        sum(data[p + i] * f[((dy * kw + dx) * cin + i) * mult + m] for dy, dx, p in taps)
        for i in range(cin) for m in range(mult)])


def pool(x, kernel, stride, padding, join):
    data = x[1]
    return slide(x, (kernel, kernel), stride, padding,
                 lambda taps: [join([data[p + i] for _, _, p in taps]) for i in range(x[0][3])])


def by_map(x, row, operation):
    return x[0], [operation(v, row[1][i % x[0][-1]]) for i, v in enumerate(x[1])]


def each(x, operation):
    return x[0], [operation(v) for v in x[1]]


def join(parts):
    shape = parts[0][0][:3] + [sum(p[0][3] for p in parts)]
    values = []
    for pixel in range(math.prod(shape[:3])):
        for p in parts:
            values += p[1][pixel * p[0][3]:(pixel + 1) * p[0][3]]
    return shape, values


def product(x, weights):
    rows, k = x[0]
    n = weights[0][1]
    return [rows, n], [sum(x[1][r * k + i] * weights[1][i * n + o] for i in range(k))
                       for r in range(rows) for o in range(n)]


def softmax(x):
    n, values = x[0][-1], []
    for r in range(len(x[1]) // n):
        row = [math.exp(v) for v in x[1][r * n:(r + 1) * n]]
        values += [v / sum(row) for v in row]
    return x[0], values


def mean_of_pixels(x):
    n, h, w, c = x[0]
    return [n, c], [sum(x[1][(b * h * w + p) * c + i] for p in range(h * w)) / (h * w)
                    for b in range(n) for i in range(c)]


# The graph, as a list of (name, operator, inputs, attributes).

class Graph:
    def __init__(self):
        self.nodes = []

    def add(self, name, operator, inputs=(), **attributes):
        self.nodes.append((name, operator, list(inputs), attributes))
        return name

    def floats(self, name, value):
        return self.add(name, "Const", dtype=("type", "DT_FLOAT"), value=("tensor", "DT_FLOAT", value[0], value[1]))

    def integers(self, name, shape, values):
        return self.add(name, "Const", dtype=("type", "DT_INT32"), value=("tensor", "DT_INT32", shape, values))

    def window(self, name, operator, inputs, stride, padding, **more):
        return self.add(name, operator, inputs, T=FLOAT, strides=("list", [1, stride, stride, 1]),
                        padding=("s", padding), data_format=("s", "NHWC"), **more)


FLOAT, INT = ("type", "DT_FLOAT"), ("type", "DT_INT32")


def content(kind, values):
    return struct.pack("<%d%s" % (len(values), "f" if kind == "DT_FLOAT" else "i"), *values)


def varint(value):
    value, out = value % 2**64, b""
    while value >= 128:
        out, value = out + bytes([value % 128 + 128]), value // 128
    return out + bytes([value])


def field(number, payload):
    if isinstance(payload, int):
        return varint(number << 3) + varint(payload)
    if isinstance(payload, float):
        return varint(number << 3 | 5) + struct.pack("<f", payload)
    payload = payload.encode() if isinstance(payload, str) else payload
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def shape_bytes(shape):
    return b"".join(field(2, field(1, d)) for d in shape)


def attribute_bytes(value):
    kind = value[0]
    if kind == "type":
        return field(6, TYPES[value[1]])
    if kind == "list":
        return field(1, field(3, b"".join(varint(v) for v in value[1])))
    if kind == "shape":
        return field(7, shape_bytes(value[1]))
    if kind == "tensor":
        return field(8, field(1, TYPES[value[1]]) + field(2, shape_bytes(value[2])) + field(4, content(value[1], value[3])))
    return field({"s": 2, "i": 3, "f": 4, "b": 5}[kind], int(value[1]) if kind == "b" else value[1])


def binary(graph):
    out = b""
    for name, operator, inputs, attributes in graph.nodes:
        node = field(1, name) + field(2, operator) + b"".join(field(3, i) for i in inputs)
        for key in sorted(attributes):
            node += field(5, field(1, key) + field(2, attribute_bytes(attributes[key])))
        out += field(1, node)
    return out + field(4, field(1, 27))


def escaped(data):
    return "".join("\\%03o" % b if b < 32 or b > 126 or b in b"\"\\'" else chr(b) for b in data)


def shape_text(shape):
    return " ".join("dim { size: %d }" % d for d in shape)


def attribute_text(value):
    kind = value[0]
    if kind == "type":
        return "type: " + value[1]
    if kind == "list":
        return "list { %s }" % " ".join("i: %d" % v for v in value[1])
    if kind == "shape":
        return "shape { %s }" % shape_text(value[1])
    if kind == "tensor":
        return 'tensor { dtype: %s tensor_shape { %s } tensor_content: "%s" }' % (
            value[1], shape_text(value[2]), escaped(content(value[1], value[3])))
    if kind == "s":
        return 's: "%s"' % value[1]
    return "%s: %s" % (kind, str(value[1]).lower() if kind == "b" else repr(value[1]))


def text(graph):
    lines = []
    for name, operator, inputs, attributes in graph.nodes:
        lines += ["node {", '  name: "%s"' % name, '  op: "%s"' % operator] + ['  input: "%s"' % i for i in inputs]
        for key in sorted(attributes):
            lines += ['  attr { key: "%s" value { %s } }' % (key, attribute_text(attributes[key]))]
        lines += ["}"]
    return "\n".join(lines + ["versions { producer: 27 }", ""])


def write(name, graph, result):
    open(name + ".pb", "wb").write(binary(graph))
    open(name + ".pbtxt", "w").write(text(graph))
    open(name + ".values", "w").write("".join("%.9g\n" % v for v in result[1]))


def digits():
    """LeNet's layers, smaller; flattened as tf.layers.flatten does, by the shape that it has."""
    g, x = Graph(), numbers([1, 14, 14, 1], 1, 1)
    g.add("image", "Placeholder", dtype=FLOAT, shape=("shape", [-1, 14, 14, 1]))
    at = "image"
    for layer, (kernel, maps, padding) in enumerate([(5, 4, "SAME"), (3, 6, "VALID")], 1):
        weights, row = numbers([kernel, kernel, x[0][3], maps], 10 + layer, 0.5), numbers([maps], 20 + layer, 0.25)
        n = "conv%d" % layer
        g.floats(n + "/weights", weights)
        g.add(n + "/weights/read", "Identity", [n + "/weights"], T=FLOAT)
        g.floats(n + "/biases", row)
        g.window(n + "/Conv2D", "Conv2D", [at, n + "/weights/read"], 1, padding, dilations=("list", [1, 1, 1, 1]))
        g.add(n + "/BiasAdd", "BiasAdd", [n + "/Conv2D", n + "/biases"], T=FLOAT, data_format=("s", "NHWC"))
        g.add(n + "/Relu", "Relu", [n + "/BiasAdd"], T=FLOAT)
        at = g.window("pool%d" % layer, "MaxPool", [n + "/Relu"], 2, "VALID", ksize=("list", [1, 2, 2, 1]))
        x = by_map(conv(x, weights, 1, padding), row, lambda a, b: max(a + b, 0))
        x = pool(x, 2, 2, "VALID", max)
    count = math.prod(x[0][1:])
    g.add("flatten/Shape", "Shape", [at], T=FLOAT, out_type=INT)
    for name, values in [("begin", [0]), ("end", [1]), ("step", [1])]:
        g.integers("flatten/" + name, [1], values)
    g.add("flatten/batch", "StridedSlice", ["flatten/Shape", "flatten/begin", "flatten/end", "flatten/step"], T=INT,
          Index=INT, shrink_axis_mask=("i", 1), begin_mask=("i", 0), end_mask=("i", 0))
    g.integers("flatten/rest", [], [-1])
    g.add("flatten/Pack", "Pack", ["flatten/batch", "flatten/rest"], T=INT, N=("i", 2), axis=("i", 0))
    g.add("flatten/Reshape", "Reshape", [at, "flatten/Pack"], T=FLOAT, Tshape=INT)
    weights, row = numbers([count, 10], 31, 0.25), numbers([10], 32, 0.25)
    g.floats("fc/weights", weights)
    g.floats("fc/biases", row)
    g.add("fc/MatMul", "MatMul", ["flatten/Reshape", "fc/weights"], T=FLOAT, transpose_a=("b", False),
          transpose_b=("b", False))
    g.add("fc/BiasAdd", "BiasAdd", ["fc/MatMul", "fc/biases"], T=FLOAT)
    g.add("probabilities", "Softmax", ["fc/BiasAdd"], T=FLOAT)
    x = [1, count], x[1]
    write("digits", g, softmax(by_map(product(x, weights), row, lambda a, b: a + b)))


def block():
    """An inception-like block with a batch norm written out, one fused, a depthwise convolution and a residual."""
    g, x = Graph(), numbers([1, 9, 7, 6], 1, 1)
    g.add("image", "Placeholder", dtype=FLOAT, shape=("shape", [-1, 9, 7, 6]))

    def convolve(name, at, value, kernel, maps, stride):
        weights = numbers([kernel, kernel, value[0][3], maps], 41 + maps + kernel, 0.5)
        g.floats(name + "/weights", weights)
        g.window(name, "Conv2D", [at, name + "/weights"], stride, "SAME")
        return conv(value, weights, stride, "SAME")

    # gamma * (x - mean) / sqrt(variance + epsilon) + beta, as tf.nn.batch_normalization writes it.
    a = convolve("a", "image", x, 1, 4, 2)
    mean, beta, gamma = (numbers([4], 50 + i, 0.5) for i in range(3))
    variance = each(numbers([4], 54, 1), lambda v: v * v + 0.5)
    for name, value in [("mean", mean), ("variance", variance), ("beta", beta), ("gamma", gamma)]:
        g.floats("a/bn/" + name, value)
    g.floats("a/bn/epsilon", ([], [0.001]))
    for name, operator, inputs in [("add", "Add", ["variance", "epsilon"]), ("Rsqrt", "Rsqrt", ["add"]),
                                   ("mul", "Mul", ["Rsqrt", "gamma"])]:
        g.add("a/bn/" + name, operator, ["a/bn/" + i for i in inputs], T=FLOAT)
    g.add("a/bn/mul_1", "Mul", ["a", "a/bn/mul"], T=FLOAT)
    g.add("a/bn/mul_2", "Mul", ["a/bn/mean", "a/bn/mul"], T=FLOAT)
    g.add("a/bn/sub", "Sub", ["a/bn/beta", "a/bn/mul_2"], T=FLOAT)
    g.add("a/bn/add_1", "AddV2", ["a/bn/mul_1", "a/bn/sub"], T=FLOAT)
    g.add("a/Relu6", "Relu6", ["a/bn/add_1"], T=FLOAT)
    scale = [4], [c / math.sqrt(v + 0.001) for c, v in zip(gamma[1], variance[1])]
    shift = [4], [b - m * s for b, m, s in zip(beta[1], mean[1], scale[1])]
    a = each(by_map(by_map(a, scale, lambda u, v: u * v), shift, lambda u, v: u + v), lambda v: min(max(v, 0), 6))

    b = convolve("b", "image", x, 3, 3, 2)
    parameters = [numbers([3], 60 + i, 0.5) for i in range(3)] + [each(numbers([3], 63, 1), lambda v: v * v + 0.5)]
    for i, value in enumerate(parameters):
        g.floats("b/bn/%d" % i, value)
    g.add("b/bn", "FusedBatchNormV3", ["b"] + ["b/bn/%d" % i for i in range(4)], T=FLOAT, U=FLOAT,
          epsilon=("f", 0.001), is_training=("b", False), data_format=("s", "NHWC"))
    g.add("b/Elu", "Elu", ["b/bn"], T=FLOAT)
    for i, operation in [(2, lambda u, v: u - v), (3, lambda u, v: u / math.sqrt(v + 0.001)),
                         (0, lambda u, v: u * v), (1, lambda u, v: u + v)]:
        b = by_map(b, parameters[i], operation)
    b = each(b, lambda v: v if v > 0 else math.exp(v) - 1)

    g.window("c/pool", "AvgPool", ["image"], 2, "SAME", ksize=("list", [1, 3, 3, 1]))
    c = pool(x, 3, 2, "SAME", lambda v: sum(v) / len(v))
    weights = numbers([3, 3, 6, 2], 70, 0.5)
    g.floats("c/weights", weights)
    g.window("c", "DepthwiseConv2dNative", ["c/pool", "c/weights"], 1, "SAME")
    c = depthwise(c, weights, 1, "SAME")

    g.integers("axis", [], [3])
    g.add("joined", "ConcatV2", ["a/Relu6", "b/Elu", "c", "axis"], T=FLOAT, N=("i", 3), Tidx=INT)
    joined = join([a, b, c])
    residual = convolve("d", "joined", joined, 1, 19, 1)
    g.add("sum", "AddV2", ["joined", "d"], T=FLOAT)
    g.add("act", "LeakyRelu", ["sum"], T=FLOAT, alpha=("f", 0.125))
    total = joined[0], [u + v for u, v in zip(joined[1], residual[1])]
    total = each(total, lambda v: max(v, 0.125 * v))
    g.integers("pixels", [2], [1, 2])
    g.add("features", "Mean", ["act", "pixels"], T=FLOAT, Tidx=INT, keep_dims=("b", False))
    write("block", g, mean_of_pixels(total))


digits()
block()
