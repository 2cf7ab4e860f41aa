import type { Outcome } from '../domain/errors.ts'
import type { CallId, FileId, NumberId, TenantId } from '../domain/ids.ts'
import type { PlacedFile } from './file-place.ts'
import type { RecordingFacts } from './media-control.ts'

/** A recording as a media host has it, to be fetched. */
export interface HeldRecording extends RecordingFacts {
  /** Its bytes, in order. Throws when the host goes away. */
  bytes(): AsyncIterable<Uint8Array>
  /** Deletes it there. Never rejects: what cannot be deleted now is by the host itself, two days later. */
  drop(): Promise<void>
}

/** The recordings on the media hosts. */
export interface RecordingSource {
  /**
   * Looks for a recording on every host in step. Refusals: RECORDING_RUNNING; RECORDING_NOT_FOUND, MEDIA_UNAVAILABLE
   * (none of them has it, or could be asked).
   */
  find(callId: CallId): Promise<Outcome<HeldRecording>>
  /**
   * Deletes what hosts have of calls that are over and that `wanted`, asked for those of each host, leaves out. Rejects
   * when it does.
   */
  sweep(wanted: (calls: readonly CallId[]) => Promise<ReadonlySet<CallId>>): Promise<void>
  /** Deletes a recording wherever it is. Never rejects. */
  drop(callId: CallId): Promise<void>
}

/** Whose recording a file is. */
export interface RecordingOf {
  readonly callId: CallId
  readonly tenantId: TenantId
  readonly numberId: NumberId
}

/** Recordings on the shelf of files. */
export interface RecordingFiles {
  /**
   * Keeps a recording, durably; null when the number is gone. Throws StoreAway when the disk is full, and what `bytes`
   * throws.
   */
  keep(of: RecordingOf, bytes: AsyncIterable<Uint8Array>): Promise<FileId | null>
  /** Where its bytes are on this node; null when they are gone. Throws StoreAway. */
  open(fileId: FileId): Promise<{ readonly path: string } | null>
  /** Finds it without its bytes; null when it is gone. Throws StoreAway. */
  locate(fileId: FileId): Promise<PlacedFile | null>
  /** Deletes it. Idempotent. */
  release(fileId: FileId): Promise<void>
}
