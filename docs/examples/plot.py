"""The pictures of the examples: lines and points as an SVG file, written without a library."""

import argparse
from xml.sax.saxutils import escape

COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e")
WIDTH, HEIGHT, MARGIN = 480, 300, 46


def draw(title, *series, equal=False):
    """Draw each of `series` into the file that is named after ``--picture``, if there is one.

    A series is a label, the numbers of both axes, and ``"line"`` or ``"points"``. With `equal` both
    axes have one scale, so that a circle is round.
    """
    parser = argparse.ArgumentParser(description=f"{title}: print results, and draw them.")
    parser.add_argument("--picture", metavar="FILE.svg", help="where to write the picture")
    path = parser.parse_args().picture
    if path is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(svg(title, series, equal))


def svg(title, series, equal):
    """Return the text of the picture."""
    left, right = _range([x for _, xs, _, _ in series for x in xs])
    bottom, top = _range([y for _, _, ys, _ in series for y in ys])
    if equal:
        scale = max((right - left) / (WIDTH - 2 * MARGIN), (top - bottom) / (HEIGHT - 2 * MARGIN))
        left, right = _widened(left, right, scale * (WIDTH - 2 * MARGIN))
        bottom, top = _widened(bottom, top, scale * (HEIGHT - 2 * MARGIN))

    def place(x, y):
        across = MARGIN + (x - left) / (right - left) * (WIDTH - 2 * MARGIN)
        down = MARGIN + (top - y) / (top - bottom) * (HEIGHT - 2 * MARGIN)
        return f"{across:.1f}", f"{down:.1f}"

    parts = [_text(WIDTH / 2, 20, title, "middle")]
    parts.append(
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{WIDTH - 2 * MARGIN}" '
        f'height="{HEIGHT - 2 * MARGIN}" fill="none" stroke="#999"/>'
    )
    for share in (0, 0.5, 1):
        x, y = left + share * (right - left), bottom + share * (top - bottom)
        parts.append(_text(place(x, bottom)[0], HEIGHT - MARGIN + 16, f"{x:.3g}", "middle"))
        parts.append(_text(MARGIN - 5, place(left, y)[1], f"{y:.3g}", "end"))
    for number, (label, xs, ys, kind) in enumerate(series):
        color = COLORS[number % len(COLORS)]
        points = [place(x, y) for x, y in zip(xs, ys, strict=True)]
        if kind == "line":
            path = " ".join(f"{x},{y}" for x, y in points)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{color}"/>')
        else:
            parts += [f'<circle cx="{x}" cy="{y}" r="2.5" fill="{color}"/>' for x, y in points]
        across = MARGIN + number * (WIDTH - 2 * MARGIN) / len(series)
        parts.append(_text(f"{across:.1f}", 38, label, "start", color))
    body = "\n".join(parts)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'{head} width="{WIDTH}" font-family="sans-serif" font-size="11">\n{body}\n</svg>\n'


def _range(numbers):
    low, high = min(numbers), max(numbers)
    room = 0.05 * (high - low) or 1.0
    return low - room, high + room


def _widened(low, high, length):
    middle = (low + high) / 2
    return middle - length / 2, middle + length / 2


def _text(x, y, text, anchor, color="#333"):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{color}">{escape(text)}</text>'
