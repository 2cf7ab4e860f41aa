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
  /** For the request to the control route of a simulated phone. */
  readonly fetchUrl: GuardedFetch
  /** Prints a line, or a drawn code, for whoever runs the check. */
  readonly tell: (text: string) => void
}

/** What an engine says about itself when a session starts ([engines.bridge.1]); every part is optional. */
export interface EngineWords {
  readonly name: string | null
  readonly capabilities: readonly string[] | null
  readonly callMedia: readonly string[] | null
}

/** The call that the checks placed. */
export interface PlacedCall {
  readonly callId: string
  /** The id that the check gave the call. */
  readonly callRef: string
  readonly audio: CallAudio
}

/** A text as `message.send` takes it. */
export interface TextMessage {
  readonly messageId: string
  readonly to: string
  readonly content: { readonly type: string; readonly text: string }
}

/** What was under way when the number's engine was killed. */
export interface Struck {
  /** The last connection to it; nothing was acknowledged there. */
  readonly end: EngineEnd
  /** Sends that it was asked for there, under the ids of their requests. It was killed before it answered the last. */
  readonly sends: readonly { readonly message: TextMessage; readonly requestId: string }[]
}

/** The state that all checks share: one session of the engine, from its first connection to its end. */
export class World {
  readonly parts: WorldParts
  readonly options: CheckOptions
  readonly numberId = newId('num')
  readonly watch = new Watch()
  /** The credentials that `session.credentials` told last; null before the first. */
  credentials: unknown = null
  engine: EngineWords = { name: null, capabilities: null, callMedia: null }
  /** Where the session is: at the engine of the command line, or at the one that took it over. */
  #url: string
  readonly #ends = new Set<EngineEnd>()
  /** Connections on which the session became open. */
  readonly #open = new WeakSet<EngineEnd>()
  #current: EngineEnd | null = null
  /** The highest sequence number of earlier connections. */
  #before = -1
  readonly #statuses = new Map<string, SeenEvent>()
  /** The call that the checks placed; null before that. */
  call: PlacedCall | null = null
  /** What the checks of a takeover left to the next engine; null before the kill. */
  struck: Struck | null = null
  readonly #atEnd: (() => void)[] = []
  /** The message that the peer wrote back; null before that. */
  reply: SeenEvent | null = null
  readonly #elsewhere = new Set<string>()
  /** The engine's ids of the messages that were sent. */
  readonly sentIds: string[] = []

  constructor(parts: WorldParts) {
    this.parts = parts
    this.options = parts.options
    this.#url = parts.options.url
  }

  /**
   * Opens a connection of this session, or of another one. `token` null sends none. The caller checks whether it
   * opened.
   */
  connect(token: string | null = this.options.token, numberId: string = this.numberId): EngineEnd {
    return this.#dial(this.#url, token, numberId)
  }

  /** Opens a connection of this session at another engine of the fleet. The caller checks whether it opened. */
  connectAt(url: string): EngineEnd {
    return this.#dial(url, this.options.token, this.numberId)
  }

  #dial(url: string, token: string | null, numberId: string): EngineEnd {
    const {
      clock,
      log,
      options: { patienceMs },
    } = this.parts
    const isOurs = numberId === this.numberId
    const end = new EngineEnd({ url: `${url}/sessions/${numberId}`, token, clock, log, patienceMs }, (event, from) => {
      if (isOurs) this.#noteOurs(event, from)
    })
    this.#ends.add(end)
    return end
  }

  /** The current connection. Throws `Unmet` when none is open. */
  get current(): EngineEnd {
    if (!this.#current || this.#current.ending !== null)
      throw new Unmet(`the connection was gone (${this.#current?.closedBy() ?? 'there was none'})`)
    return this.#current
  }

  /** Makes a connection the current one. Throws `Unmet` when it did not open. */
  async take(end: EngineEnd): Promise<EngineEnd> {
    if ((await end.opened()) !== 'open') throw new Unmet(`the upgrade was refused: ${end.closedBy()}`)
    this.#current = end
    this.#before = this.watch.highestSeq
    return end
  }

  /** Makes a connection at another engine the current one: the session is asked for there from now on. */
  async takeAt(url: string, end: EngineEnd): Promise<EngineEnd> {
    const taken = await this.take(end)
    this.#url = url
    return taken
  }

  /** Starts the session on the current connection. */
  async start(credentials: unknown): Promise<unknown> {
    return await this.current.result('session.start', {
      number: this.options.number ?? '',
      credentials,
      settings: SETTINGS,
      historyImport: false,
    })
  }

  /** Drops the current connection, opens another one, and starts the session there with the last credentials. */
  async comeBack(): Promise<EngineEnd> {
    if (this.isLive) await this.current.drop()
    const end = await this.take(this.connect())
    await this.start(this.credentials)
    return end
  }

  /** Like `comeBack`, but acknowledges everything first, and waits until the session is open again. */
  async comeBackOpen(): Promise<EngineEnd> {
    if (this.isLive) await this.current.acknowledgeAll()
    await this.comeBack()
    return await this.openedNow()
  }

  /** Waits until the session is open on the current connection. */
  async openedNow(): Promise<EngineEnd> {
    await openOn(this.current, this.#before)
    this.noteOpen()
    return this.current
  }

  /** Notes that the session is open on the current connection. */
  noteOpen(): void {
    this.#open.add(this.current)
  }

  /** A connection on which the session is open: the current one, or a new one. */
  async open(): Promise<EngineEnd> {
    return this.isLive && this.#open.has(this.current) ? this.current : await this.comeBackOpen()
  }

  /** The latest status of a message, from any connection. */
  statusOf(externalMessageId: string | undefined): SeenEvent | undefined {
    return this.#statuses.get(externalMessageId ?? '')
  }

  /** Ids of messages with a status that neither the checks nor the phone's owner sent. */
  strangers(): string[] {
    return [...this.#statuses.keys()].filter((id) => !this.sentIds.includes(id) && !this.#elsewhere.has(id))
  }

  get isLive(): boolean {
    return this.#current !== null && this.#current.ending === null
  }

  /** Runs `act` when the checks are over. */
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
 * Waits until the session is OPEN on this connection. Throws `Unmet` when a code is shown or the session closes
 * instead. `before` is the highest sequence number of earlier connections, because events up to it may be told again.
 */
export async function openOn(end: EngineEnd, before: number): Promise<SeenEvent> {
  const isNews = ({ seq }: SeenEvent): boolean => seq > before
  const settled = await end.event(
    'session.state OPEN',
    (event) =>
      (event.ev === 'session.qr' && isNews(event))
      || (event.ev === 'session.state' && (event['state'] === 'OPEN' || (event['state'] === 'CLOSE' && isNews(event)))),
  )
  assertOpen(settled)
  return settled
}

/** Throws `Unmet` when a session that was paired settled to anything but OPEN. */
export function assertOpen(settled: SeenEvent): void {
  if (settled.ev === 'session.qr') throw new Unmet('a code to scan (session.qr), although the session was paired')
  if (settled['state'] !== 'OPEN')
    throw new Unmet(`session.state ${String(settled['state'])}, reason ${String(settled['reason'] ?? 'none')}`)
}
