import { createHash, timingSafeEqual } from 'node:crypto'
import { fail, refuse } from '../../src/domain/errors.ts'
import { thrownFields } from '../../src/domain/thrown.ts'
import { CALL_ADOPTION_MS } from '../../src/domain/limits.ts'
import { bearerOf } from '../realtime/connection.ts'
import { readControl } from './control-messages.ts'
import { EventLog } from './event-log.ts'
import { CLOSE, PING_MS, SILENT_SOCKET_MS } from '../realtime/protocol.ts'
import type { Outcome } from '../../src/domain/errors.ts'
import type { CallId, NodeId } from '../../src/domain/ids.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import type { MediaLoad, MediaRequest } from '../../src/ports/media-control.ts'
import type { MediaEvent } from '../../src/ports/media.ts'
import type { Connection, ConnectionListener, UpgradeDecision, UpgradeRequest } from '../realtime/connection.ts'

export const CONTROL_PATH = '/control'

/** Runs the requests; the media host. */
export interface ControlTarget {
  run(nodeId: NodeId, request: MediaRequest): Promise<Outcome<unknown>>
  dropNode(nodeId: NodeId): void
}

export interface ControlParts {
  readonly target: ControlTarget
  load(): MediaLoad
  readonly secret: string
  readonly clock: Clock
  readonly log: Log
}

interface NodeState {
  /** The log lives as long as this host, because its numbers must never start again under one host id. */
  readonly events: EventLog
  link: ControlLink | null
  absentSinceMs: number
  /** True when the node was away too long and its calls were ended. */
  isGivenUp: boolean
}

/** The control sockets of the gateway nodes: requests in, answers and events out. Calls outlive a lost socket. */
export class Control {
  readonly #parts: ControlParts
  readonly #nodes = new Map<NodeId, NodeState>()

  constructor(parts: ControlParts) {
    this.#parts = parts
  }

  upgrade(request: UpgradeRequest): UpgradeDecision {
    const token = bearerOf(request.authorization)
    if (token === null || !isSame(token, this.#parts.secret)) {
      return { kind: 'refuse', status: 401, body: { error: 'The bearer token is not the internal secret' } }
    }
    const nodeId = request.header('x-node-id')
    if (!isNodeId(nodeId)) return { kind: 'refuse', status: 400, body: { error: 'x-node-id must be a node id' } }
    return { kind: 'accept', open: (connection) => this.#connect(nodeId, connection) }
  }

  /** Nodes that are connected. */
  get size(): number {
    return [...this.#nodes.values()].filter((node) => node.link !== null).length
  }

  /** Reports an event to a node, now or once it is back. */
  report(nodeId: NodeId, event: MediaEvent): void {
    const node = this.#node(nodeId)
    const notice = node.events.add(event)
    if (node.link?.isSynced) node.link.send(notice)
  }

  /** Drops the unacknowledged events of a call that a node may no longer hear. */
  forget(nodeId: NodeId, callId: CallId): void {
    this.#nodes.get(nodeId)?.events.forget(callId)
  }

  everySecond(): void {
    const nowMs = this.#parts.clock.monotonicMs()
    for (const [nodeId, node] of this.#nodes) {
      node.link?.everySecond()
      if (node.link || node.isGivenUp || nowMs - node.absentSinceMs < CALL_ADOPTION_MS) continue
      this.#parts.log.warn(
        { nodeId },
        'a gateway node did not come back; those of its calls that no node took over are ended',
      )
      node.isGivenUp = true
      this.#parts.target.dropNode(nodeId)
      node.events.clear()
    }
  }

  /** Closes every link; the gateways reconnect to a host that lives. */
  close(): void {
    for (const node of this.#nodes.values()) node.link?.close(CLOSE.goingAway, 'GOING_AWAY')
  }

  #connect(nodeId: NodeId, connection: Connection): ConnectionListener {
    const node = this.#node(nodeId)
    const link = new ControlLink(nodeId, connection, node.events, this.#parts, () => {
      if (node.link !== link) return
      node.link = null
      node.absentSinceMs = this.#parts.clock.monotonicMs()
    })
    const former = node.link
    node.link = link
    node.isGivenUp = false
    former?.close(CLOSE.replaced, 'REPLACED')
    return link
  }

  #node(nodeId: NodeId): NodeState {
    const known = this.#nodes.get(nodeId)
    if (known) return known
    const node: NodeState = {
      events: new EventLog(),
      link: null,
      absentSinceMs: this.#parts.clock.monotonicMs(),
      isGivenUp: false,
    }
    this.#nodes.set(nodeId, node)
    return node
  }
}

/** One control socket. */
class ControlLink implements ConnectionListener {
  readonly #nodeId: NodeId
  readonly #connection: Connection
  readonly #events: EventLog
  readonly #parts: ControlParts
  readonly #onClosed: () => void
  #heardAtMs: number
  #pingedAtMs: number
  #isSynced = false
  #isClosed = false

  constructor(nodeId: NodeId, connection: Connection, events: EventLog, parts: ControlParts, onClosed: () => void) {
    this.#nodeId = nodeId
    this.#connection = connection
    this.#events = events
    this.#parts = parts
    this.#onClosed = onClosed
    this.#heardAtMs = parts.clock.monotonicMs()
    this.#pingedAtMs = this.#heardAtMs
  }

  /** True once the node said which calls it knows; events are sent only after that. */
  get isSynced(): boolean {
    return this.#isSynced
  }

  send(message: object): void {
    if (!this.#isClosed) this.#connection.sendText(JSON.stringify(message))
  }

  close(code: number, reason: string): void {
    if (this.#isClosed) return
    this.#connection.end(code, reason)
    this.closed()
  }

  everySecond(): void {
    const nowMs = this.#parts.clock.monotonicMs()
    if (nowMs - this.#heardAtMs >= SILENT_SOCKET_MS) return this.close(CLOSE.goingAway, 'no frame for 60 s')
    if (this.#isSynced) this.send({ load: this.#parts.load() })
    if (nowMs - this.#pingedAtMs < PING_MS) return
    this.#pingedAtMs = nowMs
    this.#connection.ping()
  }

  message(bytes: Uint8Array): void {
    this.alive()
    const read = readControl(Buffer.from(bytes).toString())
    if (read.kind === 'ack') return this.#events.ack(read.ack)
    if (read.kind === 'request') return void this.#run(read.request)
    this.#parts.log.warn({ nodeId: this.#nodeId }, 'a control message could not be read')
    if (read.id !== null)
      this.send({ re: read.id, ok: false, error: refuse('VALIDATION', 'The media host does not know this request') })
  }

  alive(): void {
    this.#heardAtMs = this.#parts.clock.monotonicMs()
  }

  drain(): void {
    // Nothing is held back here, because control messages are few.
  }

  closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#onClosed()
  }

  async #run(request: MediaRequest): Promise<void> {
    let outcome: Outcome<unknown>
    try {
      outcome = await this.#parts.target.run(this.#nodeId, request)
    } catch (error) {
      this.#parts.log.error(
        { nodeId: this.#nodeId, op: request.op, ...thrownFields(error) },
        'a control request failed',
      )
      outcome = fail(refuse('INTERNAL', 'The media host failed'))
    }
    this.send({ re: request.id, ...outcome })
    if (request.op !== 'sync' || this.#isSynced) return
    this.#isSynced = true
    for (const notice of this.#events.pending) this.send(notice)
  }
}

function isNodeId(text: string): text is NodeId {
  return /^node_[\w-]{1,64}$/.test(text)
}

/** Compares in a time that does not depend on where the texts differ. */
function isSame(given: string, wanted: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(wanted))
}
