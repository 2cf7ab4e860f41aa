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
  /** `isKept`: from an earlier upload, so upstream may have lost it. */
  | { readonly ok: true; readonly mediaId: string; readonly isKept: boolean }
  /** Nothing of the message was sent. */
  | { readonly ok: false; readonly result: Exclude<SendResult, { kind: 'sent' | 'unknown' }> }

/** Our choice: uploads remembered by a driver, and for how long. Upstream keeps them for 30 days. */
const KEPT_UPLOADS = 1_000
const KEPT_MS = 24 * 3_600_000

/** Uploads files to the phones that send them, each file once: a campaign sends one upload many times. */
export class MediaUploads {
  readonly #graph: Graph
  /** Uploads under way are in it, so that messages that come together share one. */
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

  /** Upstream may not know `mediaId` any more: the file is uploaded anew, unless that has been done. */
  async forget(credentials: OfficialCredentials, media: SendableMedia, mediaId: string): Promise<void> {
    const key = keyOf(credentials, media)
    const kept = this.#kept.get(key)
    const upload = await kept
    if (upload?.ok && upload.mediaId === mediaId && this.#kept.get(key) === kept) this.#kept.delete(key)
  }

  /** Tried once: whoever sends the message tries it again. */
  async #upload(credentials: OfficialCredentials, { path, mimeType: type, fileName }: SendableMedia): Promise<Upload> {
    // What upstream does not take it refuses in its own words.
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
      // Whatever became of the file, the message has not left.
      default:
        return { ok: false, result: { ...result, kind: 'unsent' } }
    }
  }
}

function keyOf({ phoneId }: OfficialCredentials, { path, mimeType, sizeBytes }: SendableMedia): string {
  return JSON.stringify([phoneId, path, mimeType, sizeBytes])
}
