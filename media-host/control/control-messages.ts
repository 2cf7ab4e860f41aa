import { z } from 'zod'
import { CALL_STATUSES } from '../../src/domain/call.ts'
import { CALL_MEDIA_KINDS } from '../../src/domain/call-media.ts'
import type { CallId, NumberId, PlaybackId, RealtimeSessionId, TenantId } from '../../src/domain/ids.ts'
import { SESSION_MODES } from '../../src/domain/realtime-session.ts'
import { toTrace } from '../../src/domain/trace.ts'
import type { MediaAck, MediaRequest } from '../../src/ports/media-control.ts'

const callId = z.templateLiteral(['call_', z.string().min(1)]) satisfies z.ZodType<CallId>
const status = z.enum(CALL_STATUSES)
const call = z.object({
  callId,
  tenantId: z.templateLiteral(['ten_', z.string()]) satisfies z.ZodType<TenantId>,
  numberId: z.templateLiteral(['num_', z.string()]) satisfies z.ZodType<NumberId>,
  direction: z.enum(['INBOUND', 'OUTBOUND']),
  peerNumber: z.string(),
  externalCallId: z.string().nullable(),
  status,
  fence: z.number().optional(),
  record: z.boolean().optional(),
  // What is no trace counts as none: a call must not fail by it.
  trace: z
    .unknown()
    .transform((sent) => toTrace(sent) ?? undefined)
    .optional(),
})
const info = { reason: z.string().optional(), durationSeconds: z.number().optional() }
/** The call that a request is about, and the fence of the node that asks. */
const about = { callId, fence: z.number().optional() }
const playbackId = z.templateLiteral(['play_', z.string()]) satisfies z.ZodType<PlaybackId>
const id = z.number()
const texts = z.record(z.string(), z.string())

const request = z.discriminatedUnion('op', [
  z.object({ id, op: z.literal('sync'), calls: z.array(callId) }),
  z.object({ id, op: z.literal('announce'), call }),
  z.object({ id, op: z.literal('offer'), call, kind: z.enum(CALL_MEDIA_KINDS).optional() }),
  z.object({ id, op: z.literal('answer'), call, sdpOffer: z.string() }),
  z.object({ id, op: z.literal('connect'), ...about, sdpAnswer: z.string() }),
  z.object({ id, op: z.literal('update'), ...about, sdp: z.string() }),
  z.object({ id, op: z.literal('status'), ...about, status, ...info, externalCallId: z.string().optional() }),
  z.object({
    id,
    op: z.literal('mint'),
    ...about,
    mode: z.enum(SESSION_MODES),
    by: z.string().optional(),
    takesOver: z.boolean().optional(),
  }),
  z.object({ id, op: z.literal('giveBack'), ...about }),
  z.object({
    id,
    op: z.literal('dial'),
    ...about,
    sessionId: z.templateLiteral(['rts_', z.string().min(1)]) satisfies z.ZodType<RealtimeSessionId>,
    mode: z.enum(SESSION_MODES),
    url: z.string(),
    headers: texts,
    query: texts,
    given: texts,
    sparesRinging: z.boolean().optional(),
  }),
  z.object({ id, op: z.literal('revoke'), by: z.string() }),
  z.object({ id, op: z.literal('play'), ...about, playbackId, mediaUrl: z.string(), hangupAfterPlay: z.boolean() }),
  z.object({ id, op: z.literal('close'), ...about, status, ...info }),
  z.object({ id, op: z.literal('adopt'), callId, fence: z.number() }),
  z.object({ id, op: z.literal('leave'), ...about }),
  z.object({ id, op: z.literal('recording'), callId }),
  z.object({ id, op: z.literal('recordingPart'), callId, offset: z.int().nonnegative() }),
  z.object({ id, op: z.literal('recordings') }),
  z.object({ id, op: z.literal('dropRecording'), callId }),
])
const ack = z.object({ ack: z.number() })

export type ControlRead =
  | { readonly kind: 'request'; readonly request: MediaRequest }
  | { readonly kind: 'ack'; readonly ack: MediaAck['ack'] }
  /** A request that is not valid. `id` is null when it cannot even be answered. */
  | { readonly kind: 'bad'; readonly id: number | null }

/**
 * Reads one text of a gateway (ports/media-control). An unknown op is `bad`, so that a newer gateway gets an answer
 * instead of a closed socket.
 */
export function readControl(text: string): ControlRead {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return { kind: 'bad', id: null }
  }
  const acked = ack.safeParse(parsed)
  if (acked.success) return { kind: 'ack', ack: acked.data.ack }
  const read = request.safeParse(parsed)
  // Optional fields come from JSON, which has no undefined.
  if (read.success) return { kind: 'request', request: read.data as MediaRequest }
  const known = z.object({ id }).safeParse(parsed)
  return { kind: 'bad', id: known.success ? known.data.id : null }
}
