import type { WebSocket } from 'ws'
import type { BridgeAnswer } from '../../../src/domain/device-bridge.ts'
import { toTrace } from '../../../src/domain/trace.ts'
import type { Traces } from '../../../src/ports/traces.ts'
import { readSettings, readStart, STARTED } from '../ops/session-start.ts'
import { OPERATIONS } from '../ops/table.ts'
import { errorFields } from '../process/log.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { NumberSession } from '../session/number-session.ts'
import type { GatewaySocket } from '../session/outbox.ts'
import { frameBudget, readFrame, type Frame } from './frames.ts'

/** Close codes of RFC 6455; the code for a newer socket is that of the realtime socket ([realtime.closing.12]). */
const CLOSE_GOING_AWAY = 1001
const CLOSE_BAD_MESSAGE = 1007
const CLOSE_TOO_MUCH = 1008
const CLOSE_REPLACED = 4409
/** our choice: most frames of a gateway for one number. It sends one for each event and request. */
const FRAMES_PER_SECOND = 2_000
const FRAMES_AT_ONCE = 10_000
/** our choice: most requests of one number that run at once. */
const RUNNING_AT_ONCE = 256

type Request = Extract<Frame, { kind: 'request' }>

/** The result of a request, and what follows once its answer was sent. */
interface Performed {
  readonly result: unknown
  readonly after?: () => Promise<void>
}

/** Serves one gateway socket for its number, until it closes. */
export function serveConnection(ws: WebSocket, session: NumberSession, traces: Traces, closed: () => void): void {
  const socket = gatewaySocket(ws)
  const mayTake = frameBudget(FRAMES_PER_SECOND, FRAMES_AT_ONCE, () => performance.now())
  let running = 0
  session.outbox.attach(socket)
  ws.on('error', () => ws.terminate())
  ws.on('close', () => {
    session.outbox.detach(socket)
    closed()
  })
  ws.on('message', (bytes, isBinary) => {
    if (!mayTake()) return ws.close(CLOSE_TOO_MUCH, 'too many frames')
    const frame = isBinary ? null : readFrame(String(bytes))
    if (!frame) return ws.close(CLOSE_BAD_MESSAGE, 'messages are JSON objects')
    // A socket that was replaced must not act any more.
    if (!session.outbox.isCurrent(socket)) return
    if (frame.kind === 'ack') session.outbox.acknowledge(frame.seq)
    if (frame.kind !== 'request') return
    if (running >= RUNNING_AT_ONCE)
      return socket.send(
        refused(frame, new Refusal('RATE_LIMITED', 'Too many requests of this number run at once', true)),
      )
    running += 1
    void answer(socket, session, traces, frame).finally(() => {
      running -= 1
    })
  })
}

function gatewaySocket(ws: WebSocket): GatewaySocket {
  let isMute = false
  return {
    send(message, sent) {
      if (!isMute && ws.readyState === ws.OPEN) ws.send(JSON.stringify(message), () => sent?.())
      else sent?.()
    },
    get bufferedBytes() {
      return ws.bufferedAmount
    },
    replace: () => ws.close(CLOSE_REPLACED, 'replaced'),
    mute() {
      isMute = true
      return () => ws.close(CLOSE_GOING_AWAY, 'the number moves to another engine')
    },
  }
}

async function answer(socket: GatewaySocket, session: NumberSession, traces: Traces, request: Request): Promise<void> {
  const span = traces.begin('engine.command', toTrace(request.fields['traceparent']), { command: known(request.op) })
  try {
    const { result, after } = await perform(session, request)
    span?.end()
    socket.send({ re: request.id, ok: true, result } satisfies BridgeAnswer)
    await after?.()
  } catch (error) {
    span?.end({ code: error instanceof Refusal ? error.error.code : 'FAILED' })
    if (!(error instanceof Refusal))
      session.log.error({ op: known(request.op), ...errorFields(error) }, 'an operation failed')
    socket.send(refused(request, error instanceof Refusal ? error : new Refusal('FAILED', 'The engine failed', true)))
  }
}

function refused(request: Request, { error }: Refusal): BridgeAnswer {
  return { re: request.id, ok: false, error }
}

async function perform(session: NumberSession, { op, fields }: Request): Promise<Performed> {
  switch (op) {
    case 'session.start': {
      const request = readStart(fields)
      return { result: STARTED, after: () => session.start(request) }
    }
    case 'session.pairing_code':
      return { result: {}, after: () => session.showPairingCode() }
    case 'session.logout':
      return { result: {}, after: () => session.logout() }
    case 'settings.set':
      await session.applySettings(readSettings(fields))
      return { result: {} }
    default: {
      const operation = Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op] : undefined
      if (!operation) throw new Refusal('UNSUPPORTED', 'This engine does not know the operation')
      return { result: await operation(session, fields) }
    }
  }
}

/** The name of an op in a log. An unknown one is text of the other side, so it is not logged. */
function known(op: string): string {
  return Object.hasOwn(OPERATIONS, op) || op.startsWith('session.') ? op : 'unknown'
}
