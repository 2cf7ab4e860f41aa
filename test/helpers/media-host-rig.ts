import { NO_TRACES } from '../../src/ports/traces.ts'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { succeed } from '../../src/domain/errors.ts'
import { newId } from '../../src/domain/ids.ts'
import { loadOpus } from '../../media-host/audio/opus.ts'
import { createLegs } from '../../media-host/legs/open-legs.ts'
import { openMediaHost } from '../../media-host/open-host.ts'
import { createAddressGuard } from '../../src/net/address-guard.ts'
import { systemResolve, type Resolve } from '../../src/net/guarded-lookup.ts'
import { FakeClock } from './fake-clock.ts'
import { SessionClient } from './session-client.ts'
import { noMetrics } from './silent.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { until, within } from './until.ts'
import type { Outcome } from '../../src/domain/errors.ts'
import type { CallId } from '../../src/domain/ids.ts'
import type { Log } from '../../src/ports/log.ts'
import type { MediaLoad } from '../../src/ports/media-control.ts'
import type { MediaCall, MediaEvent, MintedSession } from '../../src/ports/media.ts'
import type { MediaClock } from '../../media-host/clock.ts'
import type { OutgoingFrame, RateHz } from '../../media-host/audio/frame.ts'
import type { HeardPacket } from '../../media-host/audio/packet-feed.ts'
import { Recordings } from '../../media-host/recording/recordings.ts'
import { UnusableDescription } from '../../media-host/legs/leg.ts'
import type { Leg, LegEvents, LegStats } from '../../media-host/legs/leg.ts'
import type { Playable, PlayableSource } from '../../media-host/playback/playable.ts'
import type { RunningMediaHost } from '../../media-host/open-host.ts'

export const SECRET = 'a secret for tests only'

/** A media clock whose slots pass only when a test lets them. */
export class ManualMediaClock implements MediaClock {
  lateMs = 0
  lost = 0
  #members = new Map<(slots: number) => void, () => number>()

  add(onSlots: (slots: number) => void, weight: () => number = () => 1): () => void {
    const member = (slots: number) => onSlots(slots)
    this.#members.set(member, weight)
    return () => void this.#members.delete(member)
  }

  latenessP99Ms(): number {
    return this.lateMs
  }

  lostSlots(): number {
    return this.lost
  }

  get size(): number {
    return this.#members.size
  }

