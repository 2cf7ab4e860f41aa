import { fail } from '../domain/errors.ts'
import type { CallId } from '../domain/ids.ts'
import { MEDIA_REQUEST_MS, STALL_MS } from '../domain/limits.ts'
import { openJsonSocket } from '../net/json-socket.ts'
import type { JsonFrame, JsonSocket } from '../net/json-socket.ts'
import type { JsonSocketTuning } from '../net/json-socket-tuning.ts'
import { RequestTable } from '../net/json-requests.ts'
import type { RequestRules } from '../net/json-requests.ts'
import type { Clock, Timer } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { MediaLoad, MediaOp, MediaOpOutcome, MediaOps } from '../ports/media-control.ts'
import type { MediaEvent } from '../ports/media.ts'
import type { Counter } from '../ports/metrics.ts'
import { LINK_LOST, NO_ANSWER, NO_HOST, readAnswer, readLoad, readMediaEvent } from './host-protocol.ts'

/** Our choice: a request waits this long for a link that is down, in ms. */
export const LINK_WAIT_MS = 3_000
/** Our choice: the calls of a host that is away this long are given up, so that they have ended within 10 s. */
export const HOST_GONE_MS = 8_000
/** Our choice: events that may wait for the answer to `sync`; a host that sends more is cut off and asked again. */
const NOTICE_LIMIT = 10_000

/** Why calls were lost. */
export type LossReason = 'HOST_GONE' | 'HOST_RESTARTED' | 'LEG_UNKNOWN'

/** Ops that may be sent again after a broken link, since repeating them changes nothing. */
const RESENDABLE: ReadonlySet<MediaOp> = new Set<MediaOp>([
  'status',
  'close',
  'mint',
  'dial',
  'connect',
  'update',
  'revoke',
  'adopt',
  'leave',
  'recording',
  'recordingPart',
  'recordings',
  'dropRecording',
])

export interface HostLinkOptions {
  readonly controlUrl: string
  readonly internalSecret: string
  readonly nodeId: string
  readonly clock: Clock
  readonly log: Log
  /** Its labels are op and outcome. */
  readonly requestCounter: Counter
  readonly tuning: Partial<JsonSocketTuning>
  /** Lists the calls that this node believes the host holds. */
  readonly heldCalls: () => CallId[]
}

export interface HostLinkEvents {
  /** The host answered `sync`: requests go out. */
  ready(): void
  down(): void
  /** The host no longer holds these. */
  lost(calls: readonly CallId[], reason: LossReason): void
  event(event: MediaEvent): void
}

/**
 * The control connection to one media host. Each connection begins with `sync`. Events of the host wait until it is
 * answered: only the answer tells whether the host, and with it the count `n` of its events, is still the known one.
 */
export class HostLink {
  readonly #options: HostLinkOptions
  readonly #events: HostLinkEvents
  readonly #table: RequestTable
  readonly #socket: JsonSocket
  #lastId = 0
  #hostId: string | null = null
  #publicUrl: string | null = null
  #lastNotice = 0
  #early: JsonFrame[] = []
  #load: MediaLoad | null = null
  #isReady = false
  #isStopped = false
  #connection = 0
  #goneTimer: Timer | null = null

