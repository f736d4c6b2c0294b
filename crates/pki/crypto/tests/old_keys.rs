//! Private keys in old forms: PBES1, Blowfish and CAST5 in traditional PEM, explicit curve parameters; and RSA keys whose numbers do not
//! match.
#![cfg(feature = "aws-lc")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use num_bigint::BigUint;
use tagwise_codec::text::hex;
use tagwise_codec::{Decode as _, Int, encode, pem};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{
    Backend as _, ErrorKind, KeyType, PasswordOptions, PrivateKeyInfo, private_key_from_der, private_key_from_pem,
};
use tagwise_pkix::pkcs1::RsaPrivateKey;

const BACKEND: AwsLc = AwsLc::new();

/// The public key of every elliptic curve key in this file.
const PUBLIC: &str = "3059301306072a8648ce3d020106082a8648ce3d03010703420004dabf03d6c4e2875aacabaedba8363aa4ad1f4266f9855afb039f5c34ed6e5a213c6854ea27dc28fc7f879ff93f7d0c1c775dadc09ec8ed076634086b277dcec5";

/// The key as `openssl pkcs8 -topk8 -v1 PBE-MD5-DES`, `PBE-MD5-RC2-64`, `PBE-SHA1-DES` and `PBE-SHA1-RC2-64` wrote it. The password is
/// `secret`.
const PBES1: [&str; 4] = [
    r"-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGwMBsGCSqGSIb3DQEFAzAOBAh1EGTazXb5rQICCAAEgZCp6GavC/zoxDDNvscC
p+UBy9F9dx/YPQzN4NOxtwLKOvsKaKC/nABFyzLgde8T2kKAQqzl77511xGVh8A2
momOvUd5iRKU+nIgxBMU7BVxHR4CXEZelFtZevylbktXWLAFbLmSDheSjNAIxpRb
CqGDG9T/uSn5AdCKdbPINnQX+M1gfNcFWegirkgTPGXa0kk=
-----END ENCRYPTED PRIVATE KEY-----
",
    r"-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGwMBsGCSqGSIb3DQEFBjAOBAilYlxLuhvWAwICCAAEgZAmQYtTa2sNYv7QvwL0
QHFXbZzOswCXB8fE6kCkDx3IBoCuR9lDZxBttUwZroMSJy5U0BwBSKixe2yLZhDC
draKwdpsZBCBIS/UBN+s0o2rxGKRKzVzh9eLaGTH/GOsuFRbw5D4mQvJeKaI0hZK
52oi+akmWFJcU9xi0Y+KOYXBysYF8Y0/LdaeCaRv0hzV82c=
-----END ENCRYPTED PRIVATE KEY-----
",
    r"-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGwMBsGCSqGSIb3DQEFCjAOBAgqZWfYyt5XBQICCAAEgZCGZFFlNo0AdwFbrFx6
GXjLnC6FnQdhP8M2FE+eVLq3lB+GA9G37oXxfQOKFIPeNsyuFRmYfUrAI2YDqa1V
diJ0rkdshkaSWKN2LNjYd1BM5BgROHj3b9WqEyfJWQXhvytKCmPGcBaVe/BgSZcA
Xc+9/DFJr7gIT/jnWq77iaxutAv/6OuPsEN0inF5ylrJNnc=
-----END ENCRYPTED PRIVATE KEY-----
",
    r"-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGwMBsGCSqGSIb3DQEFCzAOBAhI1w1tW5OUNAICCAAEgZBG5ZIYMNFl3+kNU/IB
Tnio33Bq03OaUODMdmQ6JGIbr3NrH3H6nRnw0ule/dhAPJohZVyATlwaObrcsVMQ
PDxvX5y2R7oHhe1tvRpgTugBiJbLkpuK6RtRsSl3Vvlv/cHEm6Qb4QRJ5N6VQmzo
eDnkll1xUauS1e1EjRxB/NEzM8KIMzqxB6YK1Hz9KD+bkiM=
-----END ENCRYPTED PRIVATE KEY-----
",
];

