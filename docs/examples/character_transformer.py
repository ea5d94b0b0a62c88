"""A transformer that learns a sonnet by heart, character by character.

It is a small one of one block, with causal attention in two heads. A bar on the screen shows how
far training has come; it is not part of what the program prints.
"""

import sys

from plot import draw

import symgrad as torch

TEXT = """Shall I compare thee to a summer's day?
Thou art more lovely and more temperate:
Rough winds do shake the darling buds of May,
And summer's lease hath all too short a date;
Sometime too hot the eye of heaven shines,
And often is his gold complexion dimm'd;
"""
LETTERS = sorted(set(TEXT))
CONTEXT, WIDTH, HEADS, STEPS, BATCH = 24, 32, 2, 400, 16

torch.set_default_dtype(torch.float64)
nn = torch.nn


class Attention(nn.Module):
    """Each place looks at itself and those before it."""

    def __init__(self):
        super().__init__()
        self.inputs, self.outputs = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        heads = [part.unflatten(-1, (HEADS, -1)) for part in self.inputs(x).chunk(3, dim=-1)]
        q, k, v = (part.transpose(-2, -3) for part in heads)
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.outputs(y.transpose(-2, -3).flatten(-2))


class Transformer(nn.Module):
    """Scores of the next character, at each place of a text."""

    def __init__(self):
        super().__init__()
        self.letters, self.places = nn.Embedding(len(LETTERS), WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.norms = nn.ModuleList([nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)])
        self.attention = Attention()
        inner = 4 * WIDTH
        self.dense = nn.Sequential(nn.Linear(WIDTH, inner), nn.GELU(), nn.Linear(inner, WIDTH))
        self.head = nn.Linear(WIDTH, len(LETTERS))

    def forward(self, text):
        x = self.letters(text) + self.places(torch.arange(text.shape[-1]))
        x = x + self.attention(self.norms[0](x))
        x = x + self.dense(self.norms[1](x))
        return self.head(x)


def show_progress(step):
    """Draw a bar on the screen, unless what is printed goes to a file."""
    if sys.stderr.isatty():
        bar = "#" * (40 * step // STEPS)
        print(f"\r[{bar:.<40}]", end="" if step < STEPS else "\n", file=sys.stderr)


def continued(model, start, length):
    """Return `start` and the likeliest characters after it."""
    found = [LETTERS.index(letter) for letter in start]
    for _ in range(length):
        found.append(model(torch.tensor(found[-CONTEXT:]))[-1].argmax().item())
    return "".join(LETTERS[i] for i in found)


def main():
    torch.manual_seed(0)
    text = torch.tensor([LETTERS.index(letter) for letter in TEXT])
    model, history = Transformer(), []
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for step in range(STEPS + 1):
        starts = torch.randint(0, len(text) - CONTEXT, (BATCH, 1)) + torch.arange(CONTEXT)
        logits = model(text[starts])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), text[starts + 1].flatten())
        history.append(loss.item())
        if step % 100 == 0:
            print(f"step {step:3d}  loss {history[-1]:.3f}")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        show_progress(step)
    with torch.no_grad():
        print(continued(model, "Rough winds", 60))
    draw("Loss of a small transformer", ("loss", range(STEPS + 1), history, "line"))
    show_formula()


def show_formula():
    Q, K, V, G = (torch.leaf(name, ("n", 16)) for name in ("Q", "K", "V", "G"))
    A = torch.named(torch.softmax(Q @ K.T / 4, 1), "A")
    print("formula: gradient of attention by the queries, where G is that by its result")
    print(torch.derive((G * (A @ V)).sum(), Q))


if __name__ == "__main__":
    main()
