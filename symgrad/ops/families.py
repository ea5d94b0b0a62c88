"""Every family of operations: importing this module defines them all.

Classes enter their table when they are defined.
"""

from __future__ import annotations

from symgrad.support.folders import import_all

import_all("symgrad.ops")
