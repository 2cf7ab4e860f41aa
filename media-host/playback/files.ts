import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BoundedMemory } from '../../src/domain/bounded-memory.ts'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { Outcome } from '../../src/domain/errors.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import type { GuardedFetch } from '../../src/net/guarded-fetch.ts'
import type { FileDecoder } from './decode.ts'
import type { Playable, PlayableSource } from './playable.ts'
import { createPlaybackCache } from './cache.ts'
import type { CachedFile } from './cache.ts'
import { Load } from './load.ts'
import type { LoadResult } from './load.ts'

export interface PlayableSourceOptions {
  readonly guardedFetch: GuardedFetch
  /** Owned by the caller, who closes it after this source. */
  readonly decoder: FileDecoder
  /** An existing directory. Files are kept in a private directory below it while they are needed. */
  readonly tempDir: string
  readonly clock: Clock
  readonly log: Log
  /** Most bytes of decoded files. Default 64 MB: about 8 files of ten minutes (our choice). */
  readonly cacheBytes?: number
  /** Most files on their way at a time. Default 64: at most 1.6 GB of disk (our choice). */
  readonly maxLoads?: number
  /** Most ms that a slow host holds up the caller. Default 6 s, less than MEDIA_REQUEST_MS (our choice). */
  readonly openWaitMs?: number
}

export interface PlayableStats {
  /** Requests begun, conditional ones included. */
  readonly requested: number
  /** Files that were decoded completely. */
  readonly decoded: number
  /** Opens answered from the cache. */
  readonly reused: number
  /** Opens that joined a load under way. */
  readonly joined: number
  readonly failed: number
  readonly loading: number
  readonly cacheBytes: number
}

const CACHE_BYTES = 64_000_000
const MAX_LOADS = 64
const OPEN_WAIT_MS = 6_000
/**
 * Our choice: a file without ETag or Last-Modified is used again only for this long, which covers one prompt played
 * into many calls at once.
 */
const UNVALIDATED_MS = 5_000
/**
 * Our choice: a directory untouched for this long belongs to a process that was killed. Should that process live after
 * all, its loads make their directories again.
 */
const ABANDONED_MS = 3_600_000
const DIRECTORY_PREFIX = 'playback-'

/** Makes the source of playables; creates its private directory at once. */
export function createPlayableSource(options: PlayableSourceOptions): PlayableSource & { stats(): PlayableStats } {
  return new FileSource(options)
}

class FileSource implements PlayableSource {
  readonly #options: PlayableSourceOptions
  readonly #directory: string
  readonly #cache: BoundedMemory<CachedFile>
  readonly #loads = new Map<string, Load>()
  #counts = { requested: 0, decoded: 0, reused: 0, joined: 0, failed: 0 }
  #closing: Promise<void> | null = null

  constructor(options: PlayableSourceOptions) {
    this.#options = options
    this.#directory = mkdtempSync(join(options.tempDir, DIRECTORY_PREFIX))
    this.#cache = createPlaybackCache(options.cacheBytes ?? CACHE_BYTES)
    void sweep(options.tempDir, options.clock.now()).catch(() =>
      options.log.warn({}, 'files for playing that an earlier run left behind were not removed'),
    )
  }

  prepare(): void {
    if (!this.#closing) this.#options.decoder.warm()
  }

  async open(mediaUrl: string): Promise<Outcome<Playable>> {
    if (this.#closing) return fail(refuse('MEDIA_UNAVAILABLE', 'The media host is shutting down. Try again.'))
    const key = mediaUrl.split('#', 1)[0] ?? mediaUrl
    const known = this.#cache.use(key)
    if (known && this.#isFresh(known)) return succeed(this.#reuse(known))
    const running = this.#loads.get(key)
    if (running && !running.isAborted) {
      this.#counts.joined++
      return this.#admit(running)
    }
    if (this.#loads.size >= (this.#options.maxLoads ?? MAX_LOADS))
      return fail(
        refuse('MEDIA_CAPACITY', 'Too many files are being downloaded. Try again in a few seconds.', undefined, 5),
      )
    return this.#admit(this.#start(key, known))
  }

  stats(): PlayableStats {
    return { ...this.#counts, loading: this.#loads.size, cacheBytes: this.#cache.bytes }
  }

  close(): Promise<void> {
    this.#closing ??= this.#stop()
    return this.#closing
  }

  /**
   * Waits for the first bytes for a bounded time: a slow file host delays the start, not the answer ([calls.play.9]).
   */
  async #admit(load: Load): Promise<Outcome<Playable>> {
    const playable = load.join()
    const patience = Promise.withResolvers<Outcome<null>>()
    const timer = this.#options.clock.after(this.#options.openWaitMs ?? OPEN_WAIT_MS, () =>
      patience.resolve(succeed(null)),
    )
    const accepted = await Promise.race([load.accepted, patience.promise])
    timer.cancel()
    if (accepted.ok) return succeed(playable)
    playable.release()
    return accepted
  }

  #start(key: string, known: CachedFile | null): Load {
    const { guardedFetch, decoder, clock } = this.#options
    const startedMs = clock.monotonicMs()
    // Without a validator a request cannot ask whether the file changed, so the cached version is not used.
    const usable = known && (known.etag !== '' || known.lastModified !== '') ? known : null
    const load = new Load({ url: key, known: usable, guardedFetch, decoder, tempDir: this.#directory })
    this.#counts.requested++
    this.#loads.set(key, load)
    void load.finished.then((result) => this.#settle(key, load, result, clock.monotonicMs() - startedMs))
    return load
  }

  #settle(key: string, load: Load, result: LoadResult, tookMs: number): void {
    if (this.#loads.get(key) === load) this.#loads.delete(key)
    const fields = { urlHash: createHash('sha256').update(key).digest('hex').slice(0, 12), tookMs: Math.round(tookMs) }
    if (result.kind === 'unchanged') {
      this.#counts.reused++
    } else if (result.kind === 'failed') {
      this.#counts.failed++
      this.#options.log.info({ ...fields, code: result.refusal.code }, 'file for playing failed')
    } else {
      this.#counts.decoded++
      this.#options.log.debug({ ...fields, packets: load.packets.length }, 'file for playing decoded')
      if (result.cacheable)
        this.#cache.set(key, {
          ...result.cacheable,
          packets: load.packets,
          storedAtMs: this.#options.clock.monotonicMs(),
        })
    }
  }

  #isFresh(file: CachedFile): boolean {
    return (
      file.etag === ''
      && file.lastModified === ''
      && this.#options.clock.monotonicMs() - file.storedAtMs <= UNVALIDATED_MS
    )
  }

  #reuse({ packets }: CachedFile): Playable {
    this.#counts.reused++
    return { packets, state: 'complete', error: null, release: () => {} }
  }

  async #stop(): Promise<void> {
    const loads = [...this.#loads.values()]
    for (const load of loads) load.abort()
    await Promise.all(loads.map((load) => load.finished))
    await rm(this.#directory, { recursive: true, force: true })
  }
}

/** Removes the directories of killed processes. */
async function sweep(tempDir: string, nowMs: number): Promise<void> {
  for (const name of await readdir(tempDir)) {
    const path = join(tempDir, name)
    if (name.startsWith(DIRECTORY_PREFIX) && nowMs - (await stat(path)).mtimeMs > ABANDONED_MS)
      await rm(path, { recursive: true, force: true })
  }
}
