//! The guide's questions about CCADB: every query of the page runs, and prints what the page shows.
//!
//! A block of `sql` is a query, and the following block of `text` has its output. `TAGWISE_BLESS=1` updates the page.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::thread;

use common::{query_in, root};

/// The number of queries that run at once.
const AT_ONCE: usize = 2;

/// A query of the page, with the lines of its output.
struct Question {
    sql: String,
    options: Vec<String>,
    /// The number of the first line of the output.
    start: usize,
    shown: Vec<String>,
}

/// Finds the queries. The options of a query follow the name of the language.
fn questions(page: &str) -> Vec<Question> {
    let mut questions: Vec<Question> = Vec::new();
    let mut block: Option<&str> = None;
    for (number, line) in page.lines().enumerate() {
        match (block, line.strip_prefix("```")) {
            (None, Some(language)) => {
                block = Some(language);
                if let Some(options) = language.strip_prefix("sql") {
                    let options = options.split_whitespace().map(str::to_owned).collect();
                    questions.push(Question { sql: String::new(), options, start: 0, shown: Vec::new() });
                } else if language == "text" {
                    questions.last_mut().unwrap().start = number + 1;
                }
            }
            (Some(_), Some("")) => block = None,
            (Some(language), None) if language.starts_with("sql") => {
                let sql = &mut questions.last_mut().unwrap().sql;
                sql.push_str(line);
                sql.push('\n');
            }
            (Some("text"), None) => questions.last_mut().unwrap().shown.push(line.to_owned()),
            _ => {}
        }
    }
    questions
}

#[test]
fn the_chapter_prints_what_it_shows() {
    let Some(ccadb) = tagwise_testing::corpus("ccadb") else { return };
    let path = root().join("docs/src/query.md");
    let page = fs::read_to_string(&path).unwrap();
    let questions = questions(&page);
    assert!(questions.len() >= 20, "{}", questions.len());
    let answer = |question: &Question| {
        let mut args = vec![&*question.sql, "certs.der", "--table", "index=index.csv"];
        args.extend(question.options.iter().map(String::as_str));
        let run = query_in(&ccadb, &args, b"");
        // Some certificates are malformed, which is a negative answer.
        assert_eq!((run.code, &*run.err), (Some(1), ""), "{}", question.sql);
        run.out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let mut answers = Vec::new();
    for some in questions.chunks(AT_ONCE) {
        thread::scope(|scope| {
            let running: Vec<_> = some.iter().map(|question| scope.spawn(|| answer(question))).collect();
            answers.extend(running.into_iter().map(|running| running.join().unwrap()));
        });
    }
    if std::env::var_os("TAGWISE_BLESS").is_some() {
        let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
        for (question, answer) in questions.iter().zip(&answers).rev() {
            lines.splice(question.start..question.start + question.shown.len(), answer.iter().cloned());
        }
        fs::write(&path, lines.join("\n") + "\n").unwrap();
        return;
    }
    for (question, answer) in questions.iter().zip(&answers) {
        assert_eq!(question.shown, *answer, "{}", question.sql);
    }
}
