"""The graph of half an encoder, built with the onnx package; only its making needs this."""

from __future__ import annotations

from typing import Any

import numpy as np

from .half_encoder import HEADS, LAYERS, LINEARS, WIDTH

OPSET, IR = 20, 10  # the first opset with Gelu; fixed, so that the file stays the same
LARGEST_INPUT, MIDDLE = 127, 128  # activations are unsigned bytes around a zero point of 128
EPSILON = 1e-12  # of the layer normalization, as in BERT
OWN = "com.microsoft"


class Graph:
    """Nodes and constants gathered one after the other; every method returns the name of what it adds."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.values: dict[str, Any] = {}

    def node(self, operation: str, *inputs: str, outputs: int = 1, **attributes: Any) -> str:
        from onnx import helper

        name = f"n{len(self.nodes)}"
        results = [name] if outputs == 1 else [f"{name}.{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(operation, list(inputs), results, **attributes))
        return name

    def constant(self, name: str, value: Any) -> str:
        from onnx import numpy_helper

        self.values.setdefault(name, numpy_helper.from_array(value, name))
        return name

    def weight(self, name: str, shape: tuple[int, ...], kind: str = "FLOAT") -> str:
        """A weight that is named here and given when the graph is loaded."""
        from onnx import TensorProto

        tensor = TensorProto(name=name, data_type=TensorProto.DataType.Value(kind), dims=shape)
        tensor.data_location = TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value="given")
        self.values[name] = tensor
        return name


def half() -> bytes:
    """The graph of three layers as the bytes of an ONNX file."""
    from onnx import TensorProto, helper

    graph = Graph()
    rows = graph.node("Flatten", "hidden", axis=2)
    for layer in range(LAYERS):
        prefix = f"{layer}."
        attended = _linear(graph, f"{prefix}out", _attention(graph, _linear(graph, f"{prefix}qkv", rows)))
        attended_rows = _norm(graph, f"{prefix}norm1", graph.node("Add", rows, attended))
        inner = graph.node("Gelu", _linear(graph, f"{prefix}up", attended_rows))
        rows = _norm(graph, f"{prefix}norm2", graph.node("Add", attended_rows, _linear(graph, f"{prefix}down", inner)))
    hidden = graph.node("Reshape", rows, graph.node("Shape", "hidden"))
    shape: list[str | int | None] = ["texts", "tokens", WIDTH]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in ("hidden", hidden)]
    graph_proto = helper.make_graph(graph.nodes, "half", ends[:1], ends[1:], list(graph.values.values()))
    sets = [helper.make_opsetid("", OPSET), helper.make_opsetid(OWN, 1)]
    model = helper.make_model(graph_proto, opset_imports=sets, ir_version=IR)
    return bytes(model.SerializeToString())


def _attention(graph: Graph, qkv: str) -> str:
    size = WIDTH // HEADS
    texts = graph.node("Shape", "hidden", end=2)
    shape = graph.node("Concat", texts, graph.constant("heads", np.array([3, HEADS, size])), axis=0)
    heads = graph.node("Transpose", graph.node("Reshape", qkv, shape), perm=[2, 0, 3, 1, 4])
    three = graph.node("Split", heads, outputs=3, axis=0, num_outputs=3)
    first = graph.constant("first", np.array([0]))
    query, key, value = (graph.node("Squeeze", f"{three}.{i}", first) for i in range(3))
    similarity = graph.node("MatMul", query, graph.node("Transpose", key, perm=[0, 1, 3, 2]))
    scaled = graph.node("Mul", similarity, graph.constant("shrink", np.float32(size**-0.5)))
    context = graph.node("MatMul", graph.node("Softmax", scaled, axis=-1), value)
    together = graph.constant("together", np.array([-1, WIDTH]))
    return graph.node("Reshape", graph.node("Transpose", context, perm=[0, 2, 1, 3]), together)


def _linear(graph: Graph, name: str, rows: str) -> str:
    """A linear map in whole numbers: each token's inputs are rounded by a scale of their own."""
    takes, gives = LINEARS[name.rpartition(".")[2]]
    even = graph.node("Div", rows, graph.weight(f"{name}.balance", (takes,)))
    largest = graph.node("ReduceMax", graph.node("Abs", even), graph.constant("last", np.array([-1])), keepdims=0)
    step = graph.node("Mul", largest, graph.constant("step", np.float32(1 / LARGEST_INPUT)))
    safe = graph.node("Max", step, graph.constant("least", np.float32(EPSILON)))
    middles = graph.node("Expand", graph.constant("middle", np.uint8(MIDDLE)), graph.node("Shape", safe))
    product = graph.node(
        "MatMulIntegerToFloat",
        graph.node("QuantizeLinear", even, safe, middles, axis=0),
        graph.weight(f"{name}.weight", (takes, gives), "INT8"),
        graph.constant("one", np.float32(1)),
        graph.weight(f"{name}.scale", (gives,)),
        graph.constant("middle", np.uint8(MIDDLE)),
        domain=OWN,
    )
    scaled = graph.node("Mul", product, graph.node("Unsqueeze", safe, graph.constant("last", np.array([-1]))))
    return graph.node("Add", scaled, graph.weight(f"{name}.bias", (gives,)))


def _norm(graph: Graph, name: str, value: str) -> str:
    weight, bias = (graph.weight(f"{name}.{what}", (WIDTH,)) for what in ("weight", "bias"))
    return graph.node("LayerNormalization", value, weight, bias, axis=-1, epsilon=EPSILON)
