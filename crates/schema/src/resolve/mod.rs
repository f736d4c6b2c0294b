//! Trees to the model.
use crate::diagnostic::Diagnostics;
use crate::lex::Tokens;
use crate::model::Model;
use crate::{Limits, ast};

pub(crate) fn resolve(
    _files: Vec<(Tokens, Vec<ast::Module>)>,
    _limits: &Limits,
    _diagnostics: &mut Diagnostics,
) -> Model {
    Model::default()
}
