//! Extracts messages from network captures in pcap or pcapng format, with Ethernet, Linux cooked or raw IP packets, over
//! UDP and TCP.
//!
//! TCP streams are reassembled from segments in any order. IP fragments are not reassembled. They count as unread packets.

use core::fmt;
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

use etherparse::{EtherType, NetSlice, SlicedPacket, TcpSlice, TransportSlice};
use pcap_parser::pcapng::Block;
use pcap_parser::traits::PcapNGPacketBlock as _;
use pcap_parser::{Linktype, PcapBlockOwned, PcapError, create_reader};
use tagwise_pkix::UnixTime;

/// The ports used by KDCs and password servers.
pub const PORTS: &[u16] = &[88, 464];

/// The maximum length of a message over TCP that is reassembled, in bytes.
const MAX_MESSAGE: u32 = 1 << 20;
/// The maximum number of TCP streams that are followed at the same time.
const MAX_STREAMS: usize = 4096;
/// The maximum number of a stream's out-of-order segments that are kept.
const MAX_WAITING: usize = 256;
const MAX_WAITING_BYTES: usize = 2 << 20;
/// The maximum packet size: that of loopback captures, with room for pcapng blocks.
const BUFFER: usize = 1 << 20;

/// A captured message with its addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The number of the message's last packet, from 1.
    pub packet: usize,
    /// The capture time of the message's last packet, if recorded.
    pub time: Option<UnixTime>,
    /// The sender.
    pub source: SocketAddr,
    /// The receiver.
    pub destination: SocketAddr,
    /// True if it was sent over TCP.
    pub tcp: bool,
    /// The message, without TCP's length prefix.
    pub octets: Vec<u8>,
}

/// The messages of a capture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capture {
    /// The messages, in order of completion.
    pub messages: Vec<Message>,
    /// The number of unread packets: those that are neither UDP nor TCP over IP, damaged packets, and fragments.
    pub unread: usize,
    /// The number of TCP streams that are incomplete or not Kerberos.
    pub broken_streams: usize,
}

/// An error in a capture file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CaptureError {
    /// The file is neither pcap nor pcapng.
    NotACapture,
    /// A block is malformed, truncated, or larger than 1 MiB. Contains the number of the last packet before the block.
    Damaged(usize),
}

impl fmt::Display for CaptureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotACapture => f.write_str("not a capture: neither pcap nor pcapng"),
            Self::Damaged(packet) => write!(f, "the capture is malformed or truncated after packet {packet}"),
        }
    }
}

impl std::error::Error for CaptureError {}

impl Capture {
    /// Extracts the messages to or from the given ports.
    ///
    /// ```
    /// use tagwise_krb5::capture::{Capture, CaptureError, PORTS};
    /// assert_eq!(Capture::from_bytes(b"GIF89a", PORTS), Err(CaptureError::NotACapture));
    /// ```
    ///
    /// # Errors
    /// Returns a [`CaptureError`] if the capture is malformed or has an unknown format.
    pub fn from_bytes(octets: &[u8], ports: &[u16]) -> Result<Self, CaptureError> {
        let (capture, damage) = Self::read(octets, ports)?;
        damage.map_or(Ok(capture), Err)
    }

