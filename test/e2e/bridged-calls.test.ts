import test from 'ava'
import { sine } from '../../tools/demo/signal.ts'
import { dominantHz, rmsOf } from '../helpers/audio-signal.ts'
import { DialledBot } from '../helpers/dialled-bot.ts'
import { callEvents, connectOfficial, permit, placeOfficial, ringOfficial } from '../helpers/official-service.ts'
import type { OfficialNumber } from '../helpers/official-service.ts'
import type { Service } from '../helpers/service.ts'
import { SessionClient } from '../helpers/session-client.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

const RATE_HZ = 16_000
const TONE_HZ = 800
/** Users of the platform: one who echoes, and one who calls. */
const ECHO = '5511990000001'
const CALLER = '5511990000006'

let service: Service
let number: OfficialNumber

test.before(async () => {
  service = await joinService()
  number = await connectOfficial(service)
})

const pcmOf = (frames: readonly Buffer[]) => new Int16Array(Uint8Array.from(Buffer.concat(frames)).buffer)
const isTone = (heard: Int16Array, hz: number): boolean => {
  const newest = heard.subarray(-RATE_HZ / 2)
  return newest.length === RATE_HZ / 2 && rmsOf(newest) > 1_600 && Math.abs(dominantHz(newest, RATE_HZ) - hz) <= 15
}

// [bridged-calls.bridge.2] [bridged-calls.bridge.3] [bridged-calls.bridge.7] [bridged-calls.bridge.8]
test.serial(
  'a call that is placed with media bridge is carried as any other, and shows both descriptions',
  async (t) => {
    await permit(service, number, ECHO)
    const placed = await service.api('POST', '/v1/calls', number.key, { to: ECHO, media: 'bridge' })
    t.is(placed.status, 201, placed.text)
    const { id, externalCallId } = placed.body
    await service.untilCall(number, id, ['ACCEPTED'])
    const session = await service.api('POST', `/v1/calls/${id}/realtime-session`, number.key)
    t.is(session.status, 200, session.text)
    const client = await SessionClient.connect(session.body.wsUrl, `rate=${RATE_HZ}`)
    await client.until('start')
    client.speak(sine(TONE_HZ, 10_000, RATE_HZ))
    await until('the user hears it and echoes it', () => isTone(client.audio(), TONE_HZ))
    t.is((await service.control('POST', `/calls/${externalCallId}/dtmf`, { digits: '5' })).status, 200)
    await client.until('dtmf', ({ digit }) => digit === '5')
    const shown = (await service.api('GET', `/v1/calls/${id}?includeSdp=1`, number.key)).body
    t.is(shown.media, 'bridge')
    t.regex(shown.sdpOffer, /^a=setup:active\r$/m)
    t.notRegex(shown.sdpOffer, /actpass/)
    t.regex(shown.sdpAnswer, /^a=ice-lite\r$/m)
    t.regex(shown.sdpAnswer, /^a=setup:passive\r$/m)
    client.send({ type: 'hangup' })
    const ended = await service.untilCall(number, id, ['COMPLETED', 'FAILED'])
    t.like(ended, { status: 'COMPLETED', media: 'bridge' })
    t.is((await client.untilClosed()).code, 1000)
    t.deepEqual(await callEvents(service, number, id), ['call.connected', 'call.ended'])
    await until('upstream has ended it', async () => {
      const { body } = await service.control('GET', `/calls/${externalCallId}`)
      return body.state === 'ENDED'
    })
  },
)

// [bridged-calls.bridge.4] [bridged-calls.bridge.5] [bridged-calls.bridge.8]
test.serial('an OFFICIAL number is answered by its bot, whose audio was set up before the accept', async (t) => {
  const bot = await new DialledBot().listen()
  t.teardown(() => bot.close())
  const own = await connectOfficial(service)
  const voice = { connectTo: bot.url, rate: RATE_HZ, answer: 'accept', onUnreachable: 'ring' }
  t.is((await service.api('PATCH', `/v1/numbers/${own.id}`, service.tenantKey, { voice })).status, 200)
  const rung = await ringOfficial(service, own, CALLER, { audio: 'tone' })
  const call = await service.untilCall(own, rung.id, ['ACCEPTED'])
  await until('the bot hears the caller', () => rmsOf(pcmOf(bot.frames).subarray(-RATE_HZ / 4)) > 300)
  t.like(bot.texts[0], { type: 'start', direction: 'INBOUND', callId: rung.id })
  const shown = (await service.api('GET', `/v1/calls/${call.id}?includeSdp=1`, own.key)).body
  t.is(shown.media, 'bridge')
  t.regex(shown.sdpAnswer, /^a=setup:active\r$/m)
  t.like(shown.sessions[0], { direction: 'OUTBOUND', status: 'OPEN' })
  bot.socket?.close(1000)
  t.is((await service.untilCall(own, call.id, ['COMPLETED', 'FAILED'])).status, 'COMPLETED')
})

