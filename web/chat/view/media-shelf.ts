import type { Requests } from '../api/requests.ts'

/** Our choice: this many media files stay in memory; those that are not drawn are released first. */
const MOST = 60

interface Kept {
  readonly url: Promise<string>
  users: number
}

/** Media files that were read, as object URLs of this page, because an `img` element cannot send the token. */
export class MediaShelf {
  readonly #requests: Requests
  readonly #kept = new Map<string, Kept>()

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /**
   * The object URL of a message's media, or of the picture of one of its cards. Rejects with RequestFailure. Call
   * `release` when it is no longer drawn.
   */
  take(messageId: string, card: number | null): Promise<string> {
    const key = keyOf(messageId, card)
    const known = this.#kept.get(key)
    if (known) {
      known.users++
      return known.url
    }
    const url = this.#requests.media(messageId, card).then((bytes) => URL.createObjectURL(bytes))
    url.catch(() => this.#kept.delete(key))
    this.#kept.set(key, { url, users: 1 })
    return url
  }

  release(messageId: string, card: number | null): void {
    const known = this.#kept.get(keyOf(messageId, card))
    if (known) known.users--
    for (const [id, kept] of this.#kept) {
      if (this.#kept.size <= MOST) return
      if (kept.users > 0) continue
      this.#kept.delete(id)
      void kept.url.then(
        (url) => URL.revokeObjectURL(url),
        () => {},
      )
    }
  }
}

function keyOf(messageId: string, card: number | null): string {
  return card === null ? messageId : `${messageId} ${card}`
}
