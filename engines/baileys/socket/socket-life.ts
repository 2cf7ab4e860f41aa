import {
  Browsers,
  makeWASocket,
  proto,
  type AuthenticationCreds,
  type BaileysEventMap,
  type BinaryNode,
  type ConnectionState,
  type WAMessage,
  type WASocket,
  type WAVersion,
} from 'baileys'
import type { Agent as HttpAgent, IncomingMessage } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import type { NumberStore } from '../store/number-store.ts'
import { messageKeyOf, type StanzaPart } from '../store/stanza-part.ts'
import { Answers, type Answer } from './answers.ts'
import { hearAtOnce, type Listen } from './immediate-events.ts'
import { journallingRepository, type Decrypting, type Stanza } from './journalling-repository.ts'
import { QUIET } from './quiet-logger.ts'
import { gateSends, type SendGate, type Wire } from './send-gate.ts'
import { forgetCaches, growRetryTables, socketCaches } from './socket-memory.ts'
import { answeredId, arrivedIds, partsOf } from './stanzas.ts'

/** The options that all sockets of an engine share. */
export interface SocketOptions {
  /** Address of the network's socket; null for the library's default. */
  readonly socketUrl: string | null
  readonly version: readonly [number, number, number] | null
  /**
   * The agents through ENGINE_PROXY: for the socket, and for media, which are always secure. Null for a direct
   * connection.
   */
  readonly agent: HttpAgent | null
  readonly mediaAgent: HttpsAgent | null
}

export interface LifeParts extends SocketOptions {
  readonly store: NumberStore
  readonly creds: AuthenticationCreds
  readonly isAlwaysOnline: boolean
  readonly historyImport: boolean
}

/** Called by a socket for its session; never after it ended. */
export interface LifeEvents {
  /** A code to scan. `expiresInMs` is how long the network accepts it. */
  qr(text: string, expiresInMs: number): void
  /** A phone scanned. The network is told that we know once this resolves. */
  paired(): Promise<void>
  credsChanged(): void
  open(): void
  /**
   * A message of the network. `stanza` names its row in the journal; null without one. `read` resolves once the
   * library is done with it.
   */
  message(message: WAMessage, stanza: Stanza | null, read: () => Promise<void>): void
  /** Resolves once all arrivals told until now are on the disk. */
  told(): Promise<void>
  /** Called once. `code` is the library's; null for a failure without one. */
  ended(code: number | null, wasQrShown: boolean): void
  failed(error: unknown): void
}

/** One socket of the library, from opening to its end; it never reconnects by itself. */
export interface SocketLife {
  readonly sock: WASocket
  readonly listen: Listen
  readonly isOpen: boolean
  /** Resolves once everything has come that waited at the network, or will not come on this socket. */
  readonly caughtUp: Promise<void>
  /**
   * Resolves to the network's answer to a message, `none` when this socket ended before. It is called before the
   * message is sent.
   */
  answered(externalId: string): Promise<Answer>
  /** Closes the socket; `ended` is not called. Resolves once the network has no socket of it any more. */
  end(): Promise<void>
}

/** The network accepts the first code to scan for 60 s, and later ones for 20 s. */
const FIRST_QR_MS = 60_000
const LATER_QR_MS = 20_000
/**
 * our choice: when the network does not say that everything offline came, events that the library holds back are
 * released after this many ms.
 */
const OFFLINE_WATCHDOG_MS = 10_000
/** our choice: a network that does not answer a close in this many ms has its connection cut. */
const CLOSE_MS = 1_000
const THROTTLED = 429
const UNAVAILABLE = 503
/**
 * Small parts of a history that carry names and LIDs of people. They are taken even when no history is wanted; messages
 * in them are not told.
 */
const SMALL_HISTORY: ReadonlySet<unknown> = new Set([
  proto.HistorySync.HistorySyncType.PUSH_NAME,
  proto.HistorySync.HistorySyncType.NON_BLOCKING_DATA,
])

