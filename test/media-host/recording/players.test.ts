import { loadOpus } from '../../../media-host/audio/opus.ts'
import { CallRecorder } from '../../../media-host/recording/call-recorder.ts'
import { inBrowser, openBrowser } from '../../helpers/browser.ts'
import { opusTone } from '../../helpers/ogg-files.ts'

const SLOTS = 30_000
/** The slots in which both sides beep at once. */
const BEEPS = [500, SLOTS - 500]

/** A recording of 10 minutes in which the left side beeps at 500 Hz and the right one at 1,000 Hz. */
async function tenMinutes(): Promise<Buffer> {
  const opus = await loadOpus()
  const silent = opus.silence(16_000)
  const [left = [], right = []] = [500, 1_000].map((hz) => opusTone({ hz, seconds: 0.2 }))
  const parts: Uint8Array[] = []
  const recorder = new CallRecorder(opus, { isWhole: true, write: (bytes) => void parts.push(bytes) })
  const source = {}
  for (let slot = 0; slot < SLOTS; slot++) {
    const at = BEEPS.map((beep) => slot - beep).find((after) => after >= 0 && after < left.length) ?? -1
    const payload = left[at] ?? silent
    recorder.keep(
      { kind: 'opus', packet: right[at] ?? silent },
      { source, leadBefore: 0, steps: [{ kind: 'packet', payload, samples: 960, missing: 0 }] },
    )
  }
  recorder.end()
  return Buffer.concat(parts)
}

// [voice.recordings.2] [voice.recordings.7]
inBrowser('a browser plays a recording of 10 minutes in stereo, with both sides in step at its end', async (t) => {
  const page = await (await openBrowser(t)).newPage()
  const played = await page.evaluate(
    async ({ base64, slots }) => {
      const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))
      const rateHz = 8_000
      const { OfflineAudioContext } = globalThis as any
      const sound = await new OfflineAudioContext(2, 1, rateHz).decodeAudioData(bytes.buffer)
      /** When each side is first heard from a time on, in ms after it. */
      const onsets = slots.map((slot) =>
        [0, 1].map((channel) => {
          const samples: Float32Array = sound
            .getChannelData(channel)
            .subarray((slot / 50 - 0.5) * rateHz, (slot / 50 + 0.5) * rateHz)
          return (samples.findIndex((sample) => Math.abs(sample) > 0.05) / rateHz) * 1_000 - 500
        }),
      )
      return { channels: sound.numberOfChannels, seconds: sound.duration, onsets }
    },
    { base64: (await tenMinutes()).toString('base64'), slots: BEEPS },
  )
  t.is(played.channels, 2)
  t.true(Math.abs(played.seconds - 600) < 0.05, `it lasts ${played.seconds} s`)
  for (const [left = 999, right = 999] of played.onsets) {
    t.true(Math.abs(left) < 40 && Math.abs(right) < 40, `heard ${left} and ${right} ms after it was said`)
    t.true(Math.abs(left - right) < 40)
  }
})
