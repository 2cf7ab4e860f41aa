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
  /** The version at hand, if it may be used again once the file host confirms it. */
  readonly known: CachedFile | null
  readonly guardedFetch: GuardedFetch
  readonly decoder: FileDecoder
  readonly tempDir: string
}

/** What became of a load once it is over. */
export type LoadResult =
  /** Newly decoded; `cacheable` says with which validators it may be kept, null when it may not. */
  | { readonly kind: 'decoded'; readonly cacheable: Pick<CachedFile, 'etag' | 'lastModified'> | null }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly refusal: Refusal }

/** One file on its way, shared by all who asked for it meanwhile. */
export class Load {
  /** Empty until it is known which version is the current one. */
  packets: readonly Uint8Array[] = []
  state: Playable['state'] = 'loading'
  error: string | null = null
  /** Settles once the first bytes are known to be audio, or with the refusal. */
  readonly accepted: Promise<Outcome<null>>
  /** Settles when nothing more will happen. */
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

  /** True once nobody wants it any more: it must not be joined. */
  get isAborted(): boolean {
    return this.#abort.signal.aborted
  }

  /** Stops what is under way. Without effect on a load that is over. */
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
      // A full disk, in all likelihood. The file host is not to blame, the caller can only try again.
      return {
        kind: 'failed',
        refusal: refuse('MEDIA_DOWNLOAD_FAILED', 'The file could not be stored for playing. Try again later.'),
      }
    } finally {
      for (const written of [path, straightPath]) await rm(written, { force: true }).catch(() => {})
    }
  }
}

/** What one user holds of a load. */
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
  if (reason === 'cancelled') return refuse('MEDIA_DOWNLOAD_FAILED', 'Playing was given up before the file was ready.')
  if (reason === 'wave-chunks' || reason === 'wave-samples') return refuse('MEDIA_UNSUPPORTED', WAVE_FAULTS[reason])
  return refuse('MEDIA_UNSUPPORTED', 'The file could not be decoded. Give an intact MP3, WAV or Ogg Opus file.')
}
