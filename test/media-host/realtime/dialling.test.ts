import test from 'ava'
import { newId, type CallId } from '../../../src/domain/ids.ts'
import { DialledBot } from '../../helpers/dialled-bot.ts'
import { MediaHostRig, ramp } from '../../helpers/media-host-rig.ts'
import { until } from '../../helpers/until.ts'

let rig: MediaHostRig
let bot: DialledBot

test.beforeEach(async () => {
  rig = await MediaHostRig.start()
  bot = await new DialledBot().listen()
})

test.afterEach.always(async () => {
  await rig.stop()
  await bot.close()
})

const sessions = () => rig.control.of('session').map(({ session }) => session)
const statuses = () => sessions().map(({ status }) => status)

function dial(callId: CallId, over: object = {}) {
  const wanted = { sessionId: newId('rts'), mode: 'talk', url: bot.url, headers: {}, query: {}, given: {} }
  return rig.control.ask('dial', { callId, ...wanted, ...over })
}

async function dialled(callId: CallId, over: object = {}): Promise<void> {
  const answer = await dial(callId, over)
  if (!answer.ok) throw new Error(answer.error.code)
  await until('the bot is greeted', () => bot.texts.length > 0)
}

// [voice.connect-to.1] [voice.connect-to.3] [voice.connect-to.5]
test.serial(
  'a server is dialled with its headers, is greeted with what it was given, and speaks and hears',
  async (t) => {
    const callId = await rig.call()
    await dialled(callId, {
      headers: { authorization: 'Bearer of-the-bot', 'x-line': '2' },
      query: { rate: '24000', prebufferMs: '0' },
      given: { customer: '7' },
    })
    t.like(bot.handshakes[0], { url: '/bot?line=2', headers: { authorization: 'Bearer of-the-bot', 'x-line': '2' } })
    t.like(bot.texts[0], { type: 'start', callId, mode: 'talk', inRate: 24_000, parameters: { customer: '7' } })
    bot.socket?.send(Buffer.from(ramp(480).buffer))
    bot.send({ type: 'mark', name: 'said' })
    bot.send({ type: 'ping', id: 1 })
    await until('it was read', () => bot.texts.some(({ type }) => type === 'pong'))
    rig.mediaClock.tick(2)
    t.deepEqual(rig.leg.heard(), [...ramp(480)])
    await until('the mark is back', () => bot.texts.some(({ type, name }) => type === 'mark' && name === 'said'))
    t.true(bot.frames.length > 0)
    rig.leg.events.digit?.('5', 240)
    await until('it hears the digit', () => bot.texts.some(({ type, digit }) => type === 'dtmf' && digit === '5'))
    bot.send({ type: 'hangup' })
    await until('the gateway is asked to hang up', () => rig.control.of('hangup').length === 1)
    await rig.control.do('close', { callId, status: 'COMPLETED' })
    await until('the socket is closed', () => bot.code)
    t.is(bot.code, 1000)
    t.deepEqual(statuses(), ['CONNECTING', 'OPEN', 'CLOSED'])
    t.like(sessions().at(-1), { direction: 'OUTBOUND', mode: 'talk', dialect: 'native', closeCode: 1000, error: null })
  },
)

// [voice.connect-to.5] [voice.connect-to.9]
test.serial('servers made for other platforms are greeted in their own words', async (t) => {
  const callId = await rig.call()
  const sessionId = newId('rts')
  await dialled(callId, { sessionId, query: { dialect: 'twilio' }, given: { customer: '7' } })
  await until('it is greeted', () => bot.texts.length === 2)
  t.is(bot.texts[0].event, 'connected')
  t.like(bot.texts[1], { event: 'start', streamSid: sessionId })
  t.like(bot.texts[1].start, { callSid: callId, streamSid: sessionId, customParameters: { customer: '7' } })
  t.regex(bot.texts[1].start.accountSid, /^ten_/)
  bot.texts.length = 0
  await dialled(callId, { query: { dialect: 'vonage' }, given: { customer: '7', event: 'mine' } })
  t.deepEqual(bot.texts, [{ customer: '7', event: 'websocket:connected', 'content-type': 'audio/l16;rate=16000' }])
})