/// As `openssl ec -bf` and `-cast` wrote it.
const TRADITIONAL: [&str; 2] = [
    r"-----BEGIN EC PRIVATE KEY-----
Proc-Type: 4,ENCRYPTED
DEK-Info: BF-CBC,C0A0A563825410F3

lf/5MKkSS10cNMMPsMa74T3VHV2yJ6cKJAo6nUnt1nwr3sDQY7hIq3Vm9/K2fov5
0hJZiKwLdKvSOafufmAWmLWiCcxYWqFiGX3r/Fki7aM5oRkSHTW8XL/HtjrVrHaK
Em9DE4IFlXFw7B9kWDpA2S0C7U3XkFXaqvUN+Jzk2aU=
-----END EC PRIVATE KEY-----
",
    r"-----BEGIN EC PRIVATE KEY-----
Proc-Type: 4,ENCRYPTED
DEK-Info: CAST5-CBC,18657BFD5E88FE46

pb1E2Nw+5oVFcgpMtWNSZJi7p4sT+Vm11lufrUo0s3cpmXfo/2cm1BZMP9SGs+dp
m2lxo0NWEBCtDE4WTrVxqTyGOYv1zrMp2zCAzXuW8EXZW/iuTp5hLoIZy7kHQTty
7KwXGwNx4Ls8iQ4cpb9ipwvp3KAKyz0EJrRYIp2pwNU=
-----END EC PRIVATE KEY-----
",
];

/// A key as `openssl pkcs8 -topk8 -provider legacy -iter 100 -v2 des-cbc`, `bf-cbc` and `cast5-cbc` wrote it. The password is `password`.
const PBES2: [&str; 3] = [
    r"-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGGMEoGCSqGSIb3DQEFDTA9MCgGCSqGSIb3DQEFDDAbBAiA32Wvbloo6wIBZDAM
BggqhkiG9w0CCQUAMBEGBSsOAwIHBAiT97zIFSHangQ4H1P2MDAcc7t4aEylvZVN
XMkVkIOSNrnhaAWri7M8DmjPj3NRz1C+4BHeihIiJCR9B8SjhlMjT1Y=
-----END ENCRYPTED PRIVATE KEY-----
",
    r"-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGKME4GCSqGSIb3DQEFDTBBMCgGCSqGSIb3DQEFDDAbBAiO1vDyXTTw4QIBZDAM
BggqhkiG9w0CCQUAMBUGCSsGAQQBl1UBAgQITwNyInwpYUQEOLBY2faRlxTEHzoJ
MdzWkcBJbtTf2xqp6s+2LnNBmQJmkbRfAtc392ragicoVxCxIZgpa8IbZD/t
-----END ENCRYPTED PRIVATE KEY-----
",
    r"-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGKME4GCSqGSIb3DQEFDTBBMCgGCSqGSIb3DQEFDDAbBAhLlzUdCrVx4gIBZDAM
BggqhkiG9w0CCQUAMBUGCSqGSIb2fQdCCgQI5PkkDyY+0OgEOCceIRVnExCNf7b4
e0fA45nAhNyZHGZAcGyb2ky3XXsDx2nliI30dYNJ1ez2s92kuYnwOLlJzpu3
-----END ENCRYPTED PRIVATE KEY-----
",
];

/// The key of [`PBES2`] in PKCS #8.
const ED25519: &str =
    "302e020100300506032b657004220420b62b0d7049e4bbcf70c9dd980f1ca9825d624bebadb820903b05e7a2230ba991";

#[test]
fn old_ciphers_of_pbes2() {
    let options = PasswordOptions::DEFAULT;
    for text in PBES2 {
        let key = private_key_from_pem(&BACKEND, text.as_bytes(), Some(b"password"), &options).unwrap();
        assert_eq!(hex::encode(key.pkcs8().expose()), ED25519);
        // Not all of the padding is wrong for a wrong password, but the result is never a key.
        assert!(private_key_from_pem(&BACKEND, text.as_bytes(), Some(b"wrong"), &options).is_err());
    }
}

