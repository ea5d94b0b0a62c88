"""Calls with wrong arguments: every public function and method, each place, each kind of wrong."""