  weights() {
    return { young: 0, old: [...this.#members.values()].reduce((sum, weight) => sum + weight(), 0) }
  }

  close(): void {
    this.#members.clear()
  }

  /** Lets `times` turns of `slots` slots each pass. */
  tick(times = 1, slots = 1): void {
    for (let i = 0; i < times; i++) for (const member of this.#members.keys()) member(slots)
  }
}

/** A leg in memory that keeps what is sent. Its peer sends a rising ramp, so that gaps and repetitions show. */
export class ScriptedLeg implements Leg {
  readonly events: LegEvents
  readonly sent: OutgoingFrame[] = []
  readonly digits: string[] = []
  /** What the peer says in each slot to those who take packets. */
  readonly says: HeardPacket[][] = []
  skipped = 0
  cleared = 0
  isClosed = false
  isOpen = true
  isFlowing = true
  isSendingDigits = false
  packets: Leg['packets'] = null
  readonly updates: string[] = []
  takesDigits = true
  #said = new Map<RateHz, number>()

  constructor(events: LegEvents) {
    this.events = events
  }

  async offer(): Promise<string> {
    return 'v=0 offer'
  }

  async answer(sdpOffer: string): Promise<string> {
    if (!sdpOffer.startsWith('v=0')) throw new UnusableDescription('is nonsense')
    return 'v=0 answer'
  }

  async connect(sdpAnswer: string): Promise<void> {
    if (!sdpAnswer.startsWith('v=0')) throw new Error('no SDP')
  }

  update(description: string): void {
    if (!description.startsWith('v=0')) throw new UnusableDescription('is nonsense')
    this.updates.push(description)
  }

  send(frame: OutgoingFrame): void {
    this.sent.push(frame)
  }

  clear(): void {
    this.cleared++
  }

  skip(slots: number): void {
    this.skipped += slots
  }

  receive(ratesHz: readonly RateHz[], packets: HeardPacket[] | null = null): Int16Array[] {
    packets?.push(...(this.says.shift() ?? []))
    return ratesHz.map((rateHz) => {
      const from = this.#said.get(rateHz) ?? 0
      const samples = Int16Array.from({ length: rateHz / 50 }, (_, i) => (from + i) % 30_000)
      this.#said.set(rateHz, from + samples.length)
      return samples
    })
  }

  sendDigits(digits: string): boolean {
    if (this.takesDigits) this.digits.push(digits)
    return this.takesDigits
  }

  stats(): LegStats {
    return {
      rttMs: 12,
      jitterMs: 3,
      lost: 1,
      concealedMs: 20,
      fecRecovered: 0,
      sentFrames: this.sent.length,
      receivedFrames: 7,
    }
  }

  close(): void {
    this.isClosed = true
  }

  /** All PCM sent so far, without silence. */
  heard(): number[] {
    return this.sent.flatMap((frame) => (frame.kind === 'pcm' ? [...frame.samples] : []))
  }
}

/** A file whose packets come when the test says. */
export class ScriptedPlayable implements Playable {
  packets: Uint8Array[] = []
  state: Playable['state'] = 'loading'
  error: string | null = null
  isReleased = false

  constructor(packets: number, state: Playable['state'] = 'complete') {
    this.packets = Array.from({ length: packets }, (_, i) => Uint8Array.of(i))
    this.state = state
  }

  release(): void {
    this.isReleased = true
  }
}

/** Opens the files that a test registered; any other address is opened by `opened`. */
export class ScriptedPlayables implements PlayableSource {
  readonly files = new Map<string, Promise<Outcome<Playable>> | ScriptedPlayable>()
  isPrepared = false

  prepare(): void {
    this.isPrepared = true
  }

  async open(mediaUrl: string): Promise<Outcome<Playable>> {
    const file = this.files.get(mediaUrl) ?? new ScriptedPlayable(1)
    return file instanceof ScriptedPlayable ? succeed(file) : file
  }

  async close(): Promise<void> {}
}

/** A gateway node's side of the control socket. */
export class ControlClient {
  readonly socket: WebSocket
  readonly events: { n: number; ev: MediaEvent }[] = []
  /** The loads that the host reported. */
  readonly loads: MediaLoad[] = []
  closedCode: number | null = null
  #answers = new Map<number, (answer: any) => void>()
  #lastId = 0

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('close', (code) => {
      this.closedCode = code
    })
    socket.on('message', (raw: Buffer) => {
      const message = JSON.parse(raw.toString())
      if ('ev' in message) this.events.push(message)
      else if ('load' in message) this.loads.push(message.load)
      else this.#answers.get(message.re)?.(message)
    })
  }

  static async connect(port: number, nodeId: string): Promise<ControlClient> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/control`, {
      headers: { authorization: `Bearer ${SECRET}`, 'x-node-id': nodeId },
    })
    const client = new ControlClient(socket)
    await within('the control socket opens', once(socket, 'open'))
    return client
  }

  /** Sends a request and resolves to the raw answer. */
  ask(op: string, fields: object): Promise<any> {
    const id = ++this.#lastId
    this.socket.send(JSON.stringify({ id, op, ...fields }))
    return within(
      `${op} is answered`,
      new Promise((resolve) => {
        this.#answers.set(id, resolve)
      }),
    )
  }

  async do<T = any>(op: string, fields: object): Promise<T> {
    const answer = await this.ask(op, fields)
    if (!answer.ok) throw new Error(`${op} was refused: ${answer.error.code}`)
    return answer.value
  }

  of(type: MediaEvent['type']): any[] {
    return this.events.map(({ ev }) => ev).filter((ev) => ev.type === type)
  }

  async close(): Promise<void> {
    this.socket.close()
    await until('the control socket closes', () => this.closedCode !== null)
  }
}

/** A media host with scripted legs, files and time behind real sockets. */
export class MediaHostRig {
  /** The addresses of names that are dialled. */
  resolve: Resolve = systemResolve
  readonly clock = new FakeClock()
  readonly mediaClock = new ManualMediaClock()
  readonly legs: ScriptedLeg[] = []
  readonly playables = new ScriptedPlayables()
  readonly logged: string[] = []
  recordings!: Recordings
  removeDirectory!: () => Promise<void>
  host!: RunningMediaHost
  control!: ControlClient

  static async start(): Promise<MediaHostRig> {
    const rig = new MediaHostRig()
    const log = rig.#log()
    const opus = await loadOpus()
    const legs = createLegs({ opus, clock: rig.clock, log, iceAddress: null, rtpPorts: null })
    const directory = await temporaryDirectory()
    rig.recordings = new Recordings({ directory: directory.path, opus, clock: rig.clock, log })
    rig.removeDirectory = () => directory.remove()
    rig.host = await openMediaHost(
      {
        host: '127.0.0.1',
        mediaPort: 0,
        controlHost: '127.0.0.1',
        controlPort: 0,
        publicUrl: null,
        internalSecret: SECRET,
      },
      {
        clock: rig.clock,
        mediaClock: rig.mediaClock,
        playables: rig.playables,
        recordings: rig.recordings,
        log,
        metrics: noMetrics,
        traces: NO_TRACES,
        dialGuard: { guard: createAddressGuard(['127.0.0.1', 'localhost']), resolve: (name) => rig.resolve(name) },
        loopLoad: { busyShare: () => 0, sample() {} },
        legs: (sockets) => ({
          ...legs(sockets),
          webrtc: (events) => rig.#leg(events),
        }),
      },
    )
    rig.control = await rig.node(newId('node'))
    return rig
  }

  async stop(): Promise<void> {
    const closing = this.host.close()
    this.clock.advance(1_000)
    await within('the media host closes', closing)
    await this.removeDirectory()
  }

  /** Connects a gateway node and synchronises it. */
  async node(nodeId: string, calls: CallId[] = []): Promise<ControlClient> {
    const client = await ControlClient.connect(this.host.controlPort, nodeId)
    await client.do('sync', { calls })
    return client
  }

  get leg(): ScriptedLeg {
    const leg = this.legs.at(-1)
    if (!leg) throw new Error('no leg was opened')
    return leg
  }

  /** Adds an outbound call with its leg, answered unless `status` says otherwise. */
  async call(status: 'INITIATED' | 'RINGING' | 'ACCEPTED' = 'ACCEPTED', node = this.control): Promise<CallId> {
    const call = newCall()
    await node.do('offer', { call })
    await node.do('connect', { callId: call.callId, sdpAnswer: 'v=0' })
    if (status !== 'INITIATED') await node.do('status', { callId: call.callId, status })
    return call.callId
  }

  mint(callId: CallId, mode: 'talk' | 'listen' = 'talk'): Promise<MintedSession> {
    return this.control.do('mint', { callId, mode })
  }

  /** Connects a talking (or listening) client that has received its `start`. */
  async client(callId: CallId, query = '', mode: 'talk' | 'listen' = 'talk'): Promise<SessionClient> {
    const { wsUrl } = await this.mint(callId, mode)
    const client = await SessionClient.connect(wsUrl, query)
    await client.until('start')
    return client
  }

  /** Waits until the host has read everything that `client` sent so far. */
  async settled(client: SessionClient): Promise<void> {
    const id = `settled-${Math.random()}`
    client.send({ type: 'ping', id })
    await client.until('pong', (message) => message.id === id)
  }

  #leg(events: LegEvents): Leg {
    const leg = new ScriptedLeg(events)
    this.legs.push(leg)
    return leg
  }

  #log(): Log {
    const keep = (fields: object, message: string): void =>
      void this.logged.push(JSON.stringify({ ...fields, message }))
    const log: Log = { debug: keep, info: keep, warn: keep, error: keep, child: () => log }
    return log
  }
}

export function newCall(
  direction: MediaCall['direction'] = 'OUTBOUND',
  status: MediaCall['status'] = 'INITIATED',
): MediaCall {
  return {
    callId: newId('call'),
    tenantId: newId('ten'),
    numberId: newId('num'),
    direction,
    status,
    peerNumber: '5511990000001',
    externalCallId: direction === 'INBOUND' ? 'ext-1' : null,
  }
}

/** Samples that rise by one, so that any loss or repetition shows. */
export function ramp(count: number, from = 0): Int16Array {
  return Int16Array.from({ length: count }, (_, i) => 1 + ((from + i) % 30_000))
}
