//! Pages of measurements that need nothing else: a template with tables, a style sheet, and plots as inline SVG.

mod page;
mod svg;

pub use page::{Error, page};
pub use svg::{Bar, Scale, Series, bars, figure, lines};