    /// Like [`from_bytes`](Self::from_bytes), but also returns the messages before a malformed or truncated block, with its error.
    ///
    /// # Errors
    /// Returns [`CaptureError::NotACapture`] if the capture has an unknown format.
    pub fn read(octets: &[u8], ports: &[u16]) -> Result<(Self, Option<CaptureError>), CaptureError> {
        let Ok(mut reader) = create_reader(BUFFER, octets) else { return Err(CaptureError::NotACapture) };
        let mut reading = Reading { ports, capture: Self::default(), streams: HashMap::new() };
        let (mut packet, mut links, mut had) = (0_usize, Vec::new(), usize::MAX);
        let mut damage = None;
        loop {
            let consumed = match reader.next() {
                Ok((consumed, block)) => {
                    match block {
                        PcapBlockOwned::LegacyHeader(header) => links = vec![Interface::of(header.network)],
                        PcapBlockOwned::Legacy(block) => {
                            packet += 1;
                            let time = Some(UnixTime(i64::from(block.ts_sec)));
                            reading.packet(packet, time, links.first().map(|interface| interface.link), block.data);
                        }
                        // Interfaces are numbered anew in each section.
                        PcapBlockOwned::NG(Block::SectionHeader(_)) => links.clear(),
                        PcapBlockOwned::NG(Block::InterfaceDescription(interface)) => links.push(Interface {
                            link: interface.linktype,
                            ticks: ticks(interface.if_tsresol),
                            offset: interface.ts_offset(),
                        }),
                        PcapBlockOwned::NG(Block::EnhancedPacket(block)) => {
                            packet += 1;
                            let interface = usize::try_from(block.if_id).ok().and_then(|id| links.get(id).copied());
                            let count = u64::from(block.ts_high) << 32 | u64::from(block.ts_low);
                            let time = interface.and_then(|interface| interface.time(count));
                            reading.packet(
                                packet,
                                time,
                                interface.map(|interface| interface.link),
                                block.packet_data(),
                            );
                        }
                        PcapBlockOwned::NG(Block::SimplePacket(block)) => {
                            packet += 1;
                            reading.packet(
                                packet,
                                None,
                                links.first().map(|interface| interface.link),
                                block.packet_data(),
                            );
                        }
                        PcapBlockOwned::NG(_) => {}
                    }
                    consumed
                }
                Err(PcapError::Eof) => break,
                Err(PcapError::Incomplete(_)) => {
                    // If another read returns nothing, the block is incomplete, or larger than the buffer.
                    let now = reader.data().len();
                    if now == had && reader.reader_exhausted() || now >= BUFFER {
                        damage = Some(CaptureError::Damaged(packet));
                        break;
                    }
                    had = now;
                    if reader.refill().is_err() {
                        damage = Some(CaptureError::Damaged(packet));
                        break;
                    }
                    continue;
                }
                Err(_) => {
                    damage = Some(CaptureError::Damaged(packet));
                    break;
                }
            };
            reader.consume(consumed);
            had = usize::MAX;
        }
        reading.capture.broken_streams += reading.streams.values().filter(|stream| stream.is_open()).count();
        Ok((reading.capture, damage))
    }
}

/// Returns the ticks in a second (`ts_resolution` of `pcap-parser` rejects all powers of 2): a power of 2 if the highest bit of `if_tsresol` is set, otherwise a power of 10 (pcapng §4.2).
fn ticks(resolution: u8) -> Option<u64> {
    let base: u64 = if resolution & 0x80 == 0 { 10 } else { 2 };
    base.checked_pow(u32::from(resolution & 0x7F))
}

/// An interface on which packets were captured.
#[derive(Clone, Copy)]
struct Interface {
    link: Linktype,
    /// The ticks of its clock in a second, if valid.
    ticks: Option<u64>,
    /// The seconds that are added to its times.
    offset: i64,
}

impl Interface {
    /// The interface of a pcap file, whose packets have times in seconds.
    const fn of(link: Linktype) -> Self {
        Self { link, ticks: None, offset: 0 }
    }

    /// Returns the time of a number of ticks.
    fn time(self, count: u64) -> Option<UnixTime> {
        let seconds = count.checked_div(self.ticks?)?;
        i64::try_from(seconds).ok()?.checked_add(self.offset).map(UnixTime)
    }
}

struct Reading<'p> {
    ports: &'p [u16],
    capture: Capture,
    streams: HashMap<(SocketAddr, SocketAddr), Stream>,
}

