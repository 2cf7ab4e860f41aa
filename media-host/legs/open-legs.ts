import type { Clock } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import type { OpusCodec } from '../audio/opus.ts'
import type { OpenLegs } from './leg-socket.ts'
import { createRawAudioLegs } from './raw-audio.ts'
import { createWebRtcLegs } from './webrtc.ts'

export interface OpenLegsParts {
  readonly opus: OpusCodec
  readonly clock: Clock
  readonly log: Log
  /** The one address that legs bind and announce; null for every address of the machine. */
  readonly iceAddress: string | null
  /** First and last UDP port of legs; null for any. */
  readonly rtpPorts: readonly [number, number] | null
}

/** Makes the kinds of leg that a media host offers. */
export function createLegs({ opus, clock, log, iceAddress, rtpPorts }: OpenLegsParts): OpenLegs {
  const webrtc = createWebRtcLegs({
    opus,
    log,
    ...(iceAddress === null ? {} : { iceAddress }),
    ...(rtpPorts === null ? {} : { portRange: rtpPorts }),
  })
  return (sockets) => ({ webrtc, pcm16: createRawAudioLegs({ opus, clock, log, sockets }) })
}
