import { rmSync } from 'node:fs'
import type { Agent, IncomingMessage, ServerResponse } from 'node:http'
import { DEF_MEDIA_HOST } from 'baileys'
import type { WASocket } from 'baileys'
import type { MediaReference } from '../translate-in/media-reference.ts'
import { MediaOffers } from './offers.ts'
import { fetchOutgoing } from './outgoing.ts'
import type { FetchedFile } from './outgoing.ts'
import type { MediaNetwork } from './received.ts'
import { mediaUrl, serveMedia } from './serve.ts'

/** The session of a media, as far as its file is concerned. */
export interface MediaSession {
  readonly isOpen: boolean
  /** The gateway shows its bearer when it fetches media at this origin; null: it never does. */
  readonly mediaBearerOrigin: string | null
  readonly sock: Pick<WASocket, 'refreshMediaConn'>
}

export type FetchOutcome = 'ok' | 'gone' | 'failed'

/** Media of the network that the gateway may fetch, and files of the gateway on their way to the network. */
export interface MediaShelf {
  /** Where gateways reach this engine (`http://127.0.0.1:3005`); before that no media can be offered. */
  listensAt(base: string): void
  /**
   * Address at which the gateway may fetch a received media, once, within 10 min; with the bearer of the bridge where
   * it said that it shows that there.
   */
  offer(session: MediaSession, reference: MediaReference): string
  /** Answers a request for an offered media; false for any other. Never rejects. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /** Fetches a file that is to be sent; the caller removes it. Throws Refusal. */
  fetch(url: string): Promise<FetchedFile>
  /** Ends what is open. */
  close(): Promise<void>
}

export interface MediaShelfParts {
  /** Files on their way to the network; emptied at start. */
  readonly directory: string
  /** The way to the network's media hosts; null: directly. */
  readonly agent: Agent | null
  readonly now: () => number
  readonly onFetch: (outcome: FetchOutcome) => void
  /** A request shows the token of the bridge. */
  readonly isAuthorized: (authorization: string | undefined) => boolean
}

/** Makes the shelf of one engine. */
export function createMediaShelf({ directory, agent, now, onFetch, isAuthorized }: MediaShelfParts): MediaShelf {
  const offers = new MediaOffers(now)
  const closing = new AbortController()
  let base: string | null = null
  // What an engine that was killed left.
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
          network: () => networkOf(session, agent),
          needsBearer: session.mediaBearerOrigin === new URL(base).origin,
        }),
      )
    },
    serve: (request, response) =>
      serveMedia({ offers, signal: closing.signal, onFetch, isAuthorized }, request, response),
    fetch: (url) => fetchOutgoing(url, directory, closing.signal),
    close() {
      closing.abort()
      rmSync(directory, { recursive: true, force: true })
      return Promise.resolve()
    },
  }
}

/** The domain of the network's media hosts: what stands behind the first label of the library's default. */
const MEDIA_DOMAIN = DEF_MEDIA_HOST.slice(DEF_MEDIA_HOST.indexOf('.'))

/** The hosts that the network itself names for uploads serve downloads too. */
async function networkOf({ isOpen, sock }: MediaSession, agent: Agent | null): Promise<MediaNetwork> {
  const connection = isOpen ? await sock.refreshMediaConn(false).catch(() => null) : null
  const named = (connection?.hosts ?? []).map(({ hostname }) => hostname)
  return {
    defaultHost: named[0] ?? DEF_MEDIA_HOST,
    isMediaHost: (host) => named.includes(host) || host.endsWith(MEDIA_DOMAIN),
    ...(agent ? { agent } : {}),
  }
}
