/**
 * Corrections of the RTP stack that both programs with RTP make, written against the shapes of the stack that they
 * need.
 */
import { keepToChecked } from './checked-sources.ts'
import type { CheckedConnection } from './checked-sources.ts'
import { mindRecords } from './dtls-records.ts'
import type { DtlsEnd } from './dtls-records.ts'
import { sayHelloSoon } from './first-hello.ts'
import type { HelloEnd } from './first-hello.ts'
import { HandshakeEnd } from './handshake-end.ts'
import type { GoingHandshake, HandshakeFault } from './handshake-end.ts'
import { keepToSigned } from './signed-checks.ts'
import type { CheckTaker } from './signed-checks.ts'

/** RFC 6347 section 4.3.2: the type of HelloVerifyRequest. */
const HELLO_VERIFY_REQUEST = 3
/** The client's flight that answers a HelloVerifyRequest (RFC 6347 section 4.2.4). */
const ANSWERED_FLIGHT = 3

interface Handshake<Message> extends DtlsEnd, GoingHandshake, HelloEnd {
  onHandleHandshakes: (messages: Message[]) => Promise<void>
}

/**
 * Options of a request of the stack. A consent check is sent once and names how long its answer is awaited. Other
 * requests name how often they are repeated, or use the stack's default.
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

/** Internal fields of a connection of the stack. */
interface Connection extends CheckedConnection, CheckTaker {
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
 * How long the answer to a consent check is awaited, in ms: until consent runs out (RFC 7675 section 5.1), although the
 * next check replaces it after 4 to 6 s. The stack waits 0.5 s, so a process that gets its processor that late would
 * miss all answers and lose the call.
 */
const CONSENT_MS = 30_000
/**
 * Checks that must be unanswered before consent can run out. Without a pause at least 5 are sent in 30 s; our choice:
 * one less, for timers that are late.
 */
const LEAST_CHECKS = 4

/** Called before the transport fails. `alert` is the code of a refusal (RFC 5246 section 7.2), null without one. */
export type OnHandshakeFault = (fault: HandshakeFault, alert: number | null) => void

/**
 * Corrects a transport; to be called before it gathers its candidates. It then asks no public STUN server for its
 * address, which the stack does by default. A client whose hello was sent twice, because the answer took over half a
 * second, skips the second HelloVerifyRequest instead of failing its handshake. It says hello after 20 ms. Only the
 * peer itself can end the handshake or close, and only who knows our password is answered. Neither a late answer to a
 * consent check nor a pause of the process ends the connection.
 */
export function mendTransport<Message extends { readonly msg_type: number }>(
  transport: SecureTransport<Message>,
  onFault: OnHandshakeFault = () => {},
): void {
  const connection = transport.iceTransport.connection as unknown as Connection
  delete transport.iceTransport.connection.stunServer
  keepToSigned(connection)
  mendConsent(connection)
  transport.onStateChange.subscribe((state) => {
    if (state !== 'connecting') return stopEnd(transport.dtls)
    keepToChecked(connection)
    // The stack makes the handshake right after it reports this state.
    queueMicrotask(() => transport.dtls && mendHandshake(transport.dtls, transport, onFault))
  })
}

/**
 * Lets a process that was stopped ask its peer before it gives up: only time in which consent checks were sent counts
 * against consent.
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

/** The ends of handshakes under way. */
const ends = new WeakMap<object, HandshakeEnd>()

function stopEnd(handshake: object | undefined): void {
  if (handshake) ends.get(handshake)?.stop()
}

function mendHandshake<Message extends { readonly msg_type: number }>(
  handshake: Handshake<Message>,
  transport: { readonly state: string },
  onFault: OnHandshakeFault,
): void {
  const isGoing = () => transport.state === 'connecting'
  const end = new HandshakeEnd(handshake, isGoing, onFault)
  ends.set(handshake, end)
  sayHelloSoon(handshake, isGoing)
  mendMessages(handshake, end)
  mindRecords(handshake, {
    isConnected: () => transport.state === 'connected',
    doubt: (alert) => end.doubt('HANDSHAKE_REFUSED', alert),
    refuse: (alert) => end.end('HANDSHAKE_REFUSED', alert),
  })
}

/** A message that the stack cannot read does not end the handshake; it is a doubt, as an alert is. */
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
 * To be called when a transport was closed: the stack would repeat its last flight for half a minute. It stops
 * repeating a flight once a later one was reached.
 */
export function endHandshake({ dtls: handshake }: Pick<SecureTransport<never>, 'dtls'>): void {
  stopEnd(handshake)
  if (handshake) Object.defineProperty(handshake.dtls, 'flight', { get: () => Infinity, set: () => {} })
}
