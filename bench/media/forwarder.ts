import { App, us_socket_local_port } from 'uWebSockets.js'
import type { WebSocket, us_listen_socket } from 'uWebSockets.js'
import { createWebRtcTransport } from '../../media-host/legs/webrtc.ts'
import type { AgreedTypes, LegTransport } from '../../media-host/legs/transport.ts'
import { silentLog } from '../../test/helpers/silent.ts'

/**
 * The floor of the bench: packets of phones to WebSockets and back as they come, over the transport and the socket
 * library of the media host, without a clock, a jitter buffer, a queue or a protocol.
 */

const HEADER_BYTES = 4
const SLOT_TICKS = 960

interface Call {
  readonly transport: LegTransport
  types: AgreedTypes | null
  socket: WebSocket<{ readonly call: Call }> | null
  sequence: number
}

export type ForwarderRequest =
  | { readonly id: number; readonly op: 'offer' | 'mint'; readonly callId: string }
  | { readonly id: number; readonly op: 'connect'; readonly callId: string; readonly sdpAnswer: string }

const calls = new Map<string, Call>()
const openTransport = createWebRtcTransport({ log: silentLog, iceAddress: '127.0.0.1' })

function callOf(callId: string): Call {
  const known = calls.get(callId)
  if (known) return known
  const call: Call = {
    types: null,
    socket: null,
    sequence: 0,
    transport: openTransport({
      agreed: (types) => void (call.types = types),
      packet: ({ payload, payloadType }) => {
        if (payloadType !== call.types?.opus) return
        const message = new Uint8Array(HEADER_BYTES + payload.length)
        message.set(payload, HEADER_BYTES)
        call.socket?.send(message, true)
      },
      report: () => {},
      lost: () => {},
    }),
  }
  calls.set(callId, call)
  return call
}

function send(call: Call, message: ArrayBuffer): void {
  if (!call.types || !call.transport.isOpen) return
  const sequence = call.sequence++
  call.transport.send({
    payload: new Uint8Array(message, HEADER_BYTES),
    payloadType: call.types.opus,
    sequence: sequence & 0xffff,
    timestamp: (sequence * SLOT_TICKS) >>> 0,
    marker: false,
  })
}

async function run(request: ForwarderRequest, port: number): Promise<unknown> {
  const { transport } = callOf(request.callId)
  if (request.op === 'offer') return { sdp: await transport.offer() }
  if (request.op === 'connect') return transport.connect(request.sdpAnswer)
  return { wsUrl: `ws://127.0.0.1:${port}/${request.callId}?` }
}

App()
  .ws<{ readonly call: Call }>('/:call', {
    upgrade: (res, req, context) => {
      const [key, protocol, extensions] = ['key', 'protocol', 'extensions'].map((name) =>
        req.getHeader(`sec-websocket-${name}`),
      )
      const call = callOf(req.getParameter(0) ?? '')
      res.upgrade({ call }, key ?? '', protocol ?? '', extensions ?? '', context)
    },
    open: (socket) => void (socket.getUserData().call.socket = socket),
    message: (socket, message) => send(socket.getUserData().call, message),
    close: (socket) => void (socket.getUserData().call.socket = null),
  })
  .listen('127.0.0.1', 0, (token: us_listen_socket | false) => {
    const port = token === false ? 0 : us_socket_local_port(token)
    process.on('message', (request: ForwarderRequest) => {
      run(request, port).then(
        (value) => process.send?.({ re: request.id, value }),
        (error: unknown) => process.send?.({ re: request.id, error: String(error) }),
      )
    })
    process.send?.({ re: 0, value: null })
  })
process.once('disconnect', () => process.exit(0))
