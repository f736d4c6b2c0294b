// Drawings: who issued whom with the validity periods, and differences.
import { element, plain, shape } from './text.js';

const HEIGHT = 64;
const GAP = 22;
const BOX = 420;
const LINE = 360;
const MOST = 30;
/** The width of two dates. */
const DATES = 150;

const short = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const seconds = (time) => time?.unix ?? 0;

/** Draws certificates, the arrows from issuers, and their periods beside them. */
export function drawing(records, verdict) {
  const shown = records.slice(0, MOST).map((record) => record.certificate);
  const periods = shown.map(({ validity }) => [seconds(validity.not_before), seconds(validity.not_after)]);
  const now = Math.floor(Date.now() / 1000);
  const start = Math.min(now, ...periods.map(([from]) => from));
  const end = Math.max(now, ...periods.map(([, until]) => until));
  const x = (time) => BOX + 60 + ((time - start) / Math.max(1, end - start)) * LINE;
  const height = shown.length * (HEIGHT + GAP) + 24;
  const width = BOX + LINE + 100;
  const svg = shape('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' });
  const summary = shown.map(({ subject, issuer, validity }) => `${subject.rfc4514}, issued by ${issuer.rfc4514}, ${validity.status}`).join('; ');
  svg.append(shape('title', {}, summary));
  const top = (index) => 8 + index * (HEIGHT + GAP);
  const wrongAt = failing(verdict, records);
  const path = verdict?.status === 'valid' ? serials(verdict.paths[0]?.certificates) : [];
  shown.forEach(({ subject, issuer, validity }, index) => {
    const y = top(index);
    const wrong = wrongAt === index;
    const tone = wrong ? 'box bad' : path.includes(shown[index].serial_number.hex) ? 'box good' : 'box';
    // An inner drawing cuts off names with wide letters.
    const inside = shape('svg', { x: 8, y, width: BOX - 22, height: HEIGHT });
    inside.append(
      shape('text', { x: 12, y: 24 }, short(subject.rfc4514 || '(empty name)', 48)),
      shape('text', { x: 12, y: 42, class: 'small' }, short(`issuer ${issuer.rfc4514}`, 60)),
      shape('text', { x: 12, y: 57, class: 'small' }, `${validity.status}${wrong ? ': the path fails here' : ''}`),
    );
    svg.append(shape('rect', { class: tone, x: 8, y, width: BOX - 16, height: HEIGHT, rx: 6 }), inside);
    const parent = shown.findIndex((other, at) => at !== index && other.subject.rfc4514 === issuer.rfc4514);
    if (parent >= 0) {
      const [from, to] = [top(parent) + HEIGHT / 2, y + HEIGHT / 2];
      svg.append(shape('path', { class: 'arrow', d: `M ${BOX - 8} ${from} C ${BOX + 40} ${from}, ${BOX + 40} ${to}, ${BOX - 8} ${to}` }));
      svg.append(shape('path', { class: 'arrow', d: `M ${BOX + 2} ${to - 5} L ${BOX - 8} ${to} L ${BOX + 2} ${to + 5}` }));
    }
    const [from, until] = periods[index];
    // The dates end with a period that begins too far to the right.
    const place = x(from) + DATES <= width ? { x: x(from) + 3 } : { x: x(until), 'text-anchor': 'end' };
    svg.append(
      shape('rect', { class: 'span', x: x(from), y: y + 22, width: Math.max(2, x(until) - x(from)), height: 16, rx: 3 }),
      shape('text', { ...place, y: y + 16, class: 'small dates' }, `${validity.not_before.iso.slice(0, 10)} to ${validity.not_after.iso.slice(0, 10)}`),
    );
  });
  svg.append(shape('line', { class: 'now', x1: x(now), x2: x(now), y1: 4, y2: height - 18 }), shape('text', { x: x(now) - 12, y: height - 4, class: 'small' }, 'now'));
  return svg;
}

/** The rejection of the candidate that came furthest. */
export function rejection(verdict) {
  const rejected = verdict?.report?.rejected ?? [];
  return [...rejected].sort((one, other) => other.certificates.length - one.certificates.length)[0] ?? null;
}

/** Whether only the root is missing: without roots of the user's, that is not a defect of the certificates. */
export const isOpen = (verdict) => !verdict.trusted && verdict.status !== 'valid' && [undefined, 'no-issuer'].includes(rejection(verdict)?.rule);

/** The name of the trust anchor of a valid path. */
export const anchor = (verdict) => verdict.paths[0]?.anchor ?? '';

/** Serial numbers in hexadecimal. The names are those of the command or of the package. */
const serials = (certificates) => (certificates ?? []).map((one) => one.serialNumber ?? one.serial_number);

/** The index of the certificate at which the path fails, if it is known, or -1. */
export function failing(verdict, records) {
  const found = verdict?.status === 'valid' ? null : rejection(verdict);
  if (found === null || isOpen(verdict)) return -1;
  // Without a position, the candidate ends where it fails.
  const serial = serials(found.certificates)[found.certificate ?? found.certificates.length - 1];
  return records.findIndex(({ certificate }) => certificate.serial_number.hex === serial);
}

/** Returns a table of differences. */
export function diffTable(report, names) {
  if (report.same) return element('p', 'There are no differences.', 'good');
  const table = element('table');
  const head = element('tr');
  for (const title of ['Component', names[0] ?? 'first', names[1] ?? 'second']) {
    const cell = element('th', title);
    cell.scope = 'col';
    head.append(cell);
  }
  table.append(head);
  for (const difference of report.differences.slice(0, 500)) {
    const row = element('tr');
    const name = element('th');
    name.scope = 'row';
    // Lines break after dots.
    for (const part of (difference.path || '(the value)').split(/(?<=\.)/)) name.append(plain(part), element('wbr'));
    row.append(name, element('td', difference.a?.text ?? '', 'bad'), element('td', difference.b?.text ?? '', 'good'));
    table.append(row);
  }
  return table;
}
