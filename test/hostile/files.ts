// Hostile media files: dangerous contents under false types and hostile names.

import { CANARY, FILE_NAMES } from './corpus.ts';

/** A stored untrusted file: the type that its source claims, and its content. */
export interface HostileFile {
  readonly key: string;
  readonly mime: string;
  readonly body: Buffer;
  readonly name: string;
}

const RUN = `window.__ran=1;try{top.__ran=1}catch{};new Image().src='//${CANARY}/ran';self.alert&&alert(1);`;
const html = `<!doctype html><script>${RUN}</script><img src=x onerror="${RUN}"><meta http-equiv=refresh content="1;url=//${CANARY}/">`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"><script>${RUN}</script><image href="//${CANARY}/i.png"/></svg>`;
const xhtml = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><script>${RUN}</script></body></html>`;
const xslt = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#s"?><!DOCTYPE d [<!ATTLIST xsl:stylesheet id ID #REQUIRED>]>
<d><xsl:stylesheet id="s" version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/">
<html><script>${RUN}</script></html></xsl:template></xsl:stylesheet></d>`;
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\);app.launchURL\\('http://${CANARY}/'\\))>>>>endobj
2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
trailer<</Root 1 0 R>>
%%EOF`;
const gif = `GIF89a/*\x00\x00\x00\x00\x00*/=1;${RUN}//\x3b`;
const jpeg = Buffer.concat([
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x2f, 0x2a]),
  Buffer.from(`*/=1;${RUN}/*`),
  Buffer.from([0xff, 0xd9]),
]);
const mp4 = Buffer.concat([Buffer.from([0, 0, 0, 0x18]), Buffer.from('ftypisom\0\0\x02\0isomiso2'), Buffer.from(html)]);
const wasm = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
const bmp = `BM=1;${RUN}`;
const css = `*{background:url(//${CANARY}/c)}`;
const mhtml = `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n${html}\r\n--b--`;

/** Contents of files, with the types that their sender may have claimed for them. */
const CONTENTS: readonly (readonly [body: string | Buffer, mimes: readonly string[]])[] = [
  [
    html,
    ['text/html', 'application/xhtml+xml', 'text/plain', 'image/png', 'video/mp4', 'audio/ogg', '', 'TEXT/HTML; charset=utf-7'],
  ],
  [svg, ['image/svg+xml', 'image/png', 'text/xml', 'Image/SVG+XML']],
  [xhtml, ['application/xhtml+xml', 'text/xml', 'image/webp']],
  [xslt, ['text/xml', 'application/xslt+xml', 'application/rss+xml']],
  [pdf, ['application/pdf', 'image/jpeg']],
  [gif, ['image/gif', 'text/javascript', 'application/javascript']],
  [jpeg, ['image/jpeg', 'text/javascript']],
  [bmp, ['image/bmp', 'text/javascript']],
  [mp4, ['video/mp4', 'text/html', 'application/x-shockwave-flash']],
  [wasm, ['application/wasm']],
  [RUN, ['text/javascript', 'module', 'application/json', 'audio/wav', 'image/png\r\ncontent-type: text/javascript']],
  [css, ['text/css', 'image/avif']],
  [mhtml, ['multipart/related', 'message/rfc822', 'multipart/x-mixed-replace; boundary=b']],
];

/** Every content with every type, each with another hostile name. */
export const HOSTILE_FILES: readonly HostileFile[] = CONTENTS.flatMap(([body, mimes]) =>
  mimes.map((mime) => ({ body, mime })),
).map(({ body, mime }, at) => ({
  key: `${at.toString(16).padStart(2, '0')}${'ab'.repeat(31)}.bin`,
  mime,
  body: Buffer.from(body),
  name: FILE_NAMES[at % FILE_NAMES.length] ?? '',
}));
