import type { ResolvedBranding } from '../../src/domain/branding.ts'
import type { Theme } from '../../src/domain/contrast.ts'
import type { Answer, LinkEnd, NumberState, PairingReason } from './answers.ts'
import type { LinkApi } from './follow.ts'

/** Our choice, in ms: longer than the service takes for a first code (10 s), so that its own answer arrives first. */
const ANSWER_MS = 15_000

/** The look of the page. */
export interface Look {
  readonly branding: ResolvedBranding
  readonly theme: Theme
}

interface CodeBody {
  readonly qrcodeBase64: string | null
  readonly pairingCode: string | null
  readonly expiresInMs: number | null
}
interface ViewBody {
  readonly name: string
  readonly number: string
  readonly state: NumberState
  readonly numberId: string
  readonly redirectUrl: string | null
}
interface StatusBody extends CodeBody {
  readonly state: NumberState
  readonly reason?: PairingReason | null
  readonly numberId: string
}
interface OverBody {
  readonly details?: {
    readonly reason?: LinkEnd
    readonly redirectUrl?: string | null
    readonly numberId?: string | null
    readonly name?: string
    readonly number?: string
  }
}

/** The link routes for one token ([pairing.routes.4]). The token is sent as a credential, never in an address. */
export function linkApi(token: string): LinkApi {
  const ask = (path: string, method: 'GET' | 'POST', read: (body: unknown) => Answer) =>
    answerOf(callWith(token, `/v1/remote-pairing/self${path}`, method), read)
  return {
    view: () =>
      ask('', 'GET', (body) => {
        const { name, number, numberId, redirectUrl, state } = body as ViewBody
        return { kind: 'view', state, link: { name, number, numberId, redirectUrl } }
      }),
    connect: () => ask('/connect', 'POST', readCode),
    code: () => ask('/connect?pairingCode=1', 'POST', readCode),
    status: () =>
      ask('/status', 'GET', (body) => {
        const { state, reason = null, numberId } = body as StatusBody
        return { kind: 'status', state, reason, numberId, code: codeOf(body as StatusBody) }
      }),
  }
}

/** The look of a link with the cosmetic query of the page; null when no answer came. */
export async function readLook(token: string, query: string): Promise<Look | null> {
  try {
    const response = await callWith(token, `/v1/connect/self/branding${query}`, 'GET')
    return response.ok ? ((await response.json()) as Look) : null
  } catch {
    return null
  }
}

function callWith(token: string, path: string, method: 'GET' | 'POST'): Promise<Response> {
  return fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    cache: 'no-store',
    credentials: 'omit',
    signal: AbortSignal.timeout(ANSWER_MS),
  })
}

async function answerOf(asked: Promise<Response>, read: (body: unknown) => Answer): Promise<Answer> {
  try {
    const response = await asked
    if (response.ok) return read(await response.json())
    if (response.status === 404) return overOf((await response.json()) as OverBody)
    if (response.status === 409) return { kind: 'open' }
    return { kind: 'refused', isBusy: response.status === 429, retryAfterMs: retryAfterOf(response) }
  } catch {
    return { kind: 'lost' }
  }
}

function overOf({ details }: OverBody): Answer {
  const { reason = 'UNKNOWN', redirectUrl = null, numberId = null, name = '', number = '' } = details ?? {}
  return { kind: 'over', reason, redirectUrl, numberId, name, number }
}

/** Ms to wait before another try; null when the answer names none. RFC 9110, 10.2.3: this service sends seconds. */
function retryAfterOf({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1_000 : null
}

function readCode(body: unknown): Answer {
  return { kind: 'code', code: codeOf(body as CodeBody) }
}

function codeOf({ qrcodeBase64, pairingCode, expiresInMs }: CodeBody) {
  return { qr: qrcodeBase64, text: pairingCode, expiresInMs }
}
