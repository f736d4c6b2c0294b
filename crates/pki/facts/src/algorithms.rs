//! Key and signature algorithms.

oids! {
    PublicKey "RFC 8017" {
        RSA_ENCRYPTION = "1.2.840.113549.1.1.1", "rsaEncryption", "RSA";
    }
    PublicKey "RFC 3279" {
        DSA = "1.2.840.10040.4.1", "id-dsa", "DSA";
        DH_PUBLIC_NUMBER = "1.2.840.10046.2.1", "dhpublicnumber";
        KEY_EXCHANGE_ALGORITHM = "2.16.840.1.101.2.1.1.22", "id-keyExchangeAlgorithm";
    }
    PublicKey "PKCS #3" {
        DH_KEY_AGREEMENT = "1.2.840.113549.1.3.1", "dhKeyAgreement", "DH";
    }
    PublicKey "RFC 5480" {
        EC_PUBLIC_KEY = "1.2.840.10045.2.1", "id-ecPublicKey", "EC";
        EC_DH = "1.3.132.1.12", "id-ecDH";
        EC_MQV = "1.3.132.1.13", "id-ecMQV";
    }
    PublicKey "RFC 8410" {
        X25519 = "1.3.101.110", "id-X25519", "X25519";
        X448 = "1.3.101.111", "id-X448", "X448";
    }
    PublicKey "RFC 4491" {
        GOST_R3410_2001 = "1.2.643.2.2.19", "id-GostR3410-2001";
        GOST_R3410_94 = "1.2.643.2.2.20", "id-GostR3410-94";
    }
    PublicKey "RFC 9215" {
        TC26_GOST3410_12_256 = "1.2.643.7.1.1.1.1", "id-tc26-gost3410-12-256";
        TC26_GOST3410_12_512 = "1.2.643.7.1.1.1.2", "id-tc26-gost3410-12-512";
    }
    PublicKey "X.509" {
        EA_RSA = "2.5.8.1.1", "id-ea-rsa";
    }
    PublicKey "DSTU 4145" {
        DSTU4145LE = "1.2.804.2.1.1.1.1.3.1.1", "dstu4145le";
    }
    PublicKey "STB 34.101.45" {
        BIGN_PUBKEY = "1.2.112.0.2.0.34.101.45.2.1", "bign-pubkey";
    }
    PublicKey "FIPS 203" {
        ML_KEM_512 = "2.16.840.1.101.3.4.4.1", "id-alg-ml-kem-512", "ML-KEM-512";
        ML_KEM_768 = "2.16.840.1.101.3.4.4.2", "id-alg-ml-kem-768", "ML-KEM-768";
        ML_KEM_1024 = "2.16.840.1.101.3.4.4.3", "id-alg-ml-kem-1024", "ML-KEM-1024";
    }
    PublicKey "draft-ietf-lamps-pq-composite-kem" {
        MLKEM768_RSA2048_SHA3_256 = "1.3.6.1.5.5.7.6.55", "id-MLKEM768-RSA2048-SHA3-256";
        MLKEM768_RSA3072_SHA3_256 = "1.3.6.1.5.5.7.6.56", "id-MLKEM768-RSA3072-SHA3-256";
        MLKEM768_RSA4096_SHA3_256 = "1.3.6.1.5.5.7.6.57", "id-MLKEM768-RSA4096-SHA3-256";
        MLKEM768_X25519_SHA3_256 = "1.3.6.1.5.5.7.6.58", "id-MLKEM768-X25519-SHA3-256";
        MLKEM768_ECDH_P256_SHA3_256 = "1.3.6.1.5.5.7.6.59", "id-MLKEM768-ECDH-P256-SHA3-256";
        MLKEM768_ECDH_P384_SHA3_256 = "1.3.6.1.5.5.7.6.60", "id-MLKEM768-ECDH-P384-SHA3-256";
        MLKEM768_ECDH_BRAINPOOL_P256R1_SHA3_256 = "1.3.6.1.5.5.7.6.61", "id-MLKEM768-ECDH-brainpoolP256r1-SHA3-256";
        MLKEM1024_RSA3072_SHA3_256 = "1.3.6.1.5.5.7.6.62", "id-MLKEM1024-RSA3072-SHA3-256";
        MLKEM1024_ECDH_P384_SHA3_256 = "1.3.6.1.5.5.7.6.63", "id-MLKEM1024-ECDH-P384-SHA3-256";
        MLKEM1024_ECDH_BRAINPOOL_P384R1_SHA3_256 = "1.3.6.1.5.5.7.6.64", "id-MLKEM1024-ECDH-brainpoolP384r1-SHA3-256";
        MLKEM1024_X448_SHA3_256 = "1.3.6.1.5.5.7.6.65", "id-MLKEM1024-X448-SHA3-256";
        MLKEM1024_ECDH_P521_SHA3_256 = "1.3.6.1.5.5.7.6.66", "id-MLKEM1024-ECDH-P521-SHA3-256";
    }
    Signature "RFC 8017" {
        MD2_WITH_RSA_ENCRYPTION = "1.2.840.113549.1.1.2", "md2WithRSAEncryption", "RSA-MD2";
        MD5_WITH_RSA_ENCRYPTION = "1.2.840.113549.1.1.4", "md5WithRSAEncryption", "RSA-MD5";
        SHA1_WITH_RSA_ENCRYPTION = "1.2.840.113549.1.1.5", "sha1WithRSAEncryption", "RSA-SHA1";
        RSASSA_PSS = "1.2.840.113549.1.1.10", "id-RSASSA-PSS", "RSASSA-PSS";
        SHA256_WITH_RSA_ENCRYPTION = "1.2.840.113549.1.1.11", "sha256WithRSAEncryption", "RSA-SHA256";
        SHA384_WITH_RSA_ENCRYPTION = "1.2.840.113549.1.1.12", "sha384WithRSAEncryption", "RSA-SHA384";
        SHA512_WITH_RSA_ENCRYPTION = "1.2.840.113549.1.1.13", "sha512WithRSAEncryption", "RSA-SHA512";
        SHA224_WITH_RSA_ENCRYPTION = "1.2.840.113549.1.1.14", "sha224WithRSAEncryption", "RSA-SHA224";
        SHA512_224_WITH_RSA_ENCRYPTION = "1.2.840.113549.1.1.15", "sha512-224WithRSAEncryption", "RSA-SHA512/224";
        SHA512_256_WITH_RSA_ENCRYPTION = "1.2.840.113549.1.1.16", "sha512-256WithRSAEncryption", "RSA-SHA512/256";
    }
    Signature "PKCS #1" {
        MD4_WITH_RSA_ENCRYPTION = "1.2.840.113549.1.1.3", "md4WithRSAEncryption", "RSA-MD4";
    }
    Signature "OIW" {
        MD5_WITH_RSA = "1.3.14.3.2.3", "md5WithRSA";
        OIW_DSA = "1.3.14.3.2.12", "oiw-dsa";
        DSA_WITH_SHA = "1.3.14.3.2.13", "dsaWithSHA";
        SHA_WITH_RSA_SIGNATURE = "1.3.14.3.2.15", "shaWithRSASignature";
        MD5_WITH_RSA_SIGNATURE = "1.3.14.3.2.25", "md5WithRSASignature";
        OIW_DSA_WITH_SHA1 = "1.3.14.3.2.27", "dsaWithSHA1";
        SHA1_WITH_RSA = "1.3.14.3.2.29", "sha1WithRSA";
    }
    Signature "TeleTrusT" {
        RSA_SIGNATURE_WITH_RIPEMD160 = "1.3.36.3.3.1.2", "rsaSignatureWithripemd160", "RSA-RIPEMD160";
    }
    Signature "RFC 3279" {
        DSA_WITH_SHA1 = "1.2.840.10040.4.3", "id-dsa-with-sha1", "DSA-SHA1";
        ECDSA_WITH_SHA1 = "1.2.840.10045.4.1", "ecdsa-with-SHA1", "ECDSA-SHA1";
    }
    Signature "RFC 5758" {
        DSA_WITH_SHA224 = "2.16.840.1.101.3.4.3.1", "id-dsa-with-sha224", "DSA-SHA224";
        DSA_WITH_SHA256 = "2.16.840.1.101.3.4.3.2", "id-dsa-with-sha256", "DSA-SHA256";
        ECDSA_WITH_SHA224 = "1.2.840.10045.4.3.1", "ecdsa-with-SHA224", "ECDSA-SHA224";
        ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2", "ecdsa-with-SHA256", "ECDSA-SHA256";
        ECDSA_WITH_SHA384 = "1.2.840.10045.4.3.3", "ecdsa-with-SHA384", "ECDSA-SHA384";
        ECDSA_WITH_SHA512 = "1.2.840.10045.4.3.4", "ecdsa-with-SHA512", "ECDSA-SHA512";
    }
    Signature "BSI TR-03111" {
        ECDSA_PLAIN_SHA1 = "0.4.0.127.0.7.1.1.4.1.1", "ecdsa-plain-SHA1";
        ECDSA_PLAIN_SHA224 = "0.4.0.127.0.7.1.1.4.1.2", "ecdsa-plain-SHA224";
        ECDSA_PLAIN_SHA256 = "0.4.0.127.0.7.1.1.4.1.3", "ecdsa-plain-SHA256";
        ECDSA_PLAIN_SHA384 = "0.4.0.127.0.7.1.1.4.1.4", "ecdsa-plain-SHA384";
        ECDSA_PLAIN_SHA512 = "0.4.0.127.0.7.1.1.4.1.5", "ecdsa-plain-SHA512";
        ECDSA_PLAIN_RIPEMD160 = "0.4.0.127.0.7.1.1.4.1.6", "ecdsa-plain-RIPEMD160";
    }
    Signature "X9.62" {
        ECDSA_WITH_RECOMMENDED = "1.2.840.10045.4.2", "ecdsa-with-Recommended";
        ECDSA_WITH_SPECIFIED = "1.2.840.10045.4.3", "ecdsa-with-Specified";
    }
    Signature "NIST CSOR" {
        DSA_WITH_SHA384 = "2.16.840.1.101.3.4.3.3", "id-dsa-with-sha384", "DSA-SHA384";
        DSA_WITH_SHA512 = "2.16.840.1.101.3.4.3.4", "id-dsa-with-sha512", "DSA-SHA512";
        DSA_WITH_SHA3_224 = "2.16.840.1.101.3.4.3.5", "id-dsa-with-sha3-224";
        DSA_WITH_SHA3_256 = "2.16.840.1.101.3.4.3.6", "id-dsa-with-sha3-256";
        DSA_WITH_SHA3_384 = "2.16.840.1.101.3.4.3.7", "id-dsa-with-sha3-384";
        DSA_WITH_SHA3_512 = "2.16.840.1.101.3.4.3.8", "id-dsa-with-sha3-512";
    }
    Signature "RFC 9688" {
        ECDSA_WITH_SHA3_224 = "2.16.840.1.101.3.4.3.9", "id-ecdsa-with-sha3-224", "ECDSA-SHA3-224";
        ECDSA_WITH_SHA3_256 = "2.16.840.1.101.3.4.3.10", "id-ecdsa-with-sha3-256", "ECDSA-SHA3-256";
        ECDSA_WITH_SHA3_384 = "2.16.840.1.101.3.4.3.11", "id-ecdsa-with-sha3-384", "ECDSA-SHA3-384";
        ECDSA_WITH_SHA3_512 = "2.16.840.1.101.3.4.3.12", "id-ecdsa-with-sha3-512", "ECDSA-SHA3-512";
        RSASSA_PKCS1_V1_5_WITH_SHA3_224 = "2.16.840.1.101.3.4.3.13", "id-rsassa-pkcs1-v1-5-with-sha3-224", "RSA-SHA3-224";
        RSASSA_PKCS1_V1_5_WITH_SHA3_256 = "2.16.840.1.101.3.4.3.14", "id-rsassa-pkcs1-v1-5-with-sha3-256", "RSA-SHA3-256";
        RSASSA_PKCS1_V1_5_WITH_SHA3_384 = "2.16.840.1.101.3.4.3.15", "id-rsassa-pkcs1-v1-5-with-sha3-384", "RSA-SHA3-384";
        RSASSA_PKCS1_V1_5_WITH_SHA3_512 = "2.16.840.1.101.3.4.3.16", "id-rsassa-pkcs1-v1-5-with-sha3-512", "RSA-SHA3-512";
    }
    Signature "RFC 8692" {
        RSASSA_PSS_SHAKE128 = "1.3.6.1.5.5.7.6.30", "id-RSASSA-PSS-SHAKE128";
        RSASSA_PSS_SHAKE256 = "1.3.6.1.5.5.7.6.31", "id-RSASSA-PSS-SHAKE256";
        ECDSA_WITH_SHAKE128 = "1.3.6.1.5.5.7.6.32", "id-ecdsa-with-shake128";
        ECDSA_WITH_SHAKE256 = "1.3.6.1.5.5.7.6.33", "id-ecdsa-with-shake256";
    }
    Signature "RFC 8410" {
        ED25519 = "1.3.101.112", "id-Ed25519", "Ed25519";
        ED448 = "1.3.101.113", "id-Ed448", "Ed448";
    }
    Signature "RFC 4491" {
        GOST_R3411_94_WITH_GOST_R3410_2001 = "1.2.643.2.2.3", "id-GostR3411-94-with-GostR3410-2001";
        GOST_R3411_94_WITH_GOST_R3410_94 = "1.2.643.2.2.4", "id-GostR3411-94-with-GostR3410-94";
    }
    Signature "RFC 9215" {
        TC26_SIGNWITHDIGEST_GOST3410_12_256 = "1.2.643.7.1.1.3.2", "id-tc26-signwithdigest-gost3410-12-256";
        TC26_SIGNWITHDIGEST_GOST3410_12_512 = "1.2.643.7.1.1.3.3", "id-tc26-signwithdigest-gost3410-12-512";
    }
    Signature "GM/T 0006" {
        SM2_WITH_SM3 = "1.2.156.10197.1.501", "sm2-with-sm3", "SM2-SM3";
        SM3_WITH_RSA_ENCRYPTION = "1.2.156.10197.1.504", "sm3WithRSAEncryption", "RSA-SM3";
    }
    Signature "STB 34.101.45" {
        BIGN_WITH_HSPEC = "1.2.112.0.2.0.34.101.45.11", "bign-with-hspec";
        BIGN_WITH_HBELT = "1.2.112.0.2.0.34.101.45.12", "bign-with-hbelt";
    }
    Signature "FIPS 204" {
        ML_DSA_44 = "2.16.840.1.101.3.4.3.17", "id-ml-dsa-44", "ML-DSA-44";
        ML_DSA_65 = "2.16.840.1.101.3.4.3.18", "id-ml-dsa-65", "ML-DSA-65";
        ML_DSA_87 = "2.16.840.1.101.3.4.3.19", "id-ml-dsa-87", "ML-DSA-87";
        HASH_ML_DSA_44_WITH_SHA512 = "2.16.840.1.101.3.4.3.32", "id-hash-ml-dsa-44-with-sha512";
        HASH_ML_DSA_65_WITH_SHA512 = "2.16.840.1.101.3.4.3.33", "id-hash-ml-dsa-65-with-sha512";
        HASH_ML_DSA_87_WITH_SHA512 = "2.16.840.1.101.3.4.3.34", "id-hash-ml-dsa-87-with-sha512";
    }
    Signature "FIPS 205" {
        SLH_DSA_SHA2_128S = "2.16.840.1.101.3.4.3.20", "id-slh-dsa-sha2-128s", "SLH-DSA-SHA2-128s";
        SLH_DSA_SHA2_128F = "2.16.840.1.101.3.4.3.21", "id-slh-dsa-sha2-128f", "SLH-DSA-SHA2-128f";
        SLH_DSA_SHA2_192S = "2.16.840.1.101.3.4.3.22", "id-slh-dsa-sha2-192s", "SLH-DSA-SHA2-192s";
        SLH_DSA_SHA2_192F = "2.16.840.1.101.3.4.3.23", "id-slh-dsa-sha2-192f", "SLH-DSA-SHA2-192f";
        SLH_DSA_SHA2_256S = "2.16.840.1.101.3.4.3.24", "id-slh-dsa-sha2-256s", "SLH-DSA-SHA2-256s";
        SLH_DSA_SHA2_256F = "2.16.840.1.101.3.4.3.25", "id-slh-dsa-sha2-256f", "SLH-DSA-SHA2-256f";
        SLH_DSA_SHAKE_128S = "2.16.840.1.101.3.4.3.26", "id-slh-dsa-shake-128s", "SLH-DSA-SHAKE-128s";
        SLH_DSA_SHAKE_128F = "2.16.840.1.101.3.4.3.27", "id-slh-dsa-shake-128f", "SLH-DSA-SHAKE-128f";
        SLH_DSA_SHAKE_192S = "2.16.840.1.101.3.4.3.28", "id-slh-dsa-shake-192s", "SLH-DSA-SHAKE-192s";
        SLH_DSA_SHAKE_192F = "2.16.840.1.101.3.4.3.29", "id-slh-dsa-shake-192f", "SLH-DSA-SHAKE-192f";
        SLH_DSA_SHAKE_256S = "2.16.840.1.101.3.4.3.30", "id-slh-dsa-shake-256s", "SLH-DSA-SHAKE-256s";
        SLH_DSA_SHAKE_256F = "2.16.840.1.101.3.4.3.31", "id-slh-dsa-shake-256f", "SLH-DSA-SHAKE-256f";
        HASH_SLH_DSA_SHA2_128S_WITH_SHA256 = "2.16.840.1.101.3.4.3.35", "id-hash-slh-dsa-sha2-128s-with-sha256";
        HASH_SLH_DSA_SHA2_128F_WITH_SHA256 = "2.16.840.1.101.3.4.3.36", "id-hash-slh-dsa-sha2-128f-with-sha256";
        HASH_SLH_DSA_SHA2_192S_WITH_SHA512 = "2.16.840.1.101.3.4.3.37", "id-hash-slh-dsa-sha2-192s-with-sha512";
        HASH_SLH_DSA_SHA2_192F_WITH_SHA512 = "2.16.840.1.101.3.4.3.38", "id-hash-slh-dsa-sha2-192f-with-sha512";
        HASH_SLH_DSA_SHA2_256S_WITH_SHA512 = "2.16.840.1.101.3.4.3.39", "id-hash-slh-dsa-sha2-256s-with-sha512";
        HASH_SLH_DSA_SHA2_256F_WITH_SHA512 = "2.16.840.1.101.3.4.3.40", "id-hash-slh-dsa-sha2-256f-with-sha512";
        HASH_SLH_DSA_SHAKE_128S_WITH_SHAKE128 = "2.16.840.1.101.3.4.3.41", "id-hash-slh-dsa-shake-128s-with-shake128";
        HASH_SLH_DSA_SHAKE_128F_WITH_SHAKE128 = "2.16.840.1.101.3.4.3.42", "id-hash-slh-dsa-shake-128f-with-shake128";
        HASH_SLH_DSA_SHAKE_192S_WITH_SHAKE256 = "2.16.840.1.101.3.4.3.43", "id-hash-slh-dsa-shake-192s-with-shake256";
        HASH_SLH_DSA_SHAKE_192F_WITH_SHAKE256 = "2.16.840.1.101.3.4.3.44", "id-hash-slh-dsa-shake-192f-with-shake256";
        HASH_SLH_DSA_SHAKE_256S_WITH_SHAKE256 = "2.16.840.1.101.3.4.3.45", "id-hash-slh-dsa-shake-256s-with-shake256";
        HASH_SLH_DSA_SHAKE_256F_WITH_SHAKE256 = "2.16.840.1.101.3.4.3.46", "id-hash-slh-dsa-shake-256f-with-shake256";
    }
    // FIPS 206 has no identifiers yet, nor has draft-ietf-lamps-fn-dsa-certificates: these are of experiments with what it is
    // made from, and not compatible with it.
    Signature "Open Quantum Safe" {
        OQS_FALCON_512 = "1.3.9999.3.11", "falcon512", "Falcon-512";
        OQS_FALCON_1024 = "1.3.9999.3.14", "falcon1024", "Falcon-1024";
        OQS_FALCON_PADDED_512 = "1.3.9999.3.16", "falconpadded512", "Falcon-padded-512";
        OQS_FALCON_PADDED_1024 = "1.3.9999.3.19", "falconpadded1024", "Falcon-padded-1024";
    }
    Signature "RFC 9708" {
        HSS_LMS_HASHSIG = "1.2.840.113549.1.9.16.3.17", "id-alg-hss-lms-hashsig", "HSS-LMS";
    }
    Signature "RFC 9802" {
        XMSS_HASHSIG = "1.3.6.1.5.5.7.6.34", "id-alg-xmss-hashsig", "XMSS";
        XMSSMT_HASHSIG = "1.3.6.1.5.5.7.6.35", "id-alg-xmssmt-hashsig", "XMSSMT";
    }
    Signature "draft-ietf-lamps-pq-composite-sigs" {
        MLDSA44_RSA2048_PSS_SHA256 = "1.3.6.1.5.5.7.6.37", "id-MLDSA44-RSA2048-PSS-SHA256";
        MLDSA44_RSA2048_PKCS15_SHA256 = "1.3.6.1.5.5.7.6.38", "id-MLDSA44-RSA2048-PKCS15-SHA256";
        MLDSA44_ED25519_SHA512 = "1.3.6.1.5.5.7.6.39", "id-MLDSA44-Ed25519-SHA512";
        MLDSA44_ECDSA_P256_SHA256 = "1.3.6.1.5.5.7.6.40", "id-MLDSA44-ECDSA-P256-SHA256";
        MLDSA65_RSA3072_PSS_SHA512 = "1.3.6.1.5.5.7.6.41", "id-MLDSA65-RSA3072-PSS-SHA512";
        MLDSA65_RSA3072_PKCS15_SHA512 = "1.3.6.1.5.5.7.6.42", "id-MLDSA65-RSA3072-PKCS15-SHA512";
        MLDSA65_RSA4096_PSS_SHA512 = "1.3.6.1.5.5.7.6.43", "id-MLDSA65-RSA4096-PSS-SHA512";
        MLDSA65_RSA4096_PKCS15_SHA512 = "1.3.6.1.5.5.7.6.44", "id-MLDSA65-RSA4096-PKCS15-SHA512";
        MLDSA65_ECDSA_P256_SHA512 = "1.3.6.1.5.5.7.6.45", "id-MLDSA65-ECDSA-P256-SHA512";
        MLDSA65_ECDSA_P384_SHA512 = "1.3.6.1.5.5.7.6.46", "id-MLDSA65-ECDSA-P384-SHA512";
        MLDSA65_ECDSA_BRAINPOOL_P256R1_SHA512 = "1.3.6.1.5.5.7.6.47", "id-MLDSA65-ECDSA-brainpoolP256r1-SHA512";
        MLDSA65_ED25519_SHA512 = "1.3.6.1.5.5.7.6.48", "id-MLDSA65-Ed25519-SHA512";
        MLDSA87_ECDSA_P384_SHA512 = "1.3.6.1.5.5.7.6.49", "id-MLDSA87-ECDSA-P384-SHA512";
        MLDSA87_ECDSA_BRAINPOOL_P384R1_SHA512 = "1.3.6.1.5.5.7.6.50", "id-MLDSA87-ECDSA-brainpoolP384r1-SHA512";
        MLDSA87_ED448_SHAKE256 = "1.3.6.1.5.5.7.6.51", "id-MLDSA87-Ed448-SHAKE256";
        MLDSA87_RSA3072_PSS_SHA512 = "1.3.6.1.5.5.7.6.52", "id-MLDSA87-RSA3072-PSS-SHA512";
        MLDSA87_RSA4096_PSS_SHA512 = "1.3.6.1.5.5.7.6.53", "id-MLDSA87-RSA4096-PSS-SHA512";
        MLDSA87_ECDSA_P521_SHA512 = "1.3.6.1.5.5.7.6.54", "id-MLDSA87-ECDSA-P521-SHA512";
    }
    Signature "RFC 9925" {
        ALG_UNSIGNED = "1.3.6.1.5.5.7.6.36", "id-alg-unsigned";
    }
    Signature "RFC 5272" {
        ALG_NO_SIGNATURE = "1.3.6.1.5.5.7.6.2", "id-alg-noSignature";
    }
    Signature "RFC 6955" {
        DH_POP_STATIC_SHA1_HMAC_SHA1 = "1.3.6.1.5.5.7.6.3", "id-dhPop-static-sha1-hmac-sha1";
        ALG_DH_POP_SHA1 = "1.3.6.1.5.5.7.6.4", "id-alg-dhPop-sha1";
        ALG_DH_POP_SHA256 = "1.3.6.1.5.5.7.6.6", "id-alg-dhPop-sha256";
        ALG_DH_POP_SHA384 = "1.3.6.1.5.5.7.6.7", "id-alg-dhPop-sha384";
        ALG_DH_POP_SHA512 = "1.3.6.1.5.5.7.6.8", "id-alg-dhPop-sha512";
        ALG_ECDH_POP_STATIC_SHA256_HMAC_SHA256 = "1.3.6.1.5.5.7.6.26", "id-alg-ecdhPop-static-sha256-hmac-sha256";
        ALG_ECDH_POP_STATIC_SHA384_HMAC_SHA384 = "1.3.6.1.5.5.7.6.27", "id-alg-ecdhPop-static-sha384-hmac-sha384";
        ALG_ECDH_POP_STATIC_SHA512_HMAC_SHA512 = "1.3.6.1.5.5.7.6.28", "id-alg-ecdhPop-static-sha512-hmac-sha512";
    }
    Signature "draft-ietf-plants-merkle-tree-certs" {
        ALG_MTC_PROOF = "1.3.6.1.5.5.7.6.67", "id-alg-mtcProof";
        ALG_MTC_PROOF_06 = "1.3.6.1.4.1.44363.47.0", "id-alg-mtcProof-06";
    }
}
