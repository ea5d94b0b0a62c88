"""Inverse kinematics: the angles of a robot arm that take its hand along a circle.

The place of the hand is a function of the angles, and its Jacobian says how the hand moves when
they change. A damped least-squares step solves that linear relation for the angles; a few steps,
from the angles of the point before, reach the next point.
"""

from plot import draw

import symgrad as torch

torch.set_default_dtype(torch.float64)

LENGTHS = torch.tensor([1.0, 0.8, 0.5])
DAMPING = 1e-3


def hand(angles, lengths):
    """Return the place of the hand: each joint turns all that comes after it."""
    directions = torch.cumsum(angles, 0)
    return torch.stack([lengths @ torch.cos(directions), lengths @ torch.sin(directions)])


def joints(angles, lengths):
    """Return the places of all joints, from the fixed one to the hand."""
    directions = torch.cumsum(angles, 0)
    places = torch.stack([lengths * torch.cos(directions), lengths * torch.sin(directions)])
    return torch.cat([torch.zeros(2, 1), torch.cumsum(places, 1)], 1)


def reach(target, angles, lengths):
    """Return angles that take the hand to `target`, and the number of steps."""
    jacobian = torch.func.jacrev(hand)
    for step in range(50):
        error = target - hand(angles, lengths)
        if error.norm() < 1e-9:
            return angles, step
        J = jacobian(angles, lengths)
        angles = angles + J.T @ torch.linalg.solve(J @ J.T + DAMPING * torch.eye(2), error)
    raise RuntimeError("the hand does not reach the target")


def main():
    turns = torch.linspace(0.0, 2 * torch.pi, 25)
    circle = torch.stack([1.2 + 0.5 * torch.cos(turns), 0.6 + 0.5 * torch.sin(turns)], 1)
    angles, steps, arms = torch.tensor([0.2, 0.3, 0.4]), [], []
    for target in circle:
        angles, step = reach(target, angles, LENGTHS)
        steps.append(step)
        arms.append(joints(angles, LENGTHS).tolist())
    J = torch.func.jacrev(hand)(angles, LENGTHS)
    print("steps for each point:", *steps)
    print("angles at the end:", *[f"{x:.4f}" for x in angles.tolist()])
    print(f"manipulability at the end: {torch.linalg.det(J @ J.T).sqrt().item():.4f}")
    shown = [(f"arm {i}", *arms[i], "line") for i in (0, 6, 12, 18)]
    draw("A robot arm along a circle", *shown, ("hand", *circle.T.tolist(), "points"), equal=True)
    show_formula()


def show_formula():
    angles, lengths = torch.leaf("a", (3,)), torch.leaf("l", (3,))
    print("formula: Jacobian")
    for coordinate in hand(angles, lengths):
        print(*torch.derive(coordinate, angles).to_sympy("explicit"), sep="\n")


if __name__ == "__main__":
    main()
