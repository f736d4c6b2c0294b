"""DSA keys: read, inspected and converted; their public keys verify signatures."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tagwise import keys, x509

# p = 23, q = 11, g = 4, y = 18, x = 3, in OpenSSL's traditional form.
SMALL = bytes([0x30, 18, 2, 1, 0, 2, 1, 23, 2, 1, 11, 2, 1, 4, 2, 1, 18, 2, 1, 3])


def small() -> keys.DsaPrivateKey:
    key = keys.read(SMALL)
    assert isinstance(key, keys.DsaPrivateKey)
    return key


def test_numbers() -> None:
    key = small()
    numbers = keys.DsaPrivateNumbers(3, keys.DsaPublicNumbers(18, keys.DsaParameterNumbers(23, 11, 4)))
    assert key.private_numbers() == numbers
    assert key.public_key().dsa_numbers() == numbers.public_numbers
    assert (key.kind, key.public_key().kind, key.key_size) == ("dsa", "dsa", 5)
    with pytest.raises(TypeError):
        keys.PrivateKey.generate("ed25519").public_key().dsa_numbers()


def test_conversions() -> None:
    key = small()
    again = keys.read(key.to_pkcs8())
    assert isinstance(again, keys.DsaPrivateKey) and again.private_numbers() == key.private_numbers()
    sealed = key.to_pem("secret", iterations=1000)
    opened = keys.read(sealed, "secret")
    assert isinstance(opened, keys.DsaPrivateKey) and opened.to_pkcs8() == key.to_pkcs8()
    for data, password in [(sealed, None), (key.to_pem(), "secret")]:
        with pytest.raises(TypeError):
            keys.read(data, password)
    with pytest.raises(ValueError):
        keys.read(sealed, "wrong")


def test_nothing_signs() -> None:
    with pytest.raises(Exception, match="no signatures with DSA keys") as caught:
        small().sign(b"data", "sha256")
    assert type(caught.value).__name__ == x509.exceptions.UnsupportedAlgorithm.__name__


def test_keys_of_openssl(tmp_path: Path) -> None:
    command = shutil.which("openssl")
    if command is None:
        pytest.skip("openssl is not installed")

    def run(*arguments: str) -> None:
        subprocess.run([command, *arguments], cwd=tmp_path, check=True, capture_output=True)

    run("dsaparam", "-genkey", "-out", "key.pem", "1024")
    run("dsa", "-in", "key.pem", "-pubout", "-out", "public.pem")
    run("dsa", "-in", "key.pem", "-aes128", "-passout", "pass:secret", "-out", "locked.pem")
    (tmp_path / "data").write_bytes(b"data")
    run("dgst", "-sha256", "-sign", "key.pem", "-out", "signature", "data")
    key, public = keys.read((tmp_path / "key.pem").read_bytes()), keys.read((tmp_path / "public.pem").read_bytes())
    assert isinstance(key, keys.DsaPrivateKey) and isinstance(public, keys.PublicKey)
    assert key.public_key() == public
    locked = keys.read((tmp_path / "locked.pem").read_bytes(), b"secret")
    assert isinstance(locked, keys.DsaPrivateKey) and locked.private_numbers() == key.private_numbers()
    signature = (tmp_path / "signature").read_bytes()
    public.verify(signature, b"data", "sha256")
    with pytest.raises(Exception):
        public.verify(signature, b"other", "sha256")
