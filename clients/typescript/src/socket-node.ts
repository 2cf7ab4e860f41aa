import { WebSocket } from 'ws'
import type { Socket, SocketEvents } from './realtime.ts'

/** Opens a socket in Node. Rejects with the answer of a refused handshake. */
export function openSocket(url: string, events: SocketEvents): Promise<Socket> {
  const socket = new WebSocket(url)
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) events.onBinary(new Uint8Array(data.buffer, data.byteOffset, data.length))
    else events.onText(data.toString('utf8'))
  })
  socket.on('close', (code, reason) => events.onClose({ code, reason: reason.toString('utf8') }))
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.once('open', () =>
      resolve({
        send: (data) => socket.send(data),
        close: (code) => socket.close(code),
        pause: () => socket.pause(),
        resume: () => socket.resume(),
      }),
    )
  })
}
