// What the tests share: the package, the repository's samples, and certificates of the corpora, if they are there.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = new URL('../../../', import.meta.url).pathname;
/** The folder of the built package, which `./x wasm` sets. */
export const PACKAGE = process.env.TAGWISE_PACKAGE ?? join(ROOT, 'target/npm/package');
export const tagwise = await import(join(PACKAGE, 'node.mjs'));
export const sample = (name) => readFileSync(join(ROOT, 'docs/samples', name));
export const TIME = new Date('2026-11-29T00:00:00Z');
/** The reason to skip tests of what the small build doesn't contain, or `false`. `./x wasm --small` sets the variable. */
export const SMALL = process.env.TAGWISE_SMALL !== undefined && 'not in the small build';
/** The command, for comparisons. */
export const COMMAND = process.env.TAGWISE_COMMAND;
export const CORPORA = process.env.TAGWISE_CORPORA ?? join(ROOT, '../shared/corpora');

/** Returns at most `most` files of a corpus with one of these endings, spread over all of them. */
export function corpus(folder, endings, most) {
  const root = join(CORPORA, folder);
  if (!existsSync(root)) return [];
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
  const step = Math.max(1, Math.floor(files.length / most));
  return files.filter((_, index) => index % step === 0);
}
