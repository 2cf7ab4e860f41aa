import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { ByteStore } from './byte-store.ts'

const PATH = /^\/media\/([\w-]+)(?:\?.*)?$/
/** our choice: most files whose types are remembered, far more than their bytes allow. */
const MAX_MEDIA = 10_000

/** Files that peers send, served under `/media` on the sandbox's own address, as a device network would. */
export class ServedMedia {
  readonly #bytes = new ByteStore()
  readonly #types = new Map<string, string>()

  /** Keeps the bytes and answers their path. */
  add(bytes: Buffer, mimeType: string): string {
    const id = randomBytes(16).toString('base64url')
    this.#bytes.keep(id, bytes)
    this.#types.set(id, mimeType)
    for (const oldest of this.#types.keys()) {
      if (this.#types.size <= MAX_MEDIA) break
      this.#types.delete(oldest)
    }
    return `/media/${id}`
  }

  /** Answers a request whose path begins with `/media`: 404 for a file that is gone. */
  answer(path: string, response: ServerResponse): void {
    const [, id = ''] = PATH.exec(path) ?? []
    const bytes = this.#bytes.get(id)
    if (!bytes) return void response.writeHead(404, { 'content-length': 0 }).end()
    response.writeHead(200, {
      'content-type': this.#types.get(id) ?? 'application/octet-stream',
      'content-length': bytes.length,
    })
    response.end(bytes)
  }

  clear(): void {
    this.#bytes.clear()
    this.#types.clear()
  }
}
