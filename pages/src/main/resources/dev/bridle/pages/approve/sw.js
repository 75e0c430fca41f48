// Keeps the files of the page, so that it opens while the computer is off. It touches no calls of the server.
'use strict';

const CACHE = 'bridle-approve-1';

/** The computer may be off without the network saying so. */
const PATIENCE_MILLIS = 4000;

const SHELL = [
  './',
  'app.mjs',
  'approve.css',
  'bytes.mjs',
  'canonical.mjs',
  'crypto.mjs',
  'decision.mjs',
  'dom.mjs',
  'icon.svg',
  'inbox-view.mjs',
  'inbox.mjs',
  'live.mjs',
  'manifest.webmanifest',
  'notices-view.mjs',
  'notices.mjs',
  'pairing.mjs',
  'phone-view.mjs',
  'pins.mjs',
  'question-view.mjs',
  'question.mjs',
  'relay.mjs',
  'seal.mjs',
  'store.mjs',
  'succession.mjs',
  'text.mjs',
  'vendor/noble-ciphers/xchacha20poly1305.js',
  'words.mjs',
].map((name) => new URL(name, self.registration.scope).href);

self.addEventListener('install', (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(SHELL.map((url) => new Request(url, { cache: 'no-cache' })));
    await self.skipWaiting();
  })());
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== CACHE && name.startsWith('bridle-approve-'))
      .map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'GET' && SHELL.includes(request.url.split('#')[0])) event.respondWith(served(event));
});

/** Returns a file from the network; what was kept, if that fails or takes too long. */
async function served(event) {
  const cache = await caches.open(CACHE);
  const url = event.request.url.split('#')[0];
  const fresh = fetch(event.request);
  // What is kept stays as new as what was served last.
  event.waitUntil(fresh.then(async (response) => {
    if (response.ok) await cache.put(url, response.clone());
  }, () => {}));
  const kept = await cache.match(url);
  if (kept === undefined) return fresh;
  const late = new Promise((resolve) => { setTimeout(resolve, PATIENCE_MILLIS, kept); });
  return Promise.race([fresh.then((response) => (response.ok ? response : kept), () => kept), late]);
}
