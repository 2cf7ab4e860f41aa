import type { BuiltAssets, BuiltBytes } from '../../src/http/pages/built-assets.ts'

function page(name: string): readonly [string, BuiltBytes] {
  const bytes = Buffer.from(
    `<!doctype html>\n<html lang="en">\n<head>\n<title></title>\n<script type="module" src="/assets/${name}-0a1b.js"></script>\n</head>\n<body></body>\n</html>\n`,
  )
  const facts = {
    type: 'text/html; charset=utf-8',
    hash: '',
    integrity: '',
    bytes: bytes.length,
    gzipBytes: null,
    brBytes: null,
  }
  return [`pages/${name}.html`, { facts, hash: '', bytes, gzip: null, br: null }]
}

/** A build with documents that load nothing. */
export const BUILT_PAGES: BuiltAssets = {
  sdkVersion: '1.0.0',
  later: {},
  files: new Map([page('connect'), page('chat'), page('people')]),
}
