"""Paths that the system does not let a command use, in words."""

from __future__ import annotations

import errno

# In a closed folder, below a file, a loop of links, too long; a file or a broken link in the place
# of a folder; a disk that is full, or only to be read. A file that is missing where nobody looked
# whether it is there would be a bug of ours.
_UNUSABLE = frozenset(
    {
        *(errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG),
        *(errno.EEXIST, errno.ENOSPC, errno.EROFS),
    }
)


def unusable(error: OSError) -> str | None:
    """Return the path with the reason; None if the error is not about a path, or of our making."""
    if error.errno not in _UNUSABLE or error.filename is None:
        return None
    return f"{error.filename}: {error.strerror}"
