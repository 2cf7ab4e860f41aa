import { z } from 'zod'
import { CALL_DIRECTIONS, CALL_STATUSES } from './call.ts'
import type { RealtimeSessionId } from './ids.ts'
import { CLIENT_BOUNDS, FRAME_MS, SESSION_MODES, SESSION_RATES_HZ } from './realtime-session.ts'

const ms = z.number().meta({ description: 'In ms' })
const rateHz = z.literal(SESSION_RATES_HZ).meta({ description: 'Samples a second' })
/** Texts of clients of `pcm16.v1`; those of other platforms may be numbers. */
const markName = z.union([z.string(), z.number()])
const echoId = z.union([z.string().max(CLIENT_BOUNDS.idCharacters), z.number()])
const echoed = echoId.meta({ description: 'As it was sent' }).exactOptional()

const statsFields = {
  rttMs: z.number().nullable().meta({ description: 'To the peer and back; null when nobody told' }),
  jitterMs: z.number(),
  lost: z.number().meta({ description: 'Packets of the peer' }),
  concealedMs: z.number(),
  fecRecovered: z.number(),
  queuedMs: z.number(),
  underruns: z.number(),
  driftPpm: z
    .number()
    .nullable()
    .meta({ description: 'How much faster than ours your clock runs; null until you sent in real time for a minute' }),
  trimmedMs: z.number().meta({ description: 'Silence of yours that was dropped, less what was added' }),
  sentFrames: z.number(),
  receivedFrames: z.number(),
  tickLateP99Ms: z.number(),
  droppedFrames: z.number().meta({ description: 'Dropped because this socket was too slow' }),
}

const troubleFields = {
  code: z.string(),
  message: z.string(),
  count: z.number().exactOptional().meta({ description: 'How often it happened since it was last told' }),
  fatal: z.boolean().exactOptional().meta({ description: 'True: the socket is about to be closed' }),
}

/** Messages of the server ([realtime.server-messages.1] and on), by a name of each. The session adds `t`. */
export const SERVER_MESSAGES = {
  start: z.object({
    type: z.literal('start'),
    protocol: z.string(),
    callId: z.string(),
    externalCallId: z.string().nullable(),
    direction: z.enum(CALL_DIRECTIONS),
    peerNumber: z.string().meta({ description: 'Digits' }),
    status: z.enum(CALL_STATUSES),
    mode: z.enum(SESSION_MODES),
    inRate: rateHz,
    outRate: rateHz,
    frameMs: z.literal(FRAME_MS),
    codec: z.literal('opus').exactOptional().meta({ description: 'Absent when binary messages are PCM' }),
    parameters: z
      .record(z.string(), z.string())
      .exactOptional()
      .meta({ description: 'What the session was given along ([voice.connect-to.5]); absent when nothing' }),
    limits: z.object({ maxMessageBytes: z.number(), highMs: ms, lowMs: ms, maxMs: ms }),
  }),
  call: z.object({
    type: z.literal('call'),
    status: z.enum(CALL_STATUSES),
    reason: z.string().exactOptional(),
    durationSeconds: z.number().exactOptional(),
  }),
  mark: z.object({
    type: z.literal('mark'),
    name: markName,
    status: z.enum(['played', 'cleared']),
    playedMs: ms,
    payload: z.unknown().optional().meta({ description: 'Of a mark that was set by `notify`' }),
  }),
  cleared: z.object({
    type: z.literal('cleared'),
    id: echoed,
    discardedMs: ms,
    playedMs: z.number().meta({ description: 'Heard of the current utterance, in ms' }),
    marks: z.array(markName).readonly(),
  }),
  buffer: z.object({
    type: z.literal('buffer'),
    queuedMs: ms,
    state: z.enum(['ok', 'pause', 'full']).meta({
      description: '`pause`: over 30 s wait; `ok`: under 15 s; `full`: over 60 s, the newest audio is refused',
    }),
    droppedMs: ms,
  }),
  drained: z.object({ type: z.literal('drained'), playedMs: ms }),
  dtmf: z.object({ type: z.literal('dtmf'), digit: z.string(), durationMs: ms }),
  takeoverByPerson: z.object({
    type: z.literal('takeover'),
    by: z.literal('person'),
    sessionId: (z.string() as unknown as z.ZodType<RealtimeSessionId>).meta({
      description: 'Of the session that talks from now on',
    }),
  }),
  takeoverByBot: z.object({ type: z.literal('takeover'), by: z.literal('bot') }),
  speech: z.object({
    type: z.literal('speech'),
    state: z.enum(['started', 'stopped']),
    atMs: z.number().meta({ description: 'When it began, in ms since the session’s start' }),
  }),
  play: z.object({
    type: z.literal('play'),
    status: z.enum(['queued', 'started', 'finished', 'failed']),
    playbackId: z.string(),
    mediaUrlHash: z
      .string()
      .meta({ description: 'SHA-256 of the address in hexadecimal, because addresses may carry secrets' }),
    error: z.string().exactOptional(),
  }),
  stats: z.object({ type: z.literal('stats'), ...statsFields }),
  pong: z.object({ type: z.literal('pong'), id: echoed }),
  warning: z.object({ type: z.literal('warning'), ...troubleFields }),
  error: z.object({ type: z.literal('error'), ...troubleFields }),
}
export type ServerMessage = z.output<(typeof SERVER_MESSAGES)[keyof typeof SERVER_MESSAGES]>
export type SessionStats = Omit<z.output<typeof SERVER_MESSAGES.stats>, 'type'>

const wantedId = echoId.nullish()

/** Messages of a client, as it writes them ([realtime.client-messages.1] and on). */
export const CLIENT_MESSAGES = {
  clear: z.object({ type: z.literal('clear'), id: wantedId }),
  mark: z.object({ type: z.literal('mark'), name: z.string().min(1).max(CLIENT_BOUNDS.markBytes) }),
  pause: z.object({ type: z.literal('pause') }),
  resume: z.object({ type: z.literal('resume') }),
  flush: z.object({ type: z.literal('flush') }),
  dtmf: z.object({
    type: z.literal('dtmf'),
    digits: z
      .string()
      .max(CLIENT_BOUNDS.digits)
      .regex(/^[0-9A-Da-d*#]+$/),
  }),
  mute: z.object({ type: z.literal('mute'), on: z.boolean() }),
  hangup: z.object({ type: z.literal('hangup'), reason: z.string().max(CLIENT_BOUNDS.reasonCharacters).nullish() }),
  accept: z.object({ type: z.literal('accept') }),
  play: z.object({
    type: z.literal('play'),
    mediaUrl: z.string().min(1).max(CLIENT_BOUNDS.urlCharacters),
    hangupAfterPlay: z.boolean().optional(),
  }),
  stats: z.object({ type: z.literal('stats') }),
  ping: z.object({ type: z.literal('ping'), id: wantedId }),
}
