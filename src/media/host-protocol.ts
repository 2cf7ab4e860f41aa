/** Reads what a media host sends (ports/media-control.ts), and checks all of it. */
import { z } from 'zod'
import { PLAYBACK_STATUSES } from '../domain/call.ts'
import { REFUSALS, fail, refuse, succeed } from '../domain/errors.ts'
import type { Refusal, RefusalCode } from '../domain/errors.ts'
import type { CallId, PlaybackId, RealtimeSessionId } from '../domain/ids.ts'
import { DIALECTS, SESSION_DIRECTIONS, SESSION_MODES, SESSION_STATUSES } from '../domain/realtime-session.ts'
import { RECORDING_CUTS } from '../domain/recording.ts'
import type { JsonFrame } from '../net/json-socket.ts'
import type { MediaLoad, MediaOp, MediaOpOutcome, MediaOps } from '../ports/media-control.ts'
import type { MediaEvent } from '../ports/media.ts'

/** The request was sent, and the host did not answer in time: it may hold the leg. */
export const NO_ANSWER: Refusal = refuse('MEDIA_UNAVAILABLE', 'The media host did not answer in time. Try again.')
/** The link broke under the request. */
export const LINK_LOST: Refusal = refuse('MEDIA_UNAVAILABLE', 'The connection to the media host broke. Try again.')
/** No host can be reached. */
export const NO_HOST: Refusal = refuse('MEDIA_UNAVAILABLE', 'No media host can be reached. Try again shortly.')
/** Hosts are there, and none takes a new call. */
export const ALL_ENDING: Refusal = refuse(
  'MEDIA_CAPACITY',
  'Every media host is shutting down. Try again shortly.',
  undefined,
  5,
)
/** The call has no place on any host. */
export const NO_LEG: Refusal = refuse('MEDIA_UNAVAILABLE', 'The call has no audio any more.')
const BAD_ANSWER: Refusal = refuse('MEDIA_UNAVAILABLE', 'The media host gave an answer that cannot be read.')

const callId = z.custom<CallId>((value) => typeof value === 'string' && value.startsWith('call_'))
const playbackId = z.custom<PlaybackId>((value) => typeof value === 'string' && value.startsWith('play_'))
const sessionId = z.custom<RealtimeSessionId>((value) => typeof value === 'string' && value.startsWith('rts_'))
const refusalCode = z.custom<RefusalCode>((value) => typeof value === 'string' && Object.hasOwn(REFUSALS, value))
const nothing = z.unknown().transform(() => null)
const sdp = z.object({ sdp: z.string().min(1) })

const VALUES: { readonly [O in MediaOp]: z.ZodType<MediaOps[O]['value']> } = {
  sync: z.object({ hostId: z.string().min(1), publicUrl: z.string().optional(), calls: z.array(callId) }),
  announce: nothing,
  offer: sdp,
  answer: sdp,
  connect: nothing,
  update: nothing,
  status: nothing,
  mint: z.object({ wsUrl: z.string().min(1), token: z.string().min(1), expiresAtMs: z.number() }),
  revoke: nothing,
  dial: nothing,
  giveBack: nothing,
  play: nothing,
  close: nothing,
  adopt: z.object({ hasLeg: z.boolean(), isRecorded: z.boolean().optional() }),
  leave: nothing,
  recording: z.object({
    sizeBytes: z.int().positive(),
    durationMs: z.number().nonnegative(),
    cutShort: z.enum(RECORDING_CUTS).nullable(),
  }),
  recordingPart: z.object({ bytes: z.base64() }),
  recordings: z.object({ calls: z.array(callId) }),
  dropRecording: nothing,
}

const REFUSED = z.object({
  ok: z.literal(false),
  error: z.object({
    code: refusalCode,
    message: z.string(),
    details: z.unknown().optional(),
    retryAfterSeconds: z.number().optional(),
  }),
})

/** Reads an answer to `op`. */
export function readAnswer<O extends MediaOp>(op: O, frame: JsonFrame): MediaOpOutcome<O> {
  if (frame['ok'] === true) {
    const value = VALUES[op].safeParse(frame['value'])
    return value.success ? succeed(value.data) : fail(BAD_ANSWER)
  }
  const refused = REFUSED.safeParse(frame)
  if (!refused.success) return fail(BAD_ANSWER)
  const { code, message, details, retryAfterSeconds } = refused.data.error
  return fail(refuse(code, message, details, retryAfterSeconds))
}

const EVENT = z.discriminatedUnion('type', [
  z.object({ type: z.literal('flowing'), callId }),
  z.object({
    type: z.literal('playback'),
    callId,
    playbackId,
    mediaUrl: z.string(),
    hangupAfterPlay: z.boolean(),
    status: z.enum(PLAYBACK_STATUSES),
    error: z.string().optional(),
  }),
  z.object({
    type: z.literal('session'),
    callId,
    session: z.object({
      id: sessionId,
      direction: z.enum(SESSION_DIRECTIONS),
      mode: z.enum(SESSION_MODES),
      dialect: z.enum(DIALECTS),
      status: z.enum(SESSION_STATUSES),
      openedAtMs: z.number().nullable(),
      closedAtMs: z.number().nullable(),
      closeCode: z.number().nullable(),
      error: z.string().nullable(),
    }),
  }),
  z.object({ type: z.literal('hangup'), callId, reason: z.string().nullable().default(null) }),
  z.object({ type: z.literal('accept'), callId }),
  z.object({ type: z.literal('lost'), callId, reason: z.string() }),
])

/** Reads an event; null when this version does not know it. */
export function readMediaEvent(value: unknown): MediaEvent | null {
  const event = EVENT.safeParse(value)
  if (!event.success) return null
  if (event.data.type !== 'playback') return event.data
  const { error, ...playback } = event.data
  return error === undefined ? playback : { ...playback, error }
}

const LOAD = z.object({ tickLateP99Ms: z.number().nonnegative(), draining: z.boolean() })

/** Reads what a host says of itself; null when it cannot be read. */
export function readLoad(value: unknown): MediaLoad | null {
  return LOAD.safeParse(value).data ?? null
}
