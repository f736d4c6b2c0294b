//! Extensions of certificates, CRLs and OCSP messages, with their access methods, policies and statements.

oids! {
    Extension "RFC 5280" {
        SUBJECT_DIRECTORY_ATTRIBUTES = "2.5.29.9", "subjectDirectoryAttributes";
        SUBJECT_KEY_IDENTIFIER = "2.5.29.14", "subjectKeyIdentifier", "SKI";
        KEY_USAGE = "2.5.29.15", "keyUsage";
        SUBJECT_ALT_NAME = "2.5.29.17", "subjectAltName", "SAN";
        ISSUER_ALT_NAME = "2.5.29.18", "issuerAltName", "IAN";
        BASIC_CONSTRAINTS = "2.5.29.19", "basicConstraints";
        CRL_NUMBER = "2.5.29.20", "cRLNumber";
        REASON_CODE = "2.5.29.21", "reasonCode";
        INVALIDITY_DATE = "2.5.29.24", "invalidityDate";
        DELTA_CRL_INDICATOR = "2.5.29.27", "deltaCRLIndicator";
        ISSUING_DISTRIBUTION_POINT = "2.5.29.28", "issuingDistributionPoint", "IDP";
        CERTIFICATE_ISSUER = "2.5.29.29", "certificateIssuer";
        NAME_CONSTRAINTS = "2.5.29.30", "nameConstraints";
        CRL_DISTRIBUTION_POINTS = "2.5.29.31", "cRLDistributionPoints", "CDP";
        CERTIFICATE_POLICIES = "2.5.29.32", "certificatePolicies";
        POLICY_MAPPINGS = "2.5.29.33", "policyMappings";
        AUTHORITY_KEY_IDENTIFIER = "2.5.29.35", "authorityKeyIdentifier", "AKI";
        POLICY_CONSTRAINTS = "2.5.29.36", "policyConstraints";
        EXT_KEY_USAGE = "2.5.29.37", "extKeyUsage", "EKU";
        FRESHEST_CRL = "2.5.29.46", "freshestCRL";
        INHIBIT_ANY_POLICY = "2.5.29.54", "inhibitAnyPolicy";
        AUTHORITY_INFO_ACCESS = "1.3.6.1.5.5.7.1.1", "authorityInfoAccess", "AIA";
        SUBJECT_INFO_ACCESS = "1.3.6.1.5.5.7.1.11", "subjectInfoAccess", "SIA";
    }
    Extension "RFC 3280" {
        PRIVATE_KEY_USAGE_PERIOD = "2.5.29.16", "privateKeyUsagePeriod";
        HOLD_INSTRUCTION_CODE = "2.5.29.23", "holdInstructionCode";
    }
    Extension "RFC 9608" {
        NO_REV_AVAIL = "2.5.29.56", "noRevAvail";
    }
    Extension "X.509" {
        OLD_AUTHORITY_KEY_IDENTIFIER = "2.5.29.1", "oldAuthorityKeyIdentifier";
        OLD_KEY_ATTRIBUTES = "2.5.29.2", "oldKeyAttributes";
        OLD_CERTIFICATE_POLICIES = "2.5.29.3", "oldCertificatePolicies";
        OLD_KEY_USAGE = "2.5.29.4", "oldKeyUsage";
        OLD_POLICY_MAPPING = "2.5.29.5", "oldPolicyMapping";
        OLD_SUBTREES_CONSTRAINT = "2.5.29.6", "oldSubtreesConstraint";
        OLD_SUBJECT_ALT_NAME = "2.5.29.7", "oldSubjectAltName";
        OLD_ISSUER_ALT_NAME = "2.5.29.8", "oldIssuerAltName";
        OLD_BASIC_CONSTRAINTS = "2.5.29.10", "oldBasicConstraints";
        AUTHORITY_ATTRIBUTE_IDENTIFIER = "2.5.29.38", "authorityAttributeIdentifier";
        ROLE_SPEC_CERT_IDENTIFIER = "2.5.29.39", "roleSpecCertIdentifier";
        CRL_STREAM_IDENTIFIER = "2.5.29.40", "cRLStreamIdentifier";
        BASIC_ATT_CONSTRAINTS = "2.5.29.41", "basicAttConstraints";
        DELEGATED_NAME_CONSTRAINTS = "2.5.29.42", "delegatedNameConstraints";
        TIME_SPECIFICATION = "2.5.29.43", "timeSpecification";
        CRL_SCOPE = "2.5.29.44", "cRLScope";
        STATUS_REFERRALS = "2.5.29.45", "statusReferrals";
        ORDERED_LIST = "2.5.29.47", "orderedList";
        ATTRIBUTE_DESCRIPTOR = "2.5.29.48", "attributeDescriptor";
        USER_NOTICE = "2.5.29.49", "userNotice";
        SOA_IDENTIFIER = "2.5.29.50", "sOAIdentifier";
        BASE_UPDATE_TIME = "2.5.29.51", "baseUpdateTime";
        ACCEPTABLE_CERT_POLICIES = "2.5.29.52", "acceptableCertPolicies";
        DELTA_INFO = "2.5.29.53", "deltaInfo";
        TARGETING_INFORMATION = "2.5.29.55", "targetingInformation";
        ACCEPTABLE_PRIVILEGE_POLICIES = "2.5.29.57", "acceptablePrivilegePolicies";
        TO_BE_REVOKED = "2.5.29.58", "toBeRevoked";
        REVOKED_GROUPS = "2.5.29.59", "revokedGroups";
        EXPIRED_CERTS_ON_CRL = "2.5.29.60", "expiredCertsOnCRL";
        INDIRECT_ISSUER = "2.5.29.61", "indirectIssuer";
        NO_ASSERTION = "2.5.29.62", "noAssertion";
        AA_ISSUING_DISTRIBUTION_POINT = "2.5.29.63", "aAissuingDistributionPoint";
        ISSUED_ON_BEHALF_OF = "2.5.29.64", "issuedOnBehalfOf";
        SINGLE_USE = "2.5.29.65", "singleUse";
        GROUP_AC = "2.5.29.66", "groupAC";
        ALLOWED_ATTRIBUTE_ASSIGNMENTS = "2.5.29.67", "allowedAttributeAssignments";
        ATTRIBUTE_MAPPINGS = "2.5.29.68", "attributeMappings";
        HOLDER_NAME_CONSTRAINTS = "2.5.29.69", "holderNameConstraints";
        AUTHORIZATION_VALIDATION = "2.5.29.70", "authorizationValidation";
        PROT_RESTRICT = "2.5.29.71", "protRestrict";
        SUBJECT_ALT_PUBLIC_KEY_INFO = "2.5.29.72", "subjectAltPublicKeyInfo";
        ALT_SIGNATURE_ALGORITHM = "2.5.29.73", "altSignatureAlgorithm";
        ALT_SIGNATURE_VALUE = "2.5.29.74", "altSignatureValue";
        ASSOCIATED_INFORMATION = "2.5.29.75", "associatedInformation";
    }
    Extension "RFC 3739" {
        BIOMETRIC_INFO = "1.3.6.1.5.5.7.1.2", "biometricInfo";
        QC_STATEMENTS = "1.3.6.1.5.5.7.1.3", "qcStatements";
    }
    Extension "RFC 5755" {
        PE_AC_AUDIT_IDENTITY = "1.3.6.1.5.5.7.1.4", "id-pe-ac-auditIdentity";
        PE_AA_CONTROLS = "1.3.6.1.5.5.7.1.6", "id-pe-aaControls";
        PE_AC_PROXYING = "1.3.6.1.5.5.7.1.10", "id-pe-ac-proxying";
    }
    Extension "RFC 3779" {
        PE_IP_ADDR_BLOCKS = "1.3.6.1.5.5.7.1.7", "id-pe-ipAddrBlocks";
        PE_AUTONOMOUS_SYS_IDS = "1.3.6.1.5.5.7.1.8", "id-pe-autonomousSysIds";
    }
    Extension "RFC 8360" {
        PE_IP_ADDR_BLOCKS_V2 = "1.3.6.1.5.5.7.1.28", "id-pe-ipAddrBlocks-v2";
        PE_AUTONOMOUS_SYS_IDS_V2 = "1.3.6.1.5.5.7.1.29", "id-pe-autonomousSysIds-v2";
    }
    Extension "RFC 9399" {
        PE_LOGOTYPE = "1.3.6.1.5.5.7.1.12", "id-pe-logotype", "logotype";
    }
    Extension "RFC 4334" {
        PE_WLAN_SSID = "1.3.6.1.5.5.7.1.13", "id-pe-wlanSSID";
    }
    Extension "RFC 3820" {
        PE_PROXY_CERT_INFO = "1.3.6.1.5.5.7.1.14", "id-pe-proxyCertInfo";
    }
    Extension "RFC 4476" {
        PE_AC_POLICIES = "1.3.6.1.5.5.7.1.15", "id-pe-acPolicies";
    }
    Extension "RFC 4059" {
        PE_WARRANTY_EXTN = "1.3.6.1.5.5.7.1.16", "id-pe-warranty-extn";
    }
    Extension "RFC 6010" {
        PE_CMS_CONTENT_CONSTRAINTS = "1.3.6.1.5.5.7.1.18", "id-pe-cmsContentConstraints";
    }
    Extension "RFC 5697" {
        PE_OTHER_CERTS = "1.3.6.1.5.5.7.1.19", "id-pe-otherCerts";
    }
    Extension "RFC 5934" {
        PE_WRAPPED_APEX_CONTIN_KEY = "1.3.6.1.5.5.7.1.20", "id-pe-wrappedApexContinKey";
    }
    Extension "RFC 5913" {
        PE_CLEARANCE_CONSTRAINTS = "1.3.6.1.5.5.7.1.21", "id-pe-clearanceConstraints";
    }
    Extension "RFC 7633" {
        PE_TLS_FEATURE = "1.3.6.1.5.5.7.1.24", "id-pe-tlsfeature", "tlsFeature";
    }
    Extension "RFC 8520" {
        PE_MUD_URL = "1.3.6.1.5.5.7.1.25", "id-pe-mud-url";
        PE_MUDSIGNER = "1.3.6.1.5.5.7.1.30", "id-pe-mudsigner";
    }
    Extension "RFC 8226" {
        PE_TN_AUTH_LIST = "1.3.6.1.5.5.7.1.26", "id-pe-TNAuthList";
        PE_JWT_CLAIM_CONSTRAINTS = "1.3.6.1.5.5.7.1.27", "id-pe-JWTClaimConstraints";
    }
    Extension "RFC 9118" {
        PE_EJWT_CLAIM_CONSTRAINTS = "1.3.6.1.5.5.7.1.33", "id-pe-eJWTClaimConstraints";
    }
    Extension "RFC 8737" {
        PE_ACME_IDENTIFIER = "1.3.6.1.5.5.7.1.31", "id-pe-acmeIdentifier", "acmeIdentifier";
    }
    Extension "RFC 8995" {
        PE_MASA_URL = "1.3.6.1.5.5.7.1.32", "id-pe-masa-url";
    }
    Extension "RFC 9763" {
        PE_RELATED_CERT = "1.3.6.1.5.5.7.1.36", "id-pe-relatedCert", "relatedCert";
    }
    Extension "RFC 9310" {
        PE_NFTYPE = "1.3.6.1.5.5.7.1.34", "id-pe-nftype";
    }
    Extension "draft-ietf-plants-merkle-tree-certs" {
        PE_MTC_CERTIFICATION_AUTHORITY_SHA256 = "1.3.6.1.5.5.7.1.38", "id-pe-mtcCertificationAuthority-SHA256";
    }
    Extension "RFC 8649" {
        CE_HASH_OF_ROOT_KEY = "1.3.6.1.4.1.51483.2.1", "id-ce-hashOfRootKey";
    }
    Extension "RFC 6962" {
        SIGNED_CERTIFICATE_TIMESTAMP_LIST = "1.3.6.1.4.1.11129.2.4.2", "signedCertificateTimestampList", "ct-precert-scts";
        CT_POISON = "1.3.6.1.4.1.11129.2.4.3", "ctPoison", "ct-precert-poison";
        CT_OCSP_SIGNED_CERTIFICATE_TIMESTAMP_LIST = "1.3.6.1.4.1.11129.2.4.5", "ctOcspSignedCertificateTimestampList", "ct-cert-scts";
    }
    Extension "RFC 6960" {
        OCSP_NONCE = "1.3.6.1.5.5.7.48.1.2", "id-pkix-ocsp-nonce";
        OCSP_CRL = "1.3.6.1.5.5.7.48.1.3", "id-pkix-ocsp-crl";
        OCSP_RESPONSE = "1.3.6.1.5.5.7.48.1.4", "id-pkix-ocsp-response";
        OCSP_NO_CHECK = "1.3.6.1.5.5.7.48.1.5", "id-pkix-ocsp-nocheck", "noCheck";
        OCSP_ARCHIVE_CUTOFF = "1.3.6.1.5.5.7.48.1.6", "id-pkix-ocsp-archive-cutoff";
        OCSP_SERVICE_LOCATOR = "1.3.6.1.5.5.7.48.1.7", "id-pkix-ocsp-service-locator";
        OCSP_PREF_SIG_ALGS = "1.3.6.1.5.5.7.48.1.8", "id-pkix-ocsp-pref-sig-algs";
        OCSP_EXTENDED_REVOKE = "1.3.6.1.5.5.7.48.1.9", "id-pkix-ocsp-extended-revoke";
    }
    Extension "RFC 9345" {
        DELEGATION_USAGE = "1.3.6.1.4.1.44363.44", "delegationUsage";
    }
    Extension "Netscape" {
        NETSCAPE_CERT_TYPE = "2.16.840.1.113730.1.1", "netscapeCertType", "nsCertType";
        NETSCAPE_BASE_URL = "2.16.840.1.113730.1.2", "netscapeBaseUrl", "nsBaseUrl";
        NETSCAPE_REVOCATION_URL = "2.16.840.1.113730.1.3", "netscapeRevocationUrl", "nsRevocationUrl";
        NETSCAPE_CA_REVOCATION_URL = "2.16.840.1.113730.1.4", "netscapeCaRevocationUrl", "nsCaRevocationUrl";
        NETSCAPE_RENEWAL_URL = "2.16.840.1.113730.1.7", "netscapeRenewalUrl", "nsRenewalUrl";
        NETSCAPE_CA_POLICY_URL = "2.16.840.1.113730.1.8", "netscapeCaPolicyUrl", "nsCaPolicyUrl";
        NETSCAPE_SSL_SERVER_NAME = "2.16.840.1.113730.1.12", "netscapeSslServerName", "nsSslServerName";
        NETSCAPE_COMMENT = "2.16.840.1.113730.1.13", "netscapeComment", "nsComment";
    }
    Extension "Microsoft" {
        MS_ENROLL_CERTTYPE_EXTENSION = "1.3.6.1.4.1.311.20.2", "szOID_ENROLL_CERTTYPE_EXTENSION";
        MS_CERTSRV_CA_VERSION = "1.3.6.1.4.1.311.21.1", "szOID_CERTSRV_CA_VERSION";
        MS_CERTSRV_PREVIOUS_CERT_HASH = "1.3.6.1.4.1.311.21.2", "szOID_CERTSRV_PREVIOUS_CERT_HASH";
        MS_CRL_VIRTUAL_BASE = "1.3.6.1.4.1.311.21.3", "szOID_CRL_VIRTUAL_BASE";
        MS_CRL_NEXT_PUBLISH = "1.3.6.1.4.1.311.21.4", "szOID_CRL_NEXT_PUBLISH";
        MS_CERTIFICATE_TEMPLATE = "1.3.6.1.4.1.311.21.7", "szOID_CERTIFICATE_TEMPLATE";
        MS_APPLICATION_CERT_POLICIES = "1.3.6.1.4.1.311.21.10", "szOID_APPLICATION_CERT_POLICIES";
        MS_APPLICATION_POLICY_MAPPINGS = "1.3.6.1.4.1.311.21.11", "szOID_APPLICATION_POLICY_MAPPINGS";
        MS_APPLICATION_POLICY_CONSTRAINTS = "1.3.6.1.4.1.311.21.12", "szOID_APPLICATION_POLICY_CONSTRAINTS";
        MS_CRL_SELF_CDP = "1.3.6.1.4.1.311.21.14", "szOID_CRL_SELF_CDP";
        MS_CERTSRV_CROSSCA_VERSION = "1.3.6.1.4.1.311.21.22", "szOID_CERTSRV_CROSSCA_VERSION";
        MS_CROSS_CERT_DIST_POINTS = "1.3.6.1.4.1.311.10.9.1", "szOID_CROSS_CERT_DIST_POINTS";
        MS_NTDS_REPLICATION = "1.3.6.1.4.1.311.25.1", "szOID_NTDS_REPLICATION";
        MS_NTDS_CA_SECURITY_EXT = "1.3.6.1.4.1.311.25.2", "szOID_NTDS_CA_SECURITY_EXT";
    }
    Extension "Entrust" {
        ENTRUST_VERS_INFO = "1.2.840.113533.7.65.0", "entrustVersInfo";
    }
    Extension "Adobe" {
        ADOBE_TIME_STAMP = "1.2.840.113583.1.1.9.1", "adobeTimeStamp";
        ADOBE_ARCHIVE_REV_INFO = "1.2.840.113583.1.1.9.2", "adobeArchiveRevInfo";
    }
    Extension "CA/Browser Forum EVG" {
        CABF_ORGANIZATION_IDENTIFIER = "2.23.140.3.1", "cabfOrganizationIdentifier";
    }
    Extension "SET" {
        SET_HASHED_ROOT_KEY = "2.23.42.7.0", "id-set-hashedRootKey";
    }
    Extension "Common PKI" {
        ISISMTT_AT_ADMISSION = "1.3.36.8.3.3", "id-isismtt-at-admission", "admission";
    }
    Extension "GOST R" {
        SUBJECT_SIGN_TOOL = "1.2.643.100.111", "subjectSignTool";
        ISSUER_SIGN_TOOL = "1.2.643.100.112", "issuerSignTool";
    }
    Extension "TCG" {
        TCG_CE_RELEVANT_CREDENTIALS = "2.23.133.6.2", "tcg-ce-relevantCredentials";
        TCG_CE_RELEVANT_MANIFESTS = "2.23.133.6.3", "tcg-ce-relevantManifests";
    }
    Extension "TCG DICE" {
        TCG_DICE_TCB_INFO = "2.23.133.5.4.1", "tcg-dice-TcbInfo";
    }
    Extension "Android" {
        ANDROID_KEY_ATTESTATION = "1.3.6.1.4.1.11129.2.1.17", "androidKeyAttestation";
    }
    Extension "FIDO" {
        FIDO_GEN_CE_AAGUID = "1.3.6.1.4.1.45724.1.1.4", "id-fido-gen-ce-aaguid";
    }
    Extension "RFC 7773" {
        CE_AUTH_CONTEXT = "1.2.752.201.5.1", "id-ce-authContext";
    }
    AccessMethod "RFC 5280" {
        AD_OCSP = "1.3.6.1.5.5.7.48.1", "id-ad-ocsp", "OCSP";
        AD_CA_ISSUERS = "1.3.6.1.5.5.7.48.2", "id-ad-caIssuers", "caIssuers";
        AD_TIME_STAMPING = "1.3.6.1.5.5.7.48.3", "id-ad-timeStamping";
        AD_CA_REPOSITORY = "1.3.6.1.5.5.7.48.5", "id-ad-caRepository", "caRepository";
    }
    AccessMethod "RFC 3029" {
        AD_DVCS = "1.3.6.1.5.5.7.48.4", "id-ad-dvcs";
    }
    AccessMethod "RFC 4387" {
        AD_HTTP_CERTS = "1.3.6.1.5.5.7.48.6", "id-ad-http-certs";
        AD_HTTP_CRLS = "1.3.6.1.5.5.7.48.7", "id-ad-http-crls";
    }
    AccessMethod "RFC 6487" {
        AD_RPKI_MANIFEST = "1.3.6.1.5.5.7.48.10", "id-ad-rpkiManifest", "rpkiManifest";
        AD_SIGNED_OBJECT = "1.3.6.1.5.5.7.48.11", "id-ad-signedObject", "signedObject";
    }
    AccessMethod "RFC 6402" {
        AD_CMC = "1.3.6.1.5.5.7.48.12", "id-ad-cmc";
    }
    AccessMethod "RFC 8182" {
        AD_RPKI_NOTIFY = "1.3.6.1.5.5.7.48.13", "id-ad-rpkiNotify", "rpkiNotify";
    }
    AccessMethod "RFC 8226" {
        AD_STIR_TN_LIST = "1.3.6.1.5.5.7.48.14", "id-ad-stirTNList";
    }
    Policy "RFC 5280" {
        ANY_POLICY = "2.5.29.32.0", "anyPolicy";
    }
    Policy "SGP.22" {
        RSP_ROLE_CI = "2.23.146.1.2.1.0", "id-rspRole-ci";
        RSP_ROLE_EUICC = "2.23.146.1.2.1.1", "id-rspRole-euicc";
        RSP_ROLE_EUM = "2.23.146.1.2.1.2", "id-rspRole-eum";
        RSP_ROLE_DP_TLS = "2.23.146.1.2.1.3", "id-rspRole-dp-tls";
        RSP_ROLE_DP_AUTH = "2.23.146.1.2.1.4", "id-rspRole-dp-auth";
        RSP_ROLE_DP_PB = "2.23.146.1.2.1.5", "id-rspRole-dp-pb";
        RSP_ROLE_DS_TLS = "2.23.146.1.2.1.6", "id-rspRole-ds-tls";
        RSP_ROLE_DS_AUTH = "2.23.146.1.2.1.7", "id-rspRole-ds-auth";
    }
    Policy "CA/Browser Forum" {
        CABF_EV_GUIDELINES = "2.23.140.1.1", "cabf-ev-guidelines", "cabf-EV";
        CABF_DOMAIN_VALIDATED = "2.23.140.1.2.1", "cabf-domain-validated", "cabf-DV";
        CABF_ORGANIZATION_VALIDATED = "2.23.140.1.2.2", "cabf-organization-validated", "cabf-OV";
        CABF_INDIVIDUAL_VALIDATED = "2.23.140.1.2.3", "cabf-individual-validated", "cabf-IV";
        CABF_EV_CODE_SIGNING = "2.23.140.1.3", "cabf-ev-code-signing";
        CABF_CODE_SIGNING = "2.23.140.1.4.1", "cabf-code-signing";
        CABF_CODE_SIGNING_TIMESTAMPING = "2.23.140.1.4.2", "cabf-code-signing-timestamping";
        CABF_SMIME_MAILBOX_VALIDATED_LEGACY = "2.23.140.1.5.1.1", "cabf-smime-mailbox-validated-legacy";
        CABF_SMIME_MAILBOX_VALIDATED_MULTIPURPOSE = "2.23.140.1.5.1.2", "cabf-smime-mailbox-validated-multipurpose";
        CABF_SMIME_MAILBOX_VALIDATED_STRICT = "2.23.140.1.5.1.3", "cabf-smime-mailbox-validated-strict";
        CABF_SMIME_ORGANIZATION_VALIDATED_LEGACY = "2.23.140.1.5.2.1", "cabf-smime-organization-validated-legacy";
        CABF_SMIME_ORGANIZATION_VALIDATED_MULTIPURPOSE = "2.23.140.1.5.2.2", "cabf-smime-organization-validated-multipurpose";
        CABF_SMIME_ORGANIZATION_VALIDATED_STRICT = "2.23.140.1.5.2.3", "cabf-smime-organization-validated-strict";
        CABF_SMIME_SPONSOR_VALIDATED_LEGACY = "2.23.140.1.5.3.1", "cabf-smime-sponsor-validated-legacy";
        CABF_SMIME_SPONSOR_VALIDATED_MULTIPURPOSE = "2.23.140.1.5.3.2", "cabf-smime-sponsor-validated-multipurpose";
        CABF_SMIME_SPONSOR_VALIDATED_STRICT = "2.23.140.1.5.3.3", "cabf-smime-sponsor-validated-strict";
        CABF_SMIME_INDIVIDUAL_VALIDATED_LEGACY = "2.23.140.1.5.4.1", "cabf-smime-individual-validated-legacy";
        CABF_SMIME_INDIVIDUAL_VALIDATED_MULTIPURPOSE = "2.23.140.1.5.4.2", "cabf-smime-individual-validated-multipurpose";
        CABF_SMIME_INDIVIDUAL_VALIDATED_STRICT = "2.23.140.1.5.4.3", "cabf-smime-individual-validated-strict";
    }
    Policy "ETSI EN 319 411-1" {
        ETSI_NCP = "0.4.0.2042.1.1", "etsi-ncp", "NCP";
        ETSI_NCPPLUS = "0.4.0.2042.1.2", "etsi-ncpplus", "NCP+";
        ETSI_LCP = "0.4.0.2042.1.3", "etsi-lcp", "LCP";
        ETSI_EVCP = "0.4.0.2042.1.4", "etsi-evcp", "EVCP";
        ETSI_DVCP = "0.4.0.2042.1.6", "etsi-dvcp", "DVCP";
        ETSI_OVCP = "0.4.0.2042.1.7", "etsi-ovcp", "OVCP";
    }
    Policy "ETSI EN 319 411-2" {
        ETSI_QCP_NATURAL = "0.4.0.194112.1.0", "etsi-qcp-natural", "QCP-n";
        ETSI_QCP_LEGAL = "0.4.0.194112.1.1", "etsi-qcp-legal", "QCP-l";
        ETSI_QCP_NATURAL_QSCD = "0.4.0.194112.1.2", "etsi-qcp-natural-qscd", "QCP-n-qscd";
        ETSI_QCP_LEGAL_QSCD = "0.4.0.194112.1.3", "etsi-qcp-legal-qscd", "QCP-l-qscd";
        ETSI_QCP_WEB = "0.4.0.194112.1.4", "etsi-qcp-web", "QCP-w";
    }
    Policy "ETSI TS 119 495" {
        ETSI_QCP_WEB_PSD2 = "0.4.0.19495.3.1", "etsi-qcp-web-psd2", "QCP-w-psd2";
    }
    Policy "ETSI TS 101 456" {
        ETSI_QCP_PUBLIC_WITH_SSCD = "0.4.0.1456.1.1", "etsi-qcp-public-with-sscd";
        ETSI_QCP_PUBLIC = "0.4.0.1456.1.2", "etsi-qcp-public";
    }
    Policy "RFC 6484" {
        CP_IP_ADDR_AS_NUMBER = "1.3.6.1.5.5.7.14.2", "id-cp-ipAddr-asNumber";
    }
    Policy "RFC 8360" {
        CP_IP_ADDR_AS_NUMBER_V2 = "1.3.6.1.5.5.7.14.3", "id-cp-ipAddr-asNumber-v2";
    }
    Policy "RFC 7229" {
        TEST_CERT_POLICY_ONE = "1.3.6.1.5.5.7.13.1", "id-TEST-certPolicyOne";
        TEST_CERT_POLICY_TWO = "1.3.6.1.5.5.7.13.2", "id-TEST-certPolicyTwo";
    }
    Policy "NIST PKITS" {
        NIST_TEST_POLICY_1 = "2.16.840.1.101.3.2.1.48.1", "nist-test-policy-1";
        NIST_TEST_POLICY_2 = "2.16.840.1.101.3.2.1.48.2", "nist-test-policy-2";
        NIST_TEST_POLICY_3 = "2.16.840.1.101.3.2.1.48.3", "nist-test-policy-3";
    }
    PolicyQualifier "RFC 5280" {
        QT_CPS = "1.3.6.1.5.5.7.2.1", "id-qt-cps", "cps";
        QT_UNOTICE = "1.3.6.1.5.5.7.2.2", "id-qt-unotice";
    }
    PolicyQualifier "RFC 4476" {
        QT_ACPS = "1.3.6.1.5.5.7.2.4", "id-qt-acps";
        QT_ACUNOTICE = "1.3.6.1.5.5.7.2.5", "id-qt-acunotice";
    }
    QcStatement "RFC 3739" {
        QCS_PKIX_QC_SYNTAX_V1 = "1.3.6.1.5.5.7.11.1", "id-qcs-pkixQCSyntax-v1";
        QCS_PKIX_QC_SYNTAX_V2 = "1.3.6.1.5.5.7.11.2", "id-qcs-pkixQCSyntax-v2";
    }
    QcStatement "ETSI EN 319 412-5" {
        ETSI_QCS_QC_COMPLIANCE = "0.4.0.1862.1.1", "id-etsi-qcs-QcCompliance", "qcCompliance";
        ETSI_QCS_QC_LIMIT_VALUE = "0.4.0.1862.1.2", "id-etsi-qcs-QcLimitValue", "qcLimitValue";
        ETSI_QCS_QC_RETENTION_PERIOD = "0.4.0.1862.1.3", "id-etsi-qcs-QcRetentionPeriod", "qcRetentionPeriod";
        ETSI_QCS_QC_SSCD = "0.4.0.1862.1.4", "id-etsi-qcs-QcSSCD", "qcSSCD";
        ETSI_QCS_QC_PDS = "0.4.0.1862.1.5", "id-etsi-qcs-QcPDS", "qcPDS";
        ETSI_QCS_QC_TYPE = "0.4.0.1862.1.6", "id-etsi-qcs-QcType", "qcType";
        ETSI_QCT_ESIGN = "0.4.0.1862.1.6.1", "id-etsi-qct-esign", "qcType-esign";
        ETSI_QCT_ESEAL = "0.4.0.1862.1.6.2", "id-etsi-qct-eseal", "qcType-eseal";
        ETSI_QCT_WEB = "0.4.0.1862.1.6.3", "id-etsi-qct-web", "qcType-web";
        ETSI_QCS_QC_CC_LEGISLATION = "0.4.0.1862.1.7", "id-etsi-qcs-QcCClegislation", "qcCClegislation";
    }
    QcStatement "ETSI EN 319 412-1" {
        ETSI_QCS_SEMANTICS_ID_NATURAL = "0.4.0.194121.1.1", "id-etsi-qcs-semanticsId-Natural";
        ETSI_QCS_SEMANTICS_ID_LEGAL = "0.4.0.194121.1.2", "id-etsi-qcs-semanticsId-Legal";
    }
    QcStatement "ETSI TS 119 495" {
        ETSI_PSD2_QC_STATEMENT = "0.4.0.19495.2", "etsi-psd2-qcStatement";
        PSD2_ROLE_PSP_AS = "0.4.0.19495.1.1", "id-psd2-role-psp-as", "PSP_AS";
        PSD2_ROLE_PSP_PI = "0.4.0.19495.1.2", "id-psd2-role-psp-pi", "PSP_PI";
        PSD2_ROLE_PSP_AI = "0.4.0.19495.1.3", "id-psd2-role-psp-ai", "PSP_AI";
        PSD2_ROLE_PSP_IC = "0.4.0.19495.1.4", "id-psd2-role-psp-ic", "PSP_IC";
    }
    OtherName "FIPS 201" {
        PIV_FASC_N = "2.16.840.1.101.3.6.6", "pivFASC-N";
    }
    OtherName "RFC 4043" {
        ON_PERMANENT_IDENTIFIER = "1.3.6.1.5.5.7.8.3", "id-on-permanentIdentifier";
    }
    OtherName "RFC 4108" {
        ON_HARDWARE_MODULE_NAME = "1.3.6.1.5.5.7.8.4", "id-on-hardwareModuleName";
    }
    OtherName "RFC 6120" {
        ON_XMPP_ADDR = "1.3.6.1.5.5.7.8.5", "id-on-xmppAddr";
    }
    OtherName "RFC 4683" {
        ON_SIM = "1.3.6.1.5.5.7.8.6", "id-on-SIM";
    }
    OtherName "RFC 4985" {
        ON_DNS_SRV = "1.3.6.1.5.5.7.8.7", "id-on-dnsSRV";
    }
    OtherName "RFC 7585" {
        ON_NAI_REALM = "1.3.6.1.5.5.7.8.8", "id-on-naiRealm";
    }
    OtherName "RFC 9598" {
        ON_SMTP_UTF8_MAILBOX = "1.3.6.1.5.5.7.8.9", "id-on-SmtpUTF8Mailbox";
    }
    OtherName "RFC 8994" {
        ON_ACP_NODE_NAME = "1.3.6.1.5.5.7.8.10", "id-on-AcpNodeName";
    }
    OtherName "RFC 9174" {
        ON_BUNDLE_EID = "1.3.6.1.5.5.7.8.11", "id-on-bundleEID";
    }
    OtherName "Microsoft" {
        MS_NT_PRINCIPAL_NAME = "1.3.6.1.4.1.311.20.2.3", "szOID_NT_PRINCIPAL_NAME", "UPN";
        MS_NTDS_OBJECTSID = "1.3.6.1.4.1.311.25.2.1", "szOID_NTDS_OBJECTSID";
    }
    OtherName "RFC 4556" {
        PKINIT_SAN = "1.3.6.1.5.2.2", "id-pkinit-san";
    }
    Other "RFC 9399" {
        LOGO_LOYALTY = "1.3.6.1.5.5.7.20.1", "id-logo-loyalty";
        LOGO_BACKGROUND = "1.3.6.1.5.5.7.20.2", "id-logo-background";
        LOGO_CERT_IMAGE = "1.3.6.1.5.5.7.20.3", "id-logo-certImage";
    }
}
