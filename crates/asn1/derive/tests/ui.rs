//! What does not compile: every error stands at what is wrong.
#![allow(missing_docs, clippy::unwrap_used)]

#[test]
fn errors() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
