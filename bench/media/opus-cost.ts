import { setImmediate as nextTurn } from 'node:timers/promises'
import type { OpusCodec } from '../../media-host/audio/opus.ts'
import type { Tracks } from './conversation.ts'

/** Our choice: so many slots make the first ones, which compile, count little. */
const WARM_SLOTS = 200

/**
 * The CPU cost of bare Opus at 16 kHz for these tracks, in µs per slot of 20 ms: coding what the bot says and decoding
 * what the phone sends, the least that a transcoding host must spend.
 */
export async function opusCost(
  opus: OpusCodec,
  { phone, bot }: Tracks,
): Promise<{ encodeUs: number; decodeUs: number }> {
  const encoder = opus.openEncoder(16_000)
  const decoder = opus.openDecoder(16_000)
  await nextTurn()
  const said = bot.filter((samples) => samples !== null)
  for (const samples of said.slice(0, WARM_SLOTS)) encoder.encode(samples)
  for (const packet of phone.slice(0, WARM_SLOTS)) decoder.decode(packet, 960)
  const encodeUs = cpuUs(() => said.forEach((samples) => encoder.encode(samples))) / bot.length
  const decodeUs = cpuUs(() => phone.forEach((packet) => decoder.decode(packet, 960))) / phone.length
  decoder.close()
  return { encodeUs, decodeUs }
}

/** Frames of 20 ms at 16 kHz that sound somewhat like speech. */
export function voiceFrames(count: number): Int16Array[] {
  let n = 0
  let phase = 0
  return Array.from({ length: count }, () =>
    Int16Array.from({ length: 320 }, () => {
      const seconds = n++ / 16_000
      phase += (2 * Math.PI * (140 + 30 * Math.sin(4.4 * seconds))) / 16_000
      const envelope = 0.4 + 0.6 * Math.abs(Math.sin(8.2 * seconds))
      return Math.round(
        envelope * (4_000 * Math.sin(phase) + 2_500 * Math.sin(3 * phase) + 1_500 * Math.sin(7 * phase))
          + 300 * Math.sin(n * n * 0.37),
      )
    }),
  )
}

function cpuUs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
