"""Half an encoder in torch, for those who fine-tune it: the same layers, in float, with dropout."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .half_encoder import HEADS, LAYERS, WIDTH

EPSILON = 1e-12  # of the layer normalization, as in BERT
Watch = Callable[[str, Any], None]


def half(
    weights: Mapping[str, Any], hidden: Any, mask: Any = None, dropout: float = 0.0, watch: Watch | None = None
) -> Any:
    """Hidden states three layers up; `mask` is True where a text has a token, `watch` sees every linear map's input."""
    import torch.nn.functional as F

    def linear(name: str, inputs: Any) -> Any:
        if watch:
            watch(name, inputs)
        return F.linear(inputs, weights[f"{name}.weight"].T, weights[f"{name}.bias"])

    def joined(name: str, old: Any, new: Any) -> Any:
        total = old + F.dropout(new, dropout, dropout > 0)
        return F.layer_norm(total, (WIDTH,), weights[f"{name}.weight"], weights[f"{name}.bias"], EPSILON)

    attention_mask = None if mask is None or bool(mask.all()) else mask[:, None, None, :]
    # Post-normalization: attention, residual, norm, feed-forward, residual, norm (Vaswani et al. 2017, section 3.1).
    for layer in range(LAYERS):
        qkv = linear(f"{layer}.qkv", hidden)
        texts, tokens, _ = qkv.shape
        query, key, value = qkv.view(texts, tokens, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        context = F.scaled_dot_product_attention(query, key, value, attn_mask=attention_mask, dropout_p=dropout)
        attended = context.transpose(1, 2).reshape(texts, tokens, WIDTH)
        normalized = joined(f"{layer}.norm1", hidden, linear(f"{layer}.out", attended))
        inner = F.gelu(linear(f"{layer}.up", normalized))
        hidden = joined(f"{layer}.norm2", normalized, linear(f"{layer}.down", inner))
    return hidden
