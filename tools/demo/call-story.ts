import { setTimeout as pause } from 'node:timers/promises'
import { Bot } from './bot.ts'
import { hostFile } from './file-host.ts'
import type { Report } from './report.ts'
import type { Rest } from './rest.ts'
import { dominantHz, rms, sine, soundStart, wavFile } from './signal.ts'

export interface CallBody {
  readonly id: string
  readonly externalCallId: string
  readonly status: string
  readonly durationSeconds: number | null
}

interface Heard {
  readonly state: string
  readonly heard: { readonly ms: number; readonly rms: number; readonly dominantHz: number }
}

const RATE_HZ = 16_000
/** A number of the sandbox that answers after 1 s and echoes what it hears ([sandbox.peers.1]). */
export const ECHO_PEER = '5511999990001'
const FILE_HZ = 700
const LEVEL = 0.3
/**
 * The frequencies that the bot plays: four notes of a chord (C5, E5, G5, C6), rounded to the 10 Hz that the analysis
 * distinguishes.
 */
const MELODY_HZ = [520, 660, 780, 1_050]
const NOTE_MS = 400
/**
 * On a busy machine the connection is late, and an echo may follow the rest of an earlier one. Sound that was not heard
 * is repeated once it is quiet.
 */
const SONGS = 3
const QUIET_MS = 1_000

function melody(): Int16Array {
  const notes = MELODY_HZ.map((hz) => sine(hz, NOTE_MS, RATE_HZ, LEVEL))
  return Int16Array.from(notes.flatMap((note) => [...note]))
}

/** Plays a short sound and resolves to the delay of its echo, in ms, with the echo. */
async function hearBack(bot: Bot, spoken: Int16Array): Promise<{ readonly ms: number; readonly echo: Int16Array }> {
  const from = bot.heardSamples
  bot.speak(spoken)
  await bot.waitForAudio(from + spoken.length + RATE_HZ)
  const heard = bot.heard(from)
  const start = soundStart(heard, RATE_HZ)
  if (start < 0) throw new Error('no echo was heard')
  return { ms: Math.round((start / RATE_HZ) * 1000), echo: heard.subarray(start) }
}

async function talk(report: Report, bot: Bot): Promise<void> {
  await report.step('media is set up', async () => {
    const { ms } = await untilHeard(() => hearBack(bot, sine(MELODY_HZ[0] ?? 0, NOTE_MS, RATE_HZ, LEVEL)))
    return [undefined, `the first sound came back after ${ms} ms`] as const
  })
  await report.step('sing and hear the echo', async () => {
    const { ms, levelDb } = await singUntilHeard(bot)
    return [undefined, `all four notes, level ${levelDb.toFixed(1)} dB, round trip ${ms} ms`] as const
  })
}

/** Plays four notes and waits for their echo; throws when the echo was wrong `most` times. */
export function singUntilHeard(bot: Bot, most = SONGS): Promise<{ readonly ms: number; readonly levelDb: number }> {
  return untilHeard(() => sing(bot), most)
}

async function untilHeard<Heard>(say: () => Promise<Heard>, most = SONGS): Promise<Heard> {
  for (let times = 1; ; times++) {
    try {
      return await say()
    } catch (error) {
      if (times === most) throw error
      await pause(QUIET_MS)
    }
  }
}

/** Plays the notes once. Throws when the echo differs from them. */
async function sing(bot: Bot): Promise<{ readonly ms: number; readonly levelDb: number }> {
  const spoken = melody()
  const { ms, echo } = await hearBack(bot, spoken)
  const note = (RATE_HZ * NOTE_MS) / 1000
  MELODY_HZ.forEach((hz, index) => {
    const heard = dominantHz(echo.subarray(index * note + note / 4, index * note + (note * 3) / 4), RATE_HZ)
    if (Math.abs(heard - hz) > 20) throw new Error(`note ${index + 1} came back at ${heard} Hz instead of ${hz}`)
  })
  const levelDb = 20 * Math.log10(rms(echo.subarray(note / 4, spoken.length - note / 4)) / rms(spoken))
  if (Math.abs(levelDb) > 3) throw new Error(`the echo's level is off by ${levelDb.toFixed(1)} dB`)
  return { ms, levelDb }
}

async function playFile(report: Report, bot: Bot, number: Rest, control: Rest, call: CallBody): Promise<void> {
  await report.step('play a file into the call', async () => {
    const file = await hostFile('greeting.wav', wavFile(sine(FILE_HZ, 2_000, 44_100, LEVEL), 44_100), 'audio/wav')
    try {
      await number.post(`/v1/calls/${call.id}/play`, { mediaUrl: file.url })
      await bot.waitFor('end of playback', (message) => message.type === 'play' && message['status'] === 'finished')
    } finally {
      file.close()
    }
    await pause(200)
    const { heard } = await control.get<Heard>(`/control/calls/${call.externalCallId}?window=1000`)
    if (Math.abs(heard.dominantHz - FILE_HZ) > 20)
      throw new Error(`the peer heard ${heard.dominantHz} Hz instead of ${FILE_HZ}`)
    return [undefined, `the peer's phone heard ${Math.round(heard.dominantHz)} Hz`] as const
  })
}

/** Places a call, talks, plays a file and hangs up. Resolves to the ended call and what the bot heard. */
export async function tellCallStory(
  report: Report,
  number: Rest,
  control: Rest,
): Promise<{ call: CallBody; recording: Buffer }> {
  const call = await report.step('place a call', async () => {
    const placed = await number.post<CallBody>('/v1/calls', { to: ECHO_PEER, bizOpaqueCallbackData: 'demo' })
    return [placed, `${placed.id} ${placed.status}`] as const
  })
  const bot = await report.step('open the realtime session', async () => {
    const session = await number.post<{ wsUrl: string; expiresIn: number }>(`/v1/calls/${call.id}/realtime-session`)
    const connected = await Bot.connect(session.wsUrl)
    const start = await connected.waitFor('start message', (message) => message.type === 'start')
    return [connected, `${String(start['protocol'])}, token good for ${session.expiresIn} s`] as const
  })
  await report.step('the peer answers', async () => {
    await bot.waitFor('answer', (message) => message.type === 'call' && message['status'] === 'ACCEPTED')
    return [undefined, 'ACCEPTED'] as const
  })
  await talk(report, bot)
  await playFile(report, bot, number, control, call)
  const ended = await report.step('hang up', async () => {
    await number.post(`/v1/calls/${call.id}/terminate`)
    const final = await number.get<CallBody>(`/v1/calls/${call.id}`)
    if (final.status !== 'COMPLETED') throw new Error(`the call ended ${final.status}`)
    return [final, `COMPLETED after ${final.durationSeconds} s`] as const
  })
  const recording = wavFile(bot.heard(), RATE_HZ)
  bot.close()
  return { call: ended, recording }
}
