import { loadOpus } from '../../../media-host/audio/opus.ts'
import { createMediaClock } from '../../../media-host/clock.ts'
import { createWebRtcLegs } from '../../../media-host/legs/webrtc.ts'
import { newId } from '../../../src/domain/ids.ts'
import type { AudioParts, CallAudio } from './call-audio.ts'
import { Ear, RATE_HZ, toneFrame } from './tone.ts'

/** Audio over the media host's own WebRTC leg, which is what an engine meets in service. */
export async function openWebRtcAudio({ address, clock, log }: AudioParts): Promise<CallAudio> {
  const openLeg = createWebRtcLegs({ opus: await loadOpus(), log, iceAddress: address })
  const leg = openLeg({ flowing: () => {}, digit: () => {}, lost: () => {} }, newId('call'))
  const mediaClock = createMediaClock(clock, log)
  const ear = new Ear()
  let frame = 0
  const slot = (): void => {
    leg.send({ kind: 'pcm', samples: toneFrame(frame++), rateHz: RATE_HZ })
    const [heard] = leg.receive([RATE_HZ])
    if (heard && leg.isFlowing) ear.hear(heard)
  }
  return {
    ear,
    offer: { kind: 'webrtc', sdp: await leg.offer() },
    async connect(answer) {
      if (answer.kind !== 'webrtc') throw new Error(`media of kind ${answer.kind} answers an offer of webrtc`)
      await leg.connect(answer.sdp)
      mediaClock.add((slots) => {
        for (let passed = 0; passed < slots; passed++) slot()
      })
    },
    close() {
      mediaClock.close()
      leg.close()
    },
  }
}