  constructor(options: HostLinkOptions, events: HostLinkEvents) {
    this.#options = options
    this.#events = events
    const { clock, log, tuning } = options
    this.#table = new RequestTable({ clock, unsentWaitMs: LINK_WAIT_MS, send: (frame) => this.#socket.send(frame) })
    this.#socket = openJsonSocket(
      {
        url: controlAddress(options.controlUrl),
        headers: { authorization: `Bearer ${options.internalSecret}`, 'x-node-id': options.nodeId },
        clock,
        log,
        tuning,
      },
      {
        up: () => void this.#sync(),
        down: () => this.#down(),
        frame: (frame) => this.#receive(frame),
        malformed: () => log.warn({}, 'media host sent a frame that cannot be read'),
      },
    )
  }

  /** True while the host is connected and in step. */
  get isReady(): boolean {
    return this.#isReady
  }

  /**
   * The host's name for itself, as last heard: it changes with each start of the host. Null before it was first in
   * step.
   */
  get hostId(): string | null {
    return this.#hostId
  }

  /** The beginning of its realtime URLs; null before it was first in step, and of hosts that do not say it. */
  get publicUrl(): string | null {
    return this.#publicUrl
  }

  /** What the host last said of itself over this connection; null before it did. */
  get load(): MediaLoad | null {
    return this.#load
  }

  /** Asks the host; requests leave in the order of the calls. Never rejects. */
  ask<O extends MediaOp>(op: O, fields: MediaOps[O]['fields']): Promise<MediaOpOutcome<O>> {
    return this.#request(op, fields, { isResendable: RESENDABLE.has(op) })
  }

  /** Ends the link; the host keeps its legs until it is told otherwise. Idempotent. */
  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#isReady = false
    this.#goneTimer?.cancel()
    this.#socket.close()
    this.#table.end()
  }

  async #request<O extends MediaOp>(
    op: O,
    fields: MediaOps[O]['fields'],
    rules: Omit<RequestRules, 'timeoutMs'>,
  ): Promise<MediaOpOutcome<O>> {
    this.#lastId += 1
    const reply = await this.#table.request(
      { ...fields, id: this.#lastId, op },
      { ...rules, timeoutMs: MEDIA_REQUEST_MS },
    )
    const outcome = reply.kind === 'answered' ? readAnswer(op, reply.frame) : fail(UNANSWERED[reply.kind])
    this.#options.requestCounter.add({ op, outcome: outcome.ok ? 'ok' : outcome.error.code })
    return outcome
  }

  async #sync(): Promise<void> {
    const connection = ++this.#connection
    this.#early = []
    const calls = this.#options.heldCalls()
    const outcome = await this.#request('sync', { calls }, { isResendable: false, isGreeting: true })
    if (this.#isStopped || connection !== this.#connection) return
    if (!outcome.ok) {
      this.#options.log.warn({ code: outcome.error.code }, 'media host did not synchronise')
      this.#socket.drop()
      return
    }
    this.#publicUrl = outcome.value.publicUrl ?? null
    this.#becomeReady(outcome.value.hostId, calls, new Set(outcome.value.calls))
  }

  #becomeReady(hostId: string, claimed: readonly CallId[], held: ReadonlySet<CallId>): void {
    const isOther = this.#hostId !== null && this.#hostId !== hostId
    if (this.#hostId !== hostId) this.#lastNotice = 0
    this.#hostId = hostId
    this.#goneTimer?.cancel()
    this.#goneTimer = null
    this.#isReady = true
    this.#table.ready()
    const lost = isOther ? claimed : claimed.filter((callId) => !held.has(callId))
    if (lost.length > 0) this.#events.lost(lost, isOther ? 'HOST_RESTARTED' : 'LEG_UNKNOWN')
    const early = this.#early
    this.#early = []
    for (const frame of early) this.#receiveNotice(frame)
    this.#events.ready()
  }

  #down(): void {
    this.#connection += 1
    this.#isReady = false
    this.#load = null
    this.#early = []
    this.#table.dropped()
    this.#goneTimer ??= this.#awaitHost()
    this.#events.down()
  }

  #awaitHost(): Timer {
    const { clock } = this.#options
    const dueMs = clock.monotonicMs() + HOST_GONE_MS
    return clock.after(HOST_GONE_MS, () => {
      // While this process stood still nobody looked for the host.
      if (clock.monotonicMs() - dueMs >= STALL_MS) this.#goneTimer = this.#awaitHost()
      else this.#giveUp()
    })
  }

  #giveUp(): void {
    this.#goneTimer = null
    const calls = this.#options.heldCalls()
    if (!this.#isReady && calls.length > 0) this.#events.lost(calls, 'HOST_GONE')
  }

  #receive(frame: JsonFrame): void {
    if ('re' in frame) this.#table.answer(frame['re'], frame)
    else if ('load' in frame) this.#load = readLoad(frame['load'])
    else if (this.#isReady) this.#receiveNotice(frame)
    else if (this.#early.length < NOTICE_LIMIT) this.#early.push(frame)
    else this.#socket.drop()
  }

  #receiveNotice(frame: JsonFrame): void {
    const { n, ev } = frame
    if (typeof n !== 'number' || !Number.isSafeInteger(n)) return
    if (n > this.#lastNotice) {
      this.#lastNotice = n
      const event = readMediaEvent(ev)
      if (event) this.#events.event(event)
      else this.#options.log.warn({ n }, 'media host sent an event that cannot be read')
    }
    // A repeated event is acknowledged again: the first acknowledgement was lost.
    this.#socket.send({ ack: this.#lastNotice })
  }
}

const UNANSWERED = { timeout: NO_ANSWER, dropped: LINK_LOST, unsent: NO_HOST } as const

/** Completes a control URL, which names a host or the socket itself; the path of the protocol is /control. */
function controlAddress(controlUrl: string): string {
  const url = new URL(controlUrl)
  if (url.pathname === '/' || url.pathname === '') url.pathname = '/control'
  return url.href
}
