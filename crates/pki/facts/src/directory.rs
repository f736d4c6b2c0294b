//! LDAP controls, operations, features, syntaxes and matching rules; GSS-API and Kerberos mechanisms and name types.

oids! {
    Directory "RFC 4511" {
        LDAP_NOTICE_OF_DISCONNECTION = "1.3.6.1.4.1.1466.20036", "noticeOfDisconnection";
        LDAP_START_TLS = "1.3.6.1.4.1.1466.20037", "startTLS";
    }
    Directory "RFC 2696" {
        LDAP_PAGED_RESULTS = "1.2.840.113556.1.4.319", "pagedResultsControl";
    }
    Directory "RFC 2891" {
        LDAP_SORT_REQUEST = "1.2.840.113556.1.4.473", "sortKeyRequest";
        LDAP_SORT_RESPONSE = "1.2.840.113556.1.4.474", "sortKeyResponse";
    }
    Directory "RFC 3062" {
        LDAP_PASSWORD_MODIFY = "1.3.6.1.4.1.4203.1.11.1", "passwdModify";
    }
    Directory "RFC 3296" {
        LDAP_MANAGE_DSA_IT = "2.16.840.1.113730.3.4.2", "manageDsaIT";
    }
    Directory "RFC 3672" {
        LDAP_SUBENTRIES = "1.3.6.1.4.1.4203.1.10.1", "subentriesControl";
    }
    Directory "RFC 3673" {
        LDAP_ALL_OPERATIONAL_ATTRIBUTES = "1.3.6.1.4.1.4203.1.5.1", "allOperationalAttributes";
    }
    Directory "RFC 3829" {
        LDAP_AUTHORIZATION_IDENTITY_RESPONSE = "2.16.840.1.113730.3.4.15", "authorizationIdentityResponse";
        LDAP_AUTHORIZATION_IDENTITY_REQUEST = "2.16.840.1.113730.3.4.16", "authorizationIdentityRequest";
    }
    Directory "RFC 3866" {
        LDAP_LANGUAGE_TAG_OPTIONS = "1.3.6.1.4.1.4203.1.5.4", "languageTagOptions";
        LDAP_LANGUAGE_RANGE_OPTIONS = "1.3.6.1.4.1.4203.1.5.5", "languageRangeOptions";
    }
    Directory "RFC 3876" {
        LDAP_MATCHED_VALUES = "1.2.826.0.1.3344810.2.3", "matchedValuesControl";
    }
    Directory "RFC 3909" {
        LDAP_CANCEL = "1.3.6.1.1.8", "cancelOperation";
    }
    Directory "RFC 4370" {
        LDAP_PROXIED_AUTHORIZATION = "2.16.840.1.113730.3.4.18", "proxiedAuthorizationControl";
    }
    Directory "RFC 4525" {
        LDAP_MODIFY_INCREMENT = "1.3.6.1.1.14", "modifyIncrement";
    }
    Directory "RFC 4526" {
        LDAP_TRUE_FALSE_FILTERS = "1.3.6.1.4.1.4203.1.5.3", "absoluteTrueFalseFilters";
    }
    Directory "RFC 4527" {
        LDAP_PRE_READ = "1.3.6.1.1.13.1", "preReadControl";
        LDAP_POST_READ = "1.3.6.1.1.13.2", "postReadControl";
    }
    Directory "RFC 4528" {
        LDAP_ASSERTION = "1.3.6.1.1.12", "assertionControl";
    }
    Directory "RFC 4529" {
        LDAP_OBJECT_CLASS_ATTRIBUTES = "1.3.6.1.4.1.4203.1.5.2", "requestAttributesByObjectClass";
    }
    Directory "RFC 4532" {
        LDAP_WHO_AM_I = "1.3.6.1.4.1.4203.1.11.3", "whoAmI";
    }
    Directory "RFC 4533" {
        LDAP_SYNC_REQUEST = "1.3.6.1.4.1.4203.1.9.1.1", "syncRequestControl";
        LDAP_SYNC_STATE = "1.3.6.1.4.1.4203.1.9.1.2", "syncStateControl";
        LDAP_SYNC_DONE = "1.3.6.1.4.1.4203.1.9.1.3", "syncDoneControl";
        LDAP_SYNC_INFO = "1.3.6.1.4.1.4203.1.9.1.4", "syncInfoMessage";
    }
    Directory "RFC 5805" {
        LDAP_START_TRANSACTION = "1.3.6.1.1.21.1", "startTransaction";
        LDAP_TRANSACTION_SPECIFICATION = "1.3.6.1.1.21.2", "transactionSpecificationControl";
        LDAP_END_TRANSACTION = "1.3.6.1.1.21.3", "endTransaction";
        LDAP_ABORTED_TRANSACTION = "1.3.6.1.1.21.4", "abortedTransactionNotice";
    }
    Directory "RFC 6171" {
        LDAP_DONT_USE_COPY = "1.3.6.1.1.22", "dontUseCopyControl";
    }
    Directory "draft-ietf-ldapext-ldapv3-vlv" {
        LDAP_VIRTUAL_LIST_VIEW_REQUEST = "2.16.840.1.113730.3.4.9", "virtualListViewRequest";
        LDAP_VIRTUAL_LIST_VIEW_RESPONSE = "2.16.840.1.113730.3.4.10", "virtualListViewResponse";
    }
    Directory "MS-ADTS" {
        AD_SHOW_DELETED = "1.2.840.113556.1.4.417", "LDAP_SERVER_SHOW_DELETED_OID";
        AD_NOTIFICATION = "1.2.840.113556.1.4.528", "LDAP_SERVER_NOTIFICATION_OID";
        AD_EXTENDED_DN = "1.2.840.113556.1.4.529", "LDAP_SERVER_EXTENDED_DN_OID";
        AD_LAZY_COMMIT = "1.2.840.113556.1.4.619", "LDAP_SERVER_LAZY_COMMIT_OID";
        AD_SD_FLAGS = "1.2.840.113556.1.4.801", "LDAP_SERVER_SD_FLAGS_OID";
        AD_BIT_AND = "1.2.840.113556.1.4.803", "LDAP_MATCHING_RULE_BIT_AND";
        AD_BIT_OR = "1.2.840.113556.1.4.804", "LDAP_MATCHING_RULE_BIT_OR";
        AD_TREE_DELETE = "1.2.840.113556.1.4.805", "LDAP_SERVER_TREE_DELETE_OID";
        AD_DIR_SYNC = "1.2.840.113556.1.4.841", "LDAP_SERVER_DIRSYNC_OID";
        AD_DOMAIN_SCOPE = "1.2.840.113556.1.4.1339", "LDAP_SERVER_DOMAIN_SCOPE_OID";
        AD_SEARCH_OPTIONS = "1.2.840.113556.1.4.1340", "LDAP_SERVER_SEARCH_OPTIONS_OID";
        AD_PERMISSIVE_MODIFY = "1.2.840.113556.1.4.1413", "LDAP_SERVER_PERMISSIVE_MODIFY_OID";
        AD_IN_CHAIN = "1.2.840.113556.1.4.1941", "LDAP_MATCHING_RULE_TRANSITIVE_EVAL";
    }
    Directory "RFC 4517" {
        SYNTAX_ATTRIBUTE_TYPE_DESCRIPTION = "1.3.6.1.4.1.1466.115.121.1.3", "Attribute Type Description";
        SYNTAX_BIT_STRING = "1.3.6.1.4.1.1466.115.121.1.6", "Bit String";
        SYNTAX_BOOLEAN = "1.3.6.1.4.1.1466.115.121.1.7", "Boolean";
        SYNTAX_COUNTRY_STRING = "1.3.6.1.4.1.1466.115.121.1.11", "Country String";
        SYNTAX_DN = "1.3.6.1.4.1.1466.115.121.1.12", "DN";
        SYNTAX_DELIVERY_METHOD = "1.3.6.1.4.1.1466.115.121.1.14", "Delivery Method";
        SYNTAX_DIRECTORY_STRING = "1.3.6.1.4.1.1466.115.121.1.15", "Directory String";
        SYNTAX_DIT_CONTENT_RULE_DESCRIPTION = "1.3.6.1.4.1.1466.115.121.1.16", "DIT Content Rule Description";
        SYNTAX_DIT_STRUCTURE_RULE_DESCRIPTION = "1.3.6.1.4.1.1466.115.121.1.17", "DIT Structure Rule Description";
        SYNTAX_ENHANCED_GUIDE = "1.3.6.1.4.1.1466.115.121.1.21", "Enhanced Guide";
        SYNTAX_FACSIMILE_TELEPHONE_NUMBER = "1.3.6.1.4.1.1466.115.121.1.22", "Facsimile Telephone Number";
        SYNTAX_FAX = "1.3.6.1.4.1.1466.115.121.1.23", "Fax";
        SYNTAX_GENERALIZED_TIME = "1.3.6.1.4.1.1466.115.121.1.24", "Generalized Time";
        SYNTAX_GUIDE = "1.3.6.1.4.1.1466.115.121.1.25", "Guide";
        SYNTAX_IA5_STRING = "1.3.6.1.4.1.1466.115.121.1.26", "IA5 String";
        SYNTAX_INTEGER = "1.3.6.1.4.1.1466.115.121.1.27", "INTEGER";
        SYNTAX_JPEG = "1.3.6.1.4.1.1466.115.121.1.28", "JPEG";
        SYNTAX_MATCHING_RULE_DESCRIPTION = "1.3.6.1.4.1.1466.115.121.1.30", "Matching Rule Description";
        SYNTAX_MATCHING_RULE_USE_DESCRIPTION = "1.3.6.1.4.1.1466.115.121.1.31", "Matching Rule Use Description";
        SYNTAX_NAME_AND_OPTIONAL_UID = "1.3.6.1.4.1.1466.115.121.1.34", "Name And Optional UID";
        SYNTAX_NAME_FORM_DESCRIPTION = "1.3.6.1.4.1.1466.115.121.1.35", "Name Form Description";
        SYNTAX_NUMERIC_STRING = "1.3.6.1.4.1.1466.115.121.1.36", "Numeric String";
        SYNTAX_OBJECT_CLASS_DESCRIPTION = "1.3.6.1.4.1.1466.115.121.1.37", "Object Class Description";
        SYNTAX_OID = "1.3.6.1.4.1.1466.115.121.1.38", "OID";
        SYNTAX_OTHER_MAILBOX = "1.3.6.1.4.1.1466.115.121.1.39", "Other Mailbox";
        SYNTAX_OCTET_STRING = "1.3.6.1.4.1.1466.115.121.1.40", "Octet String";
        SYNTAX_POSTAL_ADDRESS = "1.3.6.1.4.1.1466.115.121.1.41", "Postal Address";
        SYNTAX_PRINTABLE_STRING = "1.3.6.1.4.1.1466.115.121.1.44", "Printable String";
        SYNTAX_TELEPHONE_NUMBER = "1.3.6.1.4.1.1466.115.121.1.50", "Telephone Number";
        SYNTAX_TELETEX_TERMINAL_IDENTIFIER = "1.3.6.1.4.1.1466.115.121.1.51", "Teletex Terminal Identifier";
        SYNTAX_TELEX_NUMBER = "1.3.6.1.4.1.1466.115.121.1.52", "Telex Number";
        SYNTAX_UTC_TIME = "1.3.6.1.4.1.1466.115.121.1.53", "UTC Time";
        SYNTAX_LDAP_SYNTAX_DESCRIPTION = "1.3.6.1.4.1.1466.115.121.1.54", "LDAP Syntax Description";
        SYNTAX_SUBSTRING_ASSERTION = "1.3.6.1.4.1.1466.115.121.1.58", "Substring Assertion";
        OBJECT_IDENTIFIER_MATCH = "2.5.13.0", "objectIdentifierMatch";
        DISTINGUISHED_NAME_MATCH = "2.5.13.1", "distinguishedNameMatch";
        CASE_IGNORE_MATCH = "2.5.13.2", "caseIgnoreMatch";
        CASE_IGNORE_ORDERING_MATCH = "2.5.13.3", "caseIgnoreOrderingMatch";
        CASE_IGNORE_SUBSTRINGS_MATCH = "2.5.13.4", "caseIgnoreSubstringsMatch";
        CASE_EXACT_MATCH = "2.5.13.5", "caseExactMatch";
        CASE_EXACT_ORDERING_MATCH = "2.5.13.6", "caseExactOrderingMatch";
        CASE_EXACT_SUBSTRINGS_MATCH = "2.5.13.7", "caseExactSubstringsMatch";
        NUMERIC_STRING_MATCH = "2.5.13.8", "numericStringMatch";
        NUMERIC_STRING_ORDERING_MATCH = "2.5.13.9", "numericStringOrderingMatch";
        NUMERIC_STRING_SUBSTRINGS_MATCH = "2.5.13.10", "numericStringSubstringsMatch";
        CASE_IGNORE_LIST_MATCH = "2.5.13.11", "caseIgnoreListMatch";
        CASE_IGNORE_LIST_SUBSTRINGS_MATCH = "2.5.13.12", "caseIgnoreListSubstringsMatch";
        BOOLEAN_MATCH = "2.5.13.13", "booleanMatch";
        INTEGER_MATCH = "2.5.13.14", "integerMatch";
        INTEGER_ORDERING_MATCH = "2.5.13.15", "integerOrderingMatch";
        BIT_STRING_MATCH = "2.5.13.16", "bitStringMatch";
        OCTET_STRING_MATCH = "2.5.13.17", "octetStringMatch";
        OCTET_STRING_ORDERING_MATCH = "2.5.13.18", "octetStringOrderingMatch";
        TELEPHONE_NUMBER_MATCH = "2.5.13.20", "telephoneNumberMatch";
        TELEPHONE_NUMBER_SUBSTRINGS_MATCH = "2.5.13.21", "telephoneNumberSubstringsMatch";
        UNIQUE_MEMBER_MATCH = "2.5.13.23", "uniqueMemberMatch";
        GENERALIZED_TIME_MATCH = "2.5.13.27", "generalizedTimeMatch";
        GENERALIZED_TIME_ORDERING_MATCH = "2.5.13.28", "generalizedTimeOrderingMatch";
        INTEGER_FIRST_COMPONENT_MATCH = "2.5.13.29", "integerFirstComponentMatch";
        OBJECT_IDENTIFIER_FIRST_COMPONENT_MATCH = "2.5.13.30", "objectIdentifierFirstComponentMatch";
        DIRECTORY_STRING_FIRST_COMPONENT_MATCH = "2.5.13.31", "directoryStringFirstComponentMatch";
        WORD_MATCH = "2.5.13.32", "wordMatch";
        KEYWORD_MATCH = "2.5.13.33", "keywordMatch";
        CASE_EXACT_IA5_MATCH = "1.3.6.1.4.1.1466.109.114.1", "caseExactIA5Match";
        CASE_IGNORE_IA5_MATCH = "1.3.6.1.4.1.1466.109.114.2", "caseIgnoreIA5Match";
        CASE_IGNORE_IA5_SUBSTRINGS_MATCH = "1.3.6.1.4.1.1466.109.114.3", "caseIgnoreIA5SubstringsMatch";
    }
    Directory "RFC 4523" {
        CERTIFICATE_EXACT_MATCH = "2.5.13.34", "certificateExactMatch";
        CERTIFICATE_MATCH = "2.5.13.35", "certificateMatch";
        CERTIFICATE_PAIR_EXACT_MATCH = "2.5.13.36", "certificatePairExactMatch";
        CERTIFICATE_PAIR_MATCH = "2.5.13.37", "certificatePairMatch";
        CERTIFICATE_LIST_EXACT_MATCH = "2.5.13.38", "certificateListExactMatch";
        CERTIFICATE_LIST_MATCH = "2.5.13.39", "certificateListMatch";
        ALGORITHM_IDENTIFIER_MATCH = "2.5.13.40", "algorithmIdentifierMatch";
    }
    Mechanism "RFC 4121" {
        KRB5 = "1.2.840.113554.1.2.2", "krb5";
    }
    Mechanism "RFC 1964" {
        KRB5_NT_PRINCIPAL_NAME = "1.2.840.113554.1.2.2.1", "GSS_KRB5_NT_PRINCIPAL_NAME";
    }
    Mechanism "MS-KILE" {
        KRB5_USER_TO_USER = "1.2.840.113554.1.2.2.3", "krb5-user-to-user";
    }
    Mechanism "draft-ietf-kitten-iakerb" {
        IAKERB = "1.3.6.1.5.2.5", "iakerb";
    }
    Mechanism "RFC 4178" {
        SPNEGO = "1.3.6.1.5.5.2", "spnego";
    }
    Mechanism "Microsoft" {
        MS_KRB5 = "1.2.840.48018.1.2.2", "ms-krb5";
        NTLMSSP = "1.3.6.1.4.1.311.2.2.10", "ntlmssp";
        NEGOEX = "1.3.6.1.4.1.311.2.2.30", "negoex";
    }
    Mechanism "RFC 2743" {
        NT_USER_NAME = "1.2.840.113554.1.2.1.1", "GSS_C_NT_USER_NAME";
        NT_MACHINE_UID_NAME = "1.2.840.113554.1.2.1.2", "GSS_C_NT_MACHINE_UID_NAME";
        NT_STRING_UID_NAME = "1.2.840.113554.1.2.1.3", "GSS_C_NT_STRING_UID_NAME";
        NT_HOSTBASED_SERVICE = "1.2.840.113554.1.2.1.4", "GSS_C_NT_HOSTBASED_SERVICE";
        NT_ANONYMOUS = "1.3.6.1.5.6.3", "GSS_C_NT_ANONYMOUS";
        NT_EXPORT_NAME = "1.3.6.1.5.6.4", "GSS_C_NT_EXPORT_NAME";
    }
}
