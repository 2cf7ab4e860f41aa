import type { Page } from 'playwright-core'
import type { OutgoingFrame } from '../../../media-host/audio/frame.ts'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import { legOpener } from '../../helpers/audio-legs.ts'
import { inBrowser, openBrowser } from '../../helpers/browser.ts'
import { until } from '../../helpers/until.ts'

const SILENCE: OutgoingFrame = { kind: 'silence' }

/** What a page offers, in order. */
interface Offered {
  readonly what: string
  readonly kinds: readonly ('audio' | 'video' | 'data')[]
  readonly bundlePolicy: 'balanced' | 'max-bundle' | 'max-compat'
  /**
   * The answered sections by kind, in order. `0` means that the section is rejected by port 0; `kept` means that it
   * keeps the transport of the audio but carries nothing.
   */
  readonly answered: readonly string[]
}

const OFFERS: readonly Offered[] = [
  { what: 'audio', kinds: ['audio'], bundlePolicy: 'balanced', answered: ['audio'] },
  { what: 'audio and video', kinds: ['audio', 'video'], bundlePolicy: 'balanced', answered: ['audio', 'video 0'] },
  {
    what: 'audio and video over one transport',
    kinds: ['audio', 'video'],
    bundlePolicy: 'max-bundle',
    answered: ['audio', 'video 0'],
  },
  {
    what: 'audio and video over a transport each',
    kinds: ['audio', 'video'],
    bundlePolicy: 'max-compat',
    answered: ['audio', 'video 0'],
  },
  { what: 'video and audio', kinds: ['video', 'audio'], bundlePolicy: 'balanced', answered: ['video 0', 'audio'] },
  {
    what: 'video and audio over one transport',
    kinds: ['video', 'audio'],
    bundlePolicy: 'max-bundle',
    answered: ['video kept', 'audio'],
  },
  {
    what: 'audio and a channel of data',
    kinds: ['audio', 'data'],
    bundlePolicy: 'max-bundle',
    answered: ['audio', 'application 0'],
  },
  {
    what: 'audio, video and a channel of data',
    kinds: ['audio', 'video', 'data'],
    bundlePolicy: 'balanced',
    answered: ['audio', 'video 0', 'application 0'],
  },
]

/** Opens a connection that sends a tone. */
async function openPeer(page: Page, bundlePolicy = 'balanced'): Promise<void> {
  await page.evaluate((policy) => {
    const browser = globalThis as any
    browser.peer = new browser.RTCPeerConnection({ bundlePolicy: policy })
    const audio = new browser.AudioContext()
    const tone = audio.createOscillator()
    const out = audio.createMediaStreamDestination()
    tone.connect(out)
    tone.start()
    browser.tone = out.stream.getAudioTracks()[0]
  }, bundlePolicy)
}

/** The page's own description with all candidates. */
function described(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const { peer } = globalThis as any
    await peer.setLocalDescription()
    while (peer.iceGatheringState !== 'complete')
      await new Promise((resolve) => peer.addEventListener('icegatheringstatechange', resolve, { once: true }))
    return peer.localDescription.sdp
  })
}

async function offerOf(page: Page, { kinds, bundlePolicy }: Offered): Promise<string> {
  await openPeer(page, bundlePolicy)
  await page.evaluate((wanted) => {
    const { peer, tone } = globalThis as any
    for (const kind of wanted) {
      if (kind === 'data') peer.createDataChannel('x')
      else peer.addTransceiver(kind === 'audio' ? tone : kind, { direction: 'sendrecv' })
    }
  }, kinds)
  return described(page)
}

async function answerOf(page: Page, offer: string): Promise<string> {
  await openPeer(page)
  await page.evaluate(async (sdp) => {
    const { peer, tone } = globalThis as any
    peer.addTrack(tone)
    await peer.setRemoteDescription({ type: 'offer', sdp })
  }, offer)
  return described(page)
}

function connect(page: Page, answer: string): Promise<void> {
  return page.evaluate((sdp) => (globalThis as any).peer.setRemoteDescription({ type: 'answer', sdp }), answer)
}

/** The number of audio packets that the page received. */
function heardBy(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const stats = [...(await (globalThis as any).peer.getStats()).values()]
    return stats.find(({ type, kind }) => type === 'inbound-rtp' && kind === 'audio')?.packetsReceived ?? 0
  })
}

inBrowser(
  'an offer of Chromium is answered unchanged: audio, alone or with video and data, is heard both ways',
  async (t) => {
    const browser = await openBrowser(t, [
      '--autoplay-policy=no-user-gesture-required',
      '--allow-loopback-in-peer-connection',
    ])
    const open = legOpener(await loadOpus(), t)
    for (const offered of OFFERS) {
      const page = await browser.newPage()
      const { leg, notes } = open()
      const answer = await leg.answer(await offerOf(page, offered))
      const sections = answer
        .split(/^(?=m=)/m)
        .slice(1)
        .map(
          (section) =>
            `${/\w+(?= )/.exec(section.slice(2))?.[0]}${/^m=\w+ 0 /.test(section) ? ' 0' : section.includes('a=inactive') ? ' kept' : ''}`,
        )
      t.deepEqual(sections, [...offered.answered], offered.what)
      await connect(page, answer)
      await until(`${offered.what}: both are heard`, async () => {
        leg.send(SILENCE)
        return notes.lost.length > 0 || (leg.isFlowing && (await heardBy(page)) > 0)
      })
      t.deepEqual(notes.lost, [], offered.what)
      leg.close()
      await page.close()
    }
  },
)

inBrowser('Chromium answers an offer of ours, and is heard both ways', async (t) => {
  const browser = await openBrowser(t, [
    '--autoplay-policy=no-user-gesture-required',
    '--allow-loopback-in-peer-connection',
  ])
  const page = await browser.newPage()
  const { leg, notes } = legOpener(await loadOpus(), t)()
  await leg.connect(await answerOf(page, await leg.offer()))
  await until('both are heard', async () => {
    leg.send(SILENCE)
    return notes.lost.length > 0 || (leg.isFlowing && (await heardBy(page)) > 0)
  })
  t.deepEqual(notes.lost, [])
})

inBrowser('Chromium that refuses the handshake, or closes, costs the leg', async (t) => {
  const browser = await openBrowser(t, [
    '--autoplay-policy=no-user-gesture-required',
    '--allow-loopback-in-peer-connection',
  ])
  const open = legOpener(await loadOpus(), t)
  const [refusing, closing] = [await browser.newPage(), await browser.newPage()]
  const refused = open()
  const answer = await refused.leg.answer(
    await offerOf(refusing, { what: 'audio', kinds: ['audio'], bundlePolicy: 'balanced', answered: ['audio'] }),
  )
  await connect(
    refusing,
    answer.replaceAll(
      /^(a=fingerprint:sha-256 )\S\S/gm,
      (line, start: string) => `${start}${line.endsWith('00') ? '11' : '00'}`,
    ),
  )
  const closed = open()
  await closed.leg.connect(await answerOf(closing, await closed.leg.offer()))
  await until('both are heard', async () => {
    closed.leg.send(SILENCE)
    return closed.notes.lost.length > 0 || (closed.leg.isFlowing && (await heardBy(closing)) > 0)
  })
  await closing.evaluate(() => (globalThis as any).peer.close())
  await until('both legs are lost', () => refused.notes.lost.length > 0 && closed.notes.lost.length > 0)
  t.deepEqual(
    [refused.notes.lost, closed.notes.lost, refused.leg.isFlowing],
    [['HANDSHAKE_REFUSED'], ['closed'], false],
  )
})
