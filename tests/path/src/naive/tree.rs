//! The valid_policy_tree of RFC 5280 §6.1.2 (a), as a list of nodes. Policy 0 is anyPolicy. Qualifiers have no effect.

use std::collections::BTreeSet;

const ANY: u8 = 0;

#[derive(Clone, Debug)]
struct Node {
    depth: u8,
    valid_policy: u8,
    expected: BTreeSet<u8>,
    parent: usize,
    deleted: bool,
}

#[derive(Clone, Debug)]
pub struct Tree(Vec<Node>);

impl Default for Tree {
    fn default() -> Self {
        Self::new()
    }
}

impl Tree {
    pub fn new() -> Self {
        let root = Node { depth: 0, valid_policy: ANY, expected: [ANY].into(), parent: usize::MAX, deleted: false };
        Self(vec![root])
    }

    /// The nodes of a depth, by their places.
    fn at(&self, depth: u8) -> Vec<usize> {
        (0..self.0.len()).filter(|place| self.0[*place].depth == depth && !self.0[*place].deleted).collect()
    }

    fn add(&mut self, parent: usize, valid_policy: u8, expected: BTreeSet<u8>) {
        let depth = self.0[parent].depth + 1;
        self.0.push(Node { depth, valid_policy, expected, parent, deleted: false });
    }

    fn children(&self, parent: usize) -> impl Iterator<Item = &Node> {
        self.0.iter().filter(move |node| node.parent == parent && !node.deleted)
    }

    /// "If there is a node of depth i-1 or less without any child nodes, delete that node. Repeat."
    fn prune(&mut self, i: u8) {
        loop {
            let childless = (0..self.0.len()).find(|place| {
                let node = &self.0[*place];
                node.depth < i && !node.deleted && self.children(*place).next().is_none()
            });
            match childless {
                Some(place) => self.0[place].deleted = true,
                None => break,
            }
        }
    }

    /// NULL if nothing is left.
    fn or_null(self) -> Option<Self> {
        if self.0.iter().all(|node| node.deleted) { None } else { Some(self) }
    }

    /// §6.1.3 (d)
    pub fn certificate(mut self, i: u8, policies: &[u8], any_allowed: bool) -> Option<Self> {
        let above = self.at(i - 1);
        // (1)
        for policy in policies.iter().filter(|policy| **policy != ANY) {
            // (i)
            let expecting: Vec<usize> =
                above.iter().copied().filter(|place| self.0[*place].expected.contains(policy)).collect();
            for parent in &expecting {
                self.add(*parent, *policy, [*policy].into());
            }
            // (ii)
            let any = above.iter().copied().find(|place| self.0[*place].valid_policy == ANY);
            if let (true, Some(any)) = (expecting.is_empty(), any) {
                self.add(any, *policy, [*policy].into());
            }
        }
        // (2)
        if policies.contains(&ANY) && any_allowed {
            for parent in above {
                let there: BTreeSet<u8> = self.children(parent).map(|node| node.valid_policy).collect();
                for policy in self.0[parent].expected.clone().difference(&there) {
                    self.add(parent, *policy, [*policy].into());
                }
            }
        }
        // (3)
        self.prune(i);
        self.or_null()
    }

    /// §6.1.4 (b)
    pub fn map(mut self, i: u8, mappings: &[(u8, u8)], allowed: bool) -> Option<Self> {
        let issuer_policies: BTreeSet<u8> = mappings.iter().map(|(from, _)| *from).collect();
        for policy in issuer_policies {
            let subject_policies: BTreeSet<u8> =
                mappings.iter().filter(|(from, _)| *from == policy).map(|(_, to)| *to).collect();
            let nodes: Vec<usize> =
                self.at(i).into_iter().filter(|place| self.0[*place].valid_policy == policy).collect();
            if allowed {
                // (1)
                for place in &nodes {
                    self.0[*place].expected = subject_policies.clone();
                }
                let any = self.at(i).into_iter().find(|place| self.0[*place].valid_policy == ANY);
                if let (true, Some(any)) = (nodes.is_empty(), any) {
                    let parent = self.0[any].parent;
                    self.add(parent, policy, subject_policies);
                }
            } else {
                // (2)
                for place in nodes {
                    self.0[place].deleted = true;
                }
                self.prune(i);
            }
        }
        self.or_null()
    }

    /// Returns the user-constrained-policy-set of RFC 5280 §6.1.5 (g); `None` for any.
    pub fn intersected(&self, n: u8, initial: Option<&[u8]>) -> Option<BTreeSet<u8>> {
        // (iii)(1): the valid_policy_node_set.
        let set: BTreeSet<u8> = self
            .0
            .iter()
            .filter(|node| !node.deleted && node.depth > 0 && self.0[node.parent].valid_policy == ANY)
            .map(|node| node.valid_policy)
            .collect();
        let has_any = self.at(n).into_iter().any(|place| self.0[place].valid_policy == ANY);
        match initial {
            // (ii)
            None if has_any => None,
            None => Some(set.into_iter().filter(|policy| *policy != ANY).collect()),
            Some(initial) => {
                // (2), (3): those that are asked for, and under anyPolicy the others that are.
                let asked = initial.iter().copied().filter(|policy| has_any || set.contains(policy));
                Some(asked.collect())
            }
        }
    }
}
