import type { NewEvent } from '../../domain/events.ts'
import type { CallId, FileId, NumberId, TenantId } from '../../domain/ids.ts'
import type { PiiMode } from '../../domain/number.ts'
import type { RecordingState } from '../../domain/recording.ts'

/** A recording that something is to be done about: one of an ended call, or one that was deleted before it came. */
export interface DueRecording {
  readonly callId: CallId
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly recording: RecordingState
  readonly connectedAt: Date | null
  readonly endedAt: Date
  readonly piiMode: PiiMode
}

/** The file of a whole recording. */
export interface WholeRecording {
  readonly fileId: FileId
  readonly sizeBytes: number
}

/** Recordings of calls. They are due once their call ended. */
export interface RecordingStore {
  /** Takes recordings that are due, the longest first, and makes them due again at `untilMs`. */
  takeDue(limit: number, untilMs: number): Promise<readonly DueRecording[]>
  /** Makes a recording due at `untilMs`, unless nothing is to be done any more. */
  defer(callId: CallId, untilMs: number): Promise<void>
  /** Stores that it is whole, with its event and its usage. False when it was deleted or stored meanwhile. */
  store(callId: CallId, file: WholeRecording, event: NewEvent): Promise<boolean>
  /** Ends what was to be done: a recording that did not come is GONE. */
  settle(callId: CallId): Promise<void>
  /** Tells of which calls a recording is still to come. */
  awaited(calls: readonly CallId[]): Promise<ReadonlySet<CallId>>
  /** The file of a call's recording; null without one. */
  fileOf(numberId: NumberId, callId: CallId): Promise<FileId | null>
  /**
   * Deletes a recording, and makes it due if a media host may still have it. Gives its file, null before there is one;
   * `none` when there is no recording.
   */
  remove(numberId: NumberId, callId: CallId): Promise<{ readonly fileId: FileId | null } | 'none'>
}