/** Opens a socket of the chat network. */
export function openSocket(parts: LifeParts, events: LifeEvents): SocketLife {
  const decrypting: Decrypting = { parts: new WeakMap<Uint8Array, StanzaPart>(), last: null }
  const caches = socketCaches()
  const sock = growRetryTables(makeWASocket({ ...socketConfig(parts, decrypting), ...caches }))
  const listen = hearAtOnce(sock.ev, events.failed)
  let [isEnded, isOpen] = [false, false]
  let qrs = 0
  let watchdog: NodeJS.Timeout | undefined

  const caughtUp = Promise.withResolvers<void>()
  const answers = new Answers()
  const wire = wireOf(sock)
  const gate = gateSends(wire, parts.store.hold, unkept)
  const close = closerOf(sock, wire, events.failed)
  hearRefusal(sock, (status) => finish(() => refused(status)))
  hearFrames(sock, hearFrame)
  tellAcknowledgements(sock)
  holdAcknowledgements(sock, () => events.told())
  listen('messages.upsert', hearMessages)
  sock.ev.on('creds.update', () => {
    if (!isEnded) events.credsChanged()
  })
  listen('connection.update', hearConnection)

  function hearFrame(node: BinaryNode): void {
    journalFrame(node, parts.store, decrypting, gate)
    noteAnswers(node, parts.store, answers, events.failed)
  }

  /** What could not be kept was not acknowledged, so the network delivers it again on the next socket. */
  function unkept(fault: unknown): void {
    events.failed(fault)
    finish(() => refused(undefined))
  }

  function hearMessages({ messages }: BaileysEventMap['messages.upsert']): void {
    // The library reads one message after another, and reports each in its turn.
    const read = (): Promise<void> => sock.messageMutex.mutex(() => {})
    for (const message of messages) if (!isEnded) events.message(message, stanzaFor(message, decrypting), read)
  }

  function hearConnection({
    connection,
    qr,
    isNewLogin,
    lastDisconnect,
    receivedPendingNotifications,
  }: Partial<ConnectionState>): void {
    if (isEnded) return
    if (qr) events.qr(qr, qrs++ === 0 ? FIRST_QR_MS : LATER_QR_MS)
    // This runs after the library's own listener, because only then its credentials are those of the new device.
    if (isNewLogin) gate.holdUntil(events.paired())
    if (receivedPendingNotifications) letGo()
    if (connection === 'open') opened()
    if (connection === 'close') finish(() => events.ended(codeOf(lastDisconnect?.error), qrs > 0))
  }

  function opened(): void {
    isOpen = true
    watchdog = watchOffline(sock, letGo)
    events.open()
  }

  /** Any other answer of a proxy or guard before the network says nothing about the number. */
  function refused(status: number | undefined): void {
    events.ended(status === THROTTLED ? THROTTLED : UNAVAILABLE, qrs > 0)
    void sock.end(undefined).catch(events.failed)
  }

  function letGo(): void {
    clearTimeout(watchdog)
    caughtUp.resolve()
  }

  function finish(tell: () => void): void {
    if (isEnded) return
    isEnded = true
    isOpen = false
    letGo()
    answers.end()
    forgetCaches(caches)
    tell()
  }

  return {
    sock,
    listen,
    caughtUp: caughtUp.promise,
    answered: (externalId) => answers.wait(externalId),
    get isOpen() {
      return isOpen
    },
    end() {
      finish(() => void close())
      return close()
    },
  }
}

/** Closes the socket once; each call resolves when the network has no socket of it any more. */
function closerOf(sock: WASocket, wire: { terminate(): void }, failed: LifeEvents['failed']): () => Promise<void> {
  let closed: Promise<void> | null = null
  return () => {
    if (closed) return closed
    const late = setTimeout(() => wire.terminate(), CLOSE_MS)
    closed = sock
      .end(undefined)
      .catch(failed)
      .finally(() => clearTimeout(late))
    return closed
  }
}

/** Releases what the library holds back when the network does not say that everything offline came. */
function watchOffline(sock: WASocket, letGo: () => void): NodeJS.Timeout {
  return setTimeout(() => {
    sock.ev.flush()
    letGo()
  }, OFFLINE_WATCHDOG_MS).unref()
}

/** Notes sent messages that a frame shows to have gone out, and answers those who wait for the network's answer. */
function noteAnswers(
  node: BinaryNode,
  { outgoing }: NumberStore,
  answers: Answers,
  failed: LifeEvents['failed'],
): void {
  for (const id of arrivedIds(node)) {
    outgoing.noteArrived(id).catch(failed)
    answers.note(id, 'taken')
  }
  const answered = answeredId(node)
  // One that was taken is among those that arrived.
  if (answered !== null) answers.note(answered, 'refused')
}

