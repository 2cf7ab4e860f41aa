import { rmSync } from 'node:fs'
import type { Agent, IncomingMessage, ServerResponse } from 'node:http'
import { DEF_MEDIA_HOST } from 'baileys'
import type { WASocket } from 'baileys'
import type { Seal } from '../store/seal.ts'
import type { MediaReference } from '../translate-in/media-reference.ts'
import { MediaOffers } from './offers.ts'
import { fetchOutgoing } from './outgoing.ts'
import type { FetchedFile } from './outgoing.ts'
import type { MediaNetwork } from './received.ts'
import { mediaUrl, serveMedia } from './serve.ts'

/** The part of a session that its media need. */
export interface MediaSession {
  readonly numberId: string
  readonly isOpen: boolean
  /** The origin at which the gateway shows its bearer token when it fetches media; null when it never does. */
  readonly mediaBearerOrigin: string | null
  readonly sock: Pick<WASocket, 'refreshMediaConn'>
}

export type FetchOutcome = 'ok' | 'gone' | 'failed'

/** Received media that the gateway may fetch, and files of the gateway on their way to the network. */
export interface MediaShelf {
  /**
   * Sets the address under which gateways reach this engine (`http://127.0.0.1:3005`); before that no media can be
   * offered.
   */
  listensAt(base: string): void
  /**
   * The address at which the gateway may fetch received media, once, within 10 min. It must show the bearer of the
   * bridge there when it said that it would.
   */
  offer(session: MediaSession, reference: MediaReference): string
  /** Answers a request for offered media; false for any other. Never rejects. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /** Fetches a file to be sent; the caller removes it. Throws Refusal. */
  fetch(url: string): Promise<FetchedFile>
  /** Ends open transfers. */
  close(): Promise<void>
}

export interface MediaShelfParts {
  /** Directory of files on their way to the network; emptied at start. */
  readonly directory: string
  /** The agent for the network's media hosts; null for a direct connection. */
  readonly agent: Agent | null
  /** Seals addresses; engines of a fleet have the same. */
  readonly seal: Seal
  /** The session of a number, where this engine has it. */
  readonly sessionOf: (numberId: string) => Pick<MediaSession, 'isOpen' | 'sock'> | null
  readonly now: () => number
  readonly onFetch: (outcome: FetchOutcome) => void
  /** Whether a request shows the token of the bridge. */
  readonly isAuthorized: (authorization: string | undefined) => boolean
}

/** Makes the shelf of one engine. */
export function createMediaShelf(parts: MediaShelfParts): MediaShelf {
  const { directory, agent, onFetch, isAuthorized } = parts
  const offers = new MediaOffers(parts.seal, parts.now)
  const networkAt = (numberId: string): Promise<MediaNetwork> => networkOf(parts.sessionOf(numberId), agent)
  const closing = new AbortController()
  let base: string | null = null
  // Files that a killed engine left.
  rmSync(directory, { recursive: true, force: true })
  return {
    listensAt(address) {
      base = address
    },
    offer(session, reference) {
      if (base === null) throw new Error('the engine does not listen yet')
      return mediaUrl(
        base,
        offers.add({
          reference,
          numberId: session.numberId,
          needsBearer: session.mediaBearerOrigin === new URL(base).origin,
        }),
      )
    },
    serve: (request, response) =>
      serveMedia({ offers, networkAt, signal: closing.signal, onFetch, isAuthorized }, request, response),
    fetch: (url) => fetchOutgoing(url, directory, closing.signal),
    close() {
      closing.abort()
      rmSync(directory, { recursive: true, force: true })
      return Promise.resolve()
    },
  }
}

/** The domain of the network's media hosts: the rest of the library's default after its first label. */
const MEDIA_DOMAIN = DEF_MEDIA_HOST.slice(DEF_MEDIA_HOST.indexOf('.'))

/**
 * The network of a session's media. The hosts that it names for uploads serve downloads too. Without a session, as
 * where another engine received them, the library's default host does.
 */
async function networkOf(
  session: ReturnType<MediaShelfParts['sessionOf']>,
  agent: Agent | null,
): Promise<MediaNetwork> {
  const connection = session?.isOpen ? await session.sock.refreshMediaConn(false).catch(() => null) : null
  const named = (connection?.hosts ?? []).map(({ hostname }) => hostname)
  return {
    defaultHost: named[0] ?? DEF_MEDIA_HOST,
    isMediaHost: (host) => named.includes(host) || host.endsWith(MEDIA_DOMAIN),
    ...(agent ? { agent } : {}),
  }
}
