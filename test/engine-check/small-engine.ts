import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'

/** The token that the engines of the tests expect from a gateway. */
export const TOKEN = 'small'

type Fields = Readonly<Record<string, unknown>>
/** An event without its sequence number. */
export type SmallEvent = Fields & { readonly ev: string }
type Refusal = { readonly code: string; readonly message: string; readonly retryable: boolean }

/** A number of a small engine. It outlives the sockets over which it is served. */
export interface SmallSession {
  readonly numberId: string
  socket: WebSocket | null
  isStarted: boolean
  /** The stored credentials; null when the number is not paired. */
  credentials: string | null
  seq: number
  /** Events that the gateway has not acknowledged, oldest first. */
  kept: (SmallEvent & { readonly seq: number })[]
  readonly sent: Map<string, string>
  readonly calls: Map<string, string | null>
}

/**
 * An engine over a network with one phone, which scans every code at once. Its peers read every message and write it
 * back. It follows the protocol; a broken engine overrides one step.
 */
export class SmallEngine {
  readonly sessions = new Map<string, SmallSession>()
  readonly #http = createServer((_request, response) => void response.writeHead(404).end())
  readonly #sockets = new WebSocketServer({ noServer: true })

  /** Listens on loopback; resolves to the URL of the bridge. */
  async listen(): Promise<string> {
    this.#http.on('upgrade', (request, socket, head) => {
      const [, numberId] = /^\/sessions\/(\w+)$/.exec(request.url ?? '') ?? []
      const refuse = (words: string): void =>
        void socket.end(`HTTP/1.1 ${words}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
      if (numberId === undefined || !this.isAllowed(request)) return refuse(this.refusal())
      const elsewhere = this.elsewhere(numberId)
      if (elsewhere !== null) return refuse(elsewhere)
      this.#sockets.handleUpgrade(request, socket, head, (ws) => this.connect(ws, this.session(numberId)))
    })
    this.#http.listen(0, '127.0.0.1')
    await once(this.#http, 'listening')
    return `ws://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  close(): void {
    for (const ws of this.#sockets.clients) ws.terminate()
    this.#http.close()
  }

  /** Lets the number's phone scan the current code. */
  scan(session: SmallSession): void {
    this.emit(session, { ev: 'session.state', state: 'CONNECTING' })
    session.credentials = `linked-${randomUUID()}`
    this.tellCredentials(session, session.credentials)
    this.emit(session, { ev: 'session.state', state: 'OPEN' })
  }

  protected isAllowed(request: IncomingMessage): boolean {
    return request.headers.authorization === `Bearer ${TOKEN}`
  }

  protected refusal(): string {
    return '401 Unauthorized'
  }

  /** The status and headers that refuse a number which another engine holds; null where none does. */
  protected elsewhere(_numberId: string): string | null {
    return null
  }

  protected session(numberId: string): SmallSession {
    const known = this.sessions.get(numberId)
    if (known) return known
    const session = {
      numberId,
      socket: null,
      isStarted: false,
      credentials: null,
      seq: 0,
      kept: [],
      sent: new Map(),
      calls: new Map(),
    }
    this.sessions.set(numberId, session)
    return session
  }

  protected connect(ws: WebSocket, session: SmallSession): void {
    this.replace(session)
    session.socket = ws
    session.isStarted = false
    ws.on('close', () => {
      if (session.socket === ws) session.socket = null
    })
    ws.on('message', (bytes) => {
      const { ack, id, op, ...fields } = JSON.parse(String(bytes)) as { ack?: number; id: string; op: string }
      if (ack !== undefined) this.acknowledge(session, ack)
      else this.serve(ws, session, id, op, fields)
    })
  }

  protected replace(session: SmallSession): void {
    session.socket?.close(4409, 'replaced')
  }

  protected acknowledge(session: SmallSession, ack: number): void {
    session.kept = session.kept.filter(({ seq }) => seq > ack)
  }

  protected serve(ws: WebSocket, session: SmallSession, id: string, op: string, fields: Fields): void {
    const outcome = this.perform(session, op, fields)
    if (outcome === null) return
    const { result, error, after } = outcome
    ws.send(
      JSON.stringify(error ? { re: this.answerId(id), ok: false, error } : { re: this.answerId(id), ok: true, result }),
    )
    after?.()
  }

  protected answerId(id: string): string {
    return id
  }

  /** Performs a request; null when the engine must not answer. */
  protected perform(
    session: SmallSession,
    op: string,
    fields: Fields,
  ): { result?: unknown; error?: Refusal; after?: () => void } | null {
    switch (op) {
      case 'session.start':
        return { result: this.words(), after: () => this.start(session, fields['credentials']) }
      case 'session.logout':
        return { result: {}, after: () => this.logout(session) }
      case 'settings.set':
        return { result: {} }
      case 'group.list':
        return { result: [{ id: '1203@g.us', name: 'Friends' }] }
      case 'calls.list':
        return { result: [...session.calls].map(([callId, callRef]) => ({ callId, callRef, state: 'RINGING' })) }
      case 'number.check':
        return {
          result: (fields['numbers'] as string[]).map((input) => ({ input, exists: true, number: input, name: null })),
        }
      case 'message.send':
        return this.send(session, fields as { messageId: string; to: string; content: { text: string } })
      default:
        return this.unknown()
    }
  }

  protected words(): Fields {
    return { engine: { name: 'small', version: '1' }, capabilities: ['text'] }
  }

  protected unknown(): ReturnType<SmallEngine['perform']> {
    return { error: { code: 'UNSUPPORTED', message: 'not known here', retryable: false } }
  }

  protected start(session: SmallSession, credentials: unknown): void {
    session.isStarted = true
    this.repeat(session)
    if (credentials === null) this.pair(session)
    else if (credentials === session.credentials) this.emit(session, { ev: 'session.state', state: 'OPEN' })
    else this.emit(session, { ev: 'session.state', state: 'CLOSE', reason: 'logged_out' })
  }

  protected repeat(session: SmallSession): void {
    for (const event of session.kept) session.socket?.send(JSON.stringify(event))
  }

  protected pair(session: SmallSession): void {
    this.emit(session, { ev: 'session.qr', qr: randomUUID(), pairingCode: null, expiresInMs: 60_000 })
    this.scan(session)
  }

  protected tellCredentials(session: SmallSession, credentials: string): void {
    this.emit(session, { ev: 'session.credentials', credentials })
  }

  protected send(
    session: SmallSession,
    { messageId, to, content }: { messageId: string; to: string; content: { text: string } },
  ): NonNullable<ReturnType<SmallEngine['perform']>> {
    if (to === '') return { error: { code: 'INVALID', message: 'to nobody', retryable: false } }
    const isNew = !session.sent.has(messageId)
    const externalMessageId = this.externalId(session, messageId)
    session.sent.set(messageId, externalMessageId)
    return {
      result: { externalMessageId },
      after: () => isNew && this.deliver(session, externalMessageId, to, content.text),
    }
  }

  protected externalId(session: SmallSession, messageId: string): string {
    return session.sent.get(messageId) ?? randomUUID()
  }

  protected deliver(session: SmallSession, externalMessageId: string, from: string, text: string): void {
    const timestamp = Date.now()
    this.emit(session, { ev: 'message.status', externalMessageId, status: 'SENT', timestamp })
    this.emit(session, {
      ev: 'message.received',
      externalMessageId: randomUUID(),
      from,
      fromName: null,
      to: '5511988887777',
      historical: false,
      timestamp,
      content: { type: 'text', text },
    })
  }

  protected logout(session: SmallSession): void {
    session.credentials = null
    this.emit(session, { ev: 'session.state', state: 'CLOSE', reason: 'logged_out' })
  }

  protected nextSeq(session: SmallSession): number {
    return ++session.seq
  }

  protected emit(session: SmallSession, event: SmallEvent): void {
    const numbered = { ...event, seq: this.nextSeq(session) }
    session.kept.push(numbered)
    if (session.isStarted) session.socket?.send(JSON.stringify(numbered))
  }
}
