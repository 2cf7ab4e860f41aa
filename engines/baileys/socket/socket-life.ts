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
import { Answers } from './answers.ts'
import { hearAtOnce, type Listen } from './immediate-events.ts'
import { journallingRepository, type Decrypting } from './journalling-repository.ts'
import { QUIET } from './quiet-logger.ts'
import { answeredId, arrivedIds, partsOf } from './stanzas.ts'

/** What all sockets of an engine have in common. */
export interface SocketOptions {
  /** Null: the library's own. */
  readonly socketUrl: string | null
  readonly version: readonly [number, number, number] | null
  /** The way through ENGINE_PROXY: of the socket, and of media, which are always secure; null: directly. */
  readonly agent: HttpAgent | null
  readonly mediaAgent: HttpsAgent | null
}

export interface LifeParts extends SocketOptions {
  readonly store: NumberStore
  readonly creds: AuthenticationCreds
  readonly isAlwaysOnline: boolean
  readonly historyImport: boolean
}

/** What a socket tells its session; nothing more once it ended. */
export interface LifeEvents {
  /** `expiresInMs`: how long the network honours the code. */
  qr(text: string, expiresInMs: number): void
  /** A phone scanned; called before the network is told that we know. */
  paired(): void
  credsChanged(): void
  open(): void
  /**
   * A message of the network; `messageKey`: its row in the journal, if it has one; `read` resolves once the library is
   * over with it.
   */
  message(message: WAMessage, messageKey: string | null, read: () => Promise<void>): void
  /** Resolves once what was told of arrivals until now is on the disk. */
  told(): Promise<void>
  /** Called once. `code`: of the library; null where the failure has none. */
  ended(code: number | null, wasQrShown: boolean): void
  failed(error: unknown): void
}

/** One socket of the library: one life, that never comes back by itself. */
export interface SocketLife {
  readonly sock: WASocket
  readonly listen: Listen
  readonly isOpen: boolean
  /** Resolves once everything came that waited at the network, or will not come on this socket. */
  readonly caughtUp: Promise<void>
  /** Resolves to whether the network spoke of a message before this socket ended; asked before the message is sent. */
  answered(externalId: string): Promise<boolean>
  /** Closes it; `ended` is not called. */
  end(): void
}

/** A network's codes: the first is honoured 60 s, later ones 20 s. */
const FIRST_QR_MS = 60_000
const LATER_QR_MS = 20_000
/**
 * our choice: when the network does not say that everything offline came, what the library holds back is let go after
 * so long.
 */
const OFFLINE_WATCHDOG_MS = 10_000
const THROTTLED = 429
const UNAVAILABLE = 503
/**
 * Small parts of a history that carry names and LIDs of people; taken even where no history is wanted (the messages in
 * them are not told).
 */
const SMALL_HISTORY: ReadonlySet<unknown> = new Set([
  proto.HistorySync.HistorySyncType.PUSH_NAME,
  proto.HistorySync.HistorySyncType.NON_BLOCKING_DATA,
])

/** Opens a socket of the chat network. */
export function openSocket(parts: LifeParts, events: LifeEvents): SocketLife {
  const decrypting: Decrypting = { parts: new WeakMap<Uint8Array, StanzaPart>(), last: null }
  const sock = makeWASocket(socketConfig(parts, decrypting))
  const listen = hearAtOnce(sock.ev, events.failed)
  let isEnded = false
  let isOpen = false
  let qrs = 0
  let watchdog: NodeJS.Timeout | null = null

  const caughtUp = Promise.withResolvers<void>()
  const answers = new Answers()
  hearFrames(sock, hearFrame)
  tellAcknowledgements(sock)
  holdAcknowledgements(sock, () => events.told())
  listen('messages.upsert', hearMessages)
  sock.ev.on('creds.update', () => {
    if (!isEnded) events.credsChanged()
  })
  listen('connection.update', (update) => {
    if (!isEnded) hearConnection(update)
  })

  function hearFrame(node: BinaryNode): void {
    readInOrder(node)
    journalFrame(node, parts.store, decrypting)
    noteAnswers(node, parts.store, answers, events.failed)
  }

  function hearMessages({ messages }: BaileysEventMap['messages.upsert']): void {
    // The library reads one message after another, and tells of each in its turn.
    const read = (): Promise<void> => sock.messageMutex.mutex(() => {})
    for (const message of messages) if (!isEnded) events.message(message, messageKeyFor(message, decrypting), read)
  }

  function hearConnection({
    connection,
    qr,
    isNewLogin,
    lastDisconnect,
    receivedPendingNotifications,
  }: Partial<ConnectionState>): void {
    if (qr) events.qr(qr, qrs++ === 0 ? FIRST_QR_MS : LATER_QR_MS)
    // After the library's own listener: only then its credentials are those of the new device.
    if (isNewLogin) events.paired()
    if (receivedPendingNotifications) letGo()
    if (connection === 'open') {
      isOpen = true
      watchdog = setTimeout(() => {
        sock.ev.flush()
        letGo()
      }, OFFLINE_WATCHDOG_MS)
      watchdog.unref()
      events.open()
    }
    if (connection === 'close') finish(() => events.ended(codeOf(lastDisconnect?.error), qrs > 0))
  }

  // A refused upgrade: the library passes it on as an event, for which nobody listens, and would wait for ever.
  sock.ws.on('unexpected-response', (_request: unknown, { statusCode }: IncomingMessage) =>
    finish(() => refused(statusCode)),
  )

  /** What else a proxy or a guard before the network answers says nothing about the number. */
  function refused(status: number | undefined): void {
    events.ended(status === THROTTLED ? THROTTLED : UNAVAILABLE, qrs > 0)
    void sock.end(undefined).catch(events.failed)
  }

  function letGo(): void {
    if (watchdog) clearTimeout(watchdog)
    caughtUp.resolve()
  }

  function finish(tell: () => void): void {
    if (isEnded) return
    isEnded = true
    isOpen = false
    letGo()
    answers.end()
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
    end: () => finish(() => void sock.end(undefined).catch(events.failed)),
  }
}

