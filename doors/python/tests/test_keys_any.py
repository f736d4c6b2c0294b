"""Keys in any format: `keys.read`, and the functions that are named as those of `cryptography`."""

import base64
import json

import pytest

from tagwise import keys, pem, x509

SSH = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4TPGqhSVCjxDyHMGHUBNjtlYX6qRnOwGhZcMGMLSfA eva"
# RFC 8037 §A.1.
JWK = {
    "kty": "OKP",
    "crv": "Ed25519",
    "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
    "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
}


def test_private_and_public_keys():
    own = keys.PrivateKey.generate("p-256")
    for data, password in [
        (own.to_pkcs8(), None),
        (own.to_pem(), None),
        (own.to_pem("secret", iterations=1000), "secret"),
    ]:
        found = keys.read(data, password)
        assert isinstance(found, keys.PrivateKey)
        assert found.public_key() == own.public_key()
    public = keys.read(own._key.public_key_info)
    assert isinstance(public, keys.PublicKey)
    assert public.kind == own.kind


def test_passwords_are_required_exactly_where_keys_are_encrypted():
    own = keys.PrivateKey.generate("ed25519")
    with pytest.raises(TypeError):
        keys.read(own.to_pem("secret", iterations=1000))
    with pytest.raises(TypeError):
        keys.read(own.to_pem(), "secret")
    with pytest.raises(TypeError):
        keys.read(SSH, "secret")
    with pytest.raises(ValueError):
        keys.read(own.to_pem("secret", iterations=1000), "wrong")


def test_ssh_keys():
    public = keys.load_ssh_public_key(SSH.encode())
    assert public.kind == "ed25519"
    assert public.public_key_info.endswith(base64.b64decode(SSH.split()[1])[-32:])
    with pytest.raises(ValueError):
        keys.load_ssh_private_key(SSH.encode())
    with pytest.raises(ValueError):
        keys.load_ssh_public_key(json.dumps(JWK).encode())


def test_jwks():
    private = keys.read(json.dumps(JWK))
    assert isinstance(private, keys.PrivateKey)
    public = keys.read(json.dumps({name: value for name, value in JWK.items() if name != "d"}))
    assert isinstance(public, keys.PublicKey)
    signature = private.sign(b"message")
    public.verify(signature, b"message")


def test_several_keys_need_a_name():
    other = SSH.replace(" eva", " ben")
    with pytest.raises(ValueError):
        keys.read(f"{SSH}\n{other}\n")
    assert keys.read(f"{SSH}\n{other}\n", name="ben").kind == "ed25519"
    with pytest.raises(ValueError):
        keys.read("no key")


def test_fields_by_their_customary_names():
    own = keys.PrivateKey.generate("ed25519")
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Eva")])
    request = x509.CertificateSigningRequestBuilder().subject_name(name).sign(own, None)
    assert request.get("subject") == ["CN=Eva"]
    assert request.get("cn") == ["Eva"]
    assert request.get("san") == []
    # Paths work as before.
    assert request.get("certificationRequestInfo.version") == [0]
    with pytest.raises(ValueError):
        request.get("nosuchfield")


def test_every_block_of_a_pem_text_counts():
    one, other = keys.PrivateKey.generate("p-256"), keys.PrivateKey.generate("ed25519")
    public = pem.encode("PUBLIC KEY", one.public_key().public_key_info)
    for text in (public + one.to_pem(), one.to_pem() + public, one.to_pem() * 2):
        found = keys.read(text)
        assert isinstance(found, keys.PrivateKey) and found.public_key() == one.public_key()
    for read in (keys.read, keys.PrivateKey.from_pem):
        with pytest.raises(ValueError, match="several private keys"):
            read(one.to_pem() + other.to_pem())
