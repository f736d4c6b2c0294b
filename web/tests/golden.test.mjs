// Screenshots of the viewer, compared with the pictures in `golden/`, and with that of README.md. `TAGWISE_BLESS=1` writes new pictures;
// look at them before you commit them.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ROOT, TIME, sample } from '../../doors/wasm/tests/common.mjs';
import { browser, open } from './common.mjs';

/** The share of a picture that may differ. Fonts differ between systems. */
const TOLERANCE = 0.03;

/** Returns the share of blocks of 4 by 4 pixels whose mean differs noticeably, or 1 if the sizes differ by more than a line. */
async function difference(one, other) {
  const page = await browser.newPage();
  const share = await page.evaluate(async (pictures) => {
    const [one, other] = await Promise.all(pictures.map(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      return createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    }));
    if (one.width !== other.width || Math.abs(one.height - other.height) > 24) return 1;
    const [width, height] = [Math.floor(one.width / 4), Math.floor(Math.min(one.height, other.height) / 4)];
    const [pixels, others] = [one, other].map((picture) => {
      const context = new OffscreenCanvas(width, height).getContext('2d');
      context.imageSmoothingQuality = 'high';
      context.drawImage(picture, 0, 0, width * 4, height * 4, 0, 0, width, height);
      return context.getImageData(0, 0, width, height).data;
    });
    let count = 0;
    for (let at = 0; at < pixels.length; at += 4) {
      if ([0, 1, 2].some((channel) => Math.abs(pixels[at + channel] - others[at + channel]) > 56)) count += 1;
    }
    return count / (width * height);
  }, [one, other].map((picture) => picture.toString('base64')));
  await page.close();
  return share;
}

const VIEWPORT = { width: 1000, height: 640 };
const LEAF = ['leaf.pem', sample('leaf.pem')];
const ROOT_CERTIFICATE = ['root.pem', sample('root.pem')];
const NEGATIVE = ['negative.pem', sample('negative.pem')];
const serial = (page) => page.locator('.row', { hasText: 'serialNumber' }).first().click();

/** The pictures: the page's options, the files, an action, and the part of the page to scroll to. */
const PICTURES = {
  'web/tests/golden/light.png': [{ colorScheme: 'light', viewport: VIEWPORT }, [LEAF], serial, null],
  'web/tests/golden/dark.png': [{ colorScheme: 'dark', viewport: VIEWPORT }, [LEAF], serial, null],
  'web/tests/golden/narrow.png': [{ colorScheme: 'light', viewport: { width: 420, height: 800 } }, [LEAF], serial, null],
  'web/tests/golden/drawing.png': [{ colorScheme: 'light', viewport: VIEWPORT }, [LEAF, ROOT_CERTIFICATE], null, '#chain'],
  'web/tests/golden/differences.png': [{ colorScheme: 'dark', viewport: VIEWPORT }, [LEAF, ROOT_CERTIFICATE], null, '#diff'],
  'docs/src/viewer.png': [{ colorScheme: 'light', viewport: { width: 1240, height: 640 } }, [NEGATIVE, LEAF, ROOT_CERTIFICATE], serial, null],
};

for (const [name, [options, files, act, part]] of Object.entries(PICTURES)) {
  test(`${name} is what the page looks like`, async () => {
    const { page, give, done } = await open({ time: TIME, reducedMotion: 'reduce', ...options });
    await give(...files);
    await act?.(page);
    // The caret blinks, and the focus is drawn differently by version.
    await page.evaluate(() => document.activeElement?.blur());
    if (part !== null) await page.locator(part).evaluate((node) => node.scrollIntoView());
    const picture = await page.screenshot();
    const path = join(ROOT, name);
    if (process.env.TAGWISE_BLESS === '1') {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, picture);
    } else {
      assert.ok(existsSync(path), `${name} is missing: run with TAGWISE_BLESS=1`);
      const share = await difference(readFileSync(path), picture);
      assert.ok(share <= TOLERANCE, `${(share * 100).toFixed(1)} % of ${name} differ, expected at most ${TOLERANCE * 100} %`);
    }
    await done();
  });
}

test('the comparison notices another page', async () => {
  const [light, drawing] = ['light', 'drawing'].map((name) => readFileSync(join(ROOT, `web/tests/golden/${name}.png`)));
  assert.equal(await difference(light, light), 0);
  const { page, give, done } = await open({ time: TIME, colorScheme: 'light', viewport: VIEWPORT });
  await give(NEGATIVE);
  assert.ok((await difference(light, await page.screenshot())) > TOLERANCE);
  assert.ok((await difference(light, drawing)) > TOLERANCE);
  await done();
});
