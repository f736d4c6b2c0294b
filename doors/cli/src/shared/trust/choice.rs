//! The choice of the profile for server certificates based on the trust anchor. The CA/Browser Forum's requirements apply
//! only to publicly trusted CAs.

use std::path::Path;

use tagwise_path::verify::{self, Survey};
use tagwise_path::{Anchor, Anchors, Family, Policy, Pool, Report, Rule, Verifier};

use super::policy::{ProfileName, Purpose, base};
use super::{Origin, Verdict};
use crate::shared::context::Context;
use crate::shared::output::Failure;

/// Folders for the administrator's own roots, which become part of the system's store: Debian and Alpine, Fedora, Arch, openSUSE.
const LOCAL: &[&str] = &[
    "/usr/local/share/ca-certificates",
    "/etc/pki/ca-trust/source/anchors",
    "/etc/ca-certificates/trust-source/anchors",
    "/etc/pki/trust/anchors",
];

/// The policies of a verification, by type of anchor.
#[derive(Clone)]
pub(crate) struct Choice {
    /// The policy for publicly trusted roots, and these roots, if the profile depends on the anchor.
    public: Option<(Policy, Anchors)>,
    /// The policy for all other anchors, and these anchors.
    own: (Policy, Anchors),
}

impl Choice {
    /// Creates the policies. For server certificates, the profile depends on the anchor, unless a profile is specified. `fill`
    /// adds the settings that do not depend on the profile.
    ///
    /// # Errors
    /// Returns any error from `fill`, or an error if the system's store cannot be read.
    pub(crate) fn new(
        context: &Context,
        profile: Option<ProfileName>,
        purpose: Option<Purpose>,
        time: tagwise_pkix::UnixTime,
        anchors: &Anchors,
        origins: &[Origin],
        mut fill: impl FnMut(&mut Policy) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let mut policy = base(profile, purpose, time);
        if profile.is_some() || purpose != Some(Purpose::Server) {
            fill(&mut policy)?;
            return Ok(Self { public: None, own: (policy, anchors.clone()) });
        }
        let roots = public_roots(context, origins)?;
        let (mut public, mut own) = (anchors.clone(), anchors.clone());
        public.retain(|anchor| roots.has(anchor));
        own.retain(|anchor| !roots.has(anchor));
        fill(&mut policy)?;
        let mut private = Policy::private_server(time);
        fill(&mut private)?;
        Ok(Self { public: Some((policy, public)), own: (private, own) })
    }

    /// Finds a path for `leaf`, or every path if `all` is set, and applies the policy for the path's trust anchor.
    pub(crate) fn judge<V: Verifier + ?Sized>(&self, leaf: &[u8], pool: &Pool, all: bool, verifier: &V) -> Verdict {
        let run = |(policy, anchors): &(Policy, Anchors)| match all {
            true => Verdict::Survey(verify::all_paths(leaf, pool, anchors, policy, verifier)),
            false => verify::path(leaf, pool, anchors, policy, verifier)
                .map_or_else(Verdict::Not, |path| Verdict::Valid(Box::new(path))),
        };
        let Some(public) = self.public.as_ref().filter(|(_, anchors)| !anchors.is_empty()) else {
            return run(&self.own);
        };
        if self.own.1.is_empty() {
            return match run(public) {
                Verdict::Not(report) if !came_to_one(&report) => Verdict::Not(self.lost(leaf, pool, report, verifier)),
                verdict => verdict,
            };
        }
        match (run(public), run(&self.own)) {
            (valid @ Verdict::Valid(_), _) | (_, valid @ Verdict::Valid(_)) => valid,
            (Verdict::Survey(one), Verdict::Survey(other)) => {
                let paths = one.paths.into_iter().chain(other.paths).collect();
                Verdict::Survey(Survey { paths, report: nearer(one.report, other.report) })
            }
            (Verdict::Not(one), Verdict::Not(other)) => Verdict::Not(nearer(one, other)),
            (verdict, _) => verdict,
        }
    }

    /// Returns the report for a certificate that no public root issued. For such a certificate, the missing path matters, not the
    /// CA/Browser Forum's requirements.
    fn lost<V: Verifier + ?Sized>(&self, leaf: &[u8], pool: &Pool, report: Report, verifier: &V) -> Report {
        let anchors = self.public.as_ref().map_or(&self.own.1, |(_, anchors)| anchors);
        match verify::path(leaf, pool, anchors, &self.own.0, verifier) {
            Err(other) if other.refusal().is_some_and(|refusal| refusal.rule == Rule::NoIssuer) => other,
            _ => report,
        }
    }

    /// Returns the policy that describes the verification. Purposes and names are the same in both policies.
    pub(crate) const fn policy(&self) -> &Policy {
        &self.own.0
    }

    /// Changes every policy.
    pub(crate) fn change(&mut self, mut change: impl FnMut(&mut Policy)) {
        change(&mut self.own.0);
        if let Some((policy, _)) = &mut self.public {
            change(policy);
        }
    }

    /// Returns whether the profile depends on the anchor.
    pub(crate) const fn is_by_anchor(&self) -> bool {
        self.public.is_some()
    }
}

/// Returns the roots to which the CA/Browser Forum's requirements apply: Mozilla's roots and, if the system's store is a source, its
/// roots except for those that the administrator added.
fn public_roots(context: &Context, origins: &[Origin]) -> Result<Anchors, Failure> {
    let mut roots = Anchors::mozilla();
    if origins.contains(&Origin::System) {
        let mut local = Anchors::new();
        for folder in LOCAL.iter().map(Path::new).filter(|folder| folder.is_dir()) {
            // What cannot be read there is not in the store either.
            let _ = local.read_path(folder);
        }
        let mut system = super::read_anchors(context, &[Origin::System], None)?;
        system.retain(|anchor: &Anchor| !local.has(anchor));
        roots.merge(system);
    }
    Ok(roots)
}

/// Selects which of two reports to show: an undecided one, or else one that reached an anchor, or else `own` unless it is empty.
fn nearer(public: Report, own: Report) -> Report {
    let rank = |report: &Report| {
        let furthest = report.furthest();
        let is_lost = furthest.is_none_or(|candidate| candidate.refusal.rule == Rule::NoIssuer);
        (report.is_undecided(), furthest.is_some_and(|candidate| candidate.anchor.is_some()), !is_lost)
    };
    // Requirements of the Forum on an end certificate say nothing before an anchor is reached.
    let is_forum = public.refusal().is_some_and(|refusal| refusal.rule.family() == Family::Webpki);
    if rank(&public) > rank(&own) && (came_to_one(&public) || !is_forum || public.is_undecided()) {
        public
    } else {
        own
    }
}

/// Returns whether a candidate reached an anchor.
fn came_to_one(report: &Report) -> bool {
    report.furthest().is_some_and(|candidate| candidate.anchor.is_some())
}
