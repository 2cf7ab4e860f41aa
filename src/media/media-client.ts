import { fail, succeed } from '../domain/errors.ts'
import type { CallMediaKind } from '../domain/call-media.ts'
import type { Outcome } from '../domain/errors.ts'
import type { CallId, NodeId } from '../domain/ids.ts'
import type { JsonSocketTuning } from '../net/json-socket-tuning.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { MediaOpOutcome, MediaOps } from '../ports/media-control.ts'
import type { MediaHostEntry } from '../ports/media-register.ts'
import type { AdoptedCall, MediaCall, MediaEvent, MediaPort, OpenedLeg } from '../ports/media.ts'
import type { Counter, Gauge, Metrics } from '../ports/metrics.ts'
import type { RecordingSource } from '../ports/recordings.ts'
import { adoptAt } from './adoption.ts'
import { createRecordingSource } from './held-recordings.ts'
import { HostLink } from './host-link.ts'
import type { LossReason } from './host-link.ts'
import { ALL_ENDING, LINK_LOST, NO_ANSWER, NO_HOST, NO_LEG } from './host-protocol.ts'
import { Hosts, type MediaHostAddress, type MediaHostView } from './hosts.ts'
import { fenceOf, Placements } from './placements.ts'
import type { Placement } from './placements.ts'

export interface MediaClientOptions {
  readonly hosts: readonly MediaHostAddress[]
  /** True when `useRegistered` brings more hosts: a call waits for the first one as for one that is away. */
  readonly areHostsRegistered?: boolean
  readonly internalSecret: string
  readonly nodeId: NodeId
  /** True when the hosts are programs of their own, not children of this one; default false. */
  readonly outlives?: boolean
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly tuning?: Partial<JsonSocketTuning>
  /** Gives 0 to 1; `chance` when unset. */
  readonly random?: () => number
}

export interface MediaClient extends MediaPort {
  /**
   * Has every host forget the unused realtime tokens of this caller, or of this number; other ids change nothing. Hosts
   * that are away are told if they are back within LINK_WAIT_MS. Idempotent, never throws.
   */
  revoke(by: string): void
  /** The recordings on the hosts. */
  readonly recordings: RecordingSource
  /** True when at least one host is connected and in step. */
  isAvailable(): boolean
  /**
   * Replaces the list of hosts. A host that is no longer listed gets no new calls and is left once its last call ended.
   */
  useHosts(hosts: readonly MediaHostAddress[]): void
  /**
   * Takes what the register says: new hosts are connected to, a draining one gets no new call. A host that is not named
   * is forgotten with its calls once its link is gone too, unless the register is known to be incomplete; while its
   * link stands it is kept, behind the hosts that are named.
   */
  useRegistered(entries: readonly MediaHostEntry[], isWhole: boolean): void
  /** Lists the hosts, in no order. */
  listHosts(): MediaHostView[]
  /** Ends all connections; live calls stay on their hosts until those miss this node. Idempotent. */
  stop(): void
}

/** Makes the gateway's view of the media hosts, over the control protocol. Throws when a URL is invalid. */
export function createMediaClient(options: MediaClientOptions): MediaClient {
  return new ControlledHosts(options)
}

type PlacingOp = 'announce' | 'offer' | 'answer'

/**
 * Places each call on one host and keeps it there. A new call goes to the better of two connected hosts drawn by
 * chance, and to others when that has no capacity or breaks away. Requests of one call leave in the order in which they
 * were made.
 */
