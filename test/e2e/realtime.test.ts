import test from 'ava'
import { sine } from '../../tools/demo/signal.ts'
import { DialledBot } from '../helpers/dialled-bot.ts'
import { SessionClient } from '../helpers/session-client.ts'
import { TONE_PEER } from '../helpers/speaking-bot.ts'
import { until } from '../helpers/until.ts'
import { Service, type PairedNumber } from '../helpers/service.ts'

/**
 * Tests run one after the other and end their calls: a call uses a fifth of a processor, and a machine that cannot
 * carry six calls at once ends them.
 */
let service: Service
let number: PairedNumber

test.before(async () => {
  service = await Service.start({ env: { LOG_LEVEL: 'trace' } })
  number = await service.pairNumber()
})

test.after.always(async () => {
  await service?.stop()
})

async function mint(callId: string, body?: object): Promise<{ wsUrl: string; token: string; expiresIn: number }> {
  return (await service.api('POST', `/v1/calls/${callId}/realtime-session`, number.key, body)).body
}

async function answeredCall(query = ''): Promise<{ callId: string; externalCallId: string; client: SessionClient }> {
  const placed = await service.placeCall(number, '5511990000001')
  const client = await SessionClient.connect((await mint(placed.id)).wsUrl, query)
  await client.untilStatus('ACCEPTED')
  return { callId: placed.id, externalCallId: placed.externalCallId, client }
}

/** The level of each 20 ms that the phone received, in order. */
async function levels(externalCallId: string): Promise<{ rms: number }[]> {
  return (await service.control('GET', `/calls/${externalCallId}/levels`)).body.levels
}

test.serial(
  'of 100 parallel upgrades with one token exactly one gets through, and no token reaches a log',
  async (t) => {
    const placed = await service.placeCall(number, '5511990000001')
    const minted = await mint(placed.id)
    t.is(minted.expiresIn, 120)
    const upgrades = await Promise.all(Array.from({ length: 100 }, () => SessionClient.attempt(minted.wsUrl)))
    t.is(upgrades.filter((upgrade) => upgrade.status === 101).length, 1)
    const refused = upgrades.filter((upgrade) => upgrade.status !== 101)
    t.true(refused.every((upgrade) => upgrade.status === 401 && upgrade.body.includes('TOKEN_USED')))
    t.false(service.gateway.output.join('').includes(minted.token))
    await service.endCall(number, placed.id)
  },
)

// [realtime.client-messages.1] [realtime.server-messages.3]
test.serial('clear silences the phone at once and reports what it dropped, marks in order', async (t) => {
  const { callId, externalCallId, client } = await answeredCall()
  client.speak(sine(800, 2_000, 16_000))
  client.send({ type: 'mark', name: 'first' })
  client.speak(sine(800, 20_000, 16_000))
  client.send({ type: 'mark', name: 'second' })
  client.send({ type: 'mark', name: 'third' })
  await client.until('mark', (message) => message.name === 'first')
  client.send({ type: 'clear', id: 'c1' })
  const cleared = await client.until('cleared', (message) => message.id === 'c1')
  t.deepEqual(
    client.of('mark').map((mark) => [mark.name, mark.status]),
    [
      ['first', 'played'],
      ['second', 'cleared'],
      ['third', 'cleared'],
    ],
  )
  client.speak(new Int16Array(16_000))
  client.send({ type: 'mark', name: 'quiet' })
  await client.until('mark', (message) => message.name === 'quiet')
  // The phone heard everything that was not dropped, except what was still on its way. A busy machine may lose a packet
  // of that, so the test measures audio and no time.
  const heardMs = (await levels(externalCallId)).filter((level) => level.rms > 0.02).length * 20
  t.true(
    Math.abs(heardMs + cleared.discardedMs - 22_000) <= 200,
    `heard ${heardMs} ms, dropped ${cleared.discardedMs} ms`,
  )
  await service.endCall(number, callId)
})

test.serial('sixty seconds sent in a burst are paced, with buffer messages, and more is refused', async (t) => {
  const { callId, client } = await answeredCall()
  const minute = sine(300, 60_000, 16_000)
  client.speak(minute, 65_536)
  await client.until('buffer', (message) => message.state === 'pause')
  client.speak(minute, 65_536)
  const full = await client.until('buffer', (message) => message.state === 'full')
  t.true(full.queuedMs <= 60_100, String(full.queuedMs))
  t.true(full.droppedMs > 0)
  client.send({ type: 'stats' })
  const stats = await client.until('stats')
  t.true(stats.queuedMs > 50_000)
  client.send({ type: 'clear' })
  await client.until('buffer', (message) => message.state === 'ok')
  await service.endCall(number, callId)
})

test.serial('half samples wait for their other half, and a message over 64 KiB closes with 1009', async (t) => {
  const { callId, externalCallId, client } = await answeredCall('prebufferMs=0')
  const bytes = Buffer.from(sine(1_000, 2_000, 16_000).buffer)
  for (let from = 0; from < bytes.length; from += 999) client.socket.send(bytes.subarray(from, from + 999))
  client.send({ type: 'mark', name: 'odd' })
  await client.until('mark', (message) => message.name === 'odd')
  const { body } = await service.control('GET', `/calls/${externalCallId}?window=1000`)
  t.true(Math.abs(body.heard.dominantHz - 1_000) < 15)
  client.socket.send(Buffer.alloc(65_537 + 1))
  t.is((await client.untilClosed()).code, 1009)
  t.is((await service.api('GET', `/v1/calls/${callId}`, number.key)).body.status, 'ACCEPTED')
  await service.endCall(number, callId)
})

