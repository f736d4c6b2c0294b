//! Dynamic values as text on a terminal.

use std::fmt;

use anstyle::{AnsiColor, Style};
use tagwise_codec::value::{Canvas, Role};

/// The maximum size of one value's text, in bytes.
pub(crate) const BUDGET: usize = 64 << 20;

/// Text with or without terminal colors.
pub(crate) struct Painted {
    pub(crate) text: String,
    pub(crate) color: bool,
}

impl Canvas for Painted {
    fn put(&mut self, role: Role, text: &str) -> fmt::Result {
        let style = match role {
            Role::Name => AnsiColor::Cyan.on_default(),
            Role::Note | Role::Offset => Style::new().dimmed(),
            _ => Style::new(),
        };
        if self.color && style != Style::new() && !text.trim().is_empty() {
            self.text.push_str(&format!("{style}{text}{style:#}"));
        } else {
            self.text.push_str(text);
        }
        Ok(())
    }
}
