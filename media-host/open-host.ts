import { createAdmission } from './realtime/admission.ts'
import { CallRegister, type RegisterParts } from './control/call-register.ts'
import { Control, CONTROL_PATH } from './control/control.ts'
import { MediaHost, type HostParts } from './control/host.ts'
import { RealtimeGate, REALTIME_PATH } from './realtime/gate.ts'
import { ReadBudgets } from './realtime/read-budget.ts'
import { thrownFields } from '../src/domain/thrown.ts'
import { binding } from '../src/process/start-fault.ts'
import type { Recordings } from './recording/recordings.ts'
import { LegGate, LEGS_PATH } from './realtime/leg-gate.ts'
import { openSocketServer } from './realtime/socket-server.ts'
import { TokenBook } from './realtime/tokens.ts'
import { createDialSocket } from './realtime/dial-socket.ts'
import type { DialGuard } from '../src/net/dialled-address.ts'
import { CUT_BYTES, MAX_TWILIO_BYTES } from './realtime/protocol.ts'
import { guardedLookup } from '../src/net/guarded-lookup.ts'
import type { LookupFunction } from 'node:net'
import { YOUNG_MS } from './realtime/loop-load.ts'
import type { LoopLoad } from './realtime/loop-load.ts'
import type { Metrics } from '../src/ports/metrics.ts'
import type { OpenLegs } from './legs/leg-socket.ts'
import type { PageRoute, SocketBounds } from './realtime/socket-options.ts'

export interface MediaHostAddress {
  readonly host: string
  /** 0 takes any free port, here and below. */
  readonly mediaPort: number
  readonly controlHost: string
  readonly controlPort: number
  /**
   * The start of wsUrl, without a final slash and with {port} for the bound port; null for ws://localhost and that
   * port.
   */
  readonly publicUrl: string | null
  readonly internalSecret: string
  /** Calls that are taken however late the audio is. Default 8 (our choice). */
  readonly sureCalls?: number
}

export interface MediaHostParts
  extends Pick<RegisterParts, 'clock' | 'mediaClock' | 'playables' | 'log'>, Pick<HostParts, 'traces'> {
  /** Makes the kinds of leg. `sockets` opens the WebSockets of legs over WebSockets. */
  readonly legs: OpenLegs
  readonly metrics: MediaHostMetrics
  readonly loopLoad: LoopLoad
  /** Lets addresses of tenants' servers through. */
  readonly dialGuard: DialGuard
  readonly recordings: Recordings
}

/** Metrics, with their text for /metrics of the control port when this process has its own. */
export type MediaHostMetrics = Metrics & { text?(): Promise<string> }

export interface RunningMediaHost {
  readonly hostId: string
  readonly mediaPort: number
  readonly controlPort: number
  readonly publicUrl: string
  /** The load of the host, for the register. */
  load(): { readonly calls: number; readonly tickLateP99Ms: number; readonly draining: boolean }
  /** Takes no further call; resolves when the last one has ended. Idempotent. */
  drain(): Promise<void>
  /** Closes every socket with 1001 and stops. Idempotent. */
  close(): Promise<void>
}

const EVERY_MS = 1_000
/** Our choice: a host that drained waits this long for gateways to fetch the last recordings, in ms. */
const FETCHED_MS = 20_000
/** Our choice: ms for close frames to leave before connections are cut. */
const FAREWELL_MS = 250
/**
 * Our choice: SDP and lists of calls are far smaller than 4 MiB. The unsent bytes are unbounded, because the host keeps
 * the messages for a slow gateway anyway.
 */
const FOR_GATEWAYS: SocketBounds = { longestMessage: 4_194_304, mostUnsent: 0 }

/** Joins the parts of a media host and opens its two ports. Rejects when a port is taken. */
export async function openMediaHost(address: MediaHostAddress, parts: MediaHostParts): Promise<RunningMediaHost> {
  const joined = joinParts(address, parts)
  const { media, controlServer } = await openSockets(address, parts, joined)
  const publicUrl = (address.publicUrl ?? 'ws://localhost:{port}').replaceAll('{port}', String(media.port))
  joined.publicUrl.value = publicUrl
  const drained = Promise.withResolvers<void>()
  /** Monotonic ms since when a draining host has no call; null before. */
  let idleSinceMs: number | null = null
  const lookForLast = (): void => {
    if (!joined.admission.isDraining || joined.calls.size > 0) return
    const nowMs = parts.clock.monotonicMs()
    idleSinceMs ??= nowMs
    if (!parts.recordings.hasUnfetched || nowMs - idleSinceMs >= FETCHED_MS) drained.resolve()
  }
  const stopTicking = everySecond(parts, () => {
    parts.loopLoad.sample(parts.mediaClock.weights(YOUNG_MS))
    joined.calls.everySecond()
    joined.control.everySecond()
    parts.recordings.everySecond()
    joined.counts.observe(joined.calls, parts.mediaClock)
    lookForLast()
  })

  async function closeAll(): Promise<void> {
    stopTicking()
    for (const live of joined.calls.all()) live.abandon()
    const recorded = parts.recordings.close()
    joined.control.close()
    await new Promise<void>((resolve) => {
      parts.clock.after(FAREWELL_MS, resolve)
    })
    await recorded
    media.close()
    controlServer.close()
  }
  let closing: Promise<void> | null = null
  return {
    hostId: joined.host.hostId,
    mediaPort: media.port,
    controlPort: controlServer.port,
    publicUrl,
    load: () => ({ calls: joined.calls.size, ...joined.load() }),
    drain() {
      joined.admission.drain()
      lookForLast()
      return drained.promise
    },
    close() {
      closing ??= closeAll()
      return closing
    },
  }
}

