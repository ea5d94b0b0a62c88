"""One normal form of finished derivatives, between the rewrites of nodes and programs."""
