"""What laws about single operations do not say of Fourier transforms."""

from __future__ import annotations

import numpy as np
import pytest
import sympy

import symgrad as torch

X, Z = torch.leaf("x", (3, 4)), torch.leaf("z", (3, 4), torch.complex128)


@pytest.mark.parametrize(
    ("made", "text", "latex"),
    [
        (torch.fft.fft(Z), "fft.fft(z)", r"\operatorname{fft}_{j}\left(z\right)"),
        (torch.fft.ifft2(Z, norm="ortho"), "fft.ifft2(z, norm='ortho')",
         r"\operatorname{ifft2}_{i,j, \mathrm{ortho}}\left(z\right)"),
        (torch.fft.fftn(Z, dim=(1, 0)), "fft.fftn(z, dim=(1, 0))",
         r"\operatorname{fftn}_{j,i}\left(z\right)"),
        (torch.fft.irfft(Z[0], n=7), "fft.irfft(z[0], n=7)",
         r"\operatorname{irfft}_{n=7}\left(z\left[0\right]\right)"),
        (torch.fft.irfft2(Z, s=(3, 7)), "fft.irfft2(z, s=(3, 7))",
         r"\operatorname{irfft2}_{i,j, s=(3, 7)}\left(z\right)"),
        (torch.fft.hfft(Z, dim=0), "fft.irfft(conj(z), dim=0, norm='forward')",
         r"\operatorname{irfft}_{i, \mathrm{forward}}\left(\overline{z}\right)"),
        (torch.fft.rfft(X[0], n=6), "fft.rfft(pad(x[0], (0, 2)))", None),
    ],
)  # fmt: skip
def test_texts(made, text, latex):
    assert str(made) == text
    assert latex is None or sympy.latex(made) == latex


@pytest.mark.parametrize("n", [4, 5])
def test_the_gradient_of_a_filter_is_a_filter(n):
    """What half a spectrum lacks is counted twice on the way there, and not on the way back."""
    y = torch.leaf("y", (n,))
    h = torch.leaf("h", (n // 2 + 1,), torch.complex128)
    filtered = torch.fft.irfft(h * torch.fft.rfft(y), n=n)
    gradient = torch.derive((filtered * filtered).sum() / 2, y)
    assert "mirrored" not in str(gradient)
    values = np.cos(np.arange(n)), np.exp(1j * np.arange(n // 2 + 1))
    got = gradient.evaluate(dict(zip((y, h), values, strict=True)))
    filters = np.stack([np.fft.irfft(values[1] * np.fft.rfft(e), n) for e in np.eye(n)], 1)
    np.testing.assert_allclose(got, filters.T @ filters @ values[0], atol=1e-12)


def test_functions_of_functions():
    """Batches, directions and second derivatives go through all that is made of the transforms."""
    rows = torch.tensor(np.cos(np.arange(10.0)).reshape(2, 5))
    one = torch.vmap(lambda x: torch.fft.hfft(torch.fft.ihfft(x, n=6), n=5))
    np.testing.assert_allclose(one(rows), np.fft.hfft(np.fft.ihfft(rows.numpy(), 6), 5))
    energy, n = lambda x: (torch.fft.rfft(x, n=8).abs() ** 2).sum(), 8
    hessian = torch.autograd.functional.hessian(energy, rows[0])
    fourier = np.fft.rfft(np.eye(5), n)
    np.testing.assert_allclose(hessian, 2 * (fourier @ fourier.conj().T).real, atol=1e-12)
    _, slope = torch.autograd.functional.jvp(energy, rows[0], rows[1])
    np.testing.assert_allclose(slope, rows[1] @ hessian @ rows[0], rtol=1e-12)
