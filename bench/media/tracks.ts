import type { OpusCodec } from '../../media-host/audio/opus.ts'
import { conversation } from './conversation.ts'
import type { Tracks } from './conversation.ts'
import { voiceFrames } from './opus-cost.ts'

/** `both`: both sides speak all the time, the worst case. `turns`: a person and a bot speak in turns, with pauses. */
export type Profile = 'both' | 'turns'

/** Our choice: the tracks begin anew after so many slots, or seconds. */
const BOTH_SLOTS = 500
const TURNS_SECONDS = 60

export function tracksOf(opus: OpusCodec, profile: Profile): Tracks {
  if (profile === 'turns') return conversation(opus, TURNS_SECONDS)
  const frames = voiceFrames(BOTH_SLOTS)
  const encoder = opus.openEncoder(16_000)
  return { phone: frames.map((frame) => encoder.encode(frame).slice()), phoneSamples: frames, bot: frames }
}
