import { setImmediate as nextTurn } from 'node:timers/promises'
import type { OpusCodec } from '../../media-host/audio/opus.ts'

const FRAMES = 1_500

/** The CPU cost of bare Opus at 16 kHz, in µs per 20 ms frame: the least that a transcoding host must spend. */
export async function opusCost(opus: OpusCodec): Promise<{ encodeUs: number; decodeUs: number }> {
  const encoder = opus.openEncoder(16_000)
  const decoder = opus.openDecoder(16_000)
  await nextTurn()
  const frames = voiceFrames(FRAMES)
  frames.slice(0, 200).forEach((frame) => decoder.decode(encoder.encode(frame), 960))
  const packets: Uint8Array[] = []
  const encodeUs = cpuUs(() => frames.forEach((frame) => packets.push(encoder.encode(frame)))) / FRAMES
  const decodeUs = cpuUs(() => packets.forEach((packet) => decoder.decode(packet, 960))) / FRAMES
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
