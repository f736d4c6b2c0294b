//! Key purposes, for the extended key usage extension.

oids! {
    KeyPurpose "RFC 5280" {
        ANY_EXTENDED_KEY_USAGE = "2.5.29.37.0", "anyExtendedKeyUsage";
        KP_SERVER_AUTH = "1.3.6.1.5.5.7.3.1", "id-kp-serverAuth", "serverAuth";
        KP_CLIENT_AUTH = "1.3.6.1.5.5.7.3.2", "id-kp-clientAuth", "clientAuth";
        KP_CODE_SIGNING = "1.3.6.1.5.5.7.3.3", "id-kp-codeSigning", "codeSigning";
        KP_EMAIL_PROTECTION = "1.3.6.1.5.5.7.3.4", "id-kp-emailProtection", "emailProtection";
        KP_TIME_STAMPING = "1.3.6.1.5.5.7.3.8", "id-kp-timeStamping", "timeStamping";
        KP_OCSP_SIGNING = "1.3.6.1.5.5.7.3.9", "id-kp-OCSPSigning", "OCSPSigning";
    }
    KeyPurpose "RFC 2459" {
        KP_IPSEC_END_SYSTEM = "1.3.6.1.5.5.7.3.5", "id-kp-ipsecEndSystem", "ipsecEndSystem";
        KP_IPSEC_TUNNEL = "1.3.6.1.5.5.7.3.6", "id-kp-ipsecTunnel", "ipsecTunnel";
        KP_IPSEC_USER = "1.3.6.1.5.5.7.3.7", "id-kp-ipsecUser", "ipsecUser";
    }
    KeyPurpose "RFC 3029" {
        KP_DVCS = "1.3.6.1.5.5.7.3.10", "id-kp-dvcs", "dvcs";
    }
    KeyPurpose "RFC 7299" {
        KP_SBGP_CERT_AA_SERVER_AUTH = "1.3.6.1.5.5.7.3.11", "id-kp-sbgpCertAAServerAuth";
        KP_SCVP_RESPONDER = "1.3.6.1.5.5.7.3.12", "id-kp-scvp-responder";
    }
    KeyPurpose "RFC 4334" {
        KP_EAP_OVER_PPP = "1.3.6.1.5.5.7.3.13", "id-kp-eapOverPPP", "eapOverPPP";
        KP_EAP_OVER_LAN = "1.3.6.1.5.5.7.3.14", "id-kp-eapOverLAN", "eapOverLAN";
    }
    KeyPurpose "RFC 5055" {
        KP_SCVP_SERVER = "1.3.6.1.5.5.7.3.15", "id-kp-scvpServer", "scvpServer";
        KP_SCVP_CLIENT = "1.3.6.1.5.5.7.3.16", "id-kp-scvpClient", "scvpClient";
    }
    KeyPurpose "RFC 4945" {
        KP_IPSEC_IKE = "1.3.6.1.5.5.7.3.17", "id-kp-ipsecIKE", "ipsecIKE";
    }
    KeyPurpose "RFC 5415" {
        KP_CAPWAP_AC = "1.3.6.1.5.5.7.3.18", "id-kp-capwapAC", "capwapAC";
        KP_CAPWAP_WTP = "1.3.6.1.5.5.7.3.19", "id-kp-capwapWTP", "capwapWTP";
    }
    KeyPurpose "RFC 5924" {
        KP_SIP_DOMAIN = "1.3.6.1.5.5.7.3.20", "id-kp-sipDomain", "sipDomain";
    }
    KeyPurpose "RFC 6187" {
        KP_SECURE_SHELL_CLIENT = "1.3.6.1.5.5.7.3.21", "id-kp-secureShellClient", "secureShellClient";
        KP_SECURE_SHELL_SERVER = "1.3.6.1.5.5.7.3.22", "id-kp-secureShellServer", "secureShellServer";
    }
    KeyPurpose "RFC 6494" {
        KP_SEND_ROUTER = "1.3.6.1.5.5.7.3.23", "id-kp-sendRouter", "sendRouter";
        KP_SEND_PROXIED_ROUTER = "1.3.6.1.5.5.7.3.24", "id-kp-sendProxiedRouter", "sendProxiedRouter";
        KP_SEND_OWNER = "1.3.6.1.5.5.7.3.25", "id-kp-sendOwner", "sendOwner";
        KP_SEND_PROXIED_OWNER = "1.3.6.1.5.5.7.3.26", "id-kp-sendProxiedOwner", "sendProxiedOwner";
    }
    KeyPurpose "RFC 6402" {
        KP_CMC_CA = "1.3.6.1.5.5.7.3.27", "id-kp-cmcCA", "cmcCA";
        KP_CMC_RA = "1.3.6.1.5.5.7.3.28", "id-kp-cmcRA", "cmcRA";
        KP_CMC_ARCHIVE = "1.3.6.1.5.5.7.3.29", "id-kp-cmcArchive", "cmcArchive";
    }
    KeyPurpose "RFC 8209" {
        KP_BGPSEC_ROUTER = "1.3.6.1.5.5.7.3.30", "id-kp-bgpsec-router";
    }
    KeyPurpose "BIMI" {
        KP_BRAND_INDICATOR_FOR_MESSAGE_IDENTIFICATION = "1.3.6.1.5.5.7.3.31", "id-kp-BrandIndicatorforMessageIdentification", "BIMI";
    }
    KeyPurpose "RFC 9480" {
        KP_CM_KGA = "1.3.6.1.5.5.7.3.32", "id-kp-cmKGA", "cmKGA";
    }
    KeyPurpose "RFC 9289" {
        KP_RPC_TLS_CLIENT = "1.3.6.1.5.5.7.3.33", "id-kp-rpcTLSClient", "rpcTLSClient";
        KP_RPC_TLS_SERVER = "1.3.6.1.5.5.7.3.34", "id-kp-rpcTLSServer", "rpcTLSServer";
    }
    KeyPurpose "RFC 9174" {
        KP_BUNDLE_SECURITY = "1.3.6.1.5.5.7.3.35", "id-kp-bundleSecurity", "bundleSecurity";
    }
    KeyPurpose "RFC 9336" {
        KP_DOCUMENT_SIGNING = "1.3.6.1.5.5.7.3.36", "id-kp-documentSigning", "documentSigning";
    }
    KeyPurpose "RFC 9509" {
        KP_JWT = "1.3.6.1.5.5.7.3.37", "id-kp-jwt";
        KP_HTTP_CONTENT_ENCRYPT = "1.3.6.1.5.5.7.3.38", "id-kp-httpContentEncrypt";
        KP_OAUTH_ACCESS_TOKEN_SIGNING = "1.3.6.1.5.5.7.3.39", "id-kp-oauthAccessTokenSigning";
    }
    KeyPurpose "RFC 4556" {
        PKINIT_KP_CLIENT_AUTH = "1.3.6.1.5.2.3.4", "id-pkinit-KPClientAuth", "pkInitClientAuth";
        PKINIT_KP_KDC = "1.3.6.1.5.2.3.5", "id-pkinit-KPKdc", "pkInitKDC";
    }
    KeyPurpose "IPsec" {
        IKE_INTERMEDIATE = "1.3.6.1.5.5.8.2.2", "iKEIntermediate";
    }
    KeyPurpose "RFC 6962" {
        CT_PRECERTIFICATE_SIGNING = "1.3.6.1.4.1.11129.2.4.4", "ctPrecertificateSigning", "ct-precert-signing-cert";
    }
    KeyPurpose "Netscape" {
        NETSCAPE_SERVER_GATED_CRYPTO = "2.16.840.1.113730.4.1", "netscapeServerGatedCrypto", "nsSGC";
    }
    KeyPurpose "Microsoft" {
        MS_CODE_IND = "1.3.6.1.4.1.311.2.1.21", "msCodeInd";
        MS_CODE_COM = "1.3.6.1.4.1.311.2.1.22", "msCodeCom";
        MS_KP_CTL_USAGE_SIGNING = "1.3.6.1.4.1.311.10.3.1", "szOID_KP_CTL_USAGE_SIGNING", "msCTLSign";
        MS_KP_TIME_STAMP_SIGNING = "1.3.6.1.4.1.311.10.3.2", "szOID_KP_TIME_STAMP_SIGNING";
        MS_SERVER_GATED_CRYPTO = "1.3.6.1.4.1.311.10.3.3", "szOID_SERVER_GATED_CRYPTO", "msSGC";
        MS_KP_EFS = "1.3.6.1.4.1.311.10.3.4", "szOID_KP_EFS", "msEFS";
        MS_EFS_RECOVERY = "1.3.6.1.4.1.311.10.3.4.1", "szOID_EFS_RECOVERY";
        MS_WHQL_CRYPTO = "1.3.6.1.4.1.311.10.3.5", "szOID_WHQL_CRYPTO";
        MS_NT5_CRYPTO = "1.3.6.1.4.1.311.10.3.6", "szOID_NT5_CRYPTO";
        MS_OEM_WHQL_CRYPTO = "1.3.6.1.4.1.311.10.3.7", "szOID_OEM_WHQL_CRYPTO";
        MS_EMBEDDED_NT_CRYPTO = "1.3.6.1.4.1.311.10.3.8", "szOID_EMBEDDED_NT_CRYPTO";
        MS_ROOT_LIST_SIGNER = "1.3.6.1.4.1.311.10.3.9", "szOID_ROOT_LIST_SIGNER";
        MS_KP_QUALIFIED_SUBORDINATION = "1.3.6.1.4.1.311.10.3.10", "szOID_KP_QUALIFIED_SUBORDINATION";
        MS_KP_KEY_RECOVERY = "1.3.6.1.4.1.311.10.3.11", "szOID_KP_KEY_RECOVERY";
        MS_KP_DOCUMENT_SIGNING = "1.3.6.1.4.1.311.10.3.12", "szOID_KP_DOCUMENT_SIGNING";
        MS_KP_LIFETIME_SIGNING = "1.3.6.1.4.1.311.10.3.13", "szOID_KP_LIFETIME_SIGNING";
        MS_KP_MOBILE_DEVICE_SOFTWARE = "1.3.6.1.4.1.311.10.3.14", "szOID_KP_MOBILE_DEVICE_SOFTWARE";
        MS_DRM = "1.3.6.1.4.1.311.10.5.1", "szOID_DRM";
        MS_LICENSES = "1.3.6.1.4.1.311.10.6.1", "szOID_LICENSES";
        MS_LICENSE_SERVER = "1.3.6.1.4.1.311.10.6.2", "szOID_LICENSE_SERVER";
        MS_ANY_APPLICATION_POLICY = "1.3.6.1.4.1.311.10.12.1", "szOID_ANY_APPLICATION_POLICY";
        MS_AUTO_ENROLL_CTL_USAGE = "1.3.6.1.4.1.311.20.1", "szOID_AUTO_ENROLL_CTL_USAGE";
        MS_ENROLLMENT_AGENT = "1.3.6.1.4.1.311.20.2.1", "szOID_ENROLLMENT_AGENT";
        MS_KP_SMARTCARD_LOGON = "1.3.6.1.4.1.311.20.2.2", "szOID_KP_SMARTCARD_LOGON", "msSmartcardLogin";
        MS_KP_CA_EXCHANGE = "1.3.6.1.4.1.311.21.5", "szOID_KP_CA_EXCHANGE";
        MS_KP_KEY_RECOVERY_AGENT = "1.3.6.1.4.1.311.21.6", "szOID_KP_KEY_RECOVERY_AGENT";
        MS_DS_EMAIL_REPLICATION = "1.3.6.1.4.1.311.21.19", "szOID_DS_EMAIL_REPLICATION";
        MS_KP_PRIVACY_CA = "1.3.6.1.4.1.311.21.36", "szOID_KP_PRIVACY_CA";
        MS_KP_KERNEL_MODE_CODE_SIGNING = "1.3.6.1.4.1.311.61.1.1", "szOID_KP_KERNEL_MODE_CODE_SIGNING";
        MS_KP_KERNEL_MODE_TRUSTED_BOOT_SIGNING = "1.3.6.1.4.1.311.61.4.1", "szOID_KP_KERNEL_MODE_TRUSTED_BOOT_SIGNING";
        BIT_LOCKER_DRIVE_ENCRYPTION = "1.3.6.1.4.1.311.67.1.1", "bitLockerDriveEncryption";
        BIT_LOCKER_DATA_RECOVERY_AGENT = "1.3.6.1.4.1.311.67.1.2", "bitLockerDataRecoveryAgent";
        MS_WINDOWS_STORE_SIGNER = "1.3.6.1.4.1.311.76.3.1", "szOID_WINDOWS_STORE_SIGNER";
        MS_MICROSOFT_PUBLISHER_SIGNER = "1.3.6.1.4.1.311.76.8.1", "szOID_MICROSOFT_PUBLISHER_SIGNER";
    }
    KeyPurpose "Adobe" {
        ADOBE_AUTHENTIC_DOCUMENTS_TRUST = "1.2.840.113583.1.1.5", "adobeAuthenticDocumentsTrust";
    }
    KeyPurpose "NIST PIV" {
        PIV_CONTENT_SIGNING = "2.16.840.1.101.3.6.7", "id-PIV-content-signing";
        PIV_CARD_AUTH = "2.16.840.1.101.3.6.8", "id-PIV-cardAuth";
        FPKI_PIVI_CONTENT_SIGNING = "2.16.840.1.101.3.8.7", "id-fpki-pivi-content-signing";
    }
    KeyPurpose "VeriSign" {
        VERISIGN_SERVER_GATED_CRYPTO = "2.16.840.1.113733.1.8.1", "verisignServerGatedCrypto";
    }
    KeyPurpose "Intel" {
        INTEL_AMT_PROVISIONING = "2.16.840.1.113741.1.2.3", "intelAmtProvisioning";
    }
    KeyPurpose "TCG" {
        TCG_KP_EK_CERTIFICATE = "2.23.133.8.1", "tcg-kp-EKCertificate";
        TCG_KP_PLATFORM_CERTIFICATE = "2.23.133.8.2", "tcg-kp-PlatformCertificate";
        TCG_KP_AIK_CERTIFICATE = "2.23.133.8.3", "tcg-kp-AIKCertificate";
    }
    KeyPurpose "ICAO 9303" {
        ICAO_MRTD_SECURITY_MASTER_LIST_SIGNING_KEY = "2.23.136.1.1.3", "id-icao-mrtd-security-masterListSigningKey";
        ICAO_MRTD_SECURITY_DEVIATION_LIST_SIGNING_KEY = "2.23.136.1.1.8", "id-icao-mrtd-security-DeviationListSigningKey";
    }
    KeyPurpose "ISO 18013-5" {
        MDL_KP_MDL_DS = "1.0.18013.5.1.2", "id-mdl-kp-mdlDS", "mdlDS";
    }
}
