//! The message sequence: received and missing messages (RFC 2743 §1.2.3).

/// The position of a message in the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The next expected message.
    InOrder,
    /// At least one preceding message is missing.
    Gap,
    /// A later message has already been received.
    Late,
}

/// The number of messages before the newest one that are tracked.
const WINDOW: u64 = 64;

/// The window of received sequence numbers, for replay and order detection.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// The sequence number of the next message.
    next: u64,
    /// The received messages, as a bit map. Bit 0 is the message before `next`.
    seen: u64,
}

impl Window {
    pub(super) const fn new(first: u64) -> Self {
        // Numbers before the first one count as seen.
        Self { next: first, seen: u64::MAX }
    }

    /// Returns the sequence number of the next message, and a bit map of the earlier messages that were received.
    pub(super) const fn parts(&self) -> (u64, u64) {
        (self.next, self.seen)
    }

    pub(super) const fn from_parts(next: u64, seen: u64) -> Self {
        Self { next, seen }
    }

    /// Records a message. Returns `None` if it was already received, or is too old to tell.
    pub(super) fn take(&mut self, number: u64) -> Option<Order> {
        // Numbers wrap around: what is ahead by less than half of all is new.
        let ahead = number.wrapping_sub(self.next);
        if ahead < 1 << 63 {
            let shift = ahead.saturating_add(1);
            self.seen = if shift >= WINDOW { 1 } else { self.seen << shift | 1 };
            self.next = number.wrapping_add(1);
            return Some(if ahead == 0 { Order::InOrder } else { Order::Gap });
        }
        let behind = self.next.wrapping_sub(number).wrapping_sub(1);
        if behind >= WINDOW || self.seen & 1 << behind != 0 {
            return None;
        }
        self.seen |= 1 << behind;
        Some(Order::Late)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_once() {
        for first in [0, 41, u64::MAX - 1, 1 << 63] {
            let mut window = Window::new(first);
            let mut take = |ahead: u64| window.take(first.wrapping_add(ahead));
            assert_eq!([take(0), take(1), take(1)], [Some(Order::InOrder), Some(Order::InOrder), None]);
            assert_eq!([take(4), take(2), take(2)], [Some(Order::Gap), Some(Order::Late), None]);
            assert_eq!([take(3), take(5), take(0)], [Some(Order::Late), Some(Order::InOrder), None]);
            // Far ahead; what is then out of the window is not told from what was seen.
            assert_eq!([take(100), take(36), take(37)], [Some(Order::Gap), None, Some(Order::Late)]);
            // Before the first.
            let mut window = Window::new(first);
            assert_eq!(window.take(first.wrapping_sub(1)), None);
        }
    }
}
