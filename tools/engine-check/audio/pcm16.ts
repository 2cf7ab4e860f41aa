import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { createMediaClock } from '../../../media-host/clock.ts'
import type { AudioParts, CallAudio } from './call-audio.ts'
import { Ear, RATE_HZ, toneFrame } from './tone.ts'

/** [engines.pcm16.3]: a frame has any even length up to this, in bytes. */
const MAX_FRAME_BYTES = 64 * 1024

/** Raw audio over a socket that the engine opens to this check, as it does to a media host ([engines.pcm16.2]). */
export async function openPcm16Audio({ address, clock, log }: AudioParts): Promise<CallAudio> {
  const token = randomBytes(32).toString('base64url')
  const path = `/v1/legs/${randomBytes(8).toString('hex')}`
  const ear = new Ear()
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES })
  const server = createServer((_request, response) => void response.writeHead(404).end())
  const mediaClock = createMediaClock(clock, log)
  server.on('upgrade', (request, socket, head) => {
    if (!isForUs(request, path, token)) return refuse(socket)
    sockets.handleUpgrade(request, socket, head, (leg) => talk(leg, ear, (onSlots) => mediaClock.add(onSlots)))
  })
  server.listen(0, address)
  await once(server, 'listening')
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  return {
    ear,
    offer: {
      kind: 'pcm16',
      url: `ws://${address.includes(':') ? `[${address}]` : address}:${port}${path}`,
      token,
      rateHz: RATE_HZ,
    },
    async connect(answer) {
      if (answer.kind !== 'pcm16') throw new Error(`media of kind ${answer.kind} answers an offer of pcm16`)
    },
    close() {
      mediaClock.close()
      for (const leg of sockets.clients) leg.terminate()
      server.close()
    },
  }
}

function isForUs(request: IncomingMessage, path: string, token: string): boolean {
  const [shown, expected] = [Buffer.from(request.headers.authorization ?? ''), Buffer.from(`Bearer ${token}`)]
  return request.url === path && shown.length === expected.length && timingSafeEqual(shown, expected)
}

function refuse(socket: Duplex): void {
  socket.end('HTTP/1.1 401 Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
}

/** Plays 20 ms in each slot, and listens to what arrives. */
function talk(leg: WebSocket, ear: Ear, onSlots: (slot: (slots: number) => void) => () => void): void {
  let frame = 0
  const stop = onSlots((slots) => {
    for (let passed = 0; passed < slots; passed++)
      if (leg.readyState === leg.OPEN) leg.send(Buffer.from(toneFrame(frame++).buffer))
  })
  leg.on('error', () => leg.terminate())
  leg.on('close', stop)
  leg.on('message', (data, isBinary) => {
    const bytes = Buffer.isBuffer(data) ? data : null
    // Int16Array needs an aligned buffer, so the bytes are copied.
    if (isBinary && bytes && bytes.length % 2 === 0) ear.hear(new Int16Array(Uint8Array.from(bytes).buffer))
  })
}
