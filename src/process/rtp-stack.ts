/** What both programs that speak RTP mend of the stack they use, by the shapes they need of it. */
import { keepToChecked } from './checked-sources.ts'
import type { CheckedConnection } from './checked-sources.ts'
import { mindRecords } from './dtls-records.ts'
import type { DtlsEnd } from './dtls-records.ts'
import { HandshakeEnd } from './handshake-end.ts'
import type { GoingHandshake, HandshakeFault } from './handshake-end.ts'

/** RFC 6347 section 4.3.2: the type of HelloVerifyRequest. */
const HELLO_VERIFY_REQUEST = 3
/** The client's flight that answers a HelloVerifyRequest (RFC 6347 section 4.2.4). */
const ANSWERED_FLIGHT = 3

interface Handshake<Message> extends DtlsEnd, GoingHandshake {
  onHandleHandshakes: (messages: Message[]) => Promise<void>
}

/**
 * A consent check is sent once and says how long its answer is waited for; other requests say how often they are
 * repeated, or are repeated by habit.
 */
interface AskOptions {
  readonly retransmissions?: number
  readonly responseTimeout?: number
}

interface Asker {
  request(
    request: unknown,
    address: unknown,
    key?: unknown,
    options?: number | AskOptions,
    onSent?: unknown,
  ): Promise<unknown>
}

/** What the stack keeps to itself of a connection. */
interface Connection extends CheckedConnection {
  readonly nominated?: { readonly protocol: Asker } | undefined
  readonly consentFresh: boolean
  queryConsent: () => void
  setState(state: string): void
}

interface SecureTransport<Message> {
  readonly state: string
  dtls?: Handshake<Message> | undefined
  readonly iceTransport: { readonly connection: { stunServer?: unknown } }
  readonly onStateChange: { subscribe(listener: (state: string) => void): unknown }
}

/**
 * Ms that the answer to a consent check is waited for: until consent runs out (RFC 7675 section 5.1), though the next
 * check, 4 to 6 s later, takes its place. The stack waits 0.5 s, so that a process which gets its processor that late
 * hears none of the answers, and loses the call.
 */
const CONSENT_MS = 30_000
/**
 * Checks without an answer before consent can run out. Without a pause 5 at least are sent in 30 s; our choice: one
 * less, for timers that are late.
 */
const LEAST_CHECKS = 4

/** Told before the transport fails; `alert`: what was said in a refusal (RFC 5246 section 7.2). */
export type OnHandshakeFault = (fault: HandshakeFault, alert: number | null) => void

/**
 * To be called before a transport gathers its candidates. It then asks no public STUN server for its address, which the
 * stack does of its own accord. A client whose hello was sent twice, because the answer took over half a second, passes
 * over the second HelloVerifyRequest instead of failing its handshake. A peer that ends the handshake, or closes, is
 * heard, and nobody else. And neither a late answer to a check of consent nor a pause of the process ends the
 * connection.
 */
export function mendTransport<Message extends { readonly msg_type: number }>(
  transport: SecureTransport<Message>,
  onFault: OnHandshakeFault = () => {},
): void {
  const connection = transport.iceTransport.connection as unknown as Connection
  delete transport.iceTransport.connection.stunServer
  mendConsent(connection)
  transport.onStateChange.subscribe((state) => {
    if (state !== 'connecting') return stopEnd(transport.dtls)
    keepToChecked(connection)
    // The handshake is made right after this is told.
    queueMicrotask(() => transport.dtls && mendHandshake(transport.dtls, transport, onFault))
  })
}

/**
 * A process that was stopped asks its peer before it gives up: consent runs out only of time in which it was asked for.
 */
function mendConsent(connection: Connection): void {
  const mended = new WeakSet<Asker>()
  const { queryConsent } = connection
  const setState = connection.setState.bind(connection)
  let unanswered = 0
  const counted = (answer: Promise<unknown>): Promise<unknown> => {
    unanswered++
    answer.then(
      () => void (unanswered = 0),
      () => {},
    )
    return answer
  }
  connection.queryConsent = () => {
    const asker = connection.nominated?.protocol
    if (asker && !mended.has(asker)) {
      mended.add(asker)
      waitForAnswers(asker, counted)
    }
    queryConsent()
  }
  connection.setState = (state) => {
    const isRunOut = state === 'failed' && !connection.consentFresh
    if (isRunOut && connection.nominated && unanswered < LEAST_CHECKS) connection.queryConsent()
    else setState(state)
  }
}

function waitForAnswers(asker: Asker, counted: (answer: Promise<unknown>) => Promise<unknown>): void {
  const ask = asker.request.bind(asker)
  asker.request = (request, address, key, options, onSent) => {
    const isCheck = typeof options === 'object' && options.retransmissions === 0
    return isCheck
      ? counted(ask(request, address, key, { ...options, responseTimeout: CONSENT_MS }, onSent))
      : ask(request, address, key, options, onSent)
  }
}

/** Of the handshakes under way. */
const ends = new WeakMap<object, HandshakeEnd>()

function stopEnd(handshake: object | undefined): void {
  if (handshake) ends.get(handshake)?.stop()
}

function mendHandshake<Message extends { readonly msg_type: number }>(
  handshake: Handshake<Message>,
  transport: { readonly state: string },
  onFault: OnHandshakeFault,
): void {
  const end = new HandshakeEnd(handshake, () => transport.state === 'connecting', onFault)
  ends.set(handshake, end)
  mendMessages(handshake, end)
  mindRecords(handshake, {
    isConnected: () => transport.state === 'connected',
    doubt: (alert) => end.doubt('HANDSHAKE_REFUSED', alert),
    refuse: (alert) => end.end('HANDSHAKE_REFUSED', alert),
  })
}

/** What the stack makes nothing of ends the handshake no more than an alert does. */
function mendMessages<Message extends { readonly msg_type: number }>(
  handshake: Handshake<Message>,
  end: HandshakeEnd,
): void {
  const handle = handshake.onHandleHandshakes
  handshake.onHandleHandshakes = async (messages) => {
    const isAnswered = handshake.dtls.flight >= ANSWERED_FLIGHT
    try {
      await handle(isAnswered ? messages.filter(({ msg_type: type }) => type !== HELLO_VERIFY_REQUEST) : messages)
    } catch {
      end.doubt('HANDSHAKE_FAILED')
    }
  }
}

/**
 * To be called when a transport was closed: the stack would send its last flight again for half a minute. It stops
 * where a later one was reached.
 */
export function endHandshake({ dtls: handshake }: Pick<SecureTransport<never>, 'dtls'>): void {
  stopEnd(handshake)
  if (handshake) Object.defineProperty(handshake.dtls, 'flight', { get: () => Infinity, set: () => {} })
}
