import type { Outcome, Refusal } from '../../src/domain/errors.ts'
import { succeed } from '../../src/domain/errors.ts'
import type { CallId, FileId } from '../../src/domain/ids.ts'
import type { MediaOrder, MessageFiles, PreparedMedia, Preparation } from '../../src/ports/message-media.ts'
import type { AdoptedCall, MediaEvent, MediaPort, OpenedLeg } from '../../src/ports/media.ts'
import type { ProviderKind } from '../../src/domain/number.ts'
import { DEVICE_OP_NAMES, DEVICE_OPS } from '../../src/domain/device-ops.ts'
import type { DeviceOp } from '../../src/domain/device-ops.ts'
import type { DeviceDirectory } from '../../src/ports/devices.ts'
import type {
  LiveCalls,
  ProviderDriver,
  ProviderEvent,
  ProviderRegistry,
  ProviderSession,
  SendableMessage,
  SendResult,
  SessionSpec,
  UpstreamCall,
} from '../../src/ports/provider.ts'

type Answer<T> = () => Outcome<T> | Promise<Outcome<T>>

/** A provider session that records the requests it gets and raises the events that a test gives it. */
export class ScriptedSession implements ProviderSession {
  readonly opening: SessionSpec
  readonly asked: string[] = []
  readonly settled: number[] = []
  isClosed = false
  offerAnswer: Answer<{ externalCallId: string }> | null = null
  acceptAnswer: Answer<null> = () => succeed(null)
  logoutAnswer: Answer<null> = () => succeed(null)
  readonly #listener: (event: ProviderEvent) => void
  #offers = 0
  #seq = 0

  constructor(opening: SessionSpec, listener: (event: ProviderEvent) => void) {
    this.opening = opening
    this.#listener = listener
  }

  /** Raises an event with the next sequence number and returns that number. */
  raise(event: { type: ProviderEvent['type']; [field: string]: unknown }): number {
    const seq = ++this.#seq
    this.#listener({ ...event, seq } as ProviderEvent)
    return seq
  }

  /** Raises an event that has no sequence number. */
  hint(event: Extract<ProviderEvent, { type: 'peerTyping' }>): void {
    this.#listener(event)
  }

  linkDown(): void {
    this.#listener({ type: 'linkDown' })
  }

  async #note<T>(what: string, answer: Answer<T>): Promise<Outcome<T>> {
    this.asked.push(what)
    return answer()
  }

  /** The settings that it was last given; null while it has those that it opened with. */
  settings: unknown = null
  applySettings = (settings: unknown, wantsStories: boolean) => {
    this.settings = settings
    return this.#note(wantsStories ? 'settings with stories' : 'settings', () => succeed(null))
  }
  pairingCodeAnswer: Answer<null> = () => succeed(null)
  requestPairingCode = () => this.#note('pairing code', this.pairingCodeAnswer)
  logout = () => this.#note('logout', this.logoutAnswer)
  sendText = (to: string, text: string, messageId: string) =>
    this.#note(`text ${to} ${text} ${messageId}`, () => succeed({ externalMessageId: 'm' }))
  /** The messages to send, in order. */
  readonly sent: SendableMessage[] = []
  sendAnswer: (message: SendableMessage) => SendResult | Promise<SendResult> = ({ messageId }) => ({
    kind: 'sent',
    externalMessageId: `up-${messageId}`,
  })
  sendMessage = async (message: SendableMessage): Promise<SendResult> => {
    this.sent.push(message)
    return this.sendAnswer(message)
  }

  markReadAnswer: Answer<null> = () => succeed(null)
  markRead = (ids: readonly string[]) => this.#note(`read ${ids.join(' ')}`, this.markReadAnswer)
  deviceAnswer: (op: DeviceOp) => Outcome<unknown> | Promise<Outcome<unknown>> = (op) =>
    succeed(DEVICE_OPS[op].example.answer)
  /** The actor passes every device operation of the table to the session. */
  devices = Object.fromEntries(
    DEVICE_OP_NAMES.map((op) => [
      op,
      (input: unknown) => this.#note(`${op} ${JSON.stringify(input)}`, () => this.deviceAnswer(op)),
    ]),
  ) as unknown as DeviceDirectory

  /** Why the engine has no audio for calls; null when it has. */
  noAudio: Refusal | null = null
  audioRefusal = () => this.noAudio

  preAcceptAnswer: Answer<null> = () => succeed(null)
  preAcceptCall = (id: string, sdp: string) => this.#note(`pre-accept ${id} ${sdp}`, this.preAcceptAnswer)
  /** The last offer that was asked for. */
  offered: { to: string; sdp: string; biz: string | null } | null = null
  offerCall = (to: string, sdp: string, biz: string | null = null) => {
    this.offered = { to, sdp, biz }
    return this.#offer(to)
  }

  #offer = (to: string) =>
    this.#note(`offer ${to}`, this.offerAnswer ?? (() => succeed({ externalCallId: `ext-${++this.#offers}` })))
  acceptCall = (id: string) => this.#note(`accept ${id}`, this.acceptAnswer)
  rejectCall = (id: string) => this.#note(`reject ${id}`, () => succeed(null))
  listAnswer: Answer<readonly UpstreamCall[]> = () => succeed([])
  liveCalls: LiveCalls = {
    list: () => this.#note('list calls', () => this.listAnswer()),
    terminate: (callRef) => this.#note(`terminate ${callRef}`, () => succeed(null)),
  }

  terminateCall = (id: string) => this.#note(`terminate ${id}`, () => succeed(null))
  settle = (seq: number) => void this.settled.push(seq)
  close = () => {
    this.isClosed = true
  }
}

