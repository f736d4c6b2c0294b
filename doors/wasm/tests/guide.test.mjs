// Runs the examples of the guide, in the folder of its samples. `EXPRESSION; // => VALUE` is a comparison.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { PACKAGE, ROOT, SMALL } from './common.mjs';

for (const page of ['javascript.md', 'javascript-from.md']) {
  test(page, () => {
    const text = readFileSync(join(ROOT, 'docs/src', page), 'utf8');
    const blocks = [...text.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code]) => code);
    assert.ok(blocks.length > 0);
    // The small build has neither.
    const isRun = (code) => !SMALL || !/compile\(|openPkcs12\(/.test(code);
    const folder = mkdtempSync(join(tmpdir(), 'tagwise-'));
    try {
      blocks.filter(isRun).forEach((code, index) => {
        const file = join(folder, `${index}.mjs`);
        const compared = code.replace(/^(.*); \/\/ => (.*)$/gm, 'assert.deepEqual($1, $2);').replace("'@tagwise/tagwise'", JSON.stringify(join(PACKAGE, 'node.mjs')));
        writeFileSync(file, `import assert from 'node:assert/strict';\n${compared}`);
        execFileSync(process.execPath, [file], { cwd: join(ROOT, 'docs/samples'), stdio: ['ignore', 'inherit', 'pipe'] });
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
