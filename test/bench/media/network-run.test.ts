import test from 'ava'
import { judge } from '../../../bench/media/intelligibility.ts'
import { hostSender, PHONE_OPUS, phoneSender, throughNetwork } from '../../../bench/media/network-run.ts'
import { makeSpeech } from '../../../bench/media/speech.ts'
import { loadOpus } from '../../../media-host/audio/opus.ts'

const LOST = 5
const SPEECH = makeSpeech(20)

// [voice.network.3]
for (const [from, burst] of [
  ['phone', 1],
  ['phone', 3],
  ['host', 1],
] as const) {
  test(`speech of a ${from} is understood and soon heard when ${LOST} % are lost, ${burst} at a time`, async (t) => {
    const codec = await loadOpus()
    const sender = from === 'host' ? hostSender(codec, LOST) : phoneSender(await loadOpus(PHONE_OPUS), LOST)
    const network = { lossPercent: LOST, burst }
    const { samples, stats } = await throughNetwork(codec, SPEECH.samples, { sender, network })
    const { stoi, mostDelayMs } = judge(SPEECH, samples)
    t.log(`STOI ${stoi.toFixed(3)}, at most ${mostDelayMs.toFixed(0)} ms late, ${stats.lost} lost`)
    t.true(stats.lost > 20)
    t.true(stats.fecRecovered > 0)
    t.true(stoi >= 0.93)
    t.true(mostDelayMs <= 120)
  })
}

test('the same speech through the same network is heard the same', async (t) => {
  const codec = await loadOpus()
  const speech = makeSpeech(2).samples
  const run = async () =>
    (
      await throughNetwork(codec, speech, {
        sender: hostSender(codec, LOST),
        network: { lossPercent: LOST, jitterMs: 30 },
      })
    ).samples
  t.deepEqual(await run(), await run())
})
