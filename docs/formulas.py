"""Formulas of textbooks: the examples of the gallery, each a function of its parameters.

Each is differentiated by its first parameter, as often as `example` says. `docs/gallery.md` is made
of them by `python -m tools.gallery`, and `python -m symgrad derive docs/formulas.py:least_squares`,
with the shapes of the parameters, prints one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import symgrad as torch
from symgrad import special
from symgrad.linalg import inv, matrix_exp, matrix_norm, solve, solve_triangular, svdvals
from symgrad.nn import functional

#: The examples in order: the function, its order, and what `leaf` is given for each parameter.
EXAMPLES: list[tuple[str, Callable[..., Any], int, dict[str, dict[str, Any]]]] = []


def example(section: str, order: int = 1, **shapes: Any) -> Any:
    """Enter a function, with the shapes of its parameters: a number where none is given.

    A parameter with facts has a dictionary of what `leaf` is given.
    """
    given = {name: s if isinstance(s, dict) else {"shape": s} for name, s in shapes.items()}

    def enter(f: Callable[..., Any]) -> Callable[..., Any]:
        EXAMPLES.append((section, f, order, given))
        return f

    return enter


# ------------------------------------------------------------------ regression

REGRESSION = "Regression"


@example(REGRESSION, w=(3,), X=(10, 3), y=(10,))
def least_squares(w, X, y):
    """The normal equations."""
    return ((X @ w - y) ** 2).sum()


@example(REGRESSION, order=2, w=(3,), X=(10, 3), y=(10,))
def least_squares_hessian(w, X, y):
    """Its second derivative."""
    return ((X @ w - y) ** 2).sum()


@example(REGRESSION, w=(3,), X=(10, 3), y=(10,))
def mean_squared_error(w, X, y):
    """The mean in place of the sum."""
    return functional.mse_loss(X @ w, y)


@example(REGRESSION, w=(3,), X=(10, 3), y=(10,))
def ridge(w, X, y, lam):
    """Least squares with a penalty on the weights."""
    return ((X @ w - y) ** 2).sum() + lam * (w @ w)


@example(REGRESSION, order=2, w=(3,), X=(10, 3), y=(10,))
def ridge_hessian(w, X, y, lam):
    """Its second derivative."""
    return ((X @ w - y) ** 2).sum() + lam * (w @ w)


@example(REGRESSION, w=(3,), X=(10, 3), y=(10,), v=(10,))
def weighted_least_squares(w, X, y, v):
    """A weight for each observation."""
    return (v * (X @ w - y) ** 2).sum()


@example(REGRESSION, w=(3,), X=(10, 3), y=(10,), Omega=(10, 10))
def generalised_least_squares(w, X, y, Omega):
    """Errors with a covariance."""
    r = X @ w - y
    return r @ solve(Omega, r)


@example(REGRESSION, w=(3,), X=(10, 3), y=(10,))
def lasso(w, X, y, lam):
    """A penalty that has a kink."""
    return ((X @ w - y) ** 2).sum() + lam * w.abs().sum()


@example(REGRESSION, w=(3,), X=(10, 3), y=(10,))
def poisson_regression(w, X, y):
    """Counts, with the logarithm as the link."""
    return (torch.exp(X @ w) - y * (X @ w)).sum()


@example(REGRESSION, order=2, w=(3,), X=(10, 3), y=(10,))
def poisson_regression_hessian(w, X, y):
    """Its second derivative."""
    return (torch.exp(X @ w) - y * (X @ w)).sum()


# ------------------------------------------------------------------ classes

CLASSES = "Classes"


@example(CLASSES, w=(3,), X=(10, 3), y=(10,))
def logistic_regression(w, X, y):
    """Two classes."""
    return (torch.log(1 + torch.exp(X @ w)) - y * (X @ w)).sum()


@example(CLASSES, order=2, w=(3,), X=(10, 3), y=(10,))
def logistic_regression_hessian(w, X, y):
    """Its second derivative."""
    return (torch.log(1 + torch.exp(X @ w)) - y * (X @ w)).sum()


@example(CLASSES, w=(3,), X=(10, 3), y=(10,))
def binary_cross_entropy(w, X, y):
    """The same as a mean, by the loss of that name."""
    return functional.binary_cross_entropy_with_logits(X @ w, y)


@example(CLASSES, W=(3, 4), X=(10, 3), Y=(10, 4))
def softmax_regression(W, X, Y):
    """Several classes, with a probability for each."""
    return -(Y * torch.log_softmax(X @ W, 1)).sum()


@example(CLASSES, z=(4,))
def softmax(z):
    """The Jacobian of a softmax."""
    return torch.softmax(z, 0)


@example(CLASSES, order=2, z=(4,))
def logsumexp(z):
    """The Hessian of a smooth maximum is the same."""
    return torch.logsumexp(z, 0)


@example(CLASSES, z=(4,))
def log_softmax(z):
    """The Jacobian of its logarithm."""
    return torch.log_softmax(z, 0)


@example(CLASSES, w=(3,), X=(10, 3), y=(10,))
def hinge(w, X, y):
    """A margin."""
    return torch.relu(1 - y * (X @ w)).sum()


@example(CLASSES, p=(4,), q=(4,))
def relative_entropy(p, q):
    """The divergence of Kullback and Leibler."""
    return (p * (torch.log(p) - torch.log(q))).sum()


# ------------------------------------------------------------------ likelihoods

LIKELIHOODS = "Likelihoods"


@example(LIKELIHOODS, mu=(3,), x=(3,), S=(3, 3))
def gaussian_mean(mu, x, S):
    """A Gaussian, by its mean."""
    return 0.5 * (x - mu) @ inv(S) @ (x - mu) + 0.5 * torch.logdet(S)


@example(LIKELIHOODS, S=(3, 3), x=(3,), mu=(3,))
def gaussian_covariance(S, x, mu):
    """The same, by its covariance."""
    return 0.5 * (x - mu) @ inv(S) @ (x - mu) + 0.5 * torch.logdet(S)


@example(LIKELIHOODS, sigma=(), x=(10,), mu=())
def gaussian_deviation(sigma, x, mu):
    """A sample of numbers, by the deviation."""
    return (0.5 * ((x - mu) / sigma) ** 2 + torch.log(sigma)).sum()


@example(LIKELIHOODS, L=(3, 3), x=(3,), mu=(3,))
def gaussian_by_cholesky(L, x, mu):
    """By the triangular factor of the covariance."""
    z = solve_triangular(L, (x - mu)[:, None], upper=False)
    return 0.5 * (z**2).sum() + torch.log(L.diagonal()).sum()


@example(LIKELIHOODS, C=(10, 10), y=(10,))
def gaussian_process(C, y):
    """The marginal likelihood, by the covariance."""
    return 0.5 * (y @ solve(C, y)) + 0.5 * torch.logdet(C)


@example(LIKELIHOODS, mu=(3, 2), x=(7, 2))
def gaussian_mixture(mu, x):
    """Centres of a mixture."""
    return -torch.logsumexp(-0.5 * ((x[:, None] - mu[None]) ** 2).sum(-1), 1).sum()


@example(LIKELIHOODS, x=(3,), S=(3, 3))
def mahalanobis(x, S):
    """A distance squared."""
    return x @ solve(S, x)


# ------------------------------------------------------------------ matrices

MATRICES = "Matrices"


@example(MATRICES, S=(3, 3))
def log_determinant(S):
    """The logarithm of a determinant."""
    return torch.logdet(S)


@example(MATRICES, S=(3, 3), a=(3,), b=(3,))
def inverse_form(S, a, b):
    """A form with an inverse."""
    return a @ inv(S) @ b


@example(MATRICES, S=(3, 3))
def trace_of_inverse(S):
    """The trace of an inverse."""
    return inv(S).trace()


@example(MATRICES, X=(3, 3), A=(3, 3), B=(3, 3))
def trace_of_product(X, A, B):
    """The trace of a product."""
    return (A @ X @ B).trace()


@example(MATRICES, X=(3, 3), A=(3, 3))
def trace_of_form(X, A):
    """The trace of a form."""
    return (X @ A @ X.T).trace()


@example(MATRICES, X=(3, 3))
def trace_of_power(X):
    """The trace of a power."""
    return (X @ X @ X).trace()


@example(MATRICES, A=(3, 3))
def trace_of_exponential(A):
    """The trace of an exponential."""
    return matrix_exp(A).trace()


@example(MATRICES, x=(3,), A=(3, 3))
def quadratic_form(x, A):
    """A form of a matrix that is not symmetric."""
    return x @ A @ x


@example(MATRICES, order=2, x=(3,), A=(3, 3))
def quadratic_form_hessian(x, A):
    """Its second derivative."""
    return x @ A @ x


@example(MATRICES, x=(3,), A=(3, 3))
def rayleigh_quotient(x, A):
    """The quotient whose stationary points are eigenvectors."""
    return (x @ A @ x) / (x @ x)


@example(MATRICES, X=(3, 3))
def frobenius_norm(X):
    """The length of a matrix, with its derivative 0 at 0."""
    return matrix_norm(X)


@example(MATRICES, M=(4, 3))
def nuclear_norm(M):
    """The sum of the singular values."""
    return svdvals(M).sum()


@example(MATRICES, U=(6, 2), V=(2, 5), M=(6, 5))
def factorisation(U, V, M):
    """A matrix as a product of small ones."""
    return ((M - U @ V) ** 2).sum()


@example(MATRICES, U=(6, 2), V=(2, 5), M=(6, 5), P=(6, 5))
def masked_factorisation(U, V, M, P):
    """The same with weights for what was seen."""
    return (P * (M - U @ V) ** 2).sum()


@example(MATRICES, S=(3, 3))
def inverse(S):
    """The Jacobian of an inverse, with four axes."""
    return inv(S)


# ------------------------------------------------------------------ lengths and angles

LENGTHS = "Lengths and angles"


@example(LENGTHS, x=(3,))
def norm(x):
    """A length; the condition is said once."""
    return x.norm()


@example(LENGTHS, order=2, x=(3,))
def norm_hessian(x):
    """Its second derivative."""
    return x.norm()


@example(LENGTHS, order=2, x=(3,))
def fourth_power_of_a_length(x):
    """A power of a length."""
    return (x @ x) ** 2


@example(LENGTHS, x=(3,), a=(3,), b=(3,))
def triple_product(x, a, b):
    """A volume."""
    return torch.linalg.cross(x, a) @ b


# ------------------------------------------------------------------ networks

NETWORKS = "Networks"


@example(NETWORKS, W=(3, 5), V=(5, 2), X=(10, 3), Y=(10, 2))
def hidden_layer(W, V, X, Y):
    """A layer of hyperbolic tangents, by its weights."""
    return ((torch.tanh(X @ W) @ V - Y) ** 2).sum()


@example(NETWORKS, W=(3, 5), V=(5, 2), X=(10, 3), Y=(10, 2))
def rectified_layer(W, V, X, Y):
    """A layer of rectified units."""
    return ((torch.relu(X @ W) @ V - Y) ** 2).sum()


@example(NETWORKS, Q=(5, 3), K=(5, 3), V=(5, 3), G=(5, 3))
def attention(Q, K, V, G):
    """Attention, by the queries; G is what arrives from above."""
    return (G * (torch.softmax(Q @ K.T / 3**0.5, 1) @ V)).sum()


# ------------------------------------------------------------------ elements

ELEMENTS = "Vectors by their elements"


@example(ELEMENTS, order=2, x=(2,))
def rosenbrock(x):
    """The valley of Rosenbrock: the Hessian."""
    return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2


@example(ELEMENTS, x=(6,))
def rosenbrock_chain(x):
    """The same along a vector, by slices."""
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


@example(ELEMENTS, x=(6,))
def roughness(x):
    """The sum of squared differences."""
    return (torch.diff(x) ** 2).sum()


@example(ELEMENTS, x=(6,))
def total_variation(x):
    """The sum of absolute differences."""
    return torch.diff(x).abs().sum()


@example(ELEMENTS, y=(3,), k=(3,))
def robertson(y, k):
    """A stiff reaction: the Jacobian of its rates."""
    first, second, third = k[0] * y[0], k[1] * y[1] ** 2, k[2] * y[1] * y[2]
    return torch.stack([third - first, first - third - second, second])


@example(ELEMENTS, q=(2,))
def robot_arm(q, a, b):
    """The end of an arm with two joints: the Jacobian."""
    u, v = q[0], q[0] + q[1]
    return torch.stack([a * torch.cos(u) + b * torch.cos(v), a * torch.sin(u) + b * torch.sin(v)])


@example(ELEMENTS, x=(2,))
def predator_and_prey(x, a, b, c, d):
    """Lotka and Volterra: the Jacobian."""
    return torch.stack([a * x[0] - b * x[0] * x[1], c * x[0] * x[1] - d * x[1]])


# ------------------------------------------------------------------ numbers

NUMBERS = "Numbers of physics, chemistry and finance"


@example(NUMBERS, order=1)
def lennard_jones(r, epsilon, sigma):
    """The potential of a pair of atoms."""
    return 4 * epsilon * ((sigma / r) ** 12 - (sigma / r) ** 6)


@example(NUMBERS)
def michaelis_menten(S, V, K):
    """An enzyme, by the concentration."""
    return V * S / (K + S)


@example(NUMBERS)
def hill(x, K):
    """Cooperative binding."""
    return x**4 / (K**4 + x**4)


@example(NUMBERS)
def logistic_growth(N, r, K):
    """Growth with a limit."""
    return r * N * (1 - N / K)


@example(NUMBERS)
def van_der_waals(V, n, R, T, a, b):
    """The pressure of a gas."""
    return n * R * T / (V - n * b) - a * n**2 / V**2


@example(NUMBERS)
def planck(x):
    """The spectrum of a black body."""
    return x**3 / (torch.exp(x) - 1)


@example(NUMBERS)
def pendulum_momentum(omega, m, l, g, theta):
    """The momentum of a pendulum: the Lagrangian by the velocity."""
    return 0.5 * m * l**2 * omega**2 + m * g * l * torch.cos(theta)


@example(NUMBERS)
def pendulum_force(theta, m, l, g, omega):
    """Its force: the Lagrangian by the angle."""
    return 0.5 * m * l**2 * omega**2 + m * g * l * torch.cos(theta)


@example(NUMBERS)
def kepler(r, G, M):
    """A softened potential."""
    return -G * M / torch.sqrt(r**2 + 1)


@example(NUMBERS)
def black_scholes_delta(S, K, r, sigma, T):
    """The price of an option, by that of the share."""
    d = (torch.log(S / K) + (r + sigma**2 / 2) * T) / (sigma * torch.sqrt(T))
    return S * special.ndtr(d) - K * torch.exp(-r * T) * special.ndtr(d - sigma * torch.sqrt(T))


@example(NUMBERS, order=2)
def bell_curve(x):
    """The Gaussian function."""
    return torch.exp(-(x**2) / 2)


@example(NUMBERS, order=2)
def error_function(x):
    """The error function."""
    return torch.erf(x)


@example(NUMBERS)
def bessel_function(x):
    """The Bessel function of order zero."""
    return special.bessel_j0(x)


@example(NUMBERS, order=2)
def sigmoid(x):
    """The logistic function."""
    return torch.sigmoid(x)


@example(NUMBERS, order=3)
def hyperbolic_tangent(x):
    """The hyperbolic tangent."""
    return torch.tanh(x)


# ------------------------------------------------------------------ sizes as letters

LETTERS = "Sizes as letters"


@example(LETTERS, w=("m",), X=("n", "m"), y=("n",))
def mean_of_squares(w, X, y):
    """The mean of n squares."""
    return ((X @ w - y) ** 2).mean()


@example(LETTERS, order=2, w=("m",), X=("n", "m"), y=("n",))
def mean_of_squares_hessian(w, X, y):
    """Its second derivative, with a penalty."""
    return ((X @ w - y) ** 2).mean() + (w @ w) / 2


@example(LETTERS, x=("n",), p={"shape": ("n",), "sums_to": 1})
def cross_entropy_of_probabilities(x, p):
    """The probabilities add up to one."""
    return -(p * torch.log_softmax(x, 0)).sum()


@example(LETTERS, W=("m", "k"), X=("n", "m"), P={"shape": ("n", "k"), "sums_to": 1})
def multinomial_regression(W, X, P):
    """The same of n observations, by the weights."""
    return functional.cross_entropy(X @ W, P)


@example(LETTERS, order=2, y=("n",))
def sample_variance(y):
    """The variance with n - 1."""
    return y.var()


@example(LETTERS, S={"shape": ("m", "m"), "symmetric": True}, X=("n", "m"))
def gaussian_precision(S, X):
    """The likelihood of a Gaussian by its precision, which is symmetric."""
    return (X.shape[0] * torch.logdet(S) - torch.trace(X @ S @ X.T)) / 2


@example(LETTERS, S={"shape": ("m", "m"), "symmetric": True}, A=("m", "m"))
def trace_of_symmetric_product(S, A):
    """By a symmetric matrix, the derivative is symmetric."""
    return torch.trace(S @ A)
