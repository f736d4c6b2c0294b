//! The present policy, which may allow less than when an account, an order or an authorization was created.

use tagwise_ca::Row;

use crate::authorization::base;
use crate::problem::{Identifier, Problem};
use crate::records::{Account, Authorization, Order};
use crate::service::Call;

impl Call<'_> {
    /// Checks that an account may order certificates.
    pub(crate) fn check_account(&self, account: &Row<Account>) -> Result<(), Problem> {
        if let Some(problem) = account.value.status.inactive() {
            return Err(problem);
        }
        if self.acme.policy.external_account_required && account.value.external.is_none() {
            let what = "the account has no external account binding, which the policy requires";
            return Err(Problem::unauthorized(what));
        }
        Ok(())
    }

    /// Checks that the policy allows the identifier of an authorization.
    pub(crate) fn check_authorization(&self, authorization: &Authorization) -> Result<(), Problem> {
        let Authorization { identifier, wildcard, .. } = authorization;
        let front = if *wildcard { "*." } else { "" };
        let asked = Identifier { kind: identifier.kind.clone(), value: format!("{front}{}", identifier.value) };
        self.acme.policy.identifier(&asked).map(drop)
    }

    /// Checks that the policy allows the account, the profile and all identifiers of an order.
    pub(crate) fn check_order(&mut self, account: &Row<Account>, order: &Order) -> Result<(), Problem> {
        self.check_account(account)?;
        self.profile(Some(&order.profile))?;
        let mut authorizations = Vec::with_capacity(order.authorizations.len());
        for id in &order.authorizations {
            authorizations.extend(self.get::<Authorization>(id)?.map(|row| row.value));
        }
        let policy = &self.acme.policy;
        let check = |identifier: &Identifier| {
            policy.identifier(identifier)?;
            let (name, wildcard) = base(identifier);
            // The policy may no longer let a domain cover the names below it.
            let covers = |it: &Authorization| {
                (it.identifier == name && it.wildcard == wildcard)
                    || (it.subdomains && policy.is_covered(identifier, &it.identifier.value))
            };
            let what = "the policy requires an authorization of this name itself";
            let is_covered = authorizations.iter().any(covers);
            is_covered.then_some(()).ok_or_else(|| Problem::unauthorized(what).about(identifier))
        };
        let problems = order.identifiers.iter().filter_map(|identifier| check(identifier).err()).collect();
        Problem::of(problems).map_or(Ok(()), Err)
    }
}
