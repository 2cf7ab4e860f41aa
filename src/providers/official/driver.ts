import { z } from 'zod'
import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import { official } from '../../domain/kinds/official.ts'
import type { Clock } from '../../ports/clock.ts'
import type { OfficialCredentials } from '../../ports/official/credentials.ts'
import type { MarketingDoor } from '../../ports/official/marketing.ts'
import type { ProviderDriver, ProviderEvent, ProviderSession, SendResult, SessionSpec } from '../../ports/provider.ts'
import type { Graph } from './client/graph.ts'
import { plainFailure } from './errors/message-errors.ts'
import { MediaUploads } from './message/uploads.ts'
import { callOps } from './ops/calls.ts'
import { marketingOps } from './ops/marketing.ts'
import { messageOps } from './ops/messages.ts'

export interface OfficialDriverOptions {
  readonly graph: Graph
  readonly clock: Clock
  /**
   * Called when the outcome of event `seq` is stored, for the webhook that raised it; not for events that the driver
   * raised itself.
   */
  readonly onSettled?: (numberId: NumberId, seq: number) => void
  /** Where MARKETING templates go; without it all go the way of other messages. */
  readonly marketing?: MarketingDoor
}

const CREDENTIALS = z.object({
  phoneId: z.string().min(1),
  accountId: z.string().min(1),
  accessToken: z.string().min(1),
  appId: z.string().nullable().default(null),
  appSecret: z.string().nullable().default(null),
})

/** Reads the stored credentials of an OFFICIAL number; null when they cannot be read. */
export function readCredentials(text: string | null): OfficialCredentials | null {
  if (text === null) return null
  try {
    return CREDENTIALS.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/**
 * Makes the driver of OFFICIAL numbers. A session holds nothing upstream: it reports OPEN at once, and what happens to
 * calls arrives by webhook.
 */
export function createOfficialDriver(options: OfficialDriverOptions): ProviderDriver {
  const uploads = new MediaUploads(options.graph, options.clock)
  return {
    kind: official.name,
    openSession(opening, listener) {
      const credentials = readCredentials(opening.credentials)
      return credentials
        ? openSession(options, uploads, opening, credentials, listener)
        : openWithout(opening, listener)
    },
  }
}

function openSession(
  { graph, onSettled, marketing }: OfficialDriverOptions,
  uploads: MediaUploads,
  opening: SessionSpec,
  credentials: OfficialCredentials,
  listener: (event: ProviderEvent) => void,
): ProviderSession {
  let isClosed = false
  // Our choice of reason: a refused token may be replaced or accepted again, so queued sends must be kept, as after a
  // ban.
  const tell = (isValid: boolean) => {
    if (isClosed) return
    const state = isValid ? ({ state: 'OPEN', reason: null } as const) : ({ state: 'CLOSE', reason: 'banned' } as const)
    // Upstream does not count events here, so the acknowledged `seq` stays where it is.
    listener({ type: 'state', seq: opening.ackedSeq, ...state })
  }
  const unwatch = graph.tokens.watch(credentials.accessToken, tell)
  queueMicrotask(() => tell(!graph.tokens.isInvalid(credentials.accessToken)))
  return {
    ...callOps(graph, credentials),
    ...messageOps(
      graph,
      credentials,
      uploads,
      marketingOps(graph, credentials, { numberId: opening.numberId, door: marketing ?? null }),
    ),
    // Upstream has none of these settings: the service itself follows them.
    applySettings: () => Promise.resolve(succeed(null)),
    // The subscription stays, because other numbers of the account need it.
    logout: () => Promise.resolve(succeed(null)),
    settle: (seq) => {
      if (seq !== opening.ackedSeq) onSettled?.(opening.numberId, seq)
    },
    close() {
      isClosed = true
      unwatch()
    },
  }
}

const NO_CREDENTIALS: Refusal = refuse(
  'CHANNEL_INSTANCE_NOT_CONNECTED',
  'The number has no credentials of the official platform.',
)
/** Sends wait for credentials as they do for a link. */
const UNSENT: SendResult = { kind: 'unsent', failure: plainFailure('OFFICIAL_ERROR', NO_CREDENTIALS.message) }

/** Opens the session of a number that was logged out: closed until it gets credentials again. */
function openWithout(opening: SessionSpec, listener: (event: ProviderEvent) => void): ProviderSession {
  let isClosed = false
  queueMicrotask(() => {
    if (!isClosed) listener({ type: 'state', seq: opening.ackedSeq, state: 'CLOSE', reason: 'logged_out' })
  })
  const refused = (): Promise<Outcome<never>> => Promise.resolve(fail(NO_CREDENTIALS))
  return {
    offerCall: refused,
    preAcceptCall: refused,
    acceptCall: refused,
    rejectCall: refused,
    terminateCall: refused,
    sendText: refused,
    markRead: refused,
    sendMessage: () => Promise.resolve(UNSENT),
    applySettings: () => Promise.resolve(succeed(null)),
    logout: () => Promise.resolve(succeed(null)),
    settle: () => {},
    close: () => {
      isClosed = true
    },
  }
}
