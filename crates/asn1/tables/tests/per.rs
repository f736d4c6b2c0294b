//! The Packed Encoding Rules: the examples of X.691 Annex A in all variants.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on fails")]

mod packed;

use packed::{check, schema};

const RECORD: &str = r#"{
    "name": {"givenName": "John", "initial": "P", "familyName": "Smith"},
    "title": "Director", "number": 51, "dateOfHire": "19710917",
    "nameOfSpouse": {"givenName": "Mary", "initial": "T", "familyName": "Smith"},
    "children": [
        {"name": {"givenName": "Ralph", "initial": "T", "familyName": "Smith"}, "dateOfBirth": "19571111"},
        {"name": {"givenName": "Susan", "initial": "B", "familyName": "Jones"}, "dateOfBirth": "19590717"}]}"#;

#[test]
fn record_without_constraints() {
    let schema = schema(
        "PersonnelRecord ::= [APPLICATION 0] IMPLICIT SET {
            name Name, title [0] VisibleString, number EmployeeNumber, dateOfHire [1] Date,
            nameOfSpouse [2] Name, children [3] IMPLICIT SEQUENCE OF ChildInformation DEFAULT {} }
        ChildInformation ::= SET { name Name, dateOfBirth [0] Date }
        Name ::= [APPLICATION 1] IMPLICIT SEQUENCE {
            givenName VisibleString, initial VisibleString, familyName VisibleString }
        EmployeeNumber ::= [APPLICATION 2] IMPLICIT INTEGER
        Date ::= [APPLICATION 3] IMPLICIT VisibleString",
    );
    let aligned = "80044A6F686E015005536D6974680133084469726563746F72083139373130393137044D617279015405536D697468\
        020552616C7068015405536D69746808313935373131313105537573616E0142054A6F6E6573083139353930373137";
    let unaligned = "824ADFA3700D005A7B74F4D0026611134F2CB8FA6FE410C5CB762C1CB16E09370F2F20350169EDD3D340102D2C3B38\
        6801A80B4F6E9E9A0218B96ADD8B162C4169F5E787700C20595BF765E610C5CB572C1BB16E";
    check(&schema, "PersonnelRecord", RECORD, aligned, unaligned);
}

#[test]
fn record_with_constraints() {
    let schema = schema(
        r#"PersonnelRecord ::= [APPLICATION 0] IMPLICIT SET {
            name Name, title [0] VisibleString, number EmployeeNumber, dateOfHire [1] Date,
            nameOfSpouse [2] Name, children [3] IMPLICIT SEQUENCE OF ChildInformation DEFAULT {} }
        ChildInformation ::= SET { name Name, dateOfBirth [0] Date }
        Name ::= [APPLICATION 1] IMPLICIT SEQUENCE {
            givenName NameString, initial NameString (SIZE (1)), familyName NameString }
        EmployeeNumber ::= [APPLICATION 2] IMPLICIT INTEGER
        Date ::= [APPLICATION 3] IMPLICIT VisibleString (FROM ("0".."9") ^ SIZE (8))
        NameString ::= VisibleString (FROM ("a".."z" | "A".."Z" | "-.") ^ SIZE (1..64))"#,
    );
    let aligned = "864A6F686E5010536D6974680133084469726563746F7219710917\
        0C4D6172795410536D697468021052616C70685410536D69746819571111105375\
        73616E42104A6F6E657319590717";
    let unaligned = "865D51D2888A5125F180998444D3CB2E3E9BF90CB8848B867396E8A88A5125F181089B93D71AA2294497C632AE222222\
        985CE521885D54C170CAC838B8";
    check(&schema, "PersonnelRecord", RECORD, aligned, unaligned);
}

#[test]
fn record_with_extensions() {
    let schema = schema(
        r#"PersonnelRecord ::= [APPLICATION 0] IMPLICIT SET {
            name Name, title [0] VisibleString, number EmployeeNumber, dateOfHire [1] Date,
            nameOfSpouse [2] Name, children [3] IMPLICIT SEQUENCE (SIZE (2, ...)) OF ChildInformation OPTIONAL, ... }
        ChildInformation ::= SET { name Name, dateOfBirth [0] Date, ...,
            sex [1] IMPLICIT ENUMERATED { male (1), female (2), unknown (3) } OPTIONAL }
        Name ::= [APPLICATION 1] IMPLICIT SEQUENCE {
            givenName NameString, initial NameString (SIZE (1)), familyName NameString, ... }
        EmployeeNumber ::= [APPLICATION 2] IMPLICIT INTEGER (0..9999, ...)
        Date ::= [APPLICATION 3] IMPLICIT VisibleString (FROM ("0".."9") ^ SIZE (8, ..., 9..20))
        NameString ::= VisibleString (FROM ("a".."z" | "A".."Z" | "-.") ^ SIZE (1..64, ...))"#,
    );
    let record = RECORD.replace(r#""19590717"}"#, r#""19590717", "sex": "female"}"#);
    let aligned = "40C04A6F686E5008536D697468000033084469726563746F7200197109\
        17034D6172795408536D697468010052616C70685408536D697468001957111182005375\
        73616E42084A6F6E65730019590717010140";
    let unaligned = "40CBAA3A5108A5125F180330889A7965C7D37F20CB8848B819CE5BA2A114A24BE3011372\
        7AE3542294497C619571111822985CE521842EAA60B832B20E2E020280";
    check(&schema, "PersonnelRecord", &record, aligned, unaligned);
}

#[test]
fn addition_groups() {
    let schema = schema(
        "Ax ::= SEQUENCE {
            a INTEGER (250..253), b BOOLEAN,
            c CHOICE { d INTEGER, ..., [[ e BOOLEAN, f IA5String ]], ... }, ...,
            [[ g NumericString (SIZE (3)), h BOOLEAN OPTIONAL ]], ...,
            i BMPString OPTIONAL, j PrintableString OPTIONAL }",
    );
    let value = r#"{"a": 253, "b": true, "c": {"e": true}, "g": "123", "h": true}"#;
    check(&schema, "Ax", value, "9E000180010291A4", "9E000600040A4690");
}
