/** A file or a value in any form that Tagwise recognizes: PEM, DER, BER, hexadecimal, base64, archives. */
export type Input = string | ArrayBuffer | ArrayBufferView;

/** Options of all functions that read. */
export interface ReadOptions {
  /** Names of rules whose violations are tolerated, such as `negative-serial`, `ber` or `all`. */
  allow?: string | string[];
  /** The time at which validity is evaluated. The default is the current time. */
  time?: Date | number;
  /** The number of the value in the input, from 0. */
  item?: number;
}

export interface ParseOptions extends ReadOptions {
  /** The maximum number of CRL entries. The default is all. */
  entries?: number;
}

/** An error in a value, with its position. */
export interface Problem {
  path: string;
  offset: number;
  line?: number | null;
  code: string;
  clause: string;
  message: string;
  /** The rule that `allow` accepts, if the error can be tolerated. */
  rule?: string | null;
  excerpt: string;
}

/** A value in an input. Its tree is in `certificate`, `crl` or `message`, as in the documents of `tagwise show --json`. */
export interface Item {
  kind: string;
  label: string | null;
  line: number | null;
  entry: string | null;
  offset: number;
  size: number;
  strict: boolean;
  sound: boolean;
  errors: Problem[];
  notes: { rule: string; offset: number; clause: string; summary: string }[];
  certificate?: any;
  crl?: any;
  message?: any;
  fingerprints?: { sha256: string; sha1: string };
  [key: string]: any;
}

/** A component of a value with its position. */
export interface Row {
  depth: number;
  name: string;
  type: string;
  offset: number;
  size: number | null;
  text: string | null;
}

/** A component that a path selects. */
export interface Selected {
  path: string;
  offset: number | null;
  size: number | null;
  /** The value as X.697 JSON, or `null` if it is secret. */
  value: any;
}

export interface Finding {
  id: string;
  severity: 'error' | 'warning';
  clause: string;
  message: string;
  path: string;
  offset: number;
  length: number | null;
}

export interface LintOptions extends ReadOptions {
  severity?: 'warning' | 'error';
  only?: string | string[];
  skip?: string | string[];
}

export interface LintReport {
  form: string;
  size: number;
  items: { kind: string; subject: string; errors: number; warnings: number; findings: Finding[]; [key: string]: any }[];
  error?: string;
}

export interface DiffOptions extends ReadOptions {
  otherItem?: number;
  /** Compares a precertificate with its certificate (RFC 6962). */
  precert?: boolean;
}

export interface Difference {
  path: string;
  kind: 'changed' | 'added' | 'removed' | 'order';
  a: { text: string; offset: number | null } | null;
  b: { text: string; offset: number | null } | null;
}

export interface DiffReport {
  kind: string;
  same: boolean;
  differences: Difference[];
  [key: string]: any;
}

export interface VerifyOptions {
  /** Trust anchors. */
  roots: Input | Input[];
  intermediates?: Input | Input[];
  crls?: Input | Input[];
  ocsp?: Input | Input[];
  time?: Date | number;
  /** The name or IP address of the server. */
  host?: string;
  /** The address of the mail's sender. */
  email?: string;
  /** The default is `server` with a host, `email` with an address, and otherwise `any`. */
  purpose?: 'server' | 'client' | 'email' | 'code' | 'timestamp' | 'document' | 'any';
  profile?: string;
  allow?: string | string[];
  /** The default is `prefer` with CRLs or OCSP responses, also in signed messages among the certificates, and otherwise `ignore`. */
  revocation?: 'ignore' | 'prefer' | 'require';
  /** Policies for Merkle Tree Certificates: cosigners, groups and trusted subtrees, as in a file for `tagwise verify --mtc-policy`. */
  mtcPolicy?: string | string[];
  /** Finds every valid path instead of the first. */
  allPaths?: boolean;
}

export interface Verdict {
  /** `undecided` means that a budget or the evidence was not sufficient. It is neither valid nor invalid. */
  status: 'valid' | 'invalid' | 'undecided';
  subject: string;
  sha256: string;
  paths: any[];
  /** The candidates that were tried, and the rule that ended each. */
  report: any | null;
}

