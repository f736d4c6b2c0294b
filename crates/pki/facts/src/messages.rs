//! Content types and attributes of CMS and related standards, PKCS #12 bags, and certificate management controls.

oids! {
    ContentType "RFC 5652" {
        DATA = "1.2.840.113549.1.7.1", "id-data", "data";
        SIGNED_DATA = "1.2.840.113549.1.7.2", "id-signedData", "signedData";
        ENVELOPED_DATA = "1.2.840.113549.1.7.3", "id-envelopedData", "envelopedData";
        DIGESTED_DATA = "1.2.840.113549.1.7.5", "id-digestedData", "digestedData";
        ENCRYPTED_DATA = "1.2.840.113549.1.7.6", "id-encryptedData", "encryptedData";
        CT_AUTH_DATA = "1.2.840.113549.1.9.16.1.2", "id-ct-authData";
        CT_CONTENT_INFO = "1.2.840.113549.1.9.16.1.6", "id-ct-contentInfo";
    }
    ContentType "RFC 2315" {
        SIGNED_AND_ENVELOPED_DATA = "1.2.840.113549.1.7.4", "signedAndEnvelopedData";
    }
    ContentType "RFC 5083" {
        CT_AUTH_ENVELOPED_DATA = "1.2.840.113549.1.9.16.1.23", "id-ct-authEnvelopedData";
    }
    ContentType "RFC 3274" {
        CT_COMPRESSED_DATA = "1.2.840.113549.1.9.16.1.9", "id-ct-compressedData";
    }
    ContentType "RFC 2634" {
        CT_RECEIPT = "1.2.840.113549.1.9.16.1.1", "id-ct-receipt";
    }
    ContentType "RFC 3161" {
        CT_TST_INFO = "1.2.840.113549.1.9.16.1.4", "id-ct-TSTInfo";
    }
    ContentType "RFC 5055" {
        CT_SCVP_CERT_VAL_REQUEST = "1.2.840.113549.1.9.16.1.10", "id-ct-scvp-certValRequest";
        CT_SCVP_CERT_VAL_RESPONSE = "1.2.840.113549.1.9.16.1.11", "id-ct-scvp-certValResponse";
        CT_SCVP_VAL_POL_REQUEST = "1.2.840.113549.1.9.16.1.12", "id-ct-scvp-valPolRequest";
        CT_SCVP_VAL_POL_RESPONSE = "1.2.840.113549.1.9.16.1.13", "id-ct-scvp-valPolResponse";
    }
    ContentType "RFC 4108" {
        CT_FIRMWARE_PACKAGE = "1.2.840.113549.1.9.16.1.16", "id-ct-firmwarePackage";
        CT_FIRMWARE_LOAD_RECEIPT = "1.2.840.113549.1.9.16.1.17", "id-ct-firmwareLoadReceipt";
        CT_FIRMWARE_LOAD_ERROR = "1.2.840.113549.1.9.16.1.18", "id-ct-firmwareLoadError";
    }
    ContentType "RFC 4073" {
        CT_CONTENT_COLLECTION = "1.2.840.113549.1.9.16.1.19", "id-ct-contentCollection";
        CT_CONTENT_WITH_ATTRS = "1.2.840.113549.1.9.16.1.20", "id-ct-contentWithAttrs";
    }
    ContentType "RFC 4211" {
        CT_ENC_KEY_WITH_ID = "1.2.840.113549.1.9.16.1.21", "id-ct-encKeyWithID";
    }
    ContentType "RFC 9582" {
        CT_ROUTE_ORIGIN_AUTHZ = "1.2.840.113549.1.9.16.1.24", "id-ct-routeOriginAuthz";
    }
    ContentType "RFC 6031" {
        CT_KP_S_KEY_PACKAGE = "1.2.840.113549.1.9.16.1.25", "id-ct-KP-sKeyPackage";
    }
    ContentType "RFC 9286" {
        CT_RPKI_MANIFEST = "1.2.840.113549.1.9.16.1.26", "id-ct-rpkiManifest";
    }
    ContentType "RFC 5485" {
        CT_ASCII_TEXT_WITH_CRLF = "1.2.840.113549.1.9.16.1.27", "id-ct-asciiTextWithCRLF";
        CT_XML = "1.2.840.113549.1.9.16.1.28", "id-ct-xml";
        CT_PDF = "1.2.840.113549.1.9.16.1.29", "id-ct-pdf";
        CT_POSTSCRIPT = "1.2.840.113549.1.9.16.1.30", "id-ct-postscript";
    }
    ContentType "RFC 5544" {
        CT_TIMESTAMPED_DATA = "1.2.840.113549.1.9.16.1.31", "id-ct-timestampedData";
    }
    ContentType "RFC 5914" {
        CT_TRUST_ANCHOR_LIST = "1.2.840.113549.1.9.16.1.34", "id-ct-trustAnchorList";
    }
    ContentType "RFC 8358" {
        CT_UTF8_TEXT_WITH_CRLF = "1.2.840.113549.1.9.16.1.37", "id-ct-utf8TextWithCRLF";
        CT_HTML_WITH_CRLF = "1.2.840.113549.1.9.16.1.38", "id-ct-htmlWithCRLF";
    }
    ContentType "RFC 8520" {
        CT_MUDTYPE = "1.2.840.113549.1.9.16.1.41", "id-ct-mudtype";
    }
    ContentType "RFC 8769" {
        CT_CBOR = "1.2.840.113549.1.9.16.1.44", "id-ct-cbor";
        CT_CBOR_SEQUENCE = "1.2.840.113549.1.9.16.1.45", "id-ct-cborSequence";
    }
    ContentType "RFC 5958" {
        CT_KP_A_KEY_PACKAGE = "2.16.840.1.101.2.1.2.78.5", "id-ct-KP-aKeyPackage";
    }
    ContentType "RFC 6032" {
        CT_KP_ENCRYPTED_KEY_PKG = "2.16.840.1.101.2.1.2.78.2", "id-ct-KP-encryptedKeyPkg";
    }
    ContentType "RFC 5272" {
        CCT_PKI_DATA = "1.3.6.1.5.5.7.12.2", "id-cct-PKIData";
        CCT_PKI_RESPONSE = "1.3.6.1.5.5.7.12.3", "id-cct-PKIResponse";
    }
    ContentType "RFC 4556" {
        PKINIT_AUTH_DATA = "1.3.6.1.5.2.3.1", "id-pkinit-authData";
        PKINIT_DH_KEY_DATA = "1.3.6.1.5.2.3.2", "id-pkinit-DHKeyData";
        PKINIT_RKEY_DATA = "1.3.6.1.5.2.3.3", "id-pkinit-rkeyData";
    }
    ContentType "Microsoft" {
        SPC_INDIRECT_DATA_CONTEXT = "1.3.6.1.4.1.311.2.1.4", "spcIndirectDataContext";
        MS_CTL = "1.3.6.1.4.1.311.10.1", "szOID_CTL";
    }
    ContentType "Netscape" {
        NETSCAPE_CERT_SEQUENCE = "2.16.840.1.113730.2.5", "netscapeCertSequence";
    }
    ContentType "ICAO 9303" {
        ICAO_MRTD_SECURITY_LDS_SECURITY_OBJECT = "2.23.136.1.1.1", "id-icao-mrtd-security-ldsSecurityObject";
        ICAO_MRTD_SECURITY_CSCA_MASTER_LIST = "2.23.136.1.1.2", "id-icao-mrtd-security-cscaMasterList";
    }
    CmsAttribute "RFC 5652" {
        CONTENT_TYPE = "1.2.840.113549.1.9.3", "contentType";
        MESSAGE_DIGEST = "1.2.840.113549.1.9.4", "messageDigest";
        SIGNING_TIME = "1.2.840.113549.1.9.5", "signingTime";
        COUNTERSIGNATURE = "1.2.840.113549.1.9.6", "countersignature";
    }
    CmsAttribute "RFC 2985" {
        CHALLENGE_PASSWORD = "1.2.840.113549.1.9.7", "challengePassword";
        EXTENDED_CERTIFICATE_ATTRIBUTES = "1.2.840.113549.1.9.9", "extendedCertificateAttributes";
        SIGNING_DESCRIPTION = "1.2.840.113549.1.9.13", "signingDescription";
        EXTENSION_REQUEST = "1.2.840.113549.1.9.14", "extensionRequest";
        FRIENDLY_NAME = "1.2.840.113549.1.9.20", "friendlyName";
        LOCAL_KEY_ID = "1.2.840.113549.1.9.21", "localKeyId";
        PKCS15_TOKEN = "1.2.840.113549.1.9.25.1", "pkcs15Token";
        ENCRYPTED_PRIVATE_KEY_INFO = "1.2.840.113549.1.9.25.2", "encryptedPrivateKeyInfo";
        RANDOM_NONCE = "1.2.840.113549.1.9.25.3", "randomNonce";
        SEQUENCE_NUMBER = "1.2.840.113549.1.9.25.4", "sequenceNumber";
        PKCS7_PDU = "1.2.840.113549.1.9.25.5", "pkcs7PDU";
    }
    CmsAttribute "RFC 8551" {
        SMIME_CAPABILITIES = "1.2.840.113549.1.9.15", "smimeCapabilities";
        AA_ENCRYP_KEY_PREF = "1.2.840.113549.1.9.16.2.11", "id-aa-encrypKeyPref";
        CAP_PREFER_BINARY_INSIDE = "1.2.840.113549.1.9.16.11.1", "id-cap-preferBinaryInside";
    }
    CmsAttribute "RFC 2634" {
        AA_RECEIPT_REQUEST = "1.2.840.113549.1.9.16.2.1", "id-aa-receiptRequest";
        AA_SECURITY_LABEL = "1.2.840.113549.1.9.16.2.2", "id-aa-securityLabel";
        AA_ML_EXPAND_HISTORY = "1.2.840.113549.1.9.16.2.3", "id-aa-mlExpandHistory";
        AA_CONTENT_HINT = "1.2.840.113549.1.9.16.2.4", "id-aa-contentHint";
        AA_MSG_SIG_DIGEST = "1.2.840.113549.1.9.16.2.5", "id-aa-msgSigDigest";
        AA_CONTENT_IDENTIFIER = "1.2.840.113549.1.9.16.2.7", "id-aa-contentIdentifier";
        AA_EQUIVALENT_LABELS = "1.2.840.113549.1.9.16.2.9", "id-aa-equivalentLabels";
        AA_CONTENT_REFERENCE = "1.2.840.113549.1.9.16.2.10", "id-aa-contentReference";
        AA_SIGNING_CERTIFICATE = "1.2.840.113549.1.9.16.2.12", "id-aa-signingCertificate";
    }
    CmsAttribute "RFC 5035" {
        AA_SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47", "id-aa-signingCertificateV2";
    }
    CmsAttribute "RFC 3161" {
        AA_TIME_STAMP_TOKEN = "1.2.840.113549.1.9.16.2.14", "id-aa-timeStampToken";
    }
    CmsAttribute "RFC 5126" {
        AA_ETS_SIG_POLICY_ID = "1.2.840.113549.1.9.16.2.15", "id-aa-ets-sigPolicyId";
        AA_ETS_COMMITMENT_TYPE = "1.2.840.113549.1.9.16.2.16", "id-aa-ets-commitmentType";
        AA_ETS_SIGNER_LOCATION = "1.2.840.113549.1.9.16.2.17", "id-aa-ets-signerLocation";
        AA_ETS_SIGNER_ATTR = "1.2.840.113549.1.9.16.2.18", "id-aa-ets-signerAttr";
        AA_ETS_OTHER_SIG_CERT = "1.2.840.113549.1.9.16.2.19", "id-aa-ets-otherSigCert";
        AA_ETS_CONTENT_TIMESTAMP = "1.2.840.113549.1.9.16.2.20", "id-aa-ets-contentTimestamp";
        AA_ETS_CERTIFICATE_REFS = "1.2.840.113549.1.9.16.2.21", "id-aa-ets-certificateRefs";
        AA_ETS_REVOCATION_REFS = "1.2.840.113549.1.9.16.2.22", "id-aa-ets-revocationRefs";
        AA_ETS_CERT_VALUES = "1.2.840.113549.1.9.16.2.23", "id-aa-ets-certValues";
        AA_ETS_REVOCATION_VALUES = "1.2.840.113549.1.9.16.2.24", "id-aa-ets-revocationValues";
        AA_ETS_ESC_TIME_STAMP = "1.2.840.113549.1.9.16.2.25", "id-aa-ets-escTimeStamp";
        AA_ETS_CERT_CRL_TIMESTAMP = "1.2.840.113549.1.9.16.2.26", "id-aa-ets-certCRLTimestamp";
        AA_ETS_ATTR_CERTIFICATE_REFS = "1.2.840.113549.1.9.16.2.44", "id-aa-ets-attrCertificateRefs";
        AA_ETS_ATTR_REVOCATION_REFS = "1.2.840.113549.1.9.16.2.45", "id-aa-ets-attrRevocationRefs";
        AA_ETS_ARCHIVE_TIMESTAMP_V2 = "1.2.840.113549.1.9.16.2.48", "id-aa-ets-archiveTimestampV2";
    }
    CmsAttribute "RFC 4108" {
        AA_FIRMWARE_PACKAGE_ID = "1.2.840.113549.1.9.16.2.35", "id-aa-firmwarePackageID";
        AA_TARGET_HARDWARE_IDS = "1.2.840.113549.1.9.16.2.36", "id-aa-targetHardwareIDs";
        AA_DECRYPT_KEY_ID = "1.2.840.113549.1.9.16.2.37", "id-aa-decryptKeyID";
        AA_IMPL_CRYPTO_ALGS = "1.2.840.113549.1.9.16.2.38", "id-aa-implCryptoAlgs";
        AA_WRAPPED_FIRMWARE_KEY = "1.2.840.113549.1.9.16.2.39", "id-aa-wrappedFirmwareKey";
        AA_COMMUNITY_IDENTIFIERS = "1.2.840.113549.1.9.16.2.40", "id-aa-communityIdentifiers";
        AA_FW_PKG_MESSAGE_DIGEST = "1.2.840.113549.1.9.16.2.41", "id-aa-fwPkgMessageDigest";
        AA_FIRMWARE_PACKAGE_INFO = "1.2.840.113549.1.9.16.2.42", "id-aa-firmwarePackageInfo";
        AA_IMPL_COMPRESS_ALGS = "1.2.840.113549.1.9.16.2.43", "id-aa-implCompressAlgs";
    }
    CmsAttribute "RFC 6019" {
        AA_BINARY_SIGNING_TIME = "1.2.840.113549.1.9.16.2.46", "id-aa-binarySigningTime";
    }
    CmsAttribute "RFC 4998" {
        AA_ER_INTERNAL = "1.2.840.113549.1.9.16.2.49", "id-aa-er-internal";
        AA_ER_EXTERNAL = "1.2.840.113549.1.9.16.2.50", "id-aa-er-external";
    }
    CmsAttribute "RFC 5752" {
        AA_MULTIPLE_SIGNATURES = "1.2.840.113549.1.9.16.2.51", "id-aa-multipleSignatures";
    }
    CmsAttribute "RFC 6211" {
        AA_CMS_ALGORITHM_PROTECTION = "1.2.840.113549.1.9.52", "id-aa-CMSAlgorithmProtection";
    }
    CmsAttribute "RFC 5272" {
        AA_CMC_UNSIGNED_DATA = "1.2.840.113549.1.9.16.2.34", "id-aa-cmc-unsignedData";
    }
    CmsAttribute "RFC 7030" {
        AA_ASYMM_DECRYPT_KEY_ID = "1.2.840.113549.1.9.16.2.54", "id-aa-asymmDecryptKeyID";
    }
    CmsAttribute "RFC 7508" {
        AA_SECURE_HEADER_FIELDS_IDENTIFIER = "1.2.840.113549.1.9.16.2.55", "id-aa-secureHeaderFieldsIdentifier";
    }
    CmsAttribute "RFC 7894" {
        AA_OTP_CHALLENGE = "1.2.840.113549.1.9.16.2.56", "id-aa-otpChallenge";
        AA_REVOCATION_CHALLENGE = "1.2.840.113549.1.9.16.2.57", "id-aa-revocationChallenge";
        AA_EST_IDENTITY_LINKING = "1.2.840.113549.1.9.16.2.58", "id-aa-estIdentityLinking";
    }
    CmsAttribute "Adobe" {
        ADOBE_REVOCATION_INFO_ARCHIVAL = "1.2.840.113583.1.1.8", "adobeRevocationInfoArchival";
    }
    CmsAttribute "Microsoft" {
        SPC_STATEMENT_TYPE = "1.3.6.1.4.1.311.2.1.11", "spcStatementType";
        SPC_SP_OPUS_INFO = "1.3.6.1.4.1.311.2.1.12", "spcSpOpusInfo";
        MS_CERT_EXTENSIONS = "1.3.6.1.4.1.311.2.1.14", "szOID_CERT_EXTENSIONS";
        SPC_PE_IMAGE_DATA = "1.3.6.1.4.1.311.2.1.15", "spcPEImageData";
        SPC_NESTED_SIGNATURE = "1.3.6.1.4.1.311.2.4.1", "spcNestedSignature";
        SPC_RFC3161_COUNTERSIGNATURE = "1.3.6.1.4.1.311.3.3.1", "spcRfc3161Countersignature";
        MS_RENEWAL_CERTIFICATE = "1.3.6.1.4.1.311.13.1", "szOID_RENEWAL_CERTIFICATE";
        MS_ENROLLMENT_NAME_VALUE_PAIR = "1.3.6.1.4.1.311.13.2.1", "szOID_ENROLLMENT_NAME_VALUE_PAIR";
        MS_ENROLLMENT_CSP_PROVIDER = "1.3.6.1.4.1.311.13.2.2", "szOID_ENROLLMENT_CSP_PROVIDER";
        MS_OS_VERSION = "1.3.6.1.4.1.311.13.2.3", "szOID_OS_VERSION";
        PKCS12_CSP_NAME = "1.3.6.1.4.1.311.17.1", "pkcs12CspName";
        PKCS12_LOCAL_MACHINE_KEYSET = "1.3.6.1.4.1.311.17.2", "pkcs12LocalMachineKeyset";
        MS_ARCHIVED_KEY_ATTR = "1.3.6.1.4.1.311.21.13", "szOID_ARCHIVED_KEY_ATTR";
        MS_REQUEST_CLIENT_INFO = "1.3.6.1.4.1.311.21.20", "szOID_REQUEST_CLIENT_INFO";
    }
    CmsAttribute "RFC 8894" {
        SCEP_MESSAGE_TYPE = "2.16.840.1.113733.1.9.2", "scepMessageType";
        SCEP_PKI_STATUS = "2.16.840.1.113733.1.9.3", "scepPkiStatus";
        SCEP_FAIL_INFO = "2.16.840.1.113733.1.9.4", "scepFailInfo";
        SCEP_SENDER_NONCE = "2.16.840.1.113733.1.9.5", "scepSenderNonce";
        SCEP_RECIPIENT_NONCE = "2.16.840.1.113733.1.9.6", "scepRecipientNonce";
        SCEP_TRANSACTION_ID = "2.16.840.1.113733.1.9.7", "scepTransactionID";
        SCEP_FAIL_INFO_TEXT = "1.3.6.1.5.5.7.24.1", "id-scep-failInfoText";
    }
    CmsAttribute "Java" {
        TRUSTED_KEY_USAGE = "2.16.840.1.113894.746875.1.1", "trustedKeyUsage";
    }
    Other "RFC 3274" {
        ALG_ZLIB_COMPRESS = "1.2.840.113549.1.9.16.3.8", "id-alg-zlibCompress";
    }
    Other "RFC 5940" {
        RI_OCSP_RESPONSE = "1.3.6.1.5.5.7.16.2", "id-ri-ocsp-response";
        RI_SCVP = "1.3.6.1.5.5.7.16.4", "id-ri-scvp";
    }
    Other "RFC 8696" {
        ORI_KEY_TRANS_PSK = "1.2.840.113549.1.9.16.13.1", "id-ori-keyTransPSK";
        ORI_KEY_AGREE_PSK = "1.2.840.113549.1.9.16.13.2", "id-ori-keyAgreePSK";
    }
    Other "RFC 9629" {
        ORI_KEM = "1.2.840.113549.1.9.16.13.3", "id-ori-kem";
    }
    Other "RFC 5126" {
        SPQ_ETS_URI = "1.2.840.113549.1.9.16.5.1", "id-spq-ets-uri";
        SPQ_ETS_UNOTICE = "1.2.840.113549.1.9.16.5.2", "id-spq-ets-unotice";
        CTI_ETS_PROOF_OF_ORIGIN = "1.2.840.113549.1.9.16.6.1", "id-cti-ets-proofOfOrigin";
        CTI_ETS_PROOF_OF_RECEIPT = "1.2.840.113549.1.9.16.6.2", "id-cti-ets-proofOfReceipt";
        CTI_ETS_PROOF_OF_DELIVERY = "1.2.840.113549.1.9.16.6.3", "id-cti-ets-proofOfDelivery";
        CTI_ETS_PROOF_OF_SENDER = "1.2.840.113549.1.9.16.6.4", "id-cti-ets-proofOfSender";
        CTI_ETS_PROOF_OF_APPROVAL = "1.2.840.113549.1.9.16.6.5", "id-cti-ets-proofOfApproval";
        CTI_ETS_PROOF_OF_CREATION = "1.2.840.113549.1.9.16.6.6", "id-cti-ets-proofOfCreation";
    }
    Bag "RFC 7292" {
        KEY_BAG = "1.2.840.113549.1.12.10.1.1", "keyBag";
        PKCS8_SHROUDED_KEY_BAG = "1.2.840.113549.1.12.10.1.2", "pkcs8ShroudedKeyBag";
        CERT_BAG = "1.2.840.113549.1.12.10.1.3", "certBag";
        CRL_BAG = "1.2.840.113549.1.12.10.1.4", "crlBag";
        SECRET_BAG = "1.2.840.113549.1.12.10.1.5", "secretBag";
        SAFE_CONTENTS_BAG = "1.2.840.113549.1.12.10.1.6", "safeContentsBag";
        X509_CERTIFICATE = "1.2.840.113549.1.9.22.1", "x509Certificate";
        SDSI_CERTIFICATE = "1.2.840.113549.1.9.22.2", "sdsiCertificate";
        X509_CRL = "1.2.840.113549.1.9.23.1", "x509CRL";
    }
    Other "RFC 6960" {
        OCSP_BASIC = "1.3.6.1.5.5.7.48.1.1", "id-pkix-ocsp-basic";
    }
    Management "RFC 9810" {
        IT_CA_PROT_ENC_CERT = "1.3.6.1.5.5.7.4.1", "id-it-caProtEncCert";
        IT_SIGN_KEY_PAIR_TYPES = "1.3.6.1.5.5.7.4.2", "id-it-signKeyPairTypes";
        IT_ENC_KEY_PAIR_TYPES = "1.3.6.1.5.5.7.4.3", "id-it-encKeyPairTypes";
        IT_PREFERRED_SYMM_ALG = "1.3.6.1.5.5.7.4.4", "id-it-preferredSymmAlg";
        IT_CA_KEY_UPDATE_INFO = "1.3.6.1.5.5.7.4.5", "id-it-caKeyUpdateInfo";
        IT_CURRENT_CRL = "1.3.6.1.5.5.7.4.6", "id-it-currentCRL";
        IT_UNSUPPORTED_OIDS = "1.3.6.1.5.5.7.4.7", "id-it-unsupportedOIDs";
        IT_KEY_PAIR_PARAM_REQ = "1.3.6.1.5.5.7.4.10", "id-it-keyPairParamReq";
        IT_KEY_PAIR_PARAM_REP = "1.3.6.1.5.5.7.4.11", "id-it-keyPairParamRep";
        IT_REV_PASSPHRASE = "1.3.6.1.5.5.7.4.12", "id-it-revPassphrase";
        IT_IMPLICIT_CONFIRM = "1.3.6.1.5.5.7.4.13", "id-it-implicitConfirm";
        IT_CONFIRM_WAIT_TIME = "1.3.6.1.5.5.7.4.14", "id-it-confirmWaitTime";
        IT_ORIG_PKI_MESSAGE = "1.3.6.1.5.5.7.4.15", "id-it-origPKIMessage";
        IT_SUPP_LANG_TAGS = "1.3.6.1.5.5.7.4.16", "id-it-suppLangTags";
        IT_CA_CERTS = "1.3.6.1.5.5.7.4.17", "id-it-caCerts";
        IT_ROOT_CA_KEY_UPDATE = "1.3.6.1.5.5.7.4.18", "id-it-rootCaKeyUpdate";
        IT_CERT_REQ_TEMPLATE = "1.3.6.1.5.5.7.4.19", "id-it-certReqTemplate";
        IT_ROOT_CA_CERT = "1.3.6.1.5.5.7.4.20", "id-it-rootCaCert";
        IT_CERT_PROFILE = "1.3.6.1.5.5.7.4.21", "id-it-certProfile";
        IT_CRL_STATUS_LIST = "1.3.6.1.5.5.7.4.22", "id-it-crlStatusList";
        IT_CRLS = "1.3.6.1.5.5.7.4.23", "id-it-crls";
    }
    Management "RFC 4211" {
        REG_CTRL_REG_TOKEN = "1.3.6.1.5.5.7.5.1.1", "id-regCtrl-regToken";
        REG_CTRL_AUTHENTICATOR = "1.3.6.1.5.5.7.5.1.2", "id-regCtrl-authenticator";
        REG_CTRL_PKI_PUBLICATION_INFO = "1.3.6.1.5.5.7.5.1.3", "id-regCtrl-pkiPublicationInfo";
        REG_CTRL_PKI_ARCHIVE_OPTIONS = "1.3.6.1.5.5.7.5.1.4", "id-regCtrl-pkiArchiveOptions";
        REG_CTRL_OLD_CERT_ID = "1.3.6.1.5.5.7.5.1.5", "id-regCtrl-oldCertID";
        REG_CTRL_PROTOCOL_ENCR_KEY = "1.3.6.1.5.5.7.5.1.6", "id-regCtrl-protocolEncrKey";
        REG_INFO_UTF8_PAIRS = "1.3.6.1.5.5.7.5.2.1", "id-regInfo-utf8Pairs";
        REG_INFO_CERT_REQ = "1.3.6.1.5.5.7.5.2.2", "id-regInfo-certReq";
    }
    Management "RFC 5272" {
        CMC_STATUS_INFO = "1.3.6.1.5.5.7.7.1", "id-cmc-statusInfo";
        CMC_IDENTIFICATION = "1.3.6.1.5.5.7.7.2", "id-cmc-identification";
        CMC_IDENTITY_PROOF = "1.3.6.1.5.5.7.7.3", "id-cmc-identityProof";
        CMC_DATA_RETURN = "1.3.6.1.5.5.7.7.4", "id-cmc-dataReturn";
        CMC_TRANSACTION_ID = "1.3.6.1.5.5.7.7.5", "id-cmc-transactionId";
        CMC_SENDER_NONCE = "1.3.6.1.5.5.7.7.6", "id-cmc-senderNonce";
        CMC_RECIPIENT_NONCE = "1.3.6.1.5.5.7.7.7", "id-cmc-recipientNonce";
        CMC_ADD_EXTENSIONS = "1.3.6.1.5.5.7.7.8", "id-cmc-addExtensions";
        CMC_ENCRYPTED_POP = "1.3.6.1.5.5.7.7.9", "id-cmc-encryptedPOP";
        CMC_DECRYPTED_POP = "1.3.6.1.5.5.7.7.10", "id-cmc-decryptedPOP";
        CMC_LRA_POP_WITNESS = "1.3.6.1.5.5.7.7.11", "id-cmc-lraPOPWitness";
        CMC_GET_CERT = "1.3.6.1.5.5.7.7.15", "id-cmc-getCert";
        CMC_GET_CRL = "1.3.6.1.5.5.7.7.16", "id-cmc-getCRL";
        CMC_REVOKE_REQUEST = "1.3.6.1.5.5.7.7.17", "id-cmc-revokeRequest";
        CMC_REG_INFO = "1.3.6.1.5.5.7.7.18", "id-cmc-regInfo";
        CMC_RESPONSE_INFO = "1.3.6.1.5.5.7.7.19", "id-cmc-responseInfo";
        CMC_QUERY_PENDING = "1.3.6.1.5.5.7.7.21", "id-cmc-queryPending";
        CMC_POP_LINK_RANDOM = "1.3.6.1.5.5.7.7.22", "id-cmc-popLinkRandom";
        CMC_POP_LINK_WITNESS = "1.3.6.1.5.5.7.7.23", "id-cmc-popLinkWitness";
        CMC_CONFIRM_CERT_ACCEPTANCE = "1.3.6.1.5.5.7.7.24", "id-cmc-confirmCertAcceptance";
        CMC_STATUS_INFO_V2 = "1.3.6.1.5.5.7.7.25", "id-cmc-statusInfoV2";
        CMC_TRUSTED_ANCHORS = "1.3.6.1.5.5.7.7.26", "id-cmc-trustedAnchors";
        CMC_AUTH_DATA = "1.3.6.1.5.5.7.7.27", "id-cmc-authData";
        CMC_BATCH_REQUESTS = "1.3.6.1.5.5.7.7.28", "id-cmc-batchRequests";
        CMC_BATCH_RESPONSES = "1.3.6.1.5.5.7.7.29", "id-cmc-batchResponses";
        CMC_PUBLISH_CERT = "1.3.6.1.5.5.7.7.30", "id-cmc-publishCert";
        CMC_MOD_CERT_TEMPLATE = "1.3.6.1.5.5.7.7.31", "id-cmc-modCertTemplate";
        CMC_CONTROL_PROCESSED = "1.3.6.1.5.5.7.7.32", "id-cmc-controlProcessed";
    }
    Management "RFC 5055" {
        STC_BUILD_PKC_PATH = "1.3.6.1.5.5.7.17.1", "id-stc-build-pkc-path";
        STC_BUILD_VALID_PKC_PATH = "1.3.6.1.5.5.7.17.2", "id-stc-build-valid-pkc-path";
        STC_BUILD_STATUS_CHECKED_PKC_PATH = "1.3.6.1.5.5.7.17.3", "id-stc-build-status-checked-pkc-path";
        SVP_DEFAULT_VAL_POLICY = "1.3.6.1.5.5.7.19.1", "id-svp-defaultValPolicy";
        SVP_NAME_VAL_ALG = "1.3.6.1.5.5.7.19.2", "id-svp-nameValAlg";
        SVP_BASIC_VAL_ALG = "1.3.6.1.5.5.7.19.3", "id-svp-basicValAlg";
    }
    Other "RFC 3279" {
        HOLDINSTRUCTION_NONE = "1.2.840.10040.2.1", "id-holdinstruction-none";
        HOLDINSTRUCTION_CALLISSUER = "1.2.840.10040.2.2", "id-holdinstruction-callissuer";
        HOLDINSTRUCTION_REJECT = "1.2.840.10040.2.3", "id-holdinstruction-reject";
    }
    Other "RFC 3820" {
        PPL_ANY_LANGUAGE = "1.3.6.1.5.5.7.21.0", "id-ppl-anyLanguage";
        PPL_INHERIT_ALL = "1.3.6.1.5.5.7.21.1", "id-ppl-inheritAll";
        PPL_INDEPENDENT = "1.3.6.1.5.5.7.21.2", "id-ppl-independent";
    }
}
