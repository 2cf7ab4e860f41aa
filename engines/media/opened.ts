import { Demuxer, Muxer } from 'node-av'
import type { MediaFormat } from './protocol/converting.ts'

/** Opens native objects that are closed together, in reverse order. */
export class Opened {
  readonly #parts: (() => void)[] = []

  file(path: string, format: MediaFormat): Demuxer {
    const file = Demuxer.openSync(path, { format, options: { protocol_whitelist: 'file' } })
    this.#parts.unshift(() => file.closeSync())
    return file
  }

  muxer(path: string, format: 'ogg' | 'mp4'): Muxer {
    const muxer = Muxer.openSync(path, {
      format,
      useSyncQueue: false,
      ...(format === 'mp4' ? { options: { movflags: '+faststart' } } : {}),
    })
    this.#parts.unshift(() => muxer.closeSync())
    return muxer
  }

  own<T extends { close(): void }>(part: T): T {
    this.#parts.unshift(() => part.close())
    return part
  }

  close(): void {
    for (const close of this.#parts.splice(0)) close()
  }
}

/** Runs `use`, and closes everything it opened, also when it throws. */
export async function withOpened<T>(use: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = new Opened()
  try {
    return await use(opened)
  } finally {
    opened.close()
  }
}
