import { BoundedMemory } from '../../../domain/bounded-memory.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import type { SendableMedia, SendResult } from '../../../ports/provider.ts'
import type { Graph } from '../client/graph.ts'
import { textIn } from '../values/loose.ts'
import { plainFailure } from '../errors/message-errors.ts'
import { sendResultOf } from './send-result.ts'
import { uploadType } from './upload-type.ts'

export type Upload =
  /** `isKept` is true for an earlier upload, which upstream may have lost. */
  | { readonly ok: true; readonly mediaId: string; readonly isKept: boolean }
  /** Failed: nothing of the message was sent. */
  | { readonly ok: false; readonly result: Exclude<SendResult, { kind: 'sent' | 'unknown' }> }

/** Our choice: most uploads that a driver remembers, and for how long, ms. Upstream keeps them for 30 days. */
const KEPT_UPLOADS = 1_000
const KEPT_MS = 24 * 3_600_000

/** Uploads files for the phones that send them, each file once, because a campaign sends one file many times. */
export class MediaUploads {
  readonly #graph: Graph
  /** Uploads done and under way, so that messages that come together share one. */
  readonly #kept: BoundedMemory<Promise<Upload>>

  constructor(graph: Graph, clock: Clock) {
    this.#graph = graph
    this.#kept = new BoundedMemory({ most: KEPT_UPLOADS }, { ms: KEPT_MS, clock })
  }

  /** Answers upstream's id of the file for this phone. A failed upload is forgotten, so the next try uploads again. */
  async idOf(credentials: OfficialCredentials, media: SendableMedia): Promise<Upload> {
    const key = keyOf(credentials, media)
    const known = this.#kept.get(key)
    if (known) {
      const earlier = await known
      return earlier.ok ? { ...earlier, isKept: true } : earlier
    }
    const kept = this.#upload(credentials, media)
    this.#kept.set(key, kept)
    const upload = await kept
    if (!upload.ok && this.#kept.get(key) === kept) this.#kept.delete(key)
    return upload
  }

  /**
   * Forgets `mediaId`, which upstream may have lost, unless a newer upload replaced it: the file is then uploaded anew.
   */
  async forget(credentials: OfficialCredentials, media: SendableMedia, mediaId: string): Promise<void> {
    const key = keyOf(credentials, media)
    const kept = this.#kept.get(key)
    const upload = await kept
    if (upload?.ok && upload.mediaId === mediaId && this.#kept.get(key) === kept) this.#kept.delete(key)
  }

  /** Tried once: the sender of the message tries again. */
  async #upload(credentials: OfficialCredentials, { path, mimeType: type, fileName }: SendableMedia): Promise<Upload> {
    // A type that upstream does not accept is sent all the same, so that it refuses in its own words.
    const mimeType = uploadType(type) ?? type
    const answer = await this.#graph.ask(credentials, {
      op: 'media.upload',
      method: 'POST',
      path: [credentials.phoneId, 'media'],
      isRepeatable: false,
      lane: 'media',
      form: [
        { name: 'messaging_product', value: 'whatsapp' },
        { name: 'type', value: mimeType },
        { name: 'file', path, mimeType, fileName },
      ],
    })
    if (answer.ok) {
      const mediaId = textIn(answer.body, 'id')
      if (mediaId !== null) return { ok: true, mediaId, isKept: false }
      return {
        ok: false,
        result: {
          kind: 'unsent',
          failure: plainFailure('OFFICIAL_MEDIA_UPLOAD_ERROR', 'The official platform gave no id for the file.'),
        },
      }
    }
    const result = sendResultOf(answer.failure)
    switch (result.kind) {
      case 'throttled':
        return { ok: false, result }
      case 'refused':
        return { ok: false, result: { ...result, failure: { ...result.failure, code: 'OFFICIAL_MEDIA_UPLOAD_ERROR' } } }
      // Whatever happened to the file, the message has not left.
      default:
        return { ok: false, result: { ...result, kind: 'unsent' } }
    }
  }
}

function keyOf({ phoneId }: OfficialCredentials, { path, mimeType, sizeBytes }: SendableMedia): string {
  return JSON.stringify([phoneId, path, mimeType, sizeBytes])
}
