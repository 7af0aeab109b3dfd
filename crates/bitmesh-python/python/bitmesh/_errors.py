"""The exceptions of the package. Every one carries the stable ``code`` of its cause."""

from __future__ import annotations


class BitmeshError(Exception):
    """Something that Bitmesh cannot do.

    ``str()`` of it is the cause in words, ``code`` a name for programs
    (``area/kebab-case``) that does not change between versions.
    """

    code: str

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message, code)
        self.code = code

    def __str__(self) -> str:
        return str(self.args[0])


class PositionError(BitmeshError, ValueError):
    """What was given is no position, or not one that the claim can be about."""


class CertificateError(BitmeshError, ValueError):
    """What was given is no certificate, or one that does not hold."""


class MismatchError(CertificateError):
    """A certificate holds, but it is not about what it was compared with."""


class DrawingError(BitmeshError, ValueError):
    """A picture cannot be drawn as it was asked for."""


class BulkError(BitmeshError, ValueError):
    """Many positions cannot be evaluated as they were given."""


class ScanError(BitmeshError):
    """A collection cannot be scanned, or not to its end."""