impl Reading<'_> {
    fn packet(&mut self, packet: usize, time: Option<UnixTime>, link: Option<Linktype>, octets: &[u8]) {
        let sliced = match link {
            Some(Linktype::ETHERNET) => SlicedPacket::from_ethernet(octets).ok(),
            Some(Linktype::LINUX_SLL) => SlicedPacket::from_linux_sll(octets).ok(),
            // The protocol, 18 bytes about the interface and the address, and the packet.
            Some(Linktype::LINUX_SLL2) => octets.split_at_checked(20).and_then(|(header, packet)| {
                let protocol = header.first_chunk().map(|bytes| EtherType(u16::from_be_bytes(*bytes)))?;
                SlicedPacket::from_ether_type(protocol, packet).ok()
            }),
            Some(Linktype::RAW | Linktype::IPV4 | Linktype::IPV6) => SlicedPacket::from_ip(octets).ok(),
            // BSD's loopback: four bytes that name the family.
            Some(Linktype::NULL | Linktype::LOOP) => {
                octets.get(4..).and_then(|octets| SlicedPacket::from_ip(octets).ok())
            }
            _ => None,
        };
        if sliced.and_then(|sliced| self.sliced(packet, time, &sliced)).is_none() {
            self.capture.unread += 1;
        }
    }

    fn sliced(&mut self, packet: usize, time: Option<UnixTime>, sliced: &SlicedPacket<'_>) -> Option<()> {
        let (from, to): (IpAddr, IpAddr) = match sliced.net.as_ref()? {
            NetSlice::Ipv4(ip) => (ip.header().source_addr().into(), ip.header().destination_addr().into()),
            NetSlice::Ipv6(ip) => (ip.header().source_addr().into(), ip.header().destination_addr().into()),
            NetSlice::Arp(_) => return None,
        };
        let (source, destination, tcp) = match sliced.transport.as_ref()? {
            TransportSlice::Udp(udp) => ((from, udp.source_port()), (to, udp.destination_port()), false),
            TransportSlice::Tcp(tcp) => ((from, tcp.source_port()), (to, tcp.destination_port()), true),
            _ => return None,
        };
        let (source, destination) = (SocketAddr::from(source), SocketAddr::from(destination));
        // Other traffic was read and is ignored.
        if !self.ports.contains(&source.port()) && !self.ports.contains(&destination.port()) {
            return Some(());
        }
        let mut message = Message { packet, time, source, destination, tcp, octets: Vec::new() };
        match sliced.transport.as_ref()? {
            TransportSlice::Udp(udp) if !udp.payload().is_empty() => {
                message.octets = udp.payload().to_vec();
                self.capture.messages.push(message);
            }
            TransportSlice::Tcp(tcp) => self.segment(&message, tcp),
            _ => {}
        }
        Some(())
    }

    fn segment(&mut self, at: &Message, tcp: &TcpSlice<'_>) {
        let of = (at.source, at.destination);
        if !self.streams.contains_key(&of) && self.streams.len() >= MAX_STREAMS {
            return;
        }
        let stream = self.streams.entry(of).or_default();
        if tcp.syn() {
            self.capture.broken_streams += usize::from(stream.is_open());
            *stream = Stream { next: Some(tcp.sequence_number().wrapping_add(1)), ..Stream::default() };
        }
        let found = stream.take(tcp.sequence_number(), tcp.payload());
        self.capture.messages.extend(found.into_iter().map(|octets| Message { octets, ..at.clone() }));
    }
}

/// One direction of a TCP connection.
#[derive(Default)]
struct Stream {
    /// The sequence number of the next byte.
    next: Option<u32>,
    /// The bytes of an incomplete message.
    buffer: Vec<u8>,
    /// Segments that follow a gap, with their sequence numbers.
    waiting: Vec<(u32, Vec<u8>)>,
    broken: bool,
}

impl Stream {
    /// Returns whether bytes are missing or left over.
    fn is_open(&self) -> bool {
        self.broken || !self.buffer.is_empty() || !self.waiting.is_empty()
    }

