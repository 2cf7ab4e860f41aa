import type { FileId, NumberId, TenantId } from '../domain/ids.ts'
import type { MediaKind, MediaSource, MessageFailure } from '../domain/message.ts'
import type { ProviderKind } from '../domain/number.ts'
import type { Refusal } from '../domain/errors.ts'
import type { PlacedFile } from './file-place.ts'

/** What was found by listening to a file. */
export interface Sound {
  readonly durationMs: number
  /** 64 peaks, 0 to 100 ([embeds.inbox-routes.6]). */
  readonly waveform: readonly number[]
}

/**
 * A media ready to be sent: fetched, typed by its content, checked against the ceilings, and converted when the kind of
 * number needs it.
 */
export interface PreparedMedia {
  readonly fileId: FileId
  /** The path of the file on this node. */
  readonly path: string
  readonly mimeType: string
  readonly sizeBytes: number
  /** A name with the extension of the type. */
  readonly fileName: string
  /** The address where an engine fetches it. */
  readonly url: string
  /** 64 points of 0 to 100, for `voice`; null for other kinds. */
  readonly waveform: readonly number[] | null
  /** The sound of `audio` and `voice`; null for other kinds. */
  readonly sound: Sound | null
  /** True for animated stickers. */
  readonly isAnimated: boolean
}

export type Preparation =
  | { readonly ok: true; readonly media: PreparedMedia }
  | {
      readonly ok: false
      readonly failure: MessageFailure
      /** Trying again may help: the host was out of reach. */ readonly isRetryable: boolean
    }

export interface MediaOrder {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly provider: ProviderKind
  readonly kind: MediaKind
  readonly source: MediaSource
  readonly fileName: string | null
}

export interface KeptFile {
  readonly fileId: FileId
  readonly mimeType: string
  readonly sizeBytes: number
}

/** A data URI whose text comes in pieces, so that it is never whole in memory. Its bytes go to a temporary file. */
export interface ArrivingMedia {
  /** The text that replaces the data URI from now on, for `keep`; longer than any other text of a message may be. */
  readonly standIn: string
  /**
   * Takes more of the text. When it gives a promise, the next piece must wait until that resolves; it never rejects.
   */
  take(text: string): Promise<void> | null
  /** Tells that the text is whole. Never rejects: `keep` tells what went wrong. */
  end(): Promise<void>
  /** Removes what was not kept. Idempotent, never rejects. */
  drop(): Promise<void>
}

/** Files of messages. Untrusted bytes are read and converted only in child processes with limits. Nothing throws. */
export interface MessageFiles {
  /**
   * Checks, before queueing, what can be told at once: the address is http(s) and allowed (MEDIA_URL_FORBIDDEN,
   * VALIDATION), and no video is sent as document on OFFICIAL (OFFICIAL_VIDEO_AS_DOCUMENT_NOT_SUPPORTED, by the first
   * bytes; when the host does not answer in time, the video passes).
   */
  inspect(order: MediaOrder): Promise<Refusal | null>
  /**
   * Begins to take a data URI that comes in pieces, with the first of them; null when it does not begin as a data URI
   * in base64.
   */
  arrive(beginning: string): ArrivingMedia | null
  /**
   * Takes a whole file of this node in place of a data URI. Gives the text that replaces it, for `keep`, which moves
   * the file away. `drop` forgets it. Throws the errors of the disk.
   */
  adopt(path: string, sizeBytes: number): Promise<{ readonly standIn: string; drop(): void }>
  /**
   * Keeps the bytes of a data URI, or of one that arrived, by its stand-in; durable once it resolves. Refusals:
   * VALIDATION (no data URI), MEDIA_TOO_LARGE. `kind` is what the file is to be sent as; sound may come in a container
   * for video. Throws StoreAway.
   */
  keep(
    tenantId: TenantId,
    numberId: NumberId,
    dataUri: string,
    kind?: MediaKind,
  ): Promise<{ readonly ok: true; readonly file: KeptFile } | { readonly ok: false; readonly refusal: Refusal }>
  /**
   * Takes a copy of a kept file in place of a data URI, as `adopt` does; `drop` removes what was not kept. Null when
   * the file is gone. Throws StoreAway.
   */
  copy(fileId: string): Promise<{
    readonly standIn: string
    /** The name it was kept under; null when it has none. */ readonly fileName: string | null
    drop(): Promise<void>
  } | null>
  /** Listens to a kept file; null when it is gone or no sound, or when too many wait already. Never rejects. */
  hear(numberId: NumberId, fileId: string): Promise<Sound | null>
  /** Prepares a media to be sent. A repeated order may be answered with what was prepared before. */
  prepare(order: MediaOrder, signal: AbortSignal): Promise<Preparation>
  /**
   * Fetches what a device received and gives it an unguessable address that expires; null when it cannot be fetched.
   * Throws StoreAway: then a later try may succeed.
   */
  rehost(
    tenantId: TenantId,
    numberId: NumberId,
    media: { readonly url: string; readonly mimeType: string; readonly fileName: string | null },
  ): Promise<{
    readonly url: string
    readonly mimeType: string
    readonly fileName: string | null
    readonly sizeBytes?: number
  } | null>
  /** Opens a kept file by its id, for the public address; null when unknown or expired. Throws StoreAway. */
  open(fileId: string): Promise<{
    readonly path: string
    readonly mimeType: string
    readonly sizeBytes: number
    readonly fileName: string | null
  } | null>
  /** Finds a kept file by its id, without its bytes; null when unknown or expired. Throws StoreAway. */
  locate(fileId: string): Promise<
    | (PlacedFile & {
        readonly mimeType: string
        readonly fileName: string | null
      })
    | null
  >
  /** Releases files whose message is settled. */
  release(fileIds: readonly FileId[]): Promise<void>
  /** Deletes expired files. Gives their number. */
  purge(): Promise<number>
}
