import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { Branding, ResolvedBranding } from '../../src/domain/branding.ts'
import { DEFAULT_BRANDING } from '../../src/domain/branding.ts'
import { themeOf } from '../../src/domain/contrast.ts'
import { pageDocument } from '../../src/http/pages/page-document.ts'
import { qrDataUri } from '../../src/http/routes/numbers/qr-png.ts'
import { builtPages } from './pages.ts'

/** [pages.headers.1]: the policy of the connect page when no origin may frame it, without `frame-ancestors`. */
const POLICY = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; font-src 'self'; form-action 'none'; base-uri 'none'`

/** A scripted answer: a body with its status, or none at all (the connection is cut, or never answered). */
export type Scripted =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: object }
  | 'cut'
  | 'never'

export interface LinkScript {
  view: Scripted
  connect: Scripted
  status: Scripted
  branding: Partial<ResolvedBranding>
}

/** A connect page over a service that answers by script. */
export interface ScriptedLink {
  /** The origin of the page; its `/host` is an empty page that may frame the others. */
  readonly origin: string
  /** The address of the page. */
  readonly url: string
  readonly token: string
  readonly script: LinkScript
  /** Requests to the API, as `method path?query`. */
  readonly asked: string[]
  close(): void
}

const TOKEN = 'rp_00000000000000000000000000'
/** A QR text of the length that device networks use. */
const QR_TEXT = `2@${['a', 'b', 'c', 'd'].map((key) => createHash('sha256').update(key).digest('base64')).join(',')}`
const CODE = { qrcodeBase64: qrDataUri(QR_TEXT), pairingCode: 'K7QM4XRD', expiresInMs: 47_000 }
const NO_CODE = { qrcodeBase64: null, pairingCode: null, expiresInMs: null }

/** A status answer, by default without a code. */
export function statusOf(about: object): Scripted {
  return {
    body: { state: 'CONNECTING', isFullyConnected: false, numberId: 'num_1', reason: null, ...NO_CODE, ...about },
  }
}

/** The refusal of a link that is over. */
export function overFor(reason: string, redirectUrl: string | null = 'https://acme.example/done'): Scripted {
  return {
    status: 404,
    body: {
      error: 'over',
      code: 'PAIRING_NOT_FOUND',
      details: {
        reason,
        redirectUrl: reason === 'UNKNOWN' ? null : redirectUrl,
        ...(reason === 'USED'
          ? { numberId: 'num_1', name: 'Front desk', number: '*********7777' }
          : { numberId: null }),
      },
    },
  }
}

export function refusalOf(status: number, headers: Record<string, string> = {}): Scripted {
  return { status, headers, body: { error: 'refused' } }
}

/** The script of a link that shows its code. */
export function wellScript(): LinkScript {
  return {
    view: {
      body: {
        valid: true,
        name: 'Front desk',
        number: '*********7777',
        state: 'CLOSE',
        numberId: 'num_1',
        redirectUrl: 'https://acme.example/done?a=1',
        expiresAt: '2026-01-06T12:00:00.000Z',
      },
    },
    connect: { body: CODE },
    status: statusOf(CODE),
    branding: {
      companyName: 'Acme Dental',
      subtitle: 'Link your phone to the inbox',
      supportUrl: 'https://acme.example/help',
    },
  }
}

/** The code that `wellScript` shows. */
export const SHOWN_CODE = CODE

/** Serves the built connect page over a script. */
export async function serveScriptedLink(): Promise<ScriptedLink> {
  const assets = await builtPages()
  const script = wellScript()
  const asked: string[] = []
  let origin = ''
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const built = assets.files.get(path.slice(1))
    if (built) return response.writeHead(200, { 'content-type': built.facts.type }).end(built.bytes)
    if (path.startsWith('/connect')) {
      const html = pageDocument(assets, 'connect', {
        title: 'Connect',
        lang: 'en',
        data: { serviceName: 'Channel Messaging', baseUrl: origin, lang: 'en', exampleQr: CODE.qrcodeBase64 },
      })
      return response
        .writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': POLICY,
          'referrer-policy': 'no-referrer',
        })
        .end(html)
    }
    if (path === '/host')
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Host</title>')
    asked.push(`${request.method} ${request.url}`)
    if (request.headers.authorization !== `Bearer ${TOKEN}`)
      return response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    return give(response, answerTo(script, path))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { origin, url: `${origin}/connect/${TOKEN}`, token: TOKEN, script, asked, close }
}

function answerTo({ view, connect, status, branding }: LinkScript, path: string): Scripted {
  if (path.endsWith('/branding')) {
    const resolved = { ...DEFAULT_BRANDING, button: null, ...branding } satisfies Branding
    return { body: { branding: resolved, theme: themeOf(resolved) } }
  }
  if (path.endsWith('/connect')) return connect
  return path.endsWith('/status') ? status : view
}

function give(response: ServerResponse, answer: Scripted): void {
  if (answer === 'never') return
  if (answer === 'cut') return void response.destroy()
  response
    .writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
    .end(JSON.stringify(answer.body))
}
