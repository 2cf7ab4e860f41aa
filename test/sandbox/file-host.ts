import { once } from 'node:events'
import { createServer } from 'node:http'
import { PATIENCE_MS } from '../helpers/until.ts'

/** A file server on loopback. */
export interface FileHost {
  /** The address at which a file with these bytes and this type can be fetched. */
  readonly url: (bytes: Buffer, mimeType: string) => string
  /** The paths that were requested so far. */
  readonly asked: string[]
  readonly close: () => void
}

export async function openFileHost(): Promise<FileHost> {
  const files = new Map<string, { bytes: Buffer; mimeType: string }>()
  const asked: string[] = []
  const server = createServer({ keepAliveTimeout: PATIENCE_MS }, (request, response) => {
    asked.push(request.url ?? '')
    const file = files.get(request.url ?? '')
    if (!file) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': file.mimeType }).end(file.bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    asked,
    url(bytes, mimeType) {
      const path = `/${files.size}`
      files.set(path, { bytes, mimeType })
      return `http://127.0.0.1:${address.port}${path}`
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The beginning of a WebP file with this size. Readers look only at its header. */
export function webp(
  width: number,
  height: number,
  options: { isAnimated?: boolean; sizeBytes?: number } = {},
): Buffer {
  const bytes = Buffer.alloc(options.sizeBytes ?? 64)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WEBPVP8X', 8, 'latin1')
  bytes.writeUInt32LE(10, 16)
  bytes.writeUInt8(options.isAnimated === true ? 2 : 0, 20)
  bytes.writeUIntLE(width - 1, 24, 3)
  bytes.writeUIntLE(height - 1, 27, 3)
  return bytes
}
