// Text from files, safe to show.

/** Characters that change the direction or are invisible, and controls other than tab and line feed. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

/** Returns text with hidden characters escaped. */
export const plain = (text) => String(text).replace(HIDDEN, (found) => `\\u{${found.codePointAt(0).toString(16).toUpperCase()}}`);

/** Creates an element with text. */
export function element(name, text = '', tone = '') {
  const node = document.createElement(name);
  if (text !== '') node.textContent = plain(text);
  if (tone !== '') node.className = tone;
  return node;
}

/** Creates an SVG element. */
export function shape(name, attributes, text = '') {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  if (text !== '') node.textContent = plain(text);
  return node;
}