function joinParts(address: MediaHostAddress, parts: MediaHostParts) {
  const { clock, log } = parts
  const counts = countersOf(parts.metrics)
  const tokens = new TokenBook(clock)
  const { mediaClock, loopLoad } = parts
  const admission = createAdmission(
    {
      latenessP99Ms: () => mediaClock.latenessP99Ms(),
      lostSlots: () => mediaClock.lostSlots(),
      busyShare: () => loopLoad.busyShare(mediaClock.weights(YOUNG_MS)),
      get size() {
        return mediaClock.size
      },
    },
    address.sureCalls,
  )
  /** Set at the latest when the media socket has its port. */
  const publicUrl = { value: null as string | null }
  const legGate = new LegGate({ clock, log, publicUrl: () => publicUrl.value ?? '' })
  const calls = new CallRegister({
    ...parts,
    dialling: {
      dial: createDialSocket(log),
      lookup: guardedLookup(parts.dialGuard.resolve, parts.dialGuard.guard) as LookupFunction,
      longestMessage: ({ dialect }) => (dialect === 'twilio' ? MAX_TWILIO_BYTES : CUT_BYTES),
      onOpened: () => counts.onOpened(),
      onClosed: (code) => counts.onClosed(code),
    },
    readBudgets: new ReadBudgets(clock),
    legs: parts.legs(legGate),
    report: (nodeId, event) => control.report(nodeId, event),
    forget: (nodeId, callId) => control.forget(nodeId, callId),
    onForgotten: (callId) => tokens.forgetCall(callId),
  })
  const { dialGuard, recordings } = parts
  const host = new MediaHost({
    calls,
    tokens,
    admission,
    dialGuard,
    recordings,
    log,
    traces: parts.traces,
    publicUrl: () => publicUrl.value ?? '',
  })
  const load = () => ({ tickLateP99Ms: mediaClock.latenessP99Ms(), draining: admission.isDraining })
  const control = new Control({ target: host, load, secret: address.internalSecret, clock, log })
  const gate = new RealtimeGate({ clock, calls, tokens, admission, ...counts })
  const health = () => ({
    status: 'ok',
    hostId: host.hostId,
    nodes: control.size,
    calls: calls.size,
    sessions: calls.all().reduce((sum, live) => sum + live.sockets.size, 0),
    isAdmitting: admission.isOpen && !admission.isDraining,
    isDraining: admission.isDraining,
    tickLateP99Ms: parts.mediaClock.latenessP99Ms(),
  })
  return { counts, calls, admission, publicUrl, host, control, gate, legGate, health, load }
}

type Joined = ReturnType<typeof joinParts>

async function openSockets(
  address: MediaHostAddress,
  { log, metrics }: MediaHostParts,
  { gate, legGate, control, health }: Joined,
) {
  const { host, mediaPort, controlHost, controlPort } = address
  const media = await binding('MEDIA_PORT', host, mediaPort, () =>
    openSocketServer({
      host,
      port: mediaPort,
      log,
      sockets: [
        { pattern: `${REALTIME_PATH}*`, upgrade: (request) => gate.upgrade(request), longer: gate.longer },
        { pattern: `${LEGS_PATH}*`, upgrade: (request) => legGate.upgrade(request) },
      ],
    }),
  )
  try {
    const controlServer = await binding('MEDIA_CONTROL_PORT', controlHost, controlPort, () =>
      openSocketServer({
        host: controlHost,
        port: controlPort,
        log,
        pages: pagesOf(health, metrics),
        bounds: FOR_GATEWAYS,
        sockets: [{ pattern: CONTROL_PATH, upgrade: (request) => control.upgrade(request) }],
      }),
    )
    return { media, controlServer }
  } catch (error) {
    media.close()
    throw error
  }
}

function everySecond({ clock, log }: MediaHostParts, work: () => void): () => void {
  let timer = clock.after(EVERY_MS, tick)
  function tick(): void {
    timer = clock.after(EVERY_MS, tick)
    try {
      work()
    } catch (error) {
      log.error(
        thrownFields(error),
        'the upkeep that the media host does every second failed; it runs again in a second',
      )
    }
  }
  return () => timer.cancel()
}

function pagesOf(health: () => object, metrics: MediaHostMetrics): PageRoute[] {
  const pages: PageRoute[] = [
    { path: '/health', contentType: 'application/json; charset=utf-8', body: () => JSON.stringify(health()) },
  ]
  const { text } = metrics
  if (text)
    pages.push({ path: '/metrics', contentType: 'text/plain; version=0.0.4; charset=utf-8', body: () => text() })
  return pages
}

function countersOf(metrics: Metrics) {
  const refused = metrics.counter('media_sessions_refused_total', 'Realtime upgrades refused, by code.', ['code'])
  const opened = metrics.counter('media_sessions_opened_total', 'Realtime sessions opened.')
  const closed = metrics.counter('media_sessions_closed_total', 'Realtime sessions closed, by close code.', ['code'])
  const calls = metrics.gauge('media_calls', 'Calls on this media host.')
  const late = metrics.gauge('media_tick_late_p99_seconds', '99th percentile of how late audio slots began.')
  return {
    onRefused: (code: string) => refused.add({ code }),
    onOpened: () => opened.add(),
    // Clients choose their close codes, so only our own and the usual ones become labels.
    onClosed: (code: number) =>
      closed.add({ code: (code >= 1000 && code <= 1011) || (code >= 4400 && code <= 4503) ? String(code) : 'other' }),
    observe(register: CallRegister, clock: MediaHostParts['mediaClock']) {
      calls.set(register.size)
      late.set(clock.latenessP99Ms() / 1_000)
    },
  }
}
