"""The mathematics: one class is one primitive, a file is a family of them."""