function socketConfig(parts: LifeParts, decrypting: Decrypting): Parameters<typeof makeWASocket>[0] {
  const { store, creds, socketUrl, version, agent, mediaAgent, isAlwaysOnline, historyImport } = parts
  return {
    auth: { creds, keys: store.keys },
    logger: QUIET,
    // The library's own tries go on for half a minute, during which a session that is over holds up its successor.
    transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
    // A common name, because with others the phone refuses pairing codes.
    browser: Browsers.ubuntu('Chrome'),
    ...(socketUrl === null ? {} : { waWebSocketUrl: socketUrl }),
    ...(version === null ? {} : { version: [...version] as WAVersion }),
    // The library's type names the agent of its usual secure socket; a test's plain socket has a plain agent.
    ...(agent === null ? {} : { agent: agent as HttpsAgent }),
    ...(mediaAgent === null ? {} : { fetchAgent: mediaAgent }),
    // Being online by default would silence the owner's phone.
    markOnlineOnConnect: isAlwaysOnline,
    emitOwnEvents: false,
    syncFullHistory: historyImport,
    shouldSyncHistoryMessage: ({ syncType }) => historyImport || SMALL_HISTORY.has(syncType),
    // Peers that could not read a message ask for it again.
    getMessage: async (key) => {
      const sent = await store.outgoing.byExternalId(key.id ?? '')
      return sent ? proto.Message.decode(sent.message) : undefined
    },
    makeSignalRepository: journallingRepository(store.journal, decrypting, store.keys),
  }
}

/** Reports messages that the network took; the library itself reports only those it refused. */
function tellAcknowledgements(sock: WASocket): void {
  sock.ws.on('CB:ack,class:message', ({ attrs: { id, from, error } }: BinaryNode) => {
    if (!id || !from || error) return
    sock.ev.emit('messages.update', [
      { key: { remoteJid: from, id, fromMe: true }, update: { status: proto.WebMessageInfo.Status.SERVER_ACK } },
    ])
  })
}

/**
 * Delays acknowledgements of receipts. The library acknowledges a receipt when its turn ends, and the network does not
 * repeat an acknowledged one. So the turn ends once the receipt's event is on the disk. The next receipt is not
 * delayed.
 */
function holdAcknowledgements({ receiptMutex }: Pick<WASocket, 'receiptMutex'>, told: () => Promise<void>): void {
  const mutex = receiptMutex.mutex.bind(receiptMutex)
  receiptMutex.mutex = async <T>(work: () => Promise<T> | T): Promise<T> => {
    const result = await mutex(work)
    await told()
    return result
  }
}

/** Hears a refused upgrade. The library passes it on as an event that nobody hears, and would wait for ever. */
function hearRefusal(sock: WASocket, hear: (status: number | undefined) => void): void {
  sock.ws.on('unexpected-response', (_request: unknown, { statusCode }: IncomingMessage) => hear(statusCode))
}

/** Hears stanzas before the library reads them, in their order. */
function hearFrames(sock: WASocket, hear: (node: BinaryNode) => void): void {
  sock.ws.prependListener('frame', (frame: unknown) => {
    if (typeof frame !== 'object' || frame === null || !('tag' in frame)) return
    readInOrder(frame as BinaryNode)
    hear(frame as BinaryNode)
  })
}

/**
 * Keeps messages in order. The library queues messages that came while the device was away, but reads messages that
 * come meanwhile at once, so that a newer message of a chat would be told before older ones. Marked as one that waited,
 * it takes its place in that queue. The mark's only other effect is `append` instead of `notify`, which no listener
 * here distinguishes.
 */
function readInOrder(node: BinaryNode): void {
  if (node.tag === 'message') node.attrs['offline'] ??= '0'
}

/**
 * Remembers which bytes belong to which stanza. Parts without encryption go to the journal before anything is
 * acknowledged: until they are on the disk the socket sends nothing.
 */
function journalFrame(node: BinaryNode, { journal }: NumberStore, decrypting: Decrypting, gate: SendGate): void {
  for (const { part, bytes } of partsOf(node)) {
    decrypting.parts.set(bytes, part)
    if (part.type === 'plaintext') gate.holdUntil(journal.put({ ...part, plaintext: bytes }))
  }
}

/** The socket beneath the library's, which its types do not show. It is there from the start. */
function wireOf(sock: WASocket): Wire & { terminate(): void } {
  const { socket } = sock.ws as unknown as { socket: (Wire & { terminate(): void }) | null }
  if (socket === null) throw new Error('the library has made no socket')
  return socket
}

function stanzaFor({ key }: WAMessage, { last }: Decrypting): Stanza | null {
  if (last && last.id === key.id) return last
  // Posts of channels are not decrypted; the channel itself names their stanza.
  if (!key.remoteJid?.endsWith('@newsletter') || !key.id) return null
  return { messageKey: messageKeyOf({ from: key.remoteJid, id: key.id }), isNew: false }
}

function codeOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('output' in error)) return null
  const { output } = error
  return typeof output === 'object'
    && output !== null
    && 'statusCode' in output
    && typeof output.statusCode === 'number'
    ? output.statusCode
    : null
}