    /// Adds a segment, and returns the messages that it completes.
    fn take(&mut self, number: u32, payload: &[u8]) -> Vec<Vec<u8>> {
        if payload.is_empty() || self.broken {
            return Vec::new();
        }
        // If the capture began in the middle, the first segment is treated as the beginning of a message.
        self.next.get_or_insert(number);
        let bytes: usize = self.waiting.iter().map(|(_, octets)| octets.len()).sum();
        if self.waiting.len() >= MAX_WAITING || bytes.saturating_add(payload.len()) > MAX_WAITING_BYTES {
            self.broken = true;
            return Vec::new();
        }
        self.waiting.push((number, payload.to_vec()));
        // How many bytes a segment lies behind what is there already; `None` where it lies ahead of it.
        let behind = |next: u32, number: u32| {
            let distance = next.wrapping_sub(number);
            (distance < 1 << 31).then_some(distance as usize)
        };
        while let Some(next) = self.next
            && let Some(at) = self.waiting.iter().position(|(number, _)| behind(next, *number).is_some())
        {
            let (number, octets) = self.waiting.swap_remove(at);
            // What came twice is taken once.
            let new = octets.get(behind(next, number).unwrap_or_default()..).unwrap_or_default();
            self.buffer.extend(new);
            self.next = Some(next.wrapping_add(new.len() as u32));
        }
        self.messages()
    }

    fn messages(&mut self) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        while let Some((len, rest)) = self.buffer.split_first_chunk::<4>() {
            let len = u32::from_be_bytes(*len);
            if len > MAX_MESSAGE {
                self.broken = true;
                break;
            }
            let Some((message, rest)) = rest.split_at_checked(len as usize) else { break };
            found.push(message.to_vec());
            self.buffer = rest.to_vec();
        }
        found
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;
    use etherparse::PacketBuilder;

    /// Builds a pcap file of Ethernet packets.
    fn pcap(packets: &[Vec<u8>]) -> Vec<u8> {
        let mut file = Vec::new();
        // magic, version 2.4, zone, accuracy, longest packet, Ethernet
        for word in [0xA1B2_C3D4_u32, 0x0004_0002, 0, 0, 65_535, 1] {
            file.extend(word.to_le_bytes());
        }
        for packet in packets {
            let len = packet.len() as u32;
            for word in [1_795_255_200, 0, len, len] {
                file.extend(word.to_le_bytes());
            }
            file.extend(packet);
        }
        file
    }

    fn tcp(number: u32, payload: &[u8]) -> Vec<u8> {
        let builder = PacketBuilder::ethernet2([1; 6], [2; 6])
            .ipv4([10, 0, 0, 1], [10, 0, 0, 2], 64)
            .tcp(40_000, 88, number, 1024);
        let mut packet = Vec::new();
        builder.write(&mut packet, payload).unwrap();
        packet
    }

    fn udp(port: u16, payload: &[u8]) -> Vec<u8> {
        let builder = PacketBuilder::ethernet2([1; 6], [2; 6]).ipv6([1; 16], [2; 16], 64).udp(40_000, port);
        let mut packet = Vec::new();
        builder.write(&mut packet, payload).unwrap();
        packet
    }

    #[test]
    fn segments_in_any_order() {
        // Two messages, of 6 and 2 bytes, in four segments: the sequence numbers wrap, one comes twice, two are swapped.
        let stream = b"\0\0\0\x06abcdef\0\0\0\x02gh";
        let start = u32::MAX - 3;
        let part = |from: usize, to: usize| tcp(start.wrapping_add(from as u32), &stream[from..to]);
        let packets =
            [part(0, 3), part(5, 12), part(3, 6), part(3, 6), part(12, 16), udp(88, b"datagram"), udp(53, b"x")];
        let capture = Capture::from_bytes(&pcap(&packets), PORTS).unwrap();
        let octets: Vec<&[u8]> = capture.messages.iter().map(|message| &message.octets[..]).collect();
        assert_eq!(octets, [&b"abcdef"[..], b"gh", b"datagram"]);
        assert_eq!(capture.messages.iter().map(|message| message.packet).collect::<Vec<_>>(), [3, 5, 6]);
        assert_eq!((capture.unread, capture.broken_streams), (0, 0));
        assert_eq!(capture.messages[0].time, Some(UnixTime(1_795_255_200)));
        // Without the third and the fourth there is a gap, which is told.
        let capture = Capture::from_bytes(&pcap(&[part(0, 3), part(5, 12)]), PORTS).unwrap();
        assert_eq!((capture.messages.len(), capture.broken_streams), (0, 1));
    }