/** Keeps which sent messages a frame shows to have gone out, and tells who waits for the network's answer to one. */
function noteAnswers(
  node: BinaryNode,
  { outgoing }: NumberStore,
  answers: Answers,
  failed: LifeEvents['failed'],
): void {
  for (const id of arrivedIds(node)) {
    outgoing.noteArrived(id).catch(failed)
    answers.note(id)
  }
  const answered = answeredId(node)
  if (answered !== null) answers.note(answered)
}

function socketConfig(parts: LifeParts, decrypting: Decrypting): Parameters<typeof makeWASocket>[0] {
  const { store, creds, socketUrl, version, agent, mediaAgent, isAlwaysOnline, historyImport } = parts
  return {
    auth: { creds, keys: store.keys },
    logger: QUIET,
    // A plain name: with others the phone refuses pairing codes.
    browser: Browsers.ubuntu('Chrome'),
    ...(socketUrl === null ? {} : { waWebSocketUrl: socketUrl }),
    ...(version === null ? {} : { version: [...version] as WAVersion }),
    // The library names the agent of its usual, secure socket; a test's plain one has a plain agent.
    ...(agent === null ? {} : { agent: agent as HttpsAgent }),
    ...(mediaAgent === null ? {} : { fetchAgent: mediaAgent }),
    // Online by default would silence the owner's phone.
    markOnlineOnConnect: isAlwaysOnline,
    emitOwnEvents: false,
    syncFullHistory: historyImport,
    shouldSyncHistoryMessage: ({ syncType }) => historyImport || SMALL_HISTORY.has(syncType),
    // Peers that could not read a message ask for it again.
    getMessage: (key) => {
      const sent = store.outgoing.byExternalId(key.id ?? '')
      return Promise.resolve(sent ? proto.Message.decode(sent.message) : undefined)
    },
    makeSignalRepository: journallingRepository(store.journal, decrypting, store.keys),
  }
}

/** The library tells when the network refused a message, and not when it took it. */
function tellAcknowledgements(sock: WASocket): void {
  sock.ws.on('CB:ack,class:message', ({ attrs: { id, from, error } }: BinaryNode) => {
    if (!id || !from || error) return
    sock.ev.emit('messages.update', [
      { key: { remoteJid: from, id, fromMe: true }, update: { status: proto.WebMessageInfo.Status.SERVER_ACK } },
    ])
  })
}

/**
 * The library acknowledges a receipt when its turn ends, and the network repeats none that was acknowledged: here the
 * turn ends once what the receipt says is on the disk. The next receipt is not held up.
 */
function holdAcknowledgements({ receiptMutex }: Pick<WASocket, 'receiptMutex'>, told: () => Promise<void>): void {
  const mutex = receiptMutex.mutex.bind(receiptMutex)
  receiptMutex.mutex = async <T>(work: () => Promise<T> | T): Promise<T> => {
    const result = await mutex(work)
    await told()
    return result
  }
}

/** Hears stanzas before the library reads them. */
function hearFrames(sock: WASocket, hear: (node: BinaryNode) => void): void {
  sock.ws.prependListener('frame', (frame: unknown) => {
    if (typeof frame === 'object' && frame !== null && 'tag' in frame) hear(frame as BinaryNode)
  })
}

/**
 * The library queues messages that came while the device was away, and reads at once what comes meanwhile: a newer
 * message of a chat would be told before older ones. Marked as one that waited it takes its place in that queue. The
 * library makes nothing else of the mark than `append` instead of `notify`, which no listener here tells apart.
 */
function readInOrder(node: BinaryNode): void {
  if (node.tag === 'message') node.attrs['offline'] ??= '0'
}

/**
 * Remembers which bytes belong to which stanza; what needs no decryption goes to the journal before anything is
 * acknowledged.
 */
function journalFrame(node: BinaryNode, { journal }: NumberStore, decrypting: Decrypting): void {
  for (const { part, bytes } of partsOf(node)) {
    decrypting.parts.set(bytes, part)
    if (part.type === 'plaintext' && !journal.isTold(messageKeyOf(part.attrs)))
      journal.putNow({ ...part, plaintext: bytes })
  }
}

function messageKeyFor({ key }: WAMessage, { last }: Decrypting): string | null {
  if (last && last.id === key.id) return last.messageKey
  // Posts of channels are not decrypted: their stanza is named by the channel itself.
  return key.remoteJid?.endsWith('@newsletter') && key.id ? messageKeyOf({ from: key.remoteJid, id: key.id }) : null
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