export interface Pkcs12Options extends ReadOptions {
  /** The password. Without one, files with an empty password and files without a password are opened. */
  password?: Input;
}

/** An item of a PKCS #12 file. Private keys and secrets are described, but not contained. */
export interface Pkcs12Item {
  kind: 'certificate' | 'crl' | 'private-key' | 'secret' | 'encrypted-private-key' | 'encrypted' | 'other';
  friendlyName: string | null;
  /** Connects a private key to its certificate: both have the same identifier, in hexadecimal. */
  localKeyId: string | null;
  /** The type of a private key, such as `rsa2048`. */
  keyType: string | null;
  size: number;
  /** The encoding of a certificate or a CRL. */
  der: Uint8Array | null;
}

export interface Pkcs12 {
  integrity: 'verified' | 'no MAC' | 'signed, not verified';
  items: Pkcs12Item[];
  /** The parts that could not be decrypted or read. */
  unreadable: string[];
}

/** Encoding rules. */
export type Rules = 'der' | 'ber' | 'cer' | 'uper' | 'aper' | 'cuper' | 'caper' | 'oer' | 'coer' | 'xer' | 'cxer' | 'exer';

export interface CodecOptions {
  /** The type's name. The default is the only type that no other type refers to. */
  type?: string;
  rules?: Rules;
  allow?: string | string[];
}

/** The values in an input. */
export class Parsed {
  private constructor();
  readonly form: string;
  readonly size: number;
  readonly items: Item[];
  readonly error?: string;
  /** Returns the DER of a value, in which offsets count. */
  bytes(options?: ReadOptions): Uint8Array;
  /** Returns the components of a value with their positions. */
  outline(options?: ParseOptions): Row[];
  /** Returns the component to which a byte belongs. */
  explain(offset: number, options?: ReadOptions): { path: string; type: string };
  /** Returns components by path, or fields by customary name: `notAfter`, `san`, `tbsCertificate.subject`. */
  get(path: string, options?: ReadOptions): Selected[];
  lint(options?: LintOptions): LintReport;
  diff(other: Parsed, options?: DiffOptions): DiffReport;
  /** Returns the document as `tagwise show --json` prints it, with names in snake_case. */
  toJSON(): any;
}

/** A compiled ASN.1 schema. */
export class Schema {
  private constructor();
  readonly types: { module: string; name: string; top: boolean }[];
  /** Decodes a value to X.697 JSON. */
  decode(input: Input, options?: CodecOptions): any;
  /** Encodes a value from X.697 JSON. */
  encode(value: any, options?: CodecOptions): Uint8Array;
  free(): void;
}

export class TagwiseError extends Error {
  /** The stable code: `usage`, `input`, `absent`, `password`, `limit`, `internal`, or the code of a decoding error. */
  readonly code: string;
  readonly path?: string;
  readonly offset?: number;
  readonly clause?: string;
  readonly rule?: string;
}

/** Loads the WebAssembly module. Node doesn't need it. */
export function init(source?: string | URL | Response | WebAssembly.Module | ArrayBuffer | ArrayBufferView): Promise<void>;
export function parse(input: Input, options?: ParseOptions): Parsed;
export function lint(input: Input, options?: LintOptions): LintReport;
export function diff(one: Input, other: Input, options?: DiffOptions): DiffReport;
export function verify(leaf: Input, options: VerifyOptions): Verdict;
/**
 * Returns the verdict of `verify`. WebCrypto verifies the signatures with RSA, P-256, P-384, P-521 and Ed25519, if it is available and
 * supports them.
 */
export function verifyAsync(leaf: Input, options: VerifyOptions): Promise<Verdict>;
/** Opens a PKCS #12 file with a password. A wrong password is a `TagwiseError` with the code `password`. */
export function openPkcs12(input: Input, options?: Pkcs12Options): Pkcs12;
/** Compiles ASN.1 modules: one text, or texts by file name. */
export function compile(sources: string | ArrayBufferView | Record<string, string | ArrayBufferView>): Schema;
export function version(): string;
