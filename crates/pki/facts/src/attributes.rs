//! Attribute types of names, directory entries and attribute certificates.

oids! {
    Attribute "X.520" {
        OBJECT_CLASS = "2.5.4.0", "objectClass";
        ALIASED_ENTRY_NAME = "2.5.4.1", "aliasedEntryName", "aliasedObjectName";
        KNOWLEDGE_INFORMATION = "2.5.4.2", "knowledgeInformation";
        COMMON_NAME = "2.5.4.3", "commonName", "CN";
        SURNAME = "2.5.4.4", "surname", "SN";
        SERIAL_NUMBER = "2.5.4.5", "serialNumber";
        COUNTRY_NAME = "2.5.4.6", "countryName", "C";
        LOCALITY_NAME = "2.5.4.7", "localityName", "L";
        COLLECTIVE_LOCALITY_NAME = "2.5.4.7.1", "collectiveLocalityName", "c-l";
        STATE_OR_PROVINCE_NAME = "2.5.4.8", "stateOrProvinceName", "ST";
        COLLECTIVE_STATE_OR_PROVINCE_NAME = "2.5.4.8.1", "collectiveStateOrProvinceName", "c-st";
        STREET_ADDRESS = "2.5.4.9", "streetAddress", "STREET";
        COLLECTIVE_STREET_ADDRESS = "2.5.4.9.1", "collectiveStreetAddress", "c-street";
        ORGANIZATION_NAME = "2.5.4.10", "organizationName", "O";
        COLLECTIVE_ORGANIZATION_NAME = "2.5.4.10.1", "collectiveOrganizationName", "c-o";
        ORGANIZATIONAL_UNIT_NAME = "2.5.4.11", "organizationalUnitName", "OU";
        COLLECTIVE_ORGANIZATIONAL_UNIT_NAME = "2.5.4.11.1", "collectiveOrganizationalUnitName", "c-ou";
        TITLE = "2.5.4.12", "title";
        DESCRIPTION = "2.5.4.13", "description";
        SEARCH_GUIDE = "2.5.4.14", "searchGuide";
        BUSINESS_CATEGORY = "2.5.4.15", "businessCategory";
        POSTAL_ADDRESS = "2.5.4.16", "postalAddress";
        COLLECTIVE_POSTAL_ADDRESS = "2.5.4.16.1", "collectivePostalAddress", "c-PostalAddress";
        POSTAL_CODE = "2.5.4.17", "postalCode";
        COLLECTIVE_POSTAL_CODE = "2.5.4.17.1", "collectivePostalCode", "c-PostalCode";
        POST_OFFICE_BOX = "2.5.4.18", "postOfficeBox";
        COLLECTIVE_POST_OFFICE_BOX = "2.5.4.18.1", "collectivePostOfficeBox", "c-PostOfficeBox";
        PHYSICAL_DELIVERY_OFFICE_NAME = "2.5.4.19", "physicalDeliveryOfficeName";
        COLLECTIVE_PHYSICAL_DELIVERY_OFFICE_NAME = "2.5.4.19.1", "collectivePhysicalDeliveryOfficeName", "c-PhysicalDeliveryOffice";
        TELEPHONE_NUMBER = "2.5.4.20", "telephoneNumber";
        COLLECTIVE_TELEPHONE_NUMBER = "2.5.4.20.1", "collectiveTelephoneNumber", "c-TelephoneNumber";
        TELEX_NUMBER = "2.5.4.21", "telexNumber";
        COLLECTIVE_TELEX_NUMBER = "2.5.4.21.1", "collectiveTelexNumber", "c-TelexNumber";
        TELETEX_TERMINAL_IDENTIFIER = "2.5.4.22", "teletexTerminalIdentifier";
        FACSIMILE_TELEPHONE_NUMBER = "2.5.4.23", "facsimileTelephoneNumber";
        COLLECTIVE_FACSIMILE_TELEPHONE_NUMBER = "2.5.4.23.1", "collectiveFacsimileTelephoneNumber", "c-FacsimileTelephoneNumber";
        X121_ADDRESS = "2.5.4.24", "x121Address";
        INTERNATIONAL_ISDN_NUMBER = "2.5.4.25", "internationalISDNNumber";
        COLLECTIVE_INTERNATIONAL_ISDN_NUMBER = "2.5.4.25.1", "collectiveInternationalISDNNumber", "c-InternationalISDNNumber";
        REGISTERED_ADDRESS = "2.5.4.26", "registeredAddress";
        DESTINATION_INDICATOR = "2.5.4.27", "destinationIndicator";
        PREFERRED_DELIVERY_METHOD = "2.5.4.28", "preferredDeliveryMethod";
        PRESENTATION_ADDRESS = "2.5.4.29", "presentationAddress";
        SUPPORTED_APPLICATION_CONTEXT = "2.5.4.30", "supportedApplicationContext";
        MEMBER = "2.5.4.31", "member";
        OWNER = "2.5.4.32", "owner";
        ROLE_OCCUPANT = "2.5.4.33", "roleOccupant";
        SEE_ALSO = "2.5.4.34", "seeAlso";
        NAME = "2.5.4.41", "name";
        GIVEN_NAME = "2.5.4.42", "givenName", "GN";
        INITIALS = "2.5.4.43", "initials";
        GENERATION_QUALIFIER = "2.5.4.44", "generationQualifier";
        DN_QUALIFIER = "2.5.4.46", "dnQualifier";
        ENHANCED_SEARCH_GUIDE = "2.5.4.47", "enhancedSearchGuide";
        PROTOCOL_INFORMATION = "2.5.4.48", "protocolInformation";
        DISTINGUISHED_NAME = "2.5.4.49", "distinguishedName";
        UNIQUE_MEMBER = "2.5.4.50", "uniqueMember";
        HOUSE_IDENTIFIER = "2.5.4.51", "houseIdentifier";
        DMD_NAME = "2.5.4.54", "dmdName";
        PSEUDONYM = "2.5.4.65", "pseudonym";
        COMMUNICATIONS_SERVICE = "2.5.4.66", "communicationsService";
        COMMUNICATIONS_NETWORK = "2.5.4.67", "communicationsNetwork";
        ORGANIZATION_IDENTIFIER = "2.5.4.97", "organizationIdentifier";
        COUNTRY_CODE_3C = "2.5.4.98", "countryCode3c", "c3";
        COUNTRY_CODE_3N = "2.5.4.99", "countryCode3n", "n3";
    }
    Attribute "X.509" {
        USER_PASSWORD = "2.5.4.35", "userPassword";
        USER_CERTIFICATE = "2.5.4.36", "userCertificate";
        CA_CERTIFICATE = "2.5.4.37", "cACertificate";
        AUTHORITY_REVOCATION_LIST = "2.5.4.38", "authorityRevocationList";
        CERTIFICATE_REVOCATION_LIST = "2.5.4.39", "certificateRevocationList";
        CROSS_CERTIFICATE_PAIR = "2.5.4.40", "crossCertificatePair";
        SUPPORTED_ALGORITHMS = "2.5.4.52", "supportedAlgorithms";
        DELTA_REVOCATION_LIST = "2.5.4.53", "deltaRevocationList";
        CLEARANCE = "2.5.4.55", "clearance";
        ATTRIBUTE_CERTIFICATE = "2.5.4.58", "attributeCertificate";
        AA_CERTIFICATE = "2.5.4.61", "aACertificate";
        ATTRIBUTE_DESCRIPTOR_CERTIFICATE = "2.5.4.62", "attributeDescriptorCertificate";
        ATTRIBUTE_AUTHORITY_REVOCATION_LIST = "2.5.4.63", "attributeAuthorityRevocationList";
        CERTIFICATION_PRACTICE_STMT = "2.5.4.68", "certificationPracticeStmt";
        CERTIFICATE_POLICY = "2.5.4.69", "certificatePolicy";
        PKI_PATH = "2.5.4.70", "pkiPath";
        PRIV_POLICY = "2.5.4.71", "privPolicy";
        ROLE = "2.5.4.72", "role";
        DELEGATION_PATH = "2.5.4.73", "delegationPath";
    }
    Attribute "RFC 4519" {
        X500_UNIQUE_IDENTIFIER = "2.5.4.45", "x500UniqueIdentifier";
        USER_ID = "0.9.2342.19200300.100.1.1", "userId", "UID";
        DOMAIN_COMPONENT = "0.9.2342.19200300.100.1.25", "domainComponent", "DC";
    }
    Attribute "RFC 4524" {
        RFC822_MAILBOX = "0.9.2342.19200300.100.1.3", "rfc822Mailbox", "mail";
        INFO = "0.9.2342.19200300.100.1.4", "info";
        FAVOURITE_DRINK = "0.9.2342.19200300.100.1.5", "favouriteDrink", "drink";
        ROOM_NUMBER = "0.9.2342.19200300.100.1.6", "roomNumber";
        USER_CLASS = "0.9.2342.19200300.100.1.8", "userClass";
        HOST = "0.9.2342.19200300.100.1.9", "host";
        MANAGER = "0.9.2342.19200300.100.1.10", "manager";
        DOCUMENT_IDENTIFIER = "0.9.2342.19200300.100.1.11", "documentIdentifier";
        DOCUMENT_TITLE = "0.9.2342.19200300.100.1.12", "documentTitle";
        DOCUMENT_VERSION = "0.9.2342.19200300.100.1.13", "documentVersion";
        DOCUMENT_AUTHOR = "0.9.2342.19200300.100.1.14", "documentAuthor";
        DOCUMENT_LOCATION = "0.9.2342.19200300.100.1.15", "documentLocation";
        HOME_TELEPHONE = "0.9.2342.19200300.100.1.20", "homeTelephone", "homePhone";
        SECRETARY = "0.9.2342.19200300.100.1.21", "secretary";
        ASSOCIATED_DOMAIN = "0.9.2342.19200300.100.1.37", "associatedDomain";
        ASSOCIATED_NAME = "0.9.2342.19200300.100.1.38", "associatedName";
        HOME_POSTAL_ADDRESS = "0.9.2342.19200300.100.1.39", "homePostalAddress";
        PERSONAL_TITLE = "0.9.2342.19200300.100.1.40", "personalTitle";
        MOBILE_TELEPHONE_NUMBER = "0.9.2342.19200300.100.1.41", "mobileTelephoneNumber", "mobile";
        PAGER_TELEPHONE_NUMBER = "0.9.2342.19200300.100.1.42", "pagerTelephoneNumber", "pager";
        FRIENDLY_COUNTRY_NAME = "0.9.2342.19200300.100.1.43", "friendlyCountryName", "co";
        UNIQUE_IDENTIFIER = "0.9.2342.19200300.100.1.44", "uniqueIdentifier";
        ORGANIZATIONAL_STATUS = "0.9.2342.19200300.100.1.45", "organizationalStatus";
        BUILDING_NAME = "0.9.2342.19200300.100.1.48", "buildingName";
        DOCUMENT_PUBLISHER = "0.9.2342.19200300.100.1.56", "documentPublisher";
    }
    Attribute "RFC 1274" {
        TEXT_ENCODED_OR_ADDRESS = "0.9.2342.19200300.100.1.2", "textEncodedORAddress";
        PHOTO = "0.9.2342.19200300.100.1.7", "photo";
        OTHER_MAILBOX = "0.9.2342.19200300.100.1.22", "otherMailbox";
        PERSONAL_SIGNATURE = "0.9.2342.19200300.100.1.53", "personalSignature";
        AUDIO = "0.9.2342.19200300.100.1.55", "audio";
    }
    Attribute "RFC 2798" {
        JPEG_PHOTO = "0.9.2342.19200300.100.1.60", "jpegPhoto";
        CAR_LICENSE = "2.16.840.1.113730.3.1.1", "carLicense";
        DEPARTMENT_NUMBER = "2.16.840.1.113730.3.1.2", "departmentNumber";
        EMPLOYEE_NUMBER = "2.16.840.1.113730.3.1.3", "employeeNumber";
        EMPLOYEE_TYPE = "2.16.840.1.113730.3.1.4", "employeeType";
        PREFERRED_LANGUAGE = "2.16.840.1.113730.3.1.39", "preferredLanguage";
        USER_SMIME_CERTIFICATE = "2.16.840.1.113730.3.1.40", "userSMIMECertificate";
        USER_PKCS12 = "2.16.840.1.113730.3.1.216", "userPKCS12";
        DISPLAY_NAME = "2.16.840.1.113730.3.1.241", "displayName";
    }
    Attribute "RFC 4512" {
        CREATE_TIMESTAMP = "2.5.18.1", "createTimestamp";
        MODIFY_TIMESTAMP = "2.5.18.2", "modifyTimestamp";
        CREATORS_NAME = "2.5.18.3", "creatorsName";
        MODIFIERS_NAME = "2.5.18.4", "modifiersName";
        SUBSCHEMA_SUBENTRY = "2.5.18.10", "subschemaSubentry";
        MATCHING_RULES = "2.5.21.4", "matchingRules";
        ATTRIBUTE_TYPES = "2.5.21.5", "attributeTypes";
        OBJECT_CLASSES = "2.5.21.6", "objectClasses";
        STRUCTURAL_OBJECT_CLASS = "2.5.21.9", "structuralObjectClass";
        NAMING_CONTEXTS = "1.3.6.1.4.1.1466.101.120.5", "namingContexts";
        ALT_SERVER = "1.3.6.1.4.1.1466.101.120.6", "altServer";
        SUPPORTED_EXTENSION = "1.3.6.1.4.1.1466.101.120.7", "supportedExtension";
        SUPPORTED_CONTROL = "1.3.6.1.4.1.1466.101.120.13", "supportedControl";
        SUPPORTED_SASL_MECHANISMS = "1.3.6.1.4.1.1466.101.120.14", "supportedSASLMechanisms";
        SUPPORTED_LDAP_VERSION = "1.3.6.1.4.1.1466.101.120.15", "supportedLDAPVersion";
        SUPPORTED_FEATURES = "1.3.6.1.4.1.4203.1.3.5", "supportedFeatures";
    }
    Attribute "RFC 4530" {
        ENTRY_UUID = "1.3.6.1.1.16.4", "entryUUID";
    }
    Attribute "RFC 5020" {
        ENTRY_DN = "1.3.6.1.1.20", "entryDN";
    }
    Attribute "RFC 2079" {
        LABELED_URI = "1.3.6.1.4.1.250.1.57", "labeledURI";
    }
    Attribute "RFC 3739" {
        DATE_OF_BIRTH = "1.3.6.1.5.5.7.9.1", "dateOfBirth";
        PLACE_OF_BIRTH = "1.3.6.1.5.5.7.9.2", "placeOfBirth";
        GENDER = "1.3.6.1.5.5.7.9.3", "gender";
        COUNTRY_OF_CITIZENSHIP = "1.3.6.1.5.5.7.9.4", "countryOfCitizenship";
        COUNTRY_OF_RESIDENCE = "1.3.6.1.5.5.7.9.5", "countryOfResidence";
    }
    Attribute "RFC 5755" {
        ACA_AUTHENTICATION_INFO = "1.3.6.1.5.5.7.10.1", "id-aca-authenticationInfo";
        ACA_ACCESS_IDENTITY = "1.3.6.1.5.5.7.10.2", "id-aca-accessIdentity";
        ACA_CHARGING_IDENTITY = "1.3.6.1.5.5.7.10.3", "id-aca-chargingIdentity";
        ACA_GROUP = "1.3.6.1.5.5.7.10.4", "id-aca-group";
        ACA_ENC_ATTRS = "1.3.6.1.5.5.7.10.6", "id-aca-encAttrs";
        AT_CLEARANCE_RFC3281 = "2.5.1.5.55", "id-at-clearance-rfc3281";
    }
    Attribute "RFC 2985" {
        EMAIL_ADDRESS = "1.2.840.113549.1.9.1", "emailAddress", "E";
        UNSTRUCTURED_NAME = "1.2.840.113549.1.9.2", "unstructuredName";
        UNSTRUCTURED_ADDRESS = "1.2.840.113549.1.9.8", "unstructuredAddress";
    }
    Attribute "CA/Browser Forum EVG" {
        JURISDICTION_LOCALITY_NAME = "1.3.6.1.4.1.311.60.2.1.1", "jurisdictionLocalityName", "jurisdictionL";
        JURISDICTION_STATE_OR_PROVINCE_NAME = "1.3.6.1.4.1.311.60.2.1.2", "jurisdictionStateOrProvinceName", "jurisdictionST";
        JURISDICTION_COUNTRY_NAME = "1.3.6.1.4.1.311.60.2.1.3", "jurisdictionCountryName", "jurisdictionC";
    }
    Attribute "GOST R" {
        INN = "1.2.643.3.131.1.1", "INN";
        OGRN = "1.2.643.100.1", "OGRN";
        SNILS = "1.2.643.100.3", "SNILS";
        OGRNIP = "1.2.643.100.5", "OGRNIP";
    }
    Attribute "TCG" {
        TCG_AT_TPM_MANUFACTURER = "2.23.133.2.1", "tcg-at-tpmManufacturer";
        TCG_AT_TPM_MODEL = "2.23.133.2.2", "tcg-at-tpmModel";
        TCG_AT_TPM_VERSION = "2.23.133.2.3", "tcg-at-tpmVersion";
        TCG_AT_PLATFORM_MANUFACTURER = "2.23.133.2.4", "tcg-at-platformManufacturer";
        TCG_AT_PLATFORM_MODEL = "2.23.133.2.5", "tcg-at-platformModel";
        TCG_AT_PLATFORM_VERSION = "2.23.133.2.6", "tcg-at-platformVersion";
        TCG_AT_TPM_SPECIFICATION = "2.23.133.2.16", "tcg-at-tpmSpecification";
        TCG_AT_TCG_PLATFORM_SPECIFICATION = "2.23.133.2.17", "tcg-at-tcgPlatformSpecification";
        TCG_AT_TPM_SECURITY_ASSERTIONS = "2.23.133.2.18", "tcg-at-tpmSecurityAssertions";
    }
    Attribute "draft-ietf-plants-merkle-tree-certs" {
        RDNA_TRUST_ANCHOR_ID = "1.3.6.1.5.5.7.25.3", "id-rdna-trustAnchorID";
        RDNA_TRUST_ANCHOR_ID_05 = "1.3.6.1.4.1.44363.47.1", "id-rdna-trustAnchorID-05";
        RDNA_TRUST_ANCHOR_ID_06 = "1.3.6.1.4.1.44363.47.3", "id-rdna-trustAnchorID-06";
    }
    Attribute "RFC 9925" {
        RDNA_UNSIGNED = "1.3.6.1.5.5.7.25.1", "id-rdna-unsigned";
    }
}
