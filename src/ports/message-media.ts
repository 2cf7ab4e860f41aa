import type { FileId, NumberId, TenantId } from '../domain/ids.ts'
import type { MediaKind, MediaSource, MessageFailure } from '../domain/message.ts'
import type { ProviderKind } from '../domain/number.ts'
import type { Refusal } from '../domain/errors.ts'

/** A sound that was listened to. */
export interface Sound {
  readonly durationMs: number
  /** 64 peaks, 0 to 100 (contract 17). */
  readonly waveform: readonly number[]
}

/**
 * A media ready to be sent: fetched, typed by its content, checked against the ceilings, converted where the kind asks
 * for it.
 */
export interface PreparedMedia {
  readonly fileId: FileId
  /** Of the file on this node. */
  readonly path: string
  readonly mimeType: string
  readonly sizeBytes: number
  /** A name with the extension of the type. */
  readonly fileName: string
  /** Where an engine fetches it. */
  readonly url: string
  /** `voice` alone: 64 points, 0 to 100. */
  readonly waveform: readonly number[] | null
  /** `audio` and `voice`. */
  readonly sound: Sound | null
  /** Stickers. */
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
  /** What stands for the data URI from now on, for `keep`; longer than any other text of a message may be. */
  readonly standIn: string
  /** Takes more of the text. Where it answers a promise, more may come once that resolves; it never rejects. */
  take(text: string): Promise<void> | null
  /** The text is whole. Never rejects: what went wrong is told by `keep`. */
  end(): Promise<void>
  /** Removes what was not kept. Idempotent, never rejects. */
  drop(): Promise<void>
}

/** Files of messages. Untrusted bytes are looked at and converted in child processes with limits. Nothing throws. */
export interface MessageFiles {
  /**
   * Checks before queueing, of what can be told at once: the address is http(s) and allowed (MEDIA_URL_FORBIDDEN,
   * VALIDATION), and a video is not sent as document on OFFICIAL (OFFICIAL_VIDEO_AS_DOCUMENT_NOT_SUPPORTED, by the
   * first bytes; a host that does not answer in time passes).
   */
  inspect(order: MediaOrder): Promise<Refusal | null>
  /**
   * Begins to take a data URI that comes in pieces, with the first of them; null when it does not begin like one of
   * base64.
   */
  arrive(beginning: string): ArrivingMedia | null
  /**
   * Takes a whole file of this node in place of a data URI: answers what stands for it, for `keep`, which moves it
   * away. `drop` forgets it. Throws what the disk says.
   */
  adopt(path: string, sizeBytes: number): Promise<{ readonly standIn: string; drop(): void }>
  /**
   * Keeps the bytes of a data URI, or of one that arrived, by its stand-in; durable once it resolves. Refusals:
   * VALIDATION (no data URI), MEDIA_TOO_LARGE. `kind`: what it is to be sent as; sound may come in a container of
   * video. Throws StoreAway.
   */
  keep(
    tenantId: TenantId,
    numberId: NumberId,
    dataUri: string,
    kind?: MediaKind,
  ): Promise<{ readonly ok: true; readonly file: KeptFile } | { readonly ok: false; readonly refusal: Refusal }>
  /**
   * Takes a copy of a kept file in place of a data URI, as `adopt` does; `drop` removes what was not kept. Null when it
   * is gone. Throws StoreAway.
   */
  copy(fileId: string): Promise<{
    readonly standIn: string
    /** As it was kept; null where it has none. */ readonly fileName: string | null
    drop(): Promise<void>
  } | null>
  /** Listens to a kept file; null when it is gone or no sound, or when too many wait already. Never rejects. */
  hear(numberId: NumberId, fileId: string): Promise<Sound | null>
  /** Prepares a media to be sent. The same order again may be answered from what was prepared before. */
  prepare(order: MediaOrder, signal: AbortSignal): Promise<Preparation>
  /**
   * Fetches what a device received and gives it an unguessable address that expires; null when it cannot be had. Throws
   * StoreAway: tried again it may be.
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
  /** A kept file by its id, for the public address; null when unknown or expired. Throws StoreAway. */
  open(fileId: string): Promise<{
    readonly path: string
    readonly mimeType: string
    readonly sizeBytes: number
    readonly fileName: string | null
  } | null>
  /** Lets go of files whose message is settled. */
  release(fileIds: readonly FileId[]): Promise<void>
  /** Deletes what expired. Answers how many. */
  purge(): Promise<number>
}
