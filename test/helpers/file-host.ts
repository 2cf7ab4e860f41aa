import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createDecoder } from 'libopus-wasm'
import type { ExecutionContext } from 'ava'
import { joined } from './audio-signal.ts'
import { PATIENCE_MS } from './until.ts'

export interface FileHost {
  readonly port: number
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  /** The requests so far, in order. */
  readonly requests: IncomingMessage[]
  /** The number of open connections. */
  connections(): number
}

/**
 * Starts a web server on a free loopback port, which closes with the test. Idle connections are kept, because on a busy
 * machine they would be closed just as they are used again.
 */
export async function startFileHost(
  t: ExecutionContext<unknown>,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  address = '127.0.0.1',
): Promise<FileHost> {
  const sockets = new Set<Socket>()
  const requests: IncomingMessage[] = []
  const server = createServer({ keepAliveTimeout: PATIENCE_MS }, (request, response) => {
    requests.push(request)
    response.on('error', () => {})
    answer(request, response)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://${address.includes(':') ? `[${address}]` : address}:${port}`,
    requests,
    connections: () => sockets.size,
  }
}

export interface Tone {
  readonly hz: number
  readonly seconds: number
  readonly rateHz?: number
  readonly channels?: number
}

/** Makes a 16-bit WAV file of a sine. `dataBytes` can state a wrong length of the samples. */
export function waveFile({ hz, seconds, rateHz = 44_100, channels = 1 }: Tone, dataBytes?: number): Buffer {
  const frames = Math.round(seconds * rateHz)
  const file = Buffer.alloc(44 + frames * channels * 2)
  const size = dataBytes ?? frames * channels * 2
  file.write('RIFF', 0)
  file.writeUInt32LE((36 + size) >>> 0, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(channels, 22)
  file.writeUInt32LE(rateHz, 24)
  file.writeUInt32LE(rateHz * channels * 2, 28)
  file.writeUInt16LE(channels * 2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(size, 40)
  for (let at = 0; at < frames; at++) {
    const sample = Math.round(8_000 * Math.sin((2 * Math.PI * hz * at) / rateHz))
    for (let channel = 0; channel < channels; channel++) file.writeInt16LE(sample, 44 + (at * channels + channel) * 2)
  }
  return file
}

/** Decodes 20 ms Opus packets into mono samples at 48 kHz, with a decoder other than the one under test. */
export async function hear(packets: readonly Uint8Array[]): Promise<Int16Array> {
  const decoder = await createDecoder({ channels: 1, sampleRate: 48_000 })
  try {
    return joined(packets.map((packet) => decoder.decode(packet)))
  } finally {
    decoder.free()
  }
}