/// With all parameters of P-256 instead of its name, in SEC 1 and in PKCS #8.
const EXPLICIT: [&str; 2] = [
    r"-----BEGIN EC PRIVATE KEY-----
MIIBaAIBAQQgGzmTh7dbG/YNlTf9gNxw39viZIh4NTz+zR768Bl1AHGggfowgfcC
AQEwLAYHKoZIzj0BAQIhAP////8AAAABAAAAAAAAAAAAAAAA////////////////
MFsEIP////8AAAABAAAAAAAAAAAAAAAA///////////////8BCBaxjXYqjqT57Pr
vVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMVAMSdNgiG5wSTamZ44ROdJreBn36QBEEE
axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54W
K84zV2sxXs7LtkBoN79R9QIhAP////8AAAAA//////////+85vqtpxeehPO5ysL8
YyVRAgEBoUQDQgAE2r8D1sTih1qsq67bqDY6pK0fQmb5hVr7A59cNO1uWiE8aFTq
J9wo/H+Hn/k/fQwcd12twJ7I7QdmNAhrJ33OxQ==
-----END EC PRIVATE KEY-----
",
    r"-----BEGIN PRIVATE KEY-----
MIIBeQIBADCCAQMGByqGSM49AgEwgfcCAQEwLAYHKoZIzj0BAQIhAP////8AAAAB
AAAAAAAAAAAAAAAA////////////////MFsEIP////8AAAABAAAAAAAAAAAAAAAA
///////////////8BCBaxjXYqjqT57PrvVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMV
AMSdNgiG5wSTamZ44ROdJreBn36QBEEEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg
9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9QIhAP////8A
AAAA//////////+85vqtpxeehPO5ysL8YyVRAgEBBG0wawIBAQQgGzmTh7dbG/YN
lTf9gNxw39viZIh4NTz+zR768Bl1AHGhRANCAATavwPWxOKHWqyrrtuoNjqkrR9C
ZvmFWvsDn1w07W5aITxoVOon3Cj8f4ef+T99DBx3Xa3AnsjtB2Y0CGsnfc7F
-----END PRIVATE KEY-----
",
];

/// With the parameters of secp160r1, which is not supported.
const UNKNOWN: &str = r"-----BEGIN EC PRIVATE KEY-----
MIH9AgEBBBUA8omEnoGyBgXJXCFOJUy5o8mmo1mggbIwga8CAQEwIAYHKoZIzj0B
AQIVAP////////////////////9/////MEMEFP////////////////////9////8
BBQcl778VL16i2Ws+J+B1NStxWX6RQMVABBTzeQsFNaW5naHVhUXUzvz+DNFBCkE
Spa1aI71cyhGZGmJaMOLuRPL/IIjpihVMWiUfVncyRIEI1E3esX7MgIVAQAAAAAA
AAAAAAH0yPknrtPKdSJXAgEBoSwDKgAE9xSHFVMo9J2x3JafnhFbb9i6JqCRICso
zRefrmOhGbTkDzc1KFTAkg==
-----END EC PRIVATE KEY-----
";

fn read(text: &str, password: Option<&[u8]>) -> Result<PrivateKeyInfo, tagwise_crypto::Error> {
    private_key_from_pem(&BACKEND, text.as_bytes(), password, &PasswordOptions::DEFAULT)
}

fn public(info: &PrivateKeyInfo) -> String {
    hex::encode(BACKEND.private_key(info).unwrap().public_key_info())
}

#[test]
fn old_encryption_is_read() {
    for text in PBES1.into_iter().chain(TRADITIONAL) {
        assert_eq!(public(&read(text, Some(b"secret")).unwrap()), PUBLIC);
        assert_eq!(read(text, None).unwrap_err().kind(), ErrorKind::PasswordNeeded);
        for number in 0..300_u16 {
            assert_eq!(read(text, Some(&number.to_be_bytes())).unwrap_err().kind(), ErrorKind::Integrity, "{number}");
        }
    }
}

