"""What stands for a text."""

from __future__ import annotations

# `hashlib` loads OpenSSL first, which takes longer than linting a file.
try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b


def digest(data: bytes, key: bytes = b"") -> str:
    return blake2b(data, digest_size=16, key=key).hexdigest()


def signature(key: bytes, *parts: bytes) -> str:
    """What only who has the key can tell, of texts of which all but the last have a fixed length."""
    signed = blake2b(digest_size=32, key=key)
    for part in parts:
        signed.update(part)
    return signed.hexdigest()