    /// A pcapng file with an interface of the given type and options, and a packet at a number of ticks.
    fn pcapng(link: u16, options: &[u8], ticks: u64, packet: &[u8]) -> Vec<u8> {
        let block = |kind: u32, body: &[u8]| {
            let len = (body.len() as u32 + 12).to_le_bytes();
            [&kind.to_le_bytes(), &len, body, &len].concat()
        };
        let section = [&0x1A2B_3C4D_u32.to_le_bytes()[..], &[1, 0, 0, 0], &[0xFF; 8]].concat();
        let interface = [&link.to_le_bytes()[..], &[0, 0, 0, 0, 1, 0], options].concat();
        let words = [0, (ticks >> 32) as u32, ticks as u32, packet.len() as u32, packet.len() as u32];
        let mut body: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).chain(packet.to_vec()).collect();
        body.resize(body.len().next_multiple_of(4), 0);
        [block(0x0A0D_0D0A, &section), block(1, &interface), block(6, &body)].concat()
    }

    #[test]
    fn times_and_cooked_packets_of_pcapng() {
        let packet = udp(88, b"datagram");
        // Microseconds by default, nanoseconds, 2^-8 seconds, and an offset of an hour.
        for (options, ticks) in [
            (&[][..], 1_795_255_200_000_001),
            (&[9, 0, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0], 1_795_255_200_000_000_001),
            (&[9, 0, 1, 0, 0x88, 0, 0, 0, 0, 0, 0, 0], 1_795_255_200 * 256 + 255),
            (&[14, 0, 8, 0, 0x10, 0x0E, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], (1_795_255_200 - 3600) * 1_000_000),
        ] {
            let capture = Capture::from_bytes(&pcapng(1, options, ticks, &packet), PORTS).unwrap();
            let found: Vec<_> = capture.messages.iter().map(|message| (message.time, &message.octets[..])).collect();
            assert_eq!(found, [(Some(UnixTime(1_795_255_200)), &b"datagram"[..])], "{options:?}");
        }
        // LINUX_SLL2: the Ethernet type of IPv6, and 18 more bytes.
        let cooked = [&[0x86, 0xDD][..], &[0; 18], &packet[14..]].concat();
        let capture = Capture::from_bytes(&pcapng(276, &[], 0, &cooked), PORTS).unwrap();
        assert_eq!((capture.messages.len(), capture.unread), (1, 0));
        let capture = Capture::from_bytes(&pcapng(276, &[], 0, &cooked[..19]), PORTS).unwrap();
        assert_eq!((capture.messages.len(), capture.unread), (0, 1));
    }

    #[test]
    fn messages_before_a_cut_packet_are_read() {
        let mut whole = pcap(&[udp(88, b"a"), udp(88, b"b")]);
        whole.pop();
        let (capture, damage) = Capture::read(&whole, PORTS).unwrap();
        assert_eq!((capture.messages.len(), damage), (1, Some(CaptureError::Damaged(1))));
        assert_eq!(Capture::from_bytes(&whole, PORTS), Err(CaptureError::Damaged(1)));
    }

    #[test]
    fn damaged_files() {
        let whole = pcap(&[tcp(1, b"\0\0\0\x01a"), udp(88, b"b")]);
        for len in 0..whole.len() {
            match Capture::from_bytes(&whole[..len], PORTS) {
                Ok(capture) => assert!(capture.messages.len() < 2),
                Err(CaptureError::NotACapture) => assert!(len < 24, "{len}"),
                Err(CaptureError::Damaged(packet)) => assert!(packet < 2),
            }
        }
        // A length that no stream of Kerberos has.
        let capture = Capture::from_bytes(&pcap(&[tcp(1, b"GET / HTTP/1.1\r\n")]), PORTS).unwrap();
        assert_eq!((capture.messages.len(), capture.broken_streams), (0, 1));
        let capture = Capture::from_bytes(&pcap(&[vec![0; 60]]), PORTS).unwrap();
        assert_eq!(capture.unread, 1);
    }
}