export class ScriptedDriver implements ProviderDriver {
  readonly kind: ProviderKind
  readonly sessions: ScriptedSession[] = []
  constructor(kind: ProviderKind = 'UNOFFICIAL') {
    this.kind = kind
  }

  /** Every session raises this when it opens. */
  onOpen: (session: ScriptedSession) => void = () => {}

  openSession(opening: SessionSpec, listener: (event: ProviderEvent) => void): ScriptedSession {
    const session = new ScriptedSession(opening, listener)
    this.sessions.push(session)
    this.onOpen(session)
    return session
  }

  get last(): ScriptedSession {
    const session = this.sessions.at(-1)
    if (!session) throw new Error('no session was opened')
    return session
  }
}

export function registryOf(driver: ProviderDriver | null): ProviderRegistry {
  return { driver: () => driver }
}

export function preparedMedia(order: Pick<MediaOrder, 'kind'>, fileId: FileId = 'file_1'): PreparedMedia {
  return {
    fileId,
    path: `/tmp/${order.kind}`,
    mimeType: 'image/png',
    sizeBytes: 1,
    fileName: 'a.png',
    url: 'http://files/1',
    waveform: null,
    sound: null,
    isAnimated: false,
  }
}

/** Files that are ready at once; it records the requests. */
export class ScriptedFiles implements Pick<MessageFiles, 'prepare' | 'rehost'> {
  readonly asked: string[] = []
  prepareAnswer: (order: MediaOrder, signal: AbortSignal) => Preparation | Promise<Preparation> = (order) => ({
    ok: true,
    media: preparedMedia(order),
  })
  rehostAnswer: (url: string) => Awaited<ReturnType<MessageFiles['rehost']>> | ReturnType<MessageFiles['rehost']> =
    () => ({ url: 'http://files/kept', mimeType: 'image/png', fileName: null })

  prepare = async (order: MediaOrder, signal: AbortSignal) => {
    this.asked.push(`prepare ${order.kind}`)
    return this.prepareAnswer(order, signal)
  }

  rehost = async (_tenantId: string, _numberId: string, media: { url: string }) => {
    this.asked.push(`rehost ${media.url}`)
    return this.rehostAnswer(media.url)
  }
}

/** A media port that answers at once and records what it is told. */
export class ScriptedMedia implements MediaPort {
  readonly told: string[] = []
  readonly closed = new Map<CallId, string>()
  offerAnswer: Answer<OpenedLeg> = () => succeed({ sdp: 'offer' })
  answerAnswer: Answer<OpenedLeg> = () => succeed({ sdp: 'answer' })
  connectAnswer: Answer<null> = () => succeed(null)
  adoptAnswer: Answer<AdoptedCall> = () => succeed({ hasLeg: true })
  outlives = false
  playAnswer: Answer<null> = () => succeed(null)
  #listener: (event: MediaEvent) => void = () => {}

  raise(event: MediaEvent): void {
    this.#listener(event)
  }

  async #note<T>(what: string, answer: Answer<T>): Promise<Outcome<T>> {
    this.told.push(what)
    return answer()
  }

  offer = () => this.#note('offer', this.offerAnswer)
  answer = () => this.#note('answer', this.answerAnswer)
  connect = () => this.#note('connect', this.connectAnswer)
  update = () => this.#note('update', () => succeed(null))
  adopt = (_call: unknown, host: string | null) => this.#note(`adopt at ${host}`, this.adoptAnswer)
  leave = () => void this.told.push('leave')
  announce = () => this.#note('announce', () => succeed(null))
  setStatus = (_callId: CallId, status: string) => void this.told.push(`status ${status}`)
  mint = (_callId: CallId, _mode: string, _by: string, takesOver?: boolean) =>
    this.#note(takesOver ? 'mint that takes over' : 'mint', () =>
      succeed({ wsUrl: 'ws://media', token: 't', expiresAtMs: 0 }),
    )
  giveBack = () => this.#note('giveBack', () => succeed(null))
  dial = () => this.#note('dial', () => succeed(null))
  play = () => this.#note('play', this.playAnswer)
  close = (callId: CallId, final: { status: string }) => {
    this.told.push(`close ${final.status}`)
    this.closed.set(callId, final.status)
  }
  onEvent = (listener: (event: MediaEvent) => void) => {
    this.#listener = listener
  }
}
