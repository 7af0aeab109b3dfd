"""The exceptions of the package. Every one carries the stable ``code`` of its cause."""

from __future__ import annotations

# The module typing takes as long to import as the rest of the package; checkers alone need it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional


class BitmeshError(Exception):
    """Something that Bitmesh cannot do.

    Its ``str()`` is the cause in words, on one line and of bounded length.
    ``code`` is a name for programs (``area/kebab-case``) that does not change
    between versions. ``argument`` names the argument that is wrong, if the argument
    itself is wrong and not the data in it.
    """

    code: str
    argument: Optional[str]

    def __init__(self, message: str, code: str, argument: Optional[str] = None) -> None:
        """Build the exception from its words, its code and the name of the argument."""
        if argument is None:
            super().__init__(message, code)
        else:
            super().__init__(message, code, argument)
        self.code = code
        self.argument = argument

    def __str__(self) -> str:
        return str(self.args[0])


class PositionError(BitmeshError, ValueError):
    """What was given is not a position, or not one that the claim can be about."""


class CertificateError(BitmeshError, ValueError):
    """What was given is not a certificate, or it is one that does not hold."""


class MismatchError(CertificateError):
    """A certificate holds, but it is not about what it was compared with."""


class DrawingError(BitmeshError, ValueError):
    """A picture cannot be drawn as requested."""


class BulkError(BitmeshError, ValueError):
    """Many positions cannot be evaluated as they were given."""


class ScanError(BitmeshError):
    """A collection cannot be scanned, or not to its end, or its rows cannot be written."""


class ArgumentError(BitmeshError, ValueError):
    """An argument has a value that it cannot have; ``argument`` is its name."""


class ArgumentRangeError(ArgumentError, OverflowError):
    """A number is too small or too large for its argument."""


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument has a type that it cannot have."""
