import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { RecordingSink } from './call-recorder.ts'

/** Our choice: a disk that is this many bytes behind, over 5 minutes of a call, is as good as full. */
const MAX_WAITING_BYTES = 2_097_152

/** A file that grows by whole pages, and ends with one whatever happens. */
export class FileSink implements RecordingSink {
  readonly #path: string
  readonly #onLost: (error: unknown) => void
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #writtenBytes = 0
  #handle: FileHandle | null = null
  #writing: Promise<void> | null = null
  #isWhole = true

  /** `onLost` is called once, when the disk takes no more. */
  constructor(path: string, onLost: (error: unknown) => void) {
    this.#path = path
    this.#onLost = onLost
  }

  get isWhole(): boolean {
    return this.#isWhole
  }

  write(bytes: Uint8Array): void {
    if (!this.#isWhole) return
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes > MAX_WAITING_BYTES) return this.#lose(new Error('the disk is too slow'))
    this.#writing ??= this.#writeAll()
  }

  /** Resolves once all is written, or lost, and the file is closed. Never rejects. */
  async close(): Promise<void> {
    await this.#writing
    const handle = this.#handle
    this.#handle = null
    await handle?.close().catch(() => {})
  }

  async #writeAll(): Promise<void> {
    try {
      this.#handle ??= await open(this.#path, 'wx', 0o600)
      while (this.#waiting.length > 0) {
        const bytes = Buffer.concat(this.#waiting)
        this.#waiting = []
        this.#waitingBytes = 0
        await writeWhole(this.#handle, bytes, this.#writtenBytes)
        this.#writtenBytes += bytes.length
      }
    } catch (error) {
      this.#lose(error)
      // A page that was written in part is taken back.
      await this.#handle?.truncate(this.#writtenBytes).catch(() => {})
    }
    this.#writing = null
  }

  #lose(error: unknown): void {
    if (!this.#isWhole) return
    this.#isWhole = false
    this.#waiting = []
    this.#waitingBytes = 0
    this.#onLost(error)
  }
}

async function writeWhole(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done)
    done += bytesWritten
  }
}
