import { DEFAULT_OPUS, loadOpus } from '../../media-host/audio/opus.ts'
import type { NetworkFaults } from '../../sandbox/devices/impairment.ts'
import { judge } from './intelligibility.ts'
import { hostSender, PHONE_OPUS, phoneSender, throughNetwork } from './network-run.ts'
import { makeSpeech } from './speech.ts'

/**
 * How intelligible speech is behind a bad network, and how late it is heard: from a phone, whose encoder has 32 kb/s,
 * and from the media host's own encoder. Both are heard through the host's receiving end, for want of a phone's. The
 * clock is moved, so that each run is the same and takes seconds.
 *
 *   node bench/media/networks.ts [seconds of speech]
 */

const [secondsText = '60'] = process.argv.slice(2)

const NETWORKS: Readonly<Record<string, Partial<NetworkFaults>>> = {
  good: {},
  '1 % lost': { lossPercent: 1 },
  '1 % lost, 3 at a time': { lossPercent: 1, burst: 3 },
  '5 % lost': { lossPercent: 5 },
  '5 % lost, 3 at a time': { lossPercent: 5, burst: 3 },
  '10 % lost': { lossPercent: 10 },
  '10 % lost, 3 at a time': { lossPercent: 10, burst: 3 },
  '20 % lost': { lossPercent: 20 },
  '20 % lost, 3 at a time': { lossPercent: 20, burst: 3 },
  'jitter of 30 ms': { jitterMs: 30 },
  'jitter of 80 ms': { jitterMs: 80 },
  '2 % reordered': { reorderPercent: 2 },
  '5 % lost, jitter of 30 ms, 2 % reordered': { lossPercent: 5, jitterMs: 30, reorderPercent: 2 },
}

const speech = makeSpeech(Number(secondsText))
const codec = await loadOpus(DEFAULT_OPUS)
const phone = await loadOpus(PHONE_OPUS)

const rows: Record<string, unknown>[] = []
for (const [name, network] of Object.entries(NETWORKS)) {
  const { lossPercent = 0 } = network
  const senders = { phone: phoneSender(phone, lossPercent), host: hostSender(codec, lossPercent) }
  for (const [from, sender] of Object.entries(senders)) {
    const { samples, stats } = await throughNetwork(codec, speech.samples, { sender, network })
    const { stoi, delayMs, mostDelayMs } = judge(speech, samples)
    rows.push({
      network: name,
      from,
      STOI: Number(stoi.toFixed(3)),
      'delay ms, mean': Math.round(delayMs),
      most: Math.round(mostDelayMs),
      lost: stats.lost,
      late: stats.late,
      'by FEC': stats.fecRecovered,
      'concealed ms': Math.round(stats.concealedMs),
    })
  }
}
console.table(rows)
