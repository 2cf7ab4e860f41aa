import { createHash } from 'node:crypto'

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1.5rem;color:#1a1a1a;background:#fff}
a{color:#0058a3}code{background:#f0f0f0;padding:.1em .3em;border-radius:.2em;overflow-wrap:anywhere}li{margin:.4rem 0}
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#141414}a{color:#6cb8ff}code{background:#2a2a2a}}`

/** The policy of the page: nothing is loaded, and its one style is allowed by its hash. */
export const WELCOME_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Paths that the page leads to, by their purpose. */
export const WELCOME_LINKS = {
  docs: '/docs',
  openapi: '/openapi.json',
  live: '/health/live',
  ready: '/health/ready',
} as const

/** What a browser is shown at the address of the service. */
export const WELCOME_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Channel messaging service</title><style>${STYLE}</style></head>
<body><main><h1>Channel messaging service</h1>
<p>This is the address of an API for voice calls and messages on chat-app numbers. It is spoken by programs, with a key in the header <code>x-api-key</code>.</p>
<ul>
<li><a href="${WELCOME_LINKS.docs}">Documentation</a>, to read and to try</li>
<li><a href="${WELCOME_LINKS.openapi}">OpenAPI document</a>, to make a client of</li>
<li><a href="${WELCOME_LINKS.ready}">Readiness</a> of this installation</li>
</ul></main></body></html>
`
