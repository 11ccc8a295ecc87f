"""What can go wrong.

Files that cannot be read or written raise ``OSError`` as everywhere; arguments of a wrong type
raise ``TypeError``, arrays of a wrong shape ``ValueError``. That there is no path is an answer,
not an error.
"""


class FarstrideError(Exception):
    """The base of all errors of this package."""


class MapError(FarstrideError, ValueError):
    """A map that does not make sense."""


class QueryError(FarstrideError, ValueError):
    """A cell, node or edit that does not fit the map or graph."""


class SettingsError(FarstrideError, ValueError):
    """A setting or an engine that does not exist, or a value out of range."""


class IndexFileError(FarstrideError, ValueError):
    """An index that is damaged, or belongs to another map."""


class GraphError(FarstrideError, ValueError):
    """A graph or groups that do not make sense."""


class EngineError(FarstrideError, ValueError):
    """An engine that cannot work on the map; the message names one that can."""


class Cancelled(FarstrideError):
    """Work that was stopped before it was done."""
