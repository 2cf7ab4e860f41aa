import type { IncomingMessage } from 'node:http'

/** Reads the body of a request. `tooLarge` makes the error for a body of more than `most` bytes. */
export async function readBody(request: IncomingMessage, most: number, tooLarge: () => Error): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > most) throw tooLarge()
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}
