import type { Socket, SocketEvents } from './realtime.ts'

/** Opens a socket in a browser. Rejects where it was never open: a browser hides why. */
export function openSocket(url: string, events: SocketEvents): Promise<Socket> {
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data === 'string') events.onText(data)
    else events.onBinary(new Uint8Array(data))
  })
  socket.addEventListener('close', ({ code, reason }) => events.onClose({ code, reason }))
  return new Promise((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('the session was refused, or the host cannot be reached')))
    socket.addEventListener('open', () =>
      resolve({ send: (data) => socket.send(data as Uint8Array<ArrayBuffer>), close: (code) => socket.close(code) }),
    )
  })
}