// [voice.connect-to.6]
test.serial('a refused handshake is tried again after 1, 2 and 4 s, then the session has failed', async (t) => {
  const callId = await rig.call()
  bot.refusal = 401
  t.true((await dial(callId, { query: { onDisconnect: 'hangup' } })).ok)
  for (const [tries, pauseMs] of [1_000, 2_000, 4_000].entries()) {
    await until(
      `try ${tries + 1} was refused`,
      () => sessions().filter(({ error }) => error !== null).length === tries + 1,
    )
    rig.clock.advance(pauseMs - 1)
    t.is(bot.handshakes.length, tries + 1)
    rig.clock.advance(1)
    await until('it is dialled again', () => bot.handshakes.length === tries + 2)
  }
  await until('it has failed', () => statuses().at(-1) === 'FAILED')
  t.is(bot.handshakes.length, 4)
  t.is(sessions().at(-1).error, 'The server answered the handshake with status 401.')
  await until('onDisconnect acts', () => rig.control.of('hangup').length === 1)
})

// [voice.connect-to.6] [voice.connect-to.10]
test.serial('a lost socket is dialled again, and one that its server closed in order is not', async (t) => {
  const callId = await rig.call()
  await dialled(callId, { query: { onDisconnect: 'hangup' } })
  bot.texts.length = 0
  bot.socket?.terminate()
  await until('it is lost', () => statuses().at(-1) === 'CONNECTING')
  t.is(rig.control.of('hangup').length, 0)
  rig.clock.advance(1_000)
  await until('it is greeted again', () => bot.texts.length > 0)
  t.is(bot.handshakes.length, 2)
  bot.socket?.close(1000)
  await until('it is closed', () => statuses().at(-1) === 'CLOSED')
  await until('onDisconnect acts', () => rig.control.of('hangup').length === 1)
  t.deepEqual(statuses(), ['CONNECTING', 'OPEN', 'CONNECTING', 'OPEN', 'CLOSED'])
  rig.clock.advance(10_000)
  t.is(bot.handshakes.length, 2)
})

// [voice.connect-to.6]
test.serial(
  'a server that takes each connection and fails at once is given up; one that was there for 10 s is not',
  async (t) => {
    const callId = await rig.call()
    await dialled(callId, { query: { onDisconnect: 'hangup' } })
    const lose = async () => {
      const before = statuses().length
      bot.socket?.close(1011)
      await until('it is lost', () => statuses().length > before)
    }
    const comeBack = async (pauseMs: number) => {
      const before = bot.handshakes.length
      bot.texts.length = 0
      rig.clock.advance(pauseMs)
      await until('it is greeted again', () => bot.handshakes.length > before && bot.texts.length > 0)
    }
    await lose()
    for (const pauseMs of [1_000, 2_000]) {
      await comeBack(pauseMs)
      rig.clock.advance(9_999)
      await lose()
    }
    await comeBack(4_000)
    rig.clock.advance(10_000)
    await lose()
    t.is(statuses().at(-1), 'CONNECTING')
    for (const pauseMs of [1_000, 2_000, 4_000]) {
      await comeBack(pauseMs)
      await lose()
    }
    t.like(sessions().at(-1), { status: 'FAILED', closeCode: 1011, error: 'The connection was lost.' })
    await until('onDisconnect acts', () => rig.control.of('hangup').length === 1)
  },
)

// [voice.number-setting.6]
test.serial('a call that rings outlives a server that was to answer it, whatever onDisconnect says', async (t) => {
  const callId = await rig.call('RINGING')
  await dialled(callId, { query: { onDisconnect: 'hangup' }, sparesRinging: true })
  bot.socket?.close(1000)
  await until('it is closed', () => statuses().at(-1) === 'CLOSED')
  await rig.control.do('status', { callId, status: 'ACCEPTED' })
  t.is(rig.control.of('hangup').length, 0)
  bot.texts.length = 0
  await dialled(callId, { query: { onDisconnect: 'hangup' }, sparesRinging: true })
  bot.socket?.close(1000)
  await until('onDisconnect acts', () => rig.control.of('hangup').length === 1)
})

// [voice.number-setting.7]
test.serial('a session that is dialled again under its id is told as it stands, and nothing is dialled', async (t) => {
  const callId = await rig.call()
  const sessionId = newId('rts')
  await dialled(callId, { sessionId })
  t.true((await dial(callId, { sessionId })).ok)
  await until('it is told again', () => statuses().length === 3)
  t.deepEqual([statuses().slice(1), bot.handshakes.length], [['OPEN', 'OPEN'], 1])
})

