import type { CLIENT_MESSAGES, SERVER_MESSAGES } from '../../domain/realtime-messages.ts'
import { PROTOCOL } from '../../domain/realtime-session.ts'
import { SAMPLE } from '../routes/samples.ts'

/** When a message comes or what it does, and an example of it. */
interface Words {
  readonly summary: string
  readonly example: { readonly type: string; readonly t?: number; readonly [field: string]: unknown }
}

export const SERVER_WORDS: Readonly<Record<keyof typeof SERVER_MESSAGES, Words>> = {
  start: {
    summary: 'First of all, before any audio',
    example: {
      type: 'start',
      t: 0,
      protocol: PROTOCOL,
      callId: SAMPLE.callId,
      externalCallId: '3EB0A9C1',
      direction: 'OUTBOUND',
      peerNumber: SAMPLE.peer,
      status: 'RINGING',
      mode: 'talk',
      inRate: 16_000,
      outRate: 16_000,
      frameMs: 20,
      limits: { maxMessageBytes: 65_536, highMs: 30_000, lowMs: 15_000, maxMs: 60_000 },
    },
  },
  call: { summary: 'Each transition of the call', example: { type: 'call', t: 2_140, status: 'ACCEPTED' } },
  mark: {
    summary: 'The last sample before a mark was sent to the peer, or dropped',
    example: { type: 'mark', t: 4_200, name: 'greeted', status: 'played', playedMs: 2_000 },
  },
  cleared: {
    summary: 'A `clear` was done; its marks were told one by one before',
    example: { type: 'cleared', t: 5_020, id: '1', discardedMs: 1_840, playedMs: 160, marks: ['end'] },
  },
  buffer: {
    summary: 'The queue of what you sent crossed a limit',
    example: { type: 'buffer', t: 900, queuedMs: 30_120, state: 'pause', droppedMs: 0 },
  },
  drained: { summary: 'The queue ran empty', example: { type: 'drained', t: 6_000, playedMs: 2_000 } },
  dtmf: { summary: 'The peer pressed a key', example: { type: 'dtmf', t: 7_300, digit: '5', durationMs: 120 } },
  takeoverByPerson: {
    summary: 'A person took the call over',
    example: { type: 'takeover', t: 8_000, by: 'person', sessionId: 'rts_01kb0000000000000000000000' },
  },
  takeoverByBot: {
    summary: 'The call was given back to the session that had it before',
    example: { type: 'takeover', t: 9_000, by: 'bot' },
  },
  speech: {
    summary: 'The peer began or ended to speak, where `speech=on` asks for it',
    example: { type: 'speech', t: 3_160, state: 'started', atMs: 3_100 },
  },
  play: {
    summary: 'A file is queued, began, or is over',
    example: {
      type: 'play',
      t: 3_000,
      status: 'started',
      playbackId: 'play_01kb0000000000000000000000',
      mediaUrlHash: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
    },
  },
  stats: {
    summary: 'How the session runs, as asked',
    example: {
      type: 'stats',
      t: 10_000,
      rttMs: 42,
      jitterMs: 3,
      lost: 0,
      concealedMs: 0,
      fecRecovered: 0,
      queuedMs: 120,
      underruns: 0,
      driftPpm: null,
      trimmedMs: 0,
      sentFrames: 500,
      receivedFrames: 498,
      tickLateP99Ms: 1,
      droppedFrames: 0,
    },
  },
  pong: { summary: 'Answers a `ping`', example: { type: 'pong', t: 1_000, id: '1' } },
  warning: {
    summary: 'Something was ignored; the first of a code at once, then one per 10 s',
    example: { type: 'warning', t: 1_100, code: 'UNKNOWN_MESSAGE', message: 'no such message: wave', count: 1 },
  },
  error: {
    summary: 'The socket is about to be closed',
    example: { type: 'error', t: 1_200, code: 'INTERNAL', message: 'an internal failure', fatal: true },
  },
}

export const CLIENT_WORDS: Readonly<Record<keyof typeof CLIENT_MESSAGES, Words>> = {
  clear: {
    summary: 'Drops everything queued, files too, at the next 20 ms tick (barge-in)',
    example: { type: 'clear', id: '1' },
  },
  mark: {
    summary: 'Asks to be told when all before it has been played; the name has at most 64 bytes',
    example: { type: 'mark', name: 'greeted' },
  },
  pause: { summary: 'Holds playout, without loss', example: { type: 'pause' } },
  resume: { summary: 'Continues playout', example: { type: 'resume' } },
  flush: { summary: 'Ends the prebuffer and pads the tail to a whole frame', example: { type: 'flush' } },
  dtmf: { summary: 'Sends keys, after the audio before them', example: { type: 'dtmf', digits: '12#' } },
  mute: { summary: 'The peer hears silence while the queue goes on', example: { type: 'mute', on: true } },
  hangup: { summary: 'Ends the call after the audio before it', example: { type: 'hangup', reason: 'done' } },
  accept: { summary: 'Answers an inbound call', example: { type: 'accept' } },
  play: {
    summary: 'Queues a file behind what is queued; the address has no credentials',
    example: { type: 'play', mediaUrl: 'https://example.com/hello.mp3', hangupAfterPlay: false },
  },
  stats: { summary: 'Asks for `stats`', example: { type: 'stats' } },
  ping: { summary: 'Asks for a `pong`', example: { type: 'ping', id: '1' } },
}

/** What each close code of the server means ([realtime.closing.3] and on). */
export const CLOSE_WORDS: Readonly<Record<number, string>> = {
  1000: 'the call ended normally',
  1001: 'this host is going away; ask for a new session',
  1003: 'a message of the wrong kind, or no usable Opus packet',
  1007: 'a text that is no JSON',
  1009: 'over 64 KiB; a text: over 4 KiB',
  4400: '100 invalid messages',
  4408: 'read too slowly, or silent for 60 s',
  4409: 'a newer session took over',
  4410: 'the call ended otherwise: declined, missed, failed',
  4413: 'audio kept coming for 30 s after `full`',
  4429: 'more than 500 messages in a second',
  4500: 'a fault of the service',
}
