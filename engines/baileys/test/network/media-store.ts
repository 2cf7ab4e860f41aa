/** Encrypted media by path, as the media host serves them. Nothing here can read it: keys travel in messages. */
import { randomBytes } from 'node:crypto'
import { sha256 } from 'baileys'

export type StoredMedia = { url: string; directPath: string }

export type MediaStore = {
  /** Keeps encrypted bytes under a new path. */
  put(bytes: Buffer): StoredMedia
  get(path: string): Buffer | undefined
  /** Forgets a path, as the network does after some weeks: downloads answer 410 from then on. */
  expire(path: string): void
  wasThere(path: string): boolean
}

/** Makes an empty store; `origin` gives the media host's address once it listens. */
export function openMediaStore(origin: () => string): MediaStore {
  const media = new Map<string, Buffer>()
  const expired = new Set<string>()
  return {
    put: (bytes) => {
      const directPath = `/v/t62/${randomBytes(8).toString('hex')}-${sha256(bytes).toString('hex').slice(0, 16)}.enc`
      media.set(directPath, bytes)
      return { url: `${origin()}${directPath}`, directPath }
    },
    get: (path) => media.get(path),
    expire: (path) => {
      if (media.delete(path)) expired.add(path)
    },
    wasThere: (path) => expired.has(path),
  }
}
