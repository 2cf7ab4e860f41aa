import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../protocol/refusal.ts'
import { checked } from './checked.ts'
import { MAX_FILE_BYTES } from './limits.ts'
import { AnswerFault, get } from './request.ts'

export interface FetchedFile {
  readonly path: string
  remove(): Promise<void>
}

/**
 * Fetches a file that the gateway prepared into `directory`. Throws a Refusal FAILED, which is retryable unless the
 * address answers that it has no such file.
 */
export async function fetchOutgoing(url: string, directory: string, signal: AbortSignal): Promise<FetchedFile> {
  const address = URL.canParse(url) ? new URL(url) : null
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:')
    throw new Refusal('INVALID', 'media.url: is no address')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, randomUUID())
  const remove = (): Promise<void> => rm(path, { force: true })
  try {
    const body = await get({ url: address, signal })
    if (Number(body.headers['content-length'] ?? 0) > MAX_FILE_BYTES) throw tooLarge()
    await pipeline(body, checked({ sha256: null, maxBytes: MAX_FILE_BYTES }), createWriteStream(path, { mode: 0o600 }))
    return { path, remove }
  } catch (error) {
    await remove()
    throw refusalOf(error)
  }
}

function tooLarge(): Refusal {
  return new Refusal('INVALID', `media: is larger than ${MAX_FILE_BYTES} bytes`)
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof Error && error.message === 'the file is too large') return tooLarge()
  const isFinal = error instanceof AnswerFault && error.status >= 400 && error.status < 500
  return new Refusal(
    'FAILED',
    error instanceof AnswerFault ? `media: the address answered ${error.status}` : 'media: could not be fetched',
    !isFinal,
  )
}