test.serial('a newer session replaces the older; a listener hears beside it', async (t) => {
  const { callId, client } = await answeredCall()
  const listener = await SessionClient.connect((await mint(callId, { mode: 'listen' })).wsUrl)
  const second = await SessionClient.connect((await mint(callId)).wsUrl)
  t.is((await client.untilClosed()).code, 4409)
  second.speak(sine(600, 500, 16_000))
  second.send({ type: 'mark', name: 'said' })
  await second.until('mark')
  t.is(listener.closed, null)
  t.true(listener.samples > 0)
  await service.endCall(number, callId)
  t.is((await second.untilClosed()).code, 1000)
  t.is((await listener.untilClosed()).code, 1000)
  const after = await service.api('POST', `/v1/calls/${callId}/realtime-session`, number.key)
  t.deepEqual([after.status, after.body.code], [409, 'CALL_INVALID_STATE'])
})

test.serial('wrong parameters and wrong tokens are refused before the upgrade', async (t) => {
  const placed = await service.placeCall(number, '5511990000001')
  const minted = await mint(placed.id)
  const bad = await SessionClient.attempt(minted.wsUrl, 'rate=12345')
  t.is(bad.status, 400)
  t.true(bad.body.includes('INVALID_PARAMETER'))
  const forged = await SessionClient.attempt(minted.wsUrl.replace(minted.token, 'A'.repeat(43)))
  t.is(forged.status, 401)
  t.true(forged.body.includes('INVALID_TOKEN'))
  await service.endCall(number, placed.id)
  const over = await SessionClient.attempt(minted.wsUrl)
  t.is(over.status, 410)
})

// [voice.connect-to.1] [voice.connect-to.8] [voice.connect-to.9]
test.serial(
  'a server made for another platform is dialled, hears the peer and is heard, and the call shows it',
  async (t) => {
    const bot = await new DialledBot().listen()
    try {
      // An echo, as stock servers of that platform are written.
      bot.heard = ({ event, streamSid, media }) => {
        if (event === 'media') bot.send({ event: 'media', streamSid, media: { payload: media.payload } })
      }
      const placed = await service.placeCall(number, TONE_PEER)
      const secret = 'Bearer of-the-bot-alone'
      const dialled = await service.api('POST', `/v1/calls/${placed.id}/realtime-session`, number.key, {
        connectTo: bot.url,
        dialect: 'twilio',
        headers: { authorization: secret },
        parameters: { customer: '7' },
      })
      t.is(dialled.status, 202)
      await until('it is greeted', () => bot.texts.length >= 2)
      t.is(bot.handshakes[0]?.headers['authorization'], secret)
      t.like(bot.texts[1].start, {
        callSid: placed.id,
        streamSid: dialled.body.sessionId,
        customParameters: { customer: '7' },
      })
      await until('the peer hears its own tone', async () =>
        (await levels(placed.externalCallId)).some(({ rms }) => rms > 0.02),
      )
      const read = async () => (await service.api('GET', `/v1/calls/${placed.id}`, number.key)).body.sessions
      await until('the call shows the session', async () => (await read())[0]?.status === 'OPEN')
      await service.endCall(number, placed.id)
      await until('it hears the end', () => bot.texts.some(({ event }) => event === 'stop'))
      await until('the call shows the end', async () => (await read())[0]?.status === 'CLOSED')
      t.like((await read())[0], { id: dialled.body.sessionId, direction: 'OUTBOUND', dialect: 'twilio', error: null })
      t.false(service.gateway.output.join('').includes(secret))
    } finally {
      await bot.close()
    }
  },
)

// [voice.statistics.2] [voice.statistics.4]
test.serial(
  'a call over a bad network loses packets, is heard all the same, and goes on well from a new address once it is good',
  async (t) => {
    const placed = await service.placeCall(number, TONE_PEER)
    const client = await SessionClient.connect((await mint(placed.id, { mode: 'listen' })).wsUrl, 'stats=1')
    await client.untilStatus('ACCEPTED')
    const lost = () => client.of('stats').at(-1)?.['lost'] ?? 0
    const network = (faults: object) => service.control('POST', `/calls/${placed.externalCallId}/network`, faults)
    t.is((await network({ lossPercent: 101 })).status, 400)
    const bad = await network({ lossPercent: 20, burst: 3, jitterMs: 40, duplicatePercent: 5 })
    t.like(bad.body.network, { lossPercent: 20, burst: 3, jitterMs: 40, reorderPercent: 0, duplicatePercent: 5 })
    await until('packets are lost', () => lost() > 5)
    const heard = client.audio().subarray(-16_000)
    t.true(
      heard.some((sample) => Math.abs(sample) > 1_000),
      'the peer is heard all the same',
    )
    const good = await network({ newAddress: true })
    t.is(good.status, 200)
    t.like(good.body.network, { lossPercent: 0, jitterMs: 0, newAddress: true })
    const stats = client.of('stats').length
    await until('what was late has come', () => client.of('stats').length > stats + 2)
    const before = lost()
    await until('three seconds more', () => client.of('stats').length > stats + 5)
    // The bad network would have lost 30 of them; a busy machine may lose some by itself.
    t.true(lost() - before < 15)
    t.true(
      client
        .audio()
        .subarray(-16_000)
        .some((sample) => Math.abs(sample) > 1_000),
      'the peer goes on',
    )
    await service.endCall(number, placed.id)
  },
)
