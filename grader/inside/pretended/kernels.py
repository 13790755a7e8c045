"""Operations that torch gives only to devices other than the CPU, by what the CPU has."""

from collections.abc import Callable
from typing import Any

import torch

aten = torch.ops.aten


def lstm_cell(
    from_input: torch.Tensor,
    from_hidden: torch.Tensor,
    cell: torch.Tensor,
    input_bias: torch.Tensor | None = None,
    hidden_bias: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Compute one step of an LSTM from its products: the hidden state, the cell and the gates, (B, 4 * hidden)."""
    sums = from_input + from_hidden
    for bias in (input_bias, hidden_bias):
        sums = sums if bias is None else sums + bias
    keep_in, forget, candidate, out = sums.chunk(4, 1)
    gates = [keep_in.sigmoid(), forget.sigmoid(), candidate.tanh(), out.sigmoid()]
    after = gates[1] * cell + gates[0] * gates[2]
    return gates[3] * after.tanh(), after, torch.cat(gates, 1)


def lstm_cell_backward(
    hidden_gradient: torch.Tensor | None,
    cell_gradient: torch.Tensor | None,
    before: torch.Tensor,
    after: torch.Tensor,
    gates: torch.Tensor,
    has_bias: bool,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
    """Compute the gradients of one step: of the sums before the gates, of the cell, and of a bias."""
    keep_in, forget, candidate, out = gates.chunk(4, 1)
    squashed = after.tanh()
    to_hidden = torch.zeros_like(after) if hidden_gradient is None else hidden_gradient
    to_cell = to_hidden * out * (1 - squashed**2)
    to_cell = to_cell if cell_gradient is None else to_cell + cell_gradient
    sums = torch.cat(
        [
            to_cell * candidate * keep_in * (1 - keep_in),
            to_cell * before * forget * (1 - forget),
            to_cell * keep_in * (1 - candidate**2),
            to_hidden * squashed * out * (1 - out),
        ],
        1,
    )
    return sums, to_cell * forget, sums.sum(0) if has_bias else None


def gru_cell(
    from_input: torch.Tensor,
    from_hidden: torch.Tensor,
    hidden: torch.Tensor,
    input_bias: torch.Tensor | None = None,
    hidden_bias: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Compute one step of a GRU: the hidden state, and what its gradient needs, (B, 5 * hidden)."""
    from_input = from_input if input_bias is None else from_input + input_bias
    from_hidden = from_hidden if hidden_bias is None else from_hidden + hidden_bias
    reset_in, update_in, new_in = from_input.chunk(3, 1)
    reset_hidden, update_hidden, new_hidden = from_hidden.chunk(3, 1)
    reset, update = (reset_in + reset_hidden).sigmoid(), (update_in + update_hidden).sigmoid()
    new = (new_in + reset * new_hidden).tanh()
    return new + update * (hidden - new), torch.cat([reset, update, new, hidden, new_hidden], 1)


def gru_cell_backward(
    gradient: torch.Tensor, kept: torch.Tensor, has_bias: bool
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor | None, torch.Tensor | None]:
    """Compute the gradients of one step: of both products, of the hidden state before, and of both biases."""
    reset, update, new, hidden, new_hidden = kept.chunk(5, 1)
    to_new = gradient * (1 - update) * (1 - new**2)
    to_update = gradient * (hidden - new) * update * (1 - update)
    to_reset = to_new * new_hidden * reset * (1 - reset)
    to_input = torch.cat([to_reset, to_update, to_new], 1)
    to_hidden = torch.cat([to_reset, to_update, to_new * reset], 1)
    biases = (to_input.sum(0), to_hidden.sum(0)) if has_bias else (None, None)
    return to_input, to_hidden, gradient * update, *biases


KERNELS: dict[str, Callable[..., Any]] = {
    "aten::_thnn_fused_lstm_cell": lstm_cell,
    "aten::_thnn_fused_lstm_cell_backward_impl": lstm_cell_backward,
    "aten::_thnn_fused_gru_cell": gru_cell,
    "aten::_thnn_fused_gru_cell_backward": gru_cell_backward,
    "aten::convolution_overrideable": aten.convolution.default,
    "aten::convolution_backward_overrideable": lambda gradient, x, weight, *options: aten.convolution_backward.default(
        gradient, x, weight, None, *options
    ),
}
