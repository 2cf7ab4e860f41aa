import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { Outcome, Refusal } from '../../src/domain/errors.ts'
import { WAVE_FAULTS } from '../../src/domain/media-text.ts'
import type { GuardedFetch } from '../../src/net/guarded-fetch.ts'
import type { DecodeOutcome, FileDecoder } from './decode.ts'
import type { Playable } from './playable.ts'
import type { CachedFile } from './cache.ts'
import { beginDownload, saveDownload } from './download.ts'
import type { Arrival } from './download.ts'

export interface LoadOptions {
  readonly url: string
  /** The cached version, if it may be used again once the file host confirms it; null without one. */
  readonly known: CachedFile | null
  readonly guardedFetch: GuardedFetch
  readonly decoder: FileDecoder
  readonly tempDir: string
}

/** The result of a load. */
export type LoadResult =
  /** Newly decoded. `cacheable` has the validators it may be kept with; null when it may not be kept. */
  | { readonly kind: 'decoded'; readonly cacheable: Pick<CachedFile, 'etag' | 'lastModified'> | null }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly refusal: Refusal }

/** One file on its way, shared by all who ask for it meanwhile. */
export class Load {
  /** Empty until it is known which version is current. */
  packets: readonly Uint8Array[] = []
  state: Playable['state'] = 'loading'
  error: string | null = null
  /** Resolves when the first bytes are known to be audio, or with the refusal. */
  readonly accepted: Promise<Outcome<null>>
  /** Resolves when the load is over. */
  readonly finished: Promise<LoadResult>
  #users = 0
  readonly #abort = new AbortController()
  readonly #options: LoadOptions

  constructor(options: LoadOptions) {
    this.#options = options
    const accepted = Promise.withResolvers<Outcome<null>>()
    this.accepted = accepted.promise
    this.finished = this.#run(accepted.resolve).then((result) => {
      this.state = result.kind === 'failed' ? 'failed' : 'complete'
      this.error = result.kind === 'failed' ? result.refusal.message : null
      return result
    })
  }

  /** Adds a user, who holds the load until its playable is released. */
  join(): Playable {
    this.#users++
    return new Share(this, () => {
      if (--this.#users === 0) this.abort()
    })
  }

  /** True once nobody wants the file any more, so that it must not be joined. */
  get isAborted(): boolean {
    return this.#abort.signal.aborted
  }

  /** Stops the load; does nothing when it is over. */
  abort(): void {
    this.#abort.abort()
  }

  async #run(accept: (outcome: Outcome<null>) => void): Promise<LoadResult> {
    const { guardedFetch, url, known } = this.#options
    const beginning = await beginDownload(guardedFetch, url, known, this.#abort.signal)
    if (beginning.kind === 'refused') {
      accept(fail(beginning.refusal))
      return { kind: 'failed', refusal: beginning.refusal }
    }
    accept(succeed(null))
    if (beginning.kind === 'arriving') return this.#take(beginning.arrival)
    this.packets = known?.packets ?? []
    return { kind: 'unchanged' }
  }

  async #take(arrival: Arrival): Promise<LoadResult> {
    const path = join(this.#options.tempDir, randomUUID())
    const straightPath = `${path}.straight`
    try {
      await mkdir(this.#options.tempDir, { recursive: true, mode: 0o700 })
      const refusal = await saveDownload(arrival, path)
      if (refusal) return { kind: 'failed', refusal }
      const packets: Uint8Array[] = []
      this.packets = packets
      const outcome = await this.#options.decoder.decode({
        path,
        straightPath,
        format: arrival.format,
        signal: this.#abort.signal,
        onPackets: (more) => void packets.push(...more),
      })
      const { etag, lastModified, isPrivate } = arrival
      return outcome.ok
        ? { kind: 'decoded', cacheable: isPrivate ? null : { etag, lastModified } }
        : { kind: 'failed', refusal: refusalOf(outcome.reason) }
    } catch {
      // The disk is probably full. The file host is not to blame, and the caller can only try again.
      return {
        kind: 'failed',
        refusal: refuse('MEDIA_DOWNLOAD_FAILED', 'The file could not be stored for playing. Try again later.'),
      }
    } finally {
      for (const written of [path, straightPath]) await rm(written, { force: true }).catch(() => {})
    }
  }
}

/** One user's part in a load. */
class Share implements Playable {
  readonly #load: Load
  #leave: (() => void) | null

  constructor(load: Load, leave: () => void) {
    this.#load = load
    this.#leave = leave
  }

  get packets(): readonly Uint8Array[] {
    return this.#load.packets
  }

  get state(): Playable['state'] {
    return this.#load.state
  }

  get error(): string | null {
    return this.#load.error
  }

  release(): void {
    this.#leave?.()
    this.#leave = null
  }
}

function refusalOf(reason: Extract<DecodeOutcome, { ok: false }>['reason']): Refusal {
  if (reason === 'too-long') return refuse('MEDIA_TOO_LARGE', 'The file is longer than 10 minutes. Give a shorter one.')
  if (reason === 'cancelled') return refuse('MEDIA_DOWNLOAD_FAILED', 'Playing was stopped before the file was ready.')
  if (reason === 'wave-chunks' || reason === 'wave-samples') return refuse('MEDIA_UNSUPPORTED', WAVE_FAULTS[reason])
  return refuse('MEDIA_UNSUPPORTED', 'The file could not be decoded. Give an intact MP3, WAV or Ogg Opus file.')
}
