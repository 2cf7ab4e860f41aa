import { START_PATH } from './own-callers.ts'

/** The part of a route that the page shows. */
interface Told {
  readonly method: string
  readonly path: string
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1.25rem;color:#1a1a1a;background:#fff}
a{color:#0058a3}code{background:#f0f0f0;padding:.1em .3em;border-radius:.2em;overflow-wrap:anywhere}pre{white-space:pre-wrap}ul{padding:0;list-style:none}li{margin:.25rem 0}
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#141414}a{color:#6cb8ff}code{background:#2a2a2a}}`

/**
 * The page that a person finds at the address of the control API: what there is to look at, and every route. It changes
 * nothing.
 */
export function startPage(routes: readonly Told[]) {
  const shown = routes.filter(({ path }) => path.startsWith(START_PATH))
  const looks = shown.filter(({ method, path }) => method === 'GET' && !path.includes(':'))
  const rest = shown.filter((route) => !looks.includes(route)).toSorted((a, b) => a.path.localeCompare(b.path))
  const bytes = (origin: string): Buffer =>
    Buffer.from(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Sandbox</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main><h1>Sandbox</h1>
<p>Phones that pair by QR code, an official platform, and peers who answer: all of it simulated, for demos and tests. It is told what to do from a terminal of this machine, say a phone to scan the code on show:</p>
<pre><code>curl -X POST ${origin}/control/devices/5511988887777/scan</code></pre>
<h2>To look at</h2>
<ul>${looks.map(({ path }) => `<li><a href="${path}">${path}</a></li>`).join('')}</ul>
<h2>All it can be told</h2>
<p>The guide <code>docs/sandbox.md</code> says what each takes.</p>
<ul>${rest.map(({ method, path }) => `<li><code>${method} ${path}</code></li>`).join('')}</ul>
</main></body></html>
`)
  return {
    method: 'GET' as const,
    path: START_PATH,
    answer: ({ origin }: { readonly origin: string }) => ({
      status: 200,
      bytes: bytes(origin),
      contentType: 'text/html; charset=utf-8',
    }),
  }
}
