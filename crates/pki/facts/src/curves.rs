//! Elliptic curves, and parameter sets that identify them.

oids! {
    Curve "RFC 5480" {
        SECP192R1 = "1.2.840.10045.3.1.1", "secp192r1", "P-192";
        SECP224R1 = "1.3.132.0.33", "secp224r1", "P-224";
        SECP256R1 = "1.2.840.10045.3.1.7", "secp256r1", "P-256";
        SECP384R1 = "1.3.132.0.34", "secp384r1", "P-384";
        SECP521R1 = "1.3.132.0.35", "secp521r1", "P-521";
        SECT163K1 = "1.3.132.0.1", "sect163k1", "K-163";
        SECT163R2 = "1.3.132.0.15", "sect163r2", "B-163";
        SECT233K1 = "1.3.132.0.26", "sect233k1", "K-233";
        SECT233R1 = "1.3.132.0.27", "sect233r1", "B-233";
        SECT283K1 = "1.3.132.0.16", "sect283k1", "K-283";
        SECT283R1 = "1.3.132.0.17", "sect283r1", "B-283";
        SECT409K1 = "1.3.132.0.36", "sect409k1", "K-409";
        SECT409R1 = "1.3.132.0.37", "sect409r1", "B-409";
        SECT571K1 = "1.3.132.0.38", "sect571k1", "K-571";
        SECT571R1 = "1.3.132.0.39", "sect571r1", "B-571";
    }
    Curve "SEC 2" {
        SECT163R1 = "1.3.132.0.2", "sect163r1";
        SECT239K1 = "1.3.132.0.3", "sect239k1";
        SECT113R1 = "1.3.132.0.4", "sect113r1";
        SECT113R2 = "1.3.132.0.5", "sect113r2";
        SECP112R1 = "1.3.132.0.6", "secp112r1";
        SECP112R2 = "1.3.132.0.7", "secp112r2";
        SECP160R1 = "1.3.132.0.8", "secp160r1";
        SECP160K1 = "1.3.132.0.9", "secp160k1";
        SECP256K1 = "1.3.132.0.10", "secp256k1";
        SECT131R1 = "1.3.132.0.22", "sect131r1";
        SECT131R2 = "1.3.132.0.23", "sect131r2";
        SECT193R1 = "1.3.132.0.24", "sect193r1";
        SECT193R2 = "1.3.132.0.25", "sect193r2";
        SECP128R1 = "1.3.132.0.28", "secp128r1";
        SECP128R2 = "1.3.132.0.29", "secp128r2";
        SECP160R2 = "1.3.132.0.30", "secp160r2";
        SECP192K1 = "1.3.132.0.31", "secp192k1";
        SECP224K1 = "1.3.132.0.32", "secp224k1";
    }
    Curve "X9.62" {
        PRIME192V2 = "1.2.840.10045.3.1.2", "prime192v2";
        PRIME192V3 = "1.2.840.10045.3.1.3", "prime192v3";
        PRIME239V1 = "1.2.840.10045.3.1.4", "prime239v1";
        PRIME239V2 = "1.2.840.10045.3.1.5", "prime239v2";
        PRIME239V3 = "1.2.840.10045.3.1.6", "prime239v3";
        C2PNB163V1 = "1.2.840.10045.3.0.1", "c2pnb163v1";
        C2PNB163V2 = "1.2.840.10045.3.0.2", "c2pnb163v2";
        C2PNB163V3 = "1.2.840.10045.3.0.3", "c2pnb163v3";
        C2PNB176W1 = "1.2.840.10045.3.0.4", "c2pnb176w1";
        C2TNB191V1 = "1.2.840.10045.3.0.5", "c2tnb191v1";
        C2TNB191V2 = "1.2.840.10045.3.0.6", "c2tnb191v2";
        C2TNB191V3 = "1.2.840.10045.3.0.7", "c2tnb191v3";
        C2PNB208W1 = "1.2.840.10045.3.0.10", "c2pnb208w1";
        C2TNB239V1 = "1.2.840.10045.3.0.11", "c2tnb239v1";
        C2TNB239V2 = "1.2.840.10045.3.0.12", "c2tnb239v2";
        C2TNB239V3 = "1.2.840.10045.3.0.13", "c2tnb239v3";
        C2PNB272W1 = "1.2.840.10045.3.0.16", "c2pnb272w1";
        C2PNB304W1 = "1.2.840.10045.3.0.17", "c2pnb304w1";
        C2TNB359V1 = "1.2.840.10045.3.0.18", "c2tnb359v1";
        C2PNB368W1 = "1.2.840.10045.3.0.19", "c2pnb368w1";
        C2TNB431R1 = "1.2.840.10045.3.0.20", "c2tnb431r1";
        PRIME_FIELD = "1.2.840.10045.1.1", "prime-field";
        CHARACTERISTIC_TWO_FIELD = "1.2.840.10045.1.2", "characteristic-two-field";
    }
    Curve "RFC 5639" {
        BRAINPOOL_P160R1 = "1.3.36.3.3.2.8.1.1.1", "brainpoolP160r1";
        BRAINPOOL_P160T1 = "1.3.36.3.3.2.8.1.1.2", "brainpoolP160t1";
        BRAINPOOL_P192R1 = "1.3.36.3.3.2.8.1.1.3", "brainpoolP192r1";
        BRAINPOOL_P192T1 = "1.3.36.3.3.2.8.1.1.4", "brainpoolP192t1";
        BRAINPOOL_P224R1 = "1.3.36.3.3.2.8.1.1.5", "brainpoolP224r1";
        BRAINPOOL_P224T1 = "1.3.36.3.3.2.8.1.1.6", "brainpoolP224t1";
        BRAINPOOL_P256R1 = "1.3.36.3.3.2.8.1.1.7", "brainpoolP256r1";
        BRAINPOOL_P256T1 = "1.3.36.3.3.2.8.1.1.8", "brainpoolP256t1";
        BRAINPOOL_P320R1 = "1.3.36.3.3.2.8.1.1.9", "brainpoolP320r1";
        BRAINPOOL_P320T1 = "1.3.36.3.3.2.8.1.1.10", "brainpoolP320t1";
        BRAINPOOL_P384R1 = "1.3.36.3.3.2.8.1.1.11", "brainpoolP384r1";
        BRAINPOOL_P384T1 = "1.3.36.3.3.2.8.1.1.12", "brainpoolP384t1";
        BRAINPOOL_P512R1 = "1.3.36.3.3.2.8.1.1.13", "brainpoolP512r1";
        BRAINPOOL_P512T1 = "1.3.36.3.3.2.8.1.1.14", "brainpoolP512t1";
    }
    Curve "GM/T 0006" {
        SM2_ECC = "1.2.156.10197.1.301", "sm2ECC", "SM2";
    }
    Curve "STB 34.101.45" {
        BIGN_CURVE256V1 = "1.2.112.0.2.0.34.101.45.3.1", "bign-curve256v1";
        BIGN_CURVE384V1 = "1.2.112.0.2.0.34.101.45.3.2", "bign-curve384v1";
        BIGN_CURVE512V1 = "1.2.112.0.2.0.34.101.45.3.3", "bign-curve512v1";
    }
    Curve "RFC 4357" {
        GOST_R3410_2001_TEST_PARAM_SET = "1.2.643.2.2.35.0", "id-GostR3410-2001-TestParamSet";
        GOST_R3410_2001_CRYPTO_PRO_A_PARAM_SET = "1.2.643.2.2.35.1", "id-GostR3410-2001-CryptoPro-A-ParamSet";
        GOST_R3410_2001_CRYPTO_PRO_B_PARAM_SET = "1.2.643.2.2.35.2", "id-GostR3410-2001-CryptoPro-B-ParamSet";
        GOST_R3410_2001_CRYPTO_PRO_C_PARAM_SET = "1.2.643.2.2.35.3", "id-GostR3410-2001-CryptoPro-C-ParamSet";
        GOST_R3410_2001_CRYPTO_PRO_XCH_A_PARAM_SET = "1.2.643.2.2.36.0", "id-GostR3410-2001-CryptoPro-XchA-ParamSet";
        GOST_R3410_2001_CRYPTO_PRO_XCH_B_PARAM_SET = "1.2.643.2.2.36.1", "id-GostR3410-2001-CryptoPro-XchB-ParamSet";
    }
    Curve "RFC 9215" {
        TC26_GOST_3410_2012_256_PARAM_SET_A = "1.2.643.7.1.2.1.1.1", "id-tc26-gost-3410-2012-256-paramSetA";
        TC26_GOST_3410_2012_256_PARAM_SET_B = "1.2.643.7.1.2.1.1.2", "id-tc26-gost-3410-2012-256-paramSetB";
        TC26_GOST_3410_2012_256_PARAM_SET_C = "1.2.643.7.1.2.1.1.3", "id-tc26-gost-3410-2012-256-paramSetC";
        TC26_GOST_3410_2012_256_PARAM_SET_D = "1.2.643.7.1.2.1.1.4", "id-tc26-gost-3410-2012-256-paramSetD";
        TC26_GOST_3410_2012_512_PARAM_SET_TEST = "1.2.643.7.1.2.1.2.0", "id-tc26-gost-3410-2012-512-paramSetTest";
        TC26_GOST_3410_2012_512_PARAM_SET_A = "1.2.643.7.1.2.1.2.1", "id-tc26-gost-3410-2012-512-paramSetA";
        TC26_GOST_3410_2012_512_PARAM_SET_B = "1.2.643.7.1.2.1.2.2", "id-tc26-gost-3410-2012-512-paramSetB";
        TC26_GOST_3410_2012_512_PARAM_SET_C = "1.2.643.7.1.2.1.2.3", "id-tc26-gost-3410-2012-512-paramSetC";
    }
}
