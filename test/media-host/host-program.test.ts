import test from 'ava'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../../src/domain/ids.ts'
import { systemClock } from '../../src/process/clock.ts'
import { createMediaClock } from '../../media-host/clock.ts'
import { loadOpus } from '../../media-host/audio/opus.ts'
import { legOpener } from '../helpers/audio-legs.ts'
import { amplitudeAt, dominantHz, joined, rmsOf, toneSource } from '../helpers/audio-signal.ts'
import { startFileHost, waveFile } from '../helpers/file-host.ts'
import { ControlClient, newCall, SECRET } from '../helpers/media-host-rig.ts'
import { SessionClient } from '../helpers/session-client.ts'
import { silentLog } from '../helpers/silent.ts'
import { until, within } from '../helpers/until.ts'
import type { ExecutionContext } from 'ava'
import { NODE_ARGUMENTS } from '../helpers/short-lived.ts'

async function startProgram(t: ExecutionContext, env: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'media-host-'))
  const child = fork(new URL('../../media-host/main.ts', import.meta.url), [], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      INTERNAL_SECRET: SECRET,
      MEDIA_PORT: '0',
      MEDIA_CONTROL_PORT: '0',
      RTP_ADDRESS: '127.0.0.1',
      EGRESS_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: 'trace',
      DRAIN_SECONDS: '0',
      ...env,
    },
    execArgv: NODE_ARGUMENTS,
    silent: true,
  })
  const output: string[] = []
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk.toString()))
  t.teardown(async () => {
    child.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })
  const [listening] = (await within('the program listens', once(child, 'message'))) as [
    { type: string; mediaPort: number; controlPort: number },
  ]
  t.is(listening.type, 'listening')
  const control = await ControlClient.connect(listening.controlPort, newId('node'))
  await control.do('sync', { calls: [] })
  return { child, output, control, listening }
}

/** A peer's phone that sends a tone and keeps what it hears. */
async function startPeer(t: ExecutionContext, sdpOffer: string) {
  const { leg, notes } = legOpener(await loadOpus(), t)()
  const sdp = await leg.answer(sdpOffer)
  const tone = toneSource(16_000, 440)
  const heard: Int16Array[] = []
  const clock = createMediaClock(systemClock, silentLog)
  t.teardown(() => clock.close())
  clock.add((slots) => {
    for (let slot = 0; slot < slots; slot++) {
      leg.send({ kind: 'pcm', samples: tone(320), rateHz: 16_000 })
      heard.push(...leg.receive([16_000]))
    }
  })
  // The whole recording is searched, so it does not matter how late this looks.
  const heardHz = (hz: number): boolean => {
    const stretches = Array.from({ length: Math.floor(heard.length / 20) }, (_, nth) =>
      joined(heard.slice(nth * 20, nth * 20 + 20)),
    )
    // For a pure tone the amplitude is 1.4 times the RMS; at any other frequency it is near zero.
    return stretches.some((stretch) => rmsOf(stretch) > 500 && amplitudeAt(stretch, 16_000, hz) > rmsOf(stretch))
  }
  return { leg, notes, sdp, heardHz }
}

test.serial(
  'the program carries a call both ways over its sockets and a real leg, plays a file, and ends on SIGTERM',
  async (t) => {
    const files = await startFileHost(t, (_request, response) => {
      response.setHeader('content-type', 'audio/wav')
      response.end(waveFile({ hz: 700, seconds: 2 }))
    })
    const { child, output, control, listening } = await startProgram(t)
    const call = newCall()
    const { callId } = call
    const { sdp } = await control.do('offer', { call })
    const minted = await control.do('mint', { callId, mode: 'talk' })
    t.true(minted.wsUrl.startsWith(`ws://localhost:${listening.mediaPort}/`))
    const client = await SessionClient.connect(minted.wsUrl)
    const tone = toneSource(16_000, 1_000)
    client.speak(tone(32_000))
    client.send({ type: 'mark', name: 'said' })
    client.send({ type: 'play', mediaUrl: `${files.origin}/a.wav` })

    const peer = await startPeer(t, sdp)
    await control.do('connect', { callId, sdpAnswer: peer.sdp })
    await control.do('status', { callId, status: 'ACCEPTED' })
    await until('the peer hears what was said before the answer', () => peer.heardHz(1_000))
    await until('the mark is played', () => client.of('mark').length === 1)
    await until('the peer hears the file', () => peer.heardHz(700))
    await client.until('play', ({ status }) => status === 'finished')
    await until('the client hears the peer', () => {
      const tail = client.audio().slice(-8_000)
      return rmsOf(tail) > 500 && Math.abs(dominantHz(tail, 16_000) - 440) < 20
    })
    t.true(client.frameSizes.every((size) => size === 640))
    client.send({ type: 'dtmf', digits: '7' })
    await until('the peer gets the digit', () => peer.notes.digits.some(({ digit }) => digit === '7'))
    t.deepEqual(control.of('flowing'), [{ type: 'flowing', callId }])

    await until('the metrics count the call', async () => {
      const page = await fetch(`http://127.0.0.1:${listening.controlPort}/metrics`)
      return (await page.text()).includes('\nmedia_calls 1\n')
    })

    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    t.deepEqual(await within('the program ends', exited), [0, null])
    t.is((await client.untilClosed()).code, 1001)
    t.false(output.join('').includes(minted.token))
    t.false(output.join('').includes(call.peerNumber))
  },
)

test.serial('the program ends with its parent', async (t) => {
  const { child } = await startProgram(t)
  const exited = once(child, 'exit')
  child.disconnect()
  t.deepEqual(await within('the program ends', exited), [0, null])
})

test.serial('a request may carry the cookies of a whole domain, and no more than Node takes', async (t) => {
  const { listening } = await startProgram(t)
  const statusWith = async (bytes: number) =>
    (await fetch(`http://127.0.0.1:${listening.mediaPort}/`, { headers: { cookie: 'x'.repeat(bytes) } })).status
  t.is(await statusWith(12_000), 404)
  t.is(await statusWith(20_000), 431)
})
