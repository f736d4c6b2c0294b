//! The canonical layout: every published module keeps its tokens and comments, and is laid out in the same way again.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::fs;

use tagwise_schema::{Source, compile, layout};

/// A text without white space outside of strings, which the layout leaves alone.
fn bare(text: &str) -> String {
    text.chars().filter(|char| !char.is_whitespace() && *char != '\u{FEFF}').collect()
}

#[test]
fn published_modules_keep_everything_but_white_space() {
    let Some(set) = tagwise_testing::corpus("asn1-modules") else { return };
    let mut open = vec![set];
    let mut count = 0;
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        if !path.extension().is_some_and(|extension| extension == "asn" || extension == "asn1") {
            continue;
        }
        let source = Source::from_bytes(&path.to_string_lossy(), &fs::read(&path).unwrap());
        let Ok(once) = layout(&source) else { continue };
        count += 1;
        assert!(bare(&once) == bare(source.text()), "{}", path.display());
        let again = layout(&Source::new("again", &once)).unwrap_or_else(|error| {
            panic!("{}: {}", path.display(), error.render());
        });
        let first = again.lines().zip(once.lines()).find(|(a, b)| a != b);
        assert!(again == once, "{}: {first:?}", path.display());
    }
    assert!(count > 400, "{count}");
}

#[test]
fn the_layout_means_the_same() {
    let text = "\
M DEFINITIONS AUTOMATIC TAGS::=BEGIN IMPORTS a,B FROM N{1 2};
/* what A is */ A::=SEQUENCE{a[0]INTEGER{one(1)}(0..<5|7,...)DEFAULT one,...,[[2:b B{NULL,{S}}OPTIONAL]],...}
C::=CLASS{&id OBJECT IDENTIFIER UNIQUE,&Type OPTIONAL}WITH SYNTAX{[TYPE &Type]ID &id}
x A::={a 1}y REAL::=-1.5E3 S C::={{ID{1 2}}|{TYPE NULL ID{1 3}},...}
D::=SEQUENCE{i C.&id({S}),-- the id
t C.&Type({S}{@i}),c CHOICE{a NULL,b x<E}}
E::=CHOICE{x BOOLEAN}END
N{1 2}DEFINITIONS::=BEGIN a INTEGER::=1 B{T,C:X}::=SEQUENCE OF T C::=CLASS{&a NULL}END";
    let out = layout(&Source::new("m", text)).unwrap();
    let expected = "\
M DEFINITIONS AUTOMATIC TAGS ::= BEGIN

IMPORTS
  a, B FROM N { 1 2 };

/* what A is */
A ::= SEQUENCE {
  a [0] INTEGER { one(1) } (0..<5 | 7, ...) DEFAULT one,
  ...,
  [[2: b B{NULL, {S}} OPTIONAL]],
  ...
}
";
    assert!(bare(&out) == bare(text), "{out}");
    assert!(out.starts_with(expected), "{out}");
    let errors = |text: &str| compile(vec![Source::new("m", text)]).diagnostics().errors();
    assert_eq!(errors(&out), errors(text));
    assert_eq!(layout(&Source::new("m", &out)).unwrap(), out);
    println!("{out}");
}

/// What is laid out is laid out already.
#[track_caller]
fn settles(text: &str) {
    let once = layout(&Source::new("m", text)).unwrap_or_else(|error| panic!("{}", error.render()));
    assert_eq!(layout(&Source::new("m", &once)).unwrap(), once, "{text}");
    assert_eq!(bare(&once), bare(text));
}

#[test]
fn comments_behind_comments_settle() {
    settles("M DEFINITIONS ::= BEGIN B ::= NULL /* a */ -- b -- C ::= NULL END");
    settles("M DEFINITIONS ::= BEGIN B ::= SEQUENCE { a NULL, /* a */ /* b */ b NULL /* c */ /* d */ } END");
}

#[test]
fn tokens_do_not_merge() {
    settles("M { iso org(1 .a 2 . 3) } DEFINITIONS ::= BEGIN A ::= NULL END");
}

#[test]
fn remarks_stay_with_their_assignment() {
    let text = "\
M DEFINITIONS ::= BEGIN

-- about A
A ::= NULL
-- a remark on A
-- of two lines

-- about B
B ::= NULL
-- about C
C ::= NULL

-- by itself

D ::= NULL

END
";
    let expected = text.replace("B ::= NULL\n-- about C", "B ::= NULL\n\n-- about C");
    assert_eq!(layout(&Source::new("m", text)).unwrap(), expected);
    settles(text);
}