// [bridged-calls.bridge.4]
test.serial('an inbound call is accepted with media bridge, and a session then hears the user', async (t) => {
  const rung = await ringOfficial(service, number, CALLER, { audio: 'tone' })
  t.is(rung.media, null)
  const accepted = await service.api('POST', `/v1/calls/${rung.id}/accept`, number.key, { media: 'bridge' })
  t.is(accepted.status, 200, accepted.text)
  const session = await service.api('POST', `/v1/calls/${rung.id}/realtime-session`, number.key)
  const client = await SessionClient.connect(session.body.wsUrl, `rate=${RATE_HZ}`)
  await until('the user is heard', () => rmsOf(client.audio().subarray(-RATE_HZ / 4)) > 300)
  await service.control('POST', `/calls/${rung.externalCallId}/hangup`)
  await service.untilCall(number, rung.id, ['COMPLETED'])
})

// [bridged-calls.bridge.10] [bridged-calls.bridge.14]
test.serial(
  'calls both ways go on when the platform describes its side again, by what it says if it can',
  async (t) => {
    const own = await connectOfficial(service)
    await permit(service, own, ECHO)
    const placed = await service.api('POST', '/v1/calls', own.key, { to: ECHO, media: 'bridge' })
    await service.untilCall(own, placed.body.id, ['ACCEPTED'])
    const rung = await ringOfficial(service, own, CALLER, { audio: 'echo' })
    t.is((await service.api('POST', `/v1/calls/${rung.id}/accept`, own.key, { media: 'bridge' })).status, 200)
    for (const { id, externalCallId } of [placed.body, rung]) {
      const session = await service.api('POST', `/v1/calls/${id}/realtime-session`, own.key)
      const client = await SessionClient.connect(session.body.wsUrl, `rate=${RATE_HZ}`)
      await client.until('start')
      let spoken = 0
      const stillEchoed = async (what: string) => {
        const before = client.samples
        await until(what, () => {
          // A slow machine must not outlast the tone: what is heard tells how much of it was played.
          if (client.samples > spoken - 5 * RATE_HZ) {
            client.speak(sine(TONE_HZ, 10_000, RATE_HZ))
            spoken += 10 * RATE_HZ
          }
          return client.samples - before >= RATE_HZ / 2 && isTone(client.audio(), TONE_HZ)
        })
      }
      await stillEchoed('the user echoes')
      const before = (await service.api('GET', `/v1/calls/${id}?includeSdp=1`, own.key)).body
      for (const said of [{ codec: 'PCMU' }, { newCredentials: true }, {}, { opusType: 102 }]) {
        const described = await service.control('POST', `/calls/${externalCallId}/description`, said)
        t.is(described.status, 200, described.text)
        await stillEchoed(`the user echoes after ${JSON.stringify(said)}`)
      }
      const shown = (await service.api('GET', `/v1/calls/${id}?includeSdp=1`, own.key)).body
      t.deepEqual([shown.status, shown.sdpOffer, shown.sdpAnswer], ['ACCEPTED', before.sdpOffer, before.sdpAnswer])
      await service.api('POST', `/v1/calls/${id}/terminate`, own.key)
      t.is((await service.untilCall(own, id, ['COMPLETED', 'FAILED'])).status, 'COMPLETED')
    }
  },
)

// [bridged-calls.bridge.1] [bridged-calls.bridge.9] [bridged-calls.bridge.2]
test.serial('a call with a description of the tenant has no audio of ours, and media bridge takes none', async (t) => {
  const both = await service.api('POST', '/v1/calls', number.key, { to: ECHO, media: 'bridge', sdp: 'v=0' })
  t.is(both.status, 400)
  const { id } = await placeOfficial(service, number, ECHO)
  for (const [path, body] of [
    ['realtime-session', undefined],
    ['play', { mediaUrl: 'https://example.com/a.wav' }],
  ] as const) {
    const refused = await service.api('POST', `/v1/calls/${id}/${path}`, number.key, body)
    t.deepEqual([refused.status, refused.body.code], [400, 'FEATURE_NOT_SUPPORTED'])
  }
  t.is((await service.api('GET', `/v1/calls/${id}`, number.key)).body.media, 'own')
  await service.api('POST', `/v1/calls/${id}/terminate`, number.key)
})
