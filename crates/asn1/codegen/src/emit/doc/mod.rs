//! Reference pages of modules in Markdown or HTML: types with components, object sets as tables, and cross-links.
//!
//! As a second output of a plan, this demonstrates that lowering is independent of the target language.

mod html;
mod markdown;
mod pages;

pub(crate) use pages::value_text;

use super::{File, TooLarge};
use crate::lower::plan::Plan;

/// The format of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageFormat {
    /// Markdown with tables.
    Markdown,
    /// HTML without scripts.
    Html,
}

/// A page.
#[derive(Debug)]
struct Page {
    title: String,
    blocks: Vec<Block>,
}

#[derive(Debug)]
enum Block {
    /// A heading, with its link target.
    Heading {
        text: String,
        anchor: String,
    },
    Paragraph(Vec<Inline>),
    Code(Vec<String>),
    Table {
        head: Vec<&'static str>,
        rows: Vec<Vec<Vec<Inline>>>,
    },
}

#[derive(Clone, Debug)]
enum Inline {
    Text(String),
    Code(String),
    /// A link: the file without its extension, and the anchor in it.
    Link {
        text: String,
        page: String,
        anchor: String,
    },
}

/// Emits the pages of a plan.
///
/// # Errors
/// Returns an error if the pages would exceed the schema's allowance.
pub fn emit(plan: &Plan<'_>, form: PageFormat) -> Result<Vec<File>, TooLarge> {
    let pages = pages::pages(plan)?;
    let files = pages.iter().map(|(name, page)| match form {
        PageFormat::Markdown => File { name: format!("{name}.md"), text: markdown::write(page) },
        PageFormat::Html => File { name: format!("{name}.html"), text: html::write(page) },
    });
    Ok(files.collect())
}

#[cfg(test)]
mod tests;