class ControlledHosts implements MediaClient {
  readonly #options: MediaClientOptions
  readonly #requestCounter: Counter
  readonly #callsGauge: Gauge
  readonly #hosts: Hosts
  readonly #placements = new Placements()
  readonly #listeners: ((event: MediaEvent) => void)[] = []
  readonly outlives: boolean
  readonly recordings: RecordingSource = createRecordingSource(() => this.#hosts.links())

  constructor(options: MediaClientOptions) {
    const { metrics } = options
    this.#options = options
    this.outlives = options.outlives ?? false
    this.#requestCounter = metrics.counter('media_requests_total', 'Requests to media hosts.', ['op', 'outcome'])
    const connected = metrics.gauge('media_hosts_connected', 'Media hosts connected and in step.')
    this.#callsGauge = metrics.gauge('media_calls', 'Calls this node has placed on media hosts.')
    this.#hosts = new Hosts({
      ...options,
      placements: this.#placements,
      connected,
      open: (controlUrl) => this.#openLink(controlUrl),
      left: (link) => this.#lose(link, this.#placements.heldBy(link), 'HOST_GONE'),
    })
    this.useHosts(options.hosts)
  }

  offer(call: MediaCall, kind: CallMediaKind = 'webrtc'): Promise<Outcome<OpenedLeg>> {
    return this.#openLeg(call, 'offer', { call, kind })
  }

  answer(call: MediaCall, sdpOffer: string): Promise<Outcome<OpenedLeg>> {
    return this.#openLeg(call, 'answer', { call, sdpOffer })
  }

  announce(call: MediaCall): Promise<Outcome<null>> {
    return this.#open(call, 'announce', { call })
  }

  connect: MediaPort['connect'] = (callId, sdpAnswer) => this.#ask(callId, 'connect', { callId, sdpAnswer })

  update: MediaPort['update'] = (callId, sdp) => this.#ask(callId, 'update', { callId, sdp })

  mint: MediaPort['mint'] = (callId, mode, by, takesOver) =>
    this.#ask(callId, 'mint', { callId, mode, by, ...(takesOver ? { takesOver } : {}) })

  giveBack: MediaPort['giveBack'] = (callId) => this.#ask(callId, 'giveBack', { callId })

  dial: MediaPort['dial'] = (callId, session) => this.#ask(callId, 'dial', { callId, ...session })

  play: MediaPort['play'] = (callId, playbackId, mediaUrl, hangupAfterPlay) =>
    this.#ask(callId, 'play', { callId, playbackId, mediaUrl, hangupAfterPlay })

  setStatus: MediaPort['setStatus'] = (callId, status, info) => {
    const placement = this.#placements.get(callId)
    // An announcement that is repeated later then tells the present status.
    if (placement)
      placement.call = {
        ...placement.call,
        status,
        externalCallId: info?.externalCallId ?? placement.call.externalCallId,
      }
    void this.#ask(callId, 'status', { callId, status, ...info })
  }

  async adopt(call: MediaCall, host: string | null): Promise<Outcome<AdoptedCall>> {
    const placement = this.#placements.takeAnew(call)
    this.#callsGauge.set(this.#placements.size)
    const outcome = await adoptAt(
      { clock: this.#options.clock, links: () => this.#hosts.links(), ready: this.#hosts.waiting },
      placement,
      host,
    )
    if (!placement.link) this.#forget(placement)
    return outcome
  }

  leave: MediaPort['leave'] = (callId) => {
    if (!this.outlives) return this.close(callId, { status: 'FAILED', reason: 'NODE_LOST' })
    const placement = this.#placements.get(callId)
    if (!placement || placement.isClosing) return
    placement.isClosing = true
    // The placement is kept until the host has answered, as with one that is closed.
    void this.#withHost<unknown>(callId, (link) => link.ask('leave', { callId, ...fenceOf(placement) }), null).then(
      () => this.#forget(placement),
    )
  }

  close: MediaPort['close'] = (callId, { fence, ...final }) => {
    const placement = this.#placements.get(callId)
    if (!placement) {
      // A host may hold it from before a restart of this gateway, under the name of a node that is gone.
      for (const link of this.#hosts.links())
        void link.ask('close', { callId, ...(fence === undefined ? {} : { fence }), ...final })
      return
    }
    if (placement.isClosing) return
    placement.isClosing = true
    // The placement is kept until the host has answered: a sync meanwhile must not end the sockets without a final
    // status.
    void this.#withHost(
      callId,
      (link) => link.ask('close', { callId, ...fenceOf(placement), ...final }).then(() => this.#forget(placement)),
      undefined,
    )
  }

  revoke(by: string): void {
    for (const link of this.#hosts.links()) void link.ask('revoke', { by })
  }

  onEvent(listener: (event: MediaEvent) => void): void {
    this.#listeners.push(listener)
  }

  isAvailable(): boolean {
    return this.#hosts.isAvailable()
  }

  useHosts(hosts: readonly MediaHostAddress[]): void {
    this.#hosts.use(hosts)
  }

  useRegistered(entries: readonly MediaHostEntry[], isWhole: boolean): void {
    this.#hosts.useRegistered(entries, isWhole)
  }

  listHosts(): MediaHostView[] {
    return this.#hosts.list()
  }

  stop(): void {
    this.#hosts.stop()
  }

  #openLink(controlUrl: string): HostLink {
    const { internalSecret, nodeId, clock, log, tuning } = this.#options
    const link: HostLink = new HostLink(
      {
        controlUrl,
        internalSecret,
        nodeId,
        clock,
        log,
        requestCounter: this.#requestCounter,
        tuning: tuning ?? {},
        heldCalls: () => this.#placements.heldBy(link),
      },
      {
        ready: () => this.#hosts.connected(),
        down: () => this.#hosts.count(),
        lost: (calls, reason) => this.#lose(link, calls, reason),
        event: (event) => this.#tell(event),
      },
    )
    return link
  }

  async #openLeg<O extends 'offer' | 'answer'>(
    call: MediaCall,
    op: O,
    fields: MediaOps[O]['fields'],
  ): Promise<Outcome<OpenedLeg>> {
    const outcome = await this.#open(call, op, fields)
    if (!outcome.ok) return outcome
    const host = this.outlives ? (this.#placements.get(call.callId)?.link?.hostId ?? null) : null
    return host === null ? outcome : succeed({ ...outcome.value, host })
  }

  async #open<O extends PlacingOp>(call: MediaCall, op: O, fields: MediaOps[O]['fields']): Promise<MediaOpOutcome<O>> {
    const placement = this.#placements.take(call)
    this.#callsGauge.set(this.#placements.size)
    while (placement.search) await placement.search
    if (placement.isClosing) return fail(NO_LEG)
    const outcome = placement.link ? await placement.link.ask(op, fields) : await this.#search(placement, op, fields)
    if (outcome.ok && op !== 'announce') placement.hasLeg = true
    // Somebody closed the call while the host was asked, and has been answered: the leg is not the caller's.
    return outcome.ok && placement.isClosing ? fail(NO_LEG) : outcome
  }

  async #search<O extends PlacingOp>(
    placement: Placement,
    op: O,
    fields: MediaOps[O]['fields'],
  ): Promise<MediaOpOutcome<O>> {
    const search = Promise.withResolvers<void>()
    placement.search = search.promise
    const outcome = await this.#tryHosts(placement, op, fields)
    placement.search = null
    if (!outcome.ok) this.#forget(placement)
    search.resolve()
    return outcome
  }

  async #tryHosts<O extends PlacingOp>(
    placement: Placement,
    op: O,
    fields: MediaOps[O]['fields'],
  ): Promise<MediaOpOutcome<O>> {
    const tried = new Set<HostLink>()
    await this.#hosts.some()
    let last: MediaOpOutcome<O> = fail(this.isAvailable() ? ALL_ENDING : NO_HOST)
    for (;;) {
      const link = this.#hosts.draw(tried)
      if (!link || placement.isClosing) return last
      tried.add(link)
      // The link is set at once, so that the next search counts it.
      placement.link = link
      last = await link.ask(op, fields)
      if (last.ok) return last
      placement.link = null
      // The host may have made the leg after all.
      if (last.error === NO_ANSWER || last.error === LINK_LOST)
        void link.ask('close', { callId: placement.call.callId, ...fenceOf(placement), status: 'FAILED' })
      if (last.error === NO_ANSWER) return last
      if (last.error.code !== 'MEDIA_CAPACITY' && last.error.code !== 'MEDIA_UNAVAILABLE') return last
    }
  }

  #ask<O extends 'connect' | 'dial' | 'giveBack' | 'mint' | 'play' | 'status' | 'update'>(
    callId: CallId,
    op: O,
    fields: MediaOps[O]['fields'],
  ): Promise<MediaOpOutcome<O>> {
    return this.#withHost<MediaOpOutcome<O>>(
      callId,
      (link, placement) =>
        placement.isClosing ? Promise.resolve(fail(NO_LEG)) : link.ask(op, { ...fields, ...fenceOf(placement) }),
      fail(NO_LEG),
    )
  }

  /** Runs `use` with the call's host: now, or in order once the search for the host is over. */
  #withHost<T>(callId: CallId, use: (link: HostLink, placement: Placement) => Promise<T>, otherwise: T): Promise<T> {
    const placement = this.#placements.get(callId)
    if (!placement) return Promise.resolve(otherwise)
    if (placement.search) return placement.search.then(() => this.#withHost(callId, use, otherwise))
    return placement.link ? use(placement.link, placement) : Promise.resolve(otherwise)
  }

  #lose(link: HostLink, calls: readonly CallId[], reason: LossReason): void {
    for (const callId of calls) {
      const placement = this.#placements.get(callId)
      if (!placement || placement.link !== link || placement.search) continue
      if (!placement.hasLeg && !placement.isClosing && reason !== 'HOST_GONE') {
        // Our choice: a ringing call without a leg has lost nothing, so it is announced again.
        void link.ask('announce', { call: placement.call })
        continue
      }
      this.#forget(placement)
      if (!placement.isClosing) this.#tell({ type: 'lost', callId, reason })
    }
  }

  #forget(placement: Placement): void {
    this.#placements.remove(placement)
    this.#callsGauge.set(this.#placements.size)
    this.#hosts.leaveIdle()
  }

  #tell(event: MediaEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (error) {
        this.#options.log.error(
          { event: event.type, error: error instanceof Error ? error.name : 'unknown' },
          'media listener failed',
        )
      }
    }
  }
}
