import { newId } from '../../src/domain/ids.ts'
import type { GuardedFetch } from '../../src/net/guarded-fetch.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import type { CallAudio } from './audio/call-audio.ts'
import { EngineEnd, SETTINGS, type SeenEvent } from './engine-end.ts'
import { Unmet } from './finding.ts'
import type { CheckOptions } from './options.ts'
import { Watch } from './watch.ts'

export interface WorldParts {
  readonly options: CheckOptions
  readonly clock: Clock
  readonly log: Log
  /** For the request that has a simulated phone scan. */
  readonly fetchUrl: GuardedFetch
  /** Shows a line, or a drawn code, to whoever runs the check. */
  readonly tell: (text: string) => void
}

/** What an engine says of itself when a session starts ([engines.bridge.1]); all of it is optional. */
export interface EngineWords {
  readonly name: string | null
  readonly capabilities: readonly string[] | null
  readonly callMedia: readonly string[] | null
}

/** The call that the checks placed. */
export interface PlacedCall {
  readonly callId: string
  /** Our own id of it. */
  readonly callRef: string
  readonly audio: CallAudio
}

/** What the checks share: one session of the engine, from its first connection to its end. */
export class World {
  readonly parts: WorldParts
  readonly options: CheckOptions
  readonly numberId = newId('num')
  readonly watch = new Watch()
  /** What `session.credentials` told last; null before. */
  credentials: unknown = null
  engine: EngineWords = { name: null, capabilities: null, callMedia: null }
  readonly #ends = new Set<EngineEnd>()
  /** Connections on which the session came to be open. */
  readonly #open = new WeakSet<EngineEnd>()
  #current: EngineEnd | null = null
  /** The highest number of earlier connections. */
  #before = -1
  readonly #statuses = new Map<string, SeenEvent>()
  /** The call that was placed; null before. */
  call: PlacedCall | null = null
  readonly #atEnd: (() => void)[] = []
  /** The message that the peer wrote back; null before. */
  reply: SeenEvent | null = null
  readonly #elsewhere = new Set<string>()
  /** What the engine calls the messages that were sent. */
  readonly sentIds: string[] = []

  constructor(parts: WorldParts) {
    this.parts = parts
    this.options = parts.options
  }

  /** Opens a connection of the session, or of another. `token` null: without any. The caller looks at how that went. */
  connect(token: string | null = this.options.token, numberId: string = this.numberId): EngineEnd {
    const {
      clock,
      log,
      options: { url, patienceMs },
    } = this.parts
    const isOurs = numberId === this.numberId
    const end = new EngineEnd({ url: `${url}/sessions/${numberId}`, token, clock, log, patienceMs }, (event, from) => {
      if (isOurs) this.#noteOurs(event, from)
    })
    this.#ends.add(end)
    return end
  }

  /** The connection at hand; `Unmet` where none is open. */
  get current(): EngineEnd {
    if (!this.#current || this.#current.ending !== null)
      throw new Unmet(`the connection was gone (${this.#current?.closedBy() ?? 'there was none'})`)
    return this.#current
  }

  /** Makes a connection that opened the one at hand. */
  async take(end: EngineEnd): Promise<EngineEnd> {
    if ((await end.opened()) !== 'open') throw new Unmet(`the upgrade was refused: ${end.closedBy()}`)
    this.#current = end
    this.#before = this.watch.highestSeq
    return end
  }

  /** Starts the session on the connection at hand. */
  async start(credentials: unknown): Promise<unknown> {
    return await this.current.result('session.start', {
      number: this.options.number ?? '',
      credentials,
      settings: SETTINGS,
      historyImport: false,
    })
  }

  /** Drops the connection at hand, opens another, and starts the session there with the credentials that were told. */
  async comeBack(): Promise<EngineEnd> {
    if (this.isLive) await this.current.drop()
    const end = await this.take(this.connect())
    await this.start(this.credentials)
    return end
  }

  /** The same, with all acknowledged before, until the session is open again. */
  async comeBackOpen(): Promise<EngineEnd> {
    if (this.isLive) await this.current.acknowledgeAll()
    await this.comeBack()
    return await this.openedNow()
  }

  /** Waits until the session, started on the connection at hand, is open there. */
  async openedNow(): Promise<EngineEnd> {
    await openOn(this.current, this.#before)
    this.#open.add(this.current)
    return this.current
  }

  /** The session was paired on the connection at hand. */
  paired(): void {
    this.#open.add(this.current)
  }

  /** A connection whose session is open: the one at hand, or a new one. */
  async open(): Promise<EngineEnd> {
    return this.isLive && this.#open.has(this.current) ? this.current : await this.comeBackOpen()
  }

  /** The latest status of a message, on whichever connection it was told. */
  statusOf(externalMessageId: string | undefined): SeenEvent | undefined {
    return this.#statuses.get(externalMessageId ?? '')
  }

  /** Messages whose status was told, and which neither the checks nor the phone's owner sent. */
  strangers(): string[] {
    return [...this.#statuses.keys()].filter((id) => !this.sentIds.includes(id) && !this.#elsewhere.has(id))
  }

  get isLive(): boolean {
    return this.#current !== null && this.#current.ending === null
  }

  /** Has this done when the checks are over. */
  atEnd(act: () => void): void {
    this.#atEnd.push(act)
  }

  close(): void {
    for (const act of this.#atEnd) act()
    for (const end of this.#ends) end.close()
  }

  #noteOurs(event: SeenEvent, end: EngineEnd): void {
    this.watch.note(event, end)
    if (event.ev === 'message.sent_elsewhere') this.#elsewhere.add(String(event['externalMessageId']))
    if (event.ev === 'message.status') this.#statuses.set(String(event['externalMessageId']), event)
    if (event.ev === 'session.credentials') this.credentials = event['credentials'] ?? null
  }
}

/**
 * Waits until the session is OPEN on this connection; a code to scan or a closed session instead is not. `before`: the
 * highest number of earlier connections, for what was told there may be told again.
 */
export async function openOn(end: EngineEnd, before: number): Promise<SeenEvent> {
  const isNews = ({ seq }: SeenEvent): boolean => seq > before
  const settled = await end.event(
    'session.state OPEN',
    (event) =>
      (event.ev === 'session.qr' && isNews(event))
      || (event.ev === 'session.state' && (event['state'] === 'OPEN' || (event['state'] === 'CLOSE' && isNews(event)))),
  )
  if (settled.ev === 'session.qr') throw new Unmet('a code to scan (session.qr), although the session was paired')
  if (settled['state'] !== 'OPEN')
    throw new Unmet(`session.state ${String(settled['state'])}, reason ${String(settled['reason'] ?? 'none')}`)
  return settled
}