/// RFC 8018 §A.3: a salt of eight bytes, and a positive number of iterations; and the limit is kept.
#[test]
fn parameters_of_pbes1_are_checked() {
    let der = pem::first(&["ENCRYPTED PRIVATE KEY"], PBES1[0].as_bytes()).unwrap();
    let kind = |der: &[u8], options: &PasswordOptions| {
        private_key_from_der(&BACKEND, der, Some(b"secret"), options).unwrap_err().kind()
    };
    let few = PasswordOptions { max_iterations: 2047, ..PasswordOptions::DEFAULT };
    assert_eq!(kind(&der, &few), ErrorKind::Limit);
    let exact = PasswordOptions { max_iterations: 2048, ..PasswordOptions::DEFAULT };
    assert!(private_key_from_der(&BACKEND, &der, Some(b"secret"), &exact).is_ok());
    // The iteration count: 2,048 becomes 0 in its shortest form.
    let at = der.windows(4).position(|four| four == [2, 2, 8, 0]).unwrap();
    let mut zero = der.clone();
    zero.splice(at..at + 4, [2, 1, 0]);
    // The lengths of the three sequences around it, and the outer one with two length bytes.
    for place in [2, 4, 17] {
        zero[place] -= 1;
    }
    assert_eq!(kind(&zero, &PasswordOptions::DEFAULT), ErrorKind::Parameters);
}

#[test]
fn explicit_parameters_of_a_known_curve_are_named() {
    for text in EXPLICIT {
        let info = read(text, None).unwrap();
        assert_eq!((info.key_type(), public(&info)), (KeyType::P256, PUBLIC.to_owned()));
        // What is written names the curve.
        let sec1 = info.to_sec1().unwrap();
        assert!(sec1.expose().len() < 150);
        let der = pem::blocks(text.as_bytes()).next().unwrap().unwrap().decode().unwrap();
        let again = private_key_from_der(&BACKEND, &der, None, &PasswordOptions::DEFAULT).unwrap();
        assert_eq!(again.pkcs8().expose(), info.pkcs8().expose());
    }
}

/// Another generator, order or coefficient is another curve (CVE-2020-0601).
#[test]
fn explicit_parameters_of_another_curve_are_refused() {
    let error = read(UNKNOWN, None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("explicit curve parameters"), "{error}");
    for text in EXPLICIT {
        let der = pem::blocks(text.as_bytes()).next().unwrap().unwrap().decode().unwrap();
        // The last bytes of prime, coefficients, generator and order.
        for part in ["ffffffffffffffffffffffff", "d2604b", "37bf51f5", "fc632551"] {
            let at = hex::encode(&der).find(part).unwrap();
            let mut changed = der.clone();
            changed[(at + part.len()) / 2 - 1] ^= 2;
            let error = private_key_from_der(&BACKEND, &changed, None, &PasswordOptions::DEFAULT).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{part}");
        }
    }
}

/// RFC 8017 §3.2: the error names the number.
#[test]
fn inconsistent_rsa_numbers_are_named() {
    let key = BACKEND.generate(KeyType::Rsa(2048)).unwrap().to_pkcs8().unwrap();
    let pkcs1 = PrivateKeyInfo::from_pkcs8(key.expose()).unwrap().to_pkcs1().unwrap();
    let numbers = RsaPrivateKey::from_der(pkcs1.expose()).unwrap();
    let two = |int: Int<'_>| {
        let mut octets = (BigUint::from_bytes_be(int.magnitude()) + 2_u8).to_bytes_be();
        octets.insert(0, 0);
        octets
    };
    for (place, expected) in [
        (0, "privateExponent is not an inverse of publicExponent"),
        (1, "modulus is not the product of prime1 and prime2"),
        (2, "modulus is not the product of prime1 and prime2"),
        (3, "exponent1 is not privateExponent mod (prime1 - 1)"),
        (4, "exponent2 is not privateExponent mod (prime2 - 1)"),
        (5, "coefficient is not the inverse of prime2 mod prime1"),
    ] {
        let mut changed = RsaPrivateKey::from_der(pkcs1.expose()).unwrap();
        let number = match place {
            0 => &mut changed.private_exponent,
            1 => &mut changed.prime1,
            2 => &mut changed.prime2,
            3 => &mut changed.exponent1,
            4 => &mut changed.exponent2,
            _ => &mut changed.coefficient,
        };
        let octets = two(*number);
        *number = Int::from_signed(&octets);
        let info = PrivateKeyInfo::from_pkcs1(&encode(&changed).unwrap()).unwrap();
        let error = BACKEND.private_key(&info).map(|_| ()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MalformedKey);
        assert!(error.to_string().contains(expected), "{place}: {error}");
    }
    assert!(BACKEND.private_key(&PrivateKeyInfo::from_pkcs1(&encode(&numbers).unwrap()).unwrap()).is_ok());
}
