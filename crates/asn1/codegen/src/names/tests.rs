use super::Words;

#[test]
fn snake() {
    let cases = [
        // Names of published modules, and what they are here.
        ("TBSCertificate", "tbs_certificate"),
        ("TBSCertList", "tbs_cert_list"),
        ("GeneralName", "general_name"),
        ("dNSName", "dns_name"),
        ("iPAddress", "ip_address"),
        ("rfc822Name", "rfc822_name"),
        ("x400Address", "x400_address"),
        ("uniformResourceIdentifier", "uniform_resource_identifier"),
        ("ediPartyName", "edi_party_name"),
        ("EDIPartyName", "edi_party_name"),
        ("registeredID", "registered_id"),
        ("cRLSign", "crl_sign"),
        ("cRLIssuer", "crl_issuer"),
        ("cA", "ca"),
        ("cACompromise", "ca_compromise"),
        ("aACompromise", "aa_compromise"),
        ("onlyContainsCACerts", "only_contains_ca_certs"),
        ("nameRelativeToCRLIssuer", "name_relative_to_crl_issuer"),
        ("id-ce-cRLDistributionPoints", "id_ce_crl_distribution_points"),
        ("CRLDistributionPoints", "crl_distribution_points"),
        ("id-kp-OCSPSigning", "id_kp_ocsp_signing"),
        ("id-kp-serverAuth", "id_kp_server_auth"),
        ("cPSuri", "cp_suri"),
        ("eContent", "e_content"),
        ("eContentType", "e_content_type"),
        ("encapContentInfo", "encap_content_info"),
        ("certificateCRLs", "certificate_crls"),
        ("crls", "crls"),
        ("cRLs", "crls"),
        ("CMSVersion", "cms_version"),
        ("PKIStatusInfo", "pki_status_info"),
        ("pKIStatus", "pki_status"),
        ("ECPKParameters", "ec_pk_parameters"),
        ("ECDSA-Sig-Value", "ecdsa_sig_value"),
        ("RC2CBCParameter", "rc2_cbc_parameter"),
        ("RC2-CBC-Parameter", "rc2_cbc_parameter"),
        ("sha256WithRSAEncryption", "sha256_with_rsa_encryption"),
        ("SHA256WithRSA", "sha256_with_rsa"),
        ("id-alg-ml-kem-512", "id_alg_ml_kem_512"),
        ("aes128-CBC", "aes128_cbc"),
        ("md5WithRSA", "md5_with_rsa"),
        ("IA5String", "ia5_string"),
        ("BMPString", "bmp_string"),
        ("UTCTime", "utc_time"),
        ("utf8String", "utf8_string"),
        ("AS-REQ", "as_req"),
        ("EncTGSRepPart", "enc_tgs_rep_part"),
        ("ETYPE-INFO2", "etype_info2"),
        ("KRB-ERROR", "krb_error"),
        ("PA-ENC-TIMESTAMP", "pa_enc_timestamp"),
        ("S2KParams", "s2k_params"),
        ("IPAddrBlocks", "ip_addr_blocks"),
        ("ASIdentifiers", "as_identifiers"),
        ("pGenCounter", "p_gen_counter"),
        ("G3FacsimileNonBasicParameters", "g3_facsimile_non_basic_parameters"),
        ("PKCS12Attribute", "pkcs12_attribute"),
        ("SMIMECapabilities", "smime_capabilities"),
        ("id-pe-ipAddrBlocks", "id_pe_ip_addr_blocks"),
        ("IPv4Address", "ipv4_address"),
        ("id-kp-IPsecEndSystem", "id_kp_ipsec_end_system"),
        ("OCSPResponseStatus", "ocsp_response_status"),
        ("TSTInfo", "tst_info"),
        ("TimeStampReq", "time_stamp_req"),
        ("PKIXCMP", "pkix_cmp"),
        ("mgf1SHA1", "mgf1_sha1"),
        ("PBES2-params", "pbes2_params"),
        ("PBKDF2-SHA1", "pbkdf2_sha1"),
        ("keyEncipherment", "key_encipherment"),
        ("v1", "v1"),
        ("a", "a"),
        ("A", "a"),
        ("T", "t"),
        ("ATTRIBUTE", "attribute"),
        ("KEMRecipientInfo", "kem_recipient_info"),
        ("ub-x121-address-length", "ub_x121_address_length"),
    ];
    let wrong: Vec<_> = cases
        .iter()
        .filter(|(name, expected)| Words::of(name).snake() != *expected)
        .map(|(name, expected)| (name, Words::of(name).snake(), expected))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn cases() {
    let words = Words::of("id-ce-keyUsage");
    assert_eq!((words.upper_snake(), words.upper_camel()), ("ID_CE_KEY_USAGE".to_owned(), "IdCeKeyUsage".to_owned()));
    assert_eq!(Words::of("sha-512-256").upper_camel(), "Sha512_256");
    assert_eq!(Words::of("ML-DSA-44").upper_camel(), "MlDsa44");
    assert_eq!(Words::of("").upper_camel(), "");
}

#[test]
fn joined() {
    let name = |left: &str, right: &str| Words::of(left).and(&Words::of(right)).upper_camel();
    assert_eq!(name("Foo", "bar"), "FooBar");
    assert_eq!(name("Foo", "foo-bar"), "FooBar");
    assert_eq!(name("Foo", "foo"), "FooFoo");
}

/// Whatever the name, the words are the same letters.
#[test]
fn nothing_is_lost() {
    for name in ["aBcDeFGHijKLMs", "A1B2C3d4E5", "IPv4v6", "xIPv6y", "sS", "Ss", "SSs", "aSSs", "mTLSmTLS", "1a-2B"] {
        let letters = |text: &str| text.replace(['-', '_'], "").to_ascii_lowercase();
        assert_eq!(letters(&Words::of(name).snake()), letters(name), "{name}");
    }
}