// [voice.connect-to.7] [voice.connect-to.11]
test.serial('addresses that are not let through are refused, and nothing is dialled', async (t) => {
  const callId = await rig.call()
  rig.resolve = async (name) => [{ address: name === 'inside.example' ? '10.0.0.1' : '93.184.216.34', family: 4 }]
  const codes = async (url: string) => (await dial(callId, { url })).error?.code
  for (const url of [
    'wss://10.0.0.1/',
    'wss://[::1]/',
    'wss://0x7f.1.1.1/',
    'wss://2852039166/',
    'wss://inside.example/',
    'ws://public.example/',
    'wss://user:secret@public.example/',
    'wss://public.example:25/',
  ])
    t.is(await codes(url), 'MEDIA_URL_FORBIDDEN', url)
  for (const url of ['https://public.example/', 'public.example', '', 'wss://'])
    t.is(await codes(url), 'VALIDATION', url)
  t.is((await dial(callId, { query: { dialect: 'morse' } })).error.code, 'VALIDATION')
  t.deepEqual([statuses(), bot.handshakes], [[], []])
})

// [voice.connect-to.7]
test.serial('a name that leads elsewhere by the time of the connection is not connected to', async (t) => {
  const callId = await rig.call()
  let asked = 0
  rig.resolve = async () => [{ address: asked++ === 0 ? '93.184.216.34' : '10.0.0.1', family: 4 }]
  t.true((await dial(callId, { url: bot.url.replace('ws://127.0.0.1', 'wss://turns.example') })).ok)
  await until('it is refused', () => sessions().some(({ error }) => error?.includes('not public')))
  t.deepEqual(bot.handshakes, [])
})

test.serial(
  'the end of the call ends what is being dialled, and a session that is known is not dialled again',
  async (t) => {
    const callId = await rig.call()
    bot.refusal = 503
    const sessionId = newId('rts')
    t.true((await dial(callId, { sessionId })).ok)
    t.true((await dial(callId, { sessionId })).ok)
    await until('it was refused', () => bot.handshakes.length === 1)
    await until('that is told', () => sessions().some(({ error }) => error !== null))
    await rig.control.do('close', { callId, status: 'COMPLETED' })
    await until('it is over', () => statuses().at(-1) === 'CLOSED')
    rig.clock.advance(10_000)
    t.is(bot.handshakes.length, 1)
    t.is((await dial(callId)).error.code, 'CALL_INVALID_STATE')
  },
)

// [voice.connect-to.10]
test.serial('a server that is dialled again does not replace whoever speaks by then', async (t) => {
  const callId = await rig.call()
  await dialled(callId)
  bot.socket?.terminate()
  await until('it is lost', () => statuses().at(-1) === 'CONNECTING')
  const client = await rig.client(callId)
  rig.clock.advance(1_000)
  await until('it is over', () => statuses().at(-1) === 'CLOSED')
  t.is(bot.handshakes.length, 1)
  client.send({ type: 'ping', id: 1 })
  t.like(await client.until('pong'), { id: 1 })
})

// [voice.connect-to.10]
test.serial('a call dials five servers at once at most', async (t) => {
  const callId = await rig.call()
  bot.refusal = 503
  for (let at = 0; at < 5; at++) t.true((await dial(callId, { mode: 'listen' })).ok)
  t.is((await dial(callId, { mode: 'listen' })).error.code, 'MEDIA_CAPACITY')
})

test.serial('a client that comes after two servers could not be had ends what each of them left behind', async (t) => {
  const callId = await rig.call()
  bot.refusal = 503
  for (const tries of [4, 8]) {
    t.true((await dial(callId, { query: { onDisconnect: 'grace' } })).ok)
    for (let refused = tries - 3; refused <= tries; refused++) {
      await until('it was refused', () => bot.handshakes.length === refused)
      await until('that is told', () => sessions().filter(({ error }) => error !== null).length === refused)
      if (refused < tries) rig.clock.advance(4_000)
    }
    await until('it has failed', () => statuses().filter((status) => status === 'FAILED').length === tries / 4)
  }
  const client = await rig.client(callId)
  rig.clock.advance(31_000)
  client.send({ type: 'ping', id: 1 })
  t.like(await client.until('pong'), { id: 1 })
  t.is(rig.control.of('hangup').length, 0)
})
