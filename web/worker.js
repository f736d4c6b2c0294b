// The service worker: the page works offline after the first visit. Nothing from users passes through it.
const CACHE = 'tagwise-viewer-1';
const FILES = ['./', 'index.html', 'icon.svg', 'style.css', 'view.js', 'draw.js', 'text.js', 'tagwise/browser.mjs', 'tagwise/tagwise.wasm'];

self.addEventListener('install', (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES))));
self.addEventListener('activate', (event) =>
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))));
self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== self.location.origin) return;
  // The network first, so that a new version appears.
  event.respondWith(fetch(event.request).then((response) => {
    if (response.ok) {
      const copy = response.clone();
      caches.open(CACHE).then((cache) => cache.put(event.request, copy));
    }
    return response;
  }).catch(() => caches.match(event.request, { ignoreSearch: true })));
});
