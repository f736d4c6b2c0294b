//! Digests, message authentication codes, ciphers, key management and key derivation.

oids! {
    Digest "RFC 8017" {
        MD2 = "1.2.840.113549.2.2", "id-md2", "MD2";
        MD5 = "1.2.840.113549.2.5", "id-md5", "MD5";
        SHA1 = "1.3.14.3.2.26", "id-sha1", "SHA-1";
        SHA256 = "2.16.840.1.101.3.4.2.1", "id-sha256", "SHA-256";
        SHA384 = "2.16.840.1.101.3.4.2.2", "id-sha384", "SHA-384";
        SHA512 = "2.16.840.1.101.3.4.2.3", "id-sha512", "SHA-512";
        SHA224 = "2.16.840.1.101.3.4.2.4", "id-sha224", "SHA-224";
        SHA512_224 = "2.16.840.1.101.3.4.2.5", "id-sha512-224", "SHA-512/224";
        SHA512_256 = "2.16.840.1.101.3.4.2.6", "id-sha512-256", "SHA-512/256";
    }
    Digest "FIPS 202" {
        SHA3_224 = "2.16.840.1.101.3.4.2.7", "id-sha3-224", "SHA3-224";
        SHA3_256 = "2.16.840.1.101.3.4.2.8", "id-sha3-256", "SHA3-256";
        SHA3_384 = "2.16.840.1.101.3.4.2.9", "id-sha3-384", "SHA3-384";
        SHA3_512 = "2.16.840.1.101.3.4.2.10", "id-sha3-512", "SHA3-512";
        SHAKE128 = "2.16.840.1.101.3.4.2.11", "id-shake128", "SHAKE128";
        SHAKE256 = "2.16.840.1.101.3.4.2.12", "id-shake256", "SHAKE256";
    }
    Digest "RFC 8702" {
        SHAKE128_LEN = "2.16.840.1.101.3.4.2.17", "id-shake128-len";
        SHAKE256_LEN = "2.16.840.1.101.3.4.2.18", "id-shake256-len";
    }
    Digest "PKCS" {
        MD4 = "1.2.840.113549.2.4", "md4";
    }
    Digest "OIW" {
        SHA = "1.3.14.3.2.18", "sha";
    }
    Digest "TeleTrusT" {
        RIPEMD160 = "1.3.36.3.2.1", "ripemd160", "RIPEMD160";
    }
    Digest "RFC 4357" {
        GOST_R3411_94 = "1.2.643.2.2.9", "id-GostR3411-94";
    }
    Digest "RFC 9215" {
        TC26_GOST3411_12_256 = "1.2.643.7.1.1.2.2", "id-tc26-gost3411-12-256", "Streebog-256";
        TC26_GOST3411_12_512 = "1.2.643.7.1.1.2.3", "id-tc26-gost3411-12-512", "Streebog-512";
    }
    Digest "GM/T 0006" {
        SM3 = "1.2.156.10197.1.401", "sm3", "SM3";
    }
    Digest "RFC 7693" {
        BLAKE2B160 = "1.3.6.1.4.1.1722.12.2.1.5", "id-blake2b160";
        BLAKE2B256 = "1.3.6.1.4.1.1722.12.2.1.8", "id-blake2b256";
        BLAKE2B384 = "1.3.6.1.4.1.1722.12.2.1.12", "id-blake2b384";
        BLAKE2B512 = "1.3.6.1.4.1.1722.12.2.1.16", "id-blake2b512";
        BLAKE2S128 = "1.3.6.1.4.1.1722.12.2.2.4", "id-blake2s128";
        BLAKE2S160 = "1.3.6.1.4.1.1722.12.2.2.5", "id-blake2s160";
        BLAKE2S224 = "1.3.6.1.4.1.1722.12.2.2.7", "id-blake2s224";
        BLAKE2S256 = "1.3.6.1.4.1.1722.12.2.2.8", "id-blake2s256";
    }
    Mac "RFC 8018" {
        HMAC_WITH_SHA1 = "1.2.840.113549.2.7", "id-hmacWithSHA1";
        HMAC_WITH_SHA224 = "1.2.840.113549.2.8", "id-hmacWithSHA224";
        HMAC_WITH_SHA256 = "1.2.840.113549.2.9", "id-hmacWithSHA256";
        HMAC_WITH_SHA384 = "1.2.840.113549.2.10", "id-hmacWithSHA384";
        HMAC_WITH_SHA512 = "1.2.840.113549.2.11", "id-hmacWithSHA512";
        HMAC_WITH_SHA512_224 = "1.2.840.113549.2.12", "id-hmacWithSHA512-224";
        HMAC_WITH_SHA512_256 = "1.2.840.113549.2.13", "id-hmacWithSHA512-256";
        PBMAC1 = "1.2.840.113549.1.5.14", "id-PBMAC1", "PBMAC1";
    }
    Mac "RFC 3370" {
        HMAC_SHA1 = "1.3.6.1.5.5.8.1.2", "hMAC-SHA1";
    }
    Mac "RFC 4210" {
        PASSWORD_BASED_MAC = "1.2.840.113533.7.66.13", "id-PasswordBasedMac";
        DH_BASED_MAC = "1.2.840.113533.7.66.30", "id-DHBasedMac";
    }
    Mac "RFC 9688" {
        HMAC_WITH_SHA3_224 = "2.16.840.1.101.3.4.2.13", "id-hmacWithSHA3-224";
        HMAC_WITH_SHA3_256 = "2.16.840.1.101.3.4.2.14", "id-hmacWithSHA3-256";
        HMAC_WITH_SHA3_384 = "2.16.840.1.101.3.4.2.15", "id-hmacWithSHA3-384";
        HMAC_WITH_SHA3_512 = "2.16.840.1.101.3.4.2.16", "id-hmacWithSHA3-512";
    }
    Mac "RFC 8702" {
        KMAC_WITH_SHAKE128 = "2.16.840.1.101.3.4.2.19", "id-KMACWithSHAKE128";
        KMAC_WITH_SHAKE256 = "2.16.840.1.101.3.4.2.20", "id-KMACWithSHAKE256";
    }
    Mac "RFC 4357" {
        HMAC_GOST_R3411_94 = "1.2.643.2.2.10", "id-HMACGostR3411-94";
    }
    Mac "RFC 9337" {
        TC26_HMAC_GOST_3411_12_256 = "1.2.643.7.1.1.4.1", "id-tc26-hmac-gost-3411-12-256";
        TC26_HMAC_GOST_3411_12_512 = "1.2.643.7.1.1.4.2", "id-tc26-hmac-gost-3411-12-512";
    }
    Cipher "RFC 3565" {
        AES128_CBC = "2.16.840.1.101.3.4.1.2", "id-aes128-CBC", "AES-128-CBC";
        AES192_CBC = "2.16.840.1.101.3.4.1.22", "id-aes192-CBC", "AES-192-CBC";
        AES256_CBC = "2.16.840.1.101.3.4.1.42", "id-aes256-CBC", "AES-256-CBC";
    }
    Cipher "RFC 5084" {
        AES128_GCM = "2.16.840.1.101.3.4.1.6", "id-aes128-GCM", "AES-128-GCM";
        AES128_CCM = "2.16.840.1.101.3.4.1.7", "id-aes128-CCM", "AES-128-CCM";
        AES192_GCM = "2.16.840.1.101.3.4.1.26", "id-aes192-GCM", "AES-192-GCM";
        AES192_CCM = "2.16.840.1.101.3.4.1.27", "id-aes192-CCM", "AES-192-CCM";
        AES256_GCM = "2.16.840.1.101.3.4.1.46", "id-aes256-GCM", "AES-256-GCM";
        AES256_CCM = "2.16.840.1.101.3.4.1.47", "id-aes256-CCM", "AES-256-CCM";
    }
    Cipher "NIST CSOR" {
        AES128_ECB = "2.16.840.1.101.3.4.1.1", "id-aes128-ECB", "AES-128-ECB";
        AES128_OFB = "2.16.840.1.101.3.4.1.3", "id-aes128-OFB", "AES-128-OFB";
        AES128_CFB = "2.16.840.1.101.3.4.1.4", "id-aes128-CFB", "AES-128-CFB";
        AES192_ECB = "2.16.840.1.101.3.4.1.21", "id-aes192-ECB", "AES-192-ECB";
        AES192_OFB = "2.16.840.1.101.3.4.1.23", "id-aes192-OFB", "AES-192-OFB";
        AES192_CFB = "2.16.840.1.101.3.4.1.24", "id-aes192-CFB", "AES-192-CFB";
        AES256_ECB = "2.16.840.1.101.3.4.1.41", "id-aes256-ECB", "AES-256-ECB";
        AES256_OFB = "2.16.840.1.101.3.4.1.43", "id-aes256-OFB", "AES-256-OFB";
        AES256_CFB = "2.16.840.1.101.3.4.1.44", "id-aes256-CFB", "AES-256-CFB";
    }
    Cipher "RFC 8103" {
        ALG_AEAD_CHA_CHA20_POLY1305 = "1.2.840.113549.1.9.16.3.18", "id-alg-AEADChaCha20Poly1305";
    }
    Cipher "RFC 3370" {
        RC2_CBC = "1.2.840.113549.3.2", "rc2-cbc";
        DES_EDE3_CBC = "1.2.840.113549.3.7", "des-ede3-cbc", "DES-EDE3-CBC";
    }
    Cipher "RFC 8018" {
        RC5_CBC_PAD = "1.2.840.113549.3.9", "rc5-CBC-PAD";
        DES_CBC = "1.3.14.3.2.7", "desCBC", "DES-CBC";
    }
    Cipher "RSA" {
        RC4 = "1.2.840.113549.3.4", "rc4", "RC4";
    }
    Cipher "RFC 3657" {
        CAMELLIA128_CBC = "1.2.392.200011.61.1.1.1.2", "id-camellia128-cbc";
        CAMELLIA192_CBC = "1.2.392.200011.61.1.1.1.3", "id-camellia192-cbc";
        CAMELLIA256_CBC = "1.2.392.200011.61.1.1.1.4", "id-camellia256-cbc";
    }
    Cipher "RFC 4010" {
        SEED_CBC = "1.2.410.200004.1.4", "id-seedCBC";
    }
    Cipher "RFC 2984" {
        CAST5_CBC = "1.2.840.113533.7.66.10", "cast5CBC";
    }
    Cipher "RFC 3058" {
        IDEA_CBC = "1.3.6.1.4.1.188.7.1.1.2", "id-IDEA-CBC";
    }
    Cipher "GM/T 0006" {
        SM4_ECB = "1.2.156.10197.1.104.1", "sm4-ecb";
        SM4_CBC = "1.2.156.10197.1.104.2", "sm4-cbc";
    }
    Cipher "RFC 4357" {
        GOST28147_89 = "1.2.643.2.2.21", "id-Gost28147-89";
    }
    KeyManagement "RFC 8017" {
        RSAES_OAEP = "1.2.840.113549.1.1.7", "id-RSAES-OAEP", "RSAES-OAEP";
        P_SPECIFIED = "1.2.840.113549.1.1.9", "id-pSpecified";
    }
    KeyManagement "RFC 5990" {
        RSA_KEM = "1.2.840.113549.1.9.16.3.14", "id-rsa-kem", "RSA-KEM";
    }
    KeyManagement "RFC 3394" {
        AES128_WRAP = "2.16.840.1.101.3.4.1.5", "id-aes128-wrap";
        AES192_WRAP = "2.16.840.1.101.3.4.1.25", "id-aes192-wrap";
        AES256_WRAP = "2.16.840.1.101.3.4.1.45", "id-aes256-wrap";
    }
    KeyManagement "RFC 5649" {
        AES128_WRAP_PAD = "2.16.840.1.101.3.4.1.8", "id-aes128-wrap-pad";
        AES192_WRAP_PAD = "2.16.840.1.101.3.4.1.28", "id-aes192-wrap-pad";
        AES256_WRAP_PAD = "2.16.840.1.101.3.4.1.48", "id-aes256-wrap-pad";
    }
    KeyManagement "RFC 3370" {
        ALG_ESDH = "1.2.840.113549.1.9.16.3.5", "id-alg-ESDH";
        ALG_CMS3DE_SWRAP = "1.2.840.113549.1.9.16.3.6", "id-alg-CMS3DESwrap";
        ALG_CMSRC2WRAP = "1.2.840.113549.1.9.16.3.7", "id-alg-CMSRC2wrap";
        ALG_SSDH = "1.2.840.113549.1.9.16.3.10", "id-alg-SSDH";
    }
    KeyManagement "RFC 3211" {
        ALG_PWRI_KEK = "1.2.840.113549.1.9.16.3.9", "id-alg-PWRI-KEK";
    }
    KeyManagement "RFC 5753" {
        DH_SINGLE_PASS_STD_DH_SHA1KDF_SCHEME = "1.3.133.16.840.63.0.2", "dhSinglePass-stdDH-sha1kdf-scheme";
        DH_SINGLE_PASS_COFACTOR_DH_SHA1KDF_SCHEME = "1.3.133.16.840.63.0.3", "dhSinglePass-cofactorDH-sha1kdf-scheme";
        MQV_SINGLE_PASS_SHA1KDF_SCHEME = "1.3.133.16.840.63.0.16", "mqvSinglePass-sha1kdf-scheme";
        DH_SINGLE_PASS_STD_DH_SHA224KDF_SCHEME = "1.3.132.1.11.0", "dhSinglePass-stdDH-sha224kdf-scheme";
        DH_SINGLE_PASS_STD_DH_SHA256KDF_SCHEME = "1.3.132.1.11.1", "dhSinglePass-stdDH-sha256kdf-scheme";
        DH_SINGLE_PASS_STD_DH_SHA384KDF_SCHEME = "1.3.132.1.11.2", "dhSinglePass-stdDH-sha384kdf-scheme";
        DH_SINGLE_PASS_STD_DH_SHA512KDF_SCHEME = "1.3.132.1.11.3", "dhSinglePass-stdDH-sha512kdf-scheme";
        DH_SINGLE_PASS_COFACTOR_DH_SHA224KDF_SCHEME = "1.3.132.1.14.0", "dhSinglePass-cofactorDH-sha224kdf-scheme";
        DH_SINGLE_PASS_COFACTOR_DH_SHA256KDF_SCHEME = "1.3.132.1.14.1", "dhSinglePass-cofactorDH-sha256kdf-scheme";
        DH_SINGLE_PASS_COFACTOR_DH_SHA384KDF_SCHEME = "1.3.132.1.14.2", "dhSinglePass-cofactorDH-sha384kdf-scheme";
        DH_SINGLE_PASS_COFACTOR_DH_SHA512KDF_SCHEME = "1.3.132.1.14.3", "dhSinglePass-cofactorDH-sha512kdf-scheme";
        MQV_SINGLE_PASS_SHA224KDF_SCHEME = "1.3.132.1.15.0", "mqvSinglePass-sha224kdf-scheme";
        MQV_SINGLE_PASS_SHA256KDF_SCHEME = "1.3.132.1.15.1", "mqvSinglePass-sha256kdf-scheme";
        MQV_SINGLE_PASS_SHA384KDF_SCHEME = "1.3.132.1.15.2", "mqvSinglePass-sha384kdf-scheme";
        MQV_SINGLE_PASS_SHA512KDF_SCHEME = "1.3.132.1.15.3", "mqvSinglePass-sha512kdf-scheme";
    }
    KeyManagement "RFC 8418" {
        DH_SINGLE_PASS_STD_DH_HKDF_SHA256_SCHEME = "1.2.840.113549.1.9.16.3.19", "dhSinglePass-stdDH-hkdf-sha256-scheme";
        DH_SINGLE_PASS_STD_DH_HKDF_SHA384_SCHEME = "1.2.840.113549.1.9.16.3.20", "dhSinglePass-stdDH-hkdf-sha384-scheme";
        DH_SINGLE_PASS_STD_DH_HKDF_SHA512_SCHEME = "1.2.840.113549.1.9.16.3.21", "dhSinglePass-stdDH-hkdf-sha512-scheme";
    }
    KeyManagement "RFC 3657" {
        CAMELLIA128_WRAP = "1.2.392.200011.61.1.1.3.2", "id-camellia128-wrap";
        CAMELLIA192_WRAP = "1.2.392.200011.61.1.1.3.3", "id-camellia192-wrap";
        CAMELLIA256_WRAP = "1.2.392.200011.61.1.1.3.4", "id-camellia256-wrap";
    }
    Derivation "RFC 8017" {
        MGF1 = "1.2.840.113549.1.1.8", "id-mgf1", "MGF1";
    }
    Derivation "RFC 8018" {
        PBKDF2 = "1.2.840.113549.1.5.12", "id-PBKDF2", "PBKDF2";
        PBES2 = "1.2.840.113549.1.5.13", "id-PBES2", "PBES2";
        PBE_WITH_MD2_AND_DES_CBC = "1.2.840.113549.1.5.1", "pbeWithMD2AndDES-CBC";
        PBE_WITH_MD5_AND_DES_CBC = "1.2.840.113549.1.5.3", "pbeWithMD5AndDES-CBC";
        PBE_WITH_MD2_AND_RC2_CBC = "1.2.840.113549.1.5.4", "pbeWithMD2AndRC2-CBC";
        PBE_WITH_MD5_AND_RC2_CBC = "1.2.840.113549.1.5.6", "pbeWithMD5AndRC2-CBC";
        PBE_WITH_SHA1_AND_DES_CBC = "1.2.840.113549.1.5.10", "pbeWithSHA1AndDES-CBC";
        PBE_WITH_SHA1_AND_RC2_CBC = "1.2.840.113549.1.5.11", "pbeWithSHA1AndRC2-CBC";
    }
    Derivation "RFC 7292" {
        PBE_WITH_SHA_AND_128_BIT_RC4 = "1.2.840.113549.1.12.1.1", "pbeWithSHAAnd128BitRC4";
        PBE_WITH_SHA_AND_40_BIT_RC4 = "1.2.840.113549.1.12.1.2", "pbeWithSHAAnd40BitRC4";
        PBE_WITH_SHA_AND_3_KEY_TRIPLE_DES_CBC = "1.2.840.113549.1.12.1.3", "pbeWithSHAAnd3-KeyTripleDES-CBC";
        PBE_WITH_SHA_AND_2_KEY_TRIPLE_DES_CBC = "1.2.840.113549.1.12.1.4", "pbeWithSHAAnd2-KeyTripleDES-CBC";
        PBE_WITH_SHA_AND_128_BIT_RC2_CBC = "1.2.840.113549.1.12.1.5", "pbeWithSHAAnd128BitRC2-CBC";
        PBE_WITH_SHA_AND_40_BIT_RC2_CBC = "1.2.840.113549.1.12.1.6", "pbewithSHAAnd40BitRC2-CBC";
    }
    Derivation "RFC 7914" {
        SCRYPT = "1.3.6.1.4.1.11591.4.11", "id-scrypt", "scrypt";
    }
    Derivation "RFC 8619" {
        ALG_HKDF_WITH_SHA256 = "1.2.840.113549.1.9.16.3.28", "id-alg-hkdf-with-sha256";
        ALG_HKDF_WITH_SHA384 = "1.2.840.113549.1.9.16.3.29", "id-alg-hkdf-with-sha384";
        ALG_HKDF_WITH_SHA512 = "1.2.840.113549.1.9.16.3.30", "id-alg-hkdf-with-sha512";
    }
    Derivation "RFC 9688" {
        ALG_HKDF_WITH_SHA3_224 = "1.2.840.113549.1.9.16.3.32", "id-alg-hkdf-with-sha3-224";
        ALG_HKDF_WITH_SHA3_256 = "1.2.840.113549.1.9.16.3.33", "id-alg-hkdf-with-sha3-256";
        ALG_HKDF_WITH_SHA3_384 = "1.2.840.113549.1.9.16.3.34", "id-alg-hkdf-with-sha3-384";
        ALG_HKDF_WITH_SHA3_512 = "1.2.840.113549.1.9.16.3.35", "id-alg-hkdf-with-sha3-512";
        KMAC128 = "2.16.840.1.101.3.4.2.21", "id-kmac128";
        KMAC256 = "2.16.840.1.101.3.4.2.22", "id-kmac256";
        KDF_KDF2 = "1.3.133.16.840.9.44.1.1", "id-kdf-kdf2";
        KDF_KDF3 = "1.3.133.16.840.9.44.1.2", "id-kdf-kdf3";
    }
    Derivation "RFC 8636" {
        PKINIT_KDF_AH_SHA1 = "1.3.6.1.5.2.3.6.1", "id-pkinit-kdf-ah-sha1";
        PKINIT_KDF_AH_SHA256 = "1.3.6.1.5.2.3.6.2", "id-pkinit-kdf-ah-sha256";
        PKINIT_KDF_AH_SHA512 = "1.3.6.1.5.2.3.6.3", "id-pkinit-kdf-ah-sha512";
        PKINIT_KDF_AH_SHA384 = "1.3.6.1.5.2.3.6.4", "id-pkinit-kdf-ah-sha384";
    }
}
