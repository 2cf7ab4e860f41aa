import test from 'ava'
import { SLOT_MS } from '../../../media-host/audio/frame.ts'
import { newId } from '../../../src/domain/ids.ts'
import { DialledBot } from '../../helpers/dialled-bot.ts'
import { MediaHostRig, ramp, ScriptedPlayable } from '../../helpers/media-host-rig.ts'
import { SessionClient } from '../../helpers/session-client.ts'
import { until } from '../../helpers/until.ts'
import type { CallId } from '../../../src/domain/ids.ts'

let rig: MediaHostRig

test.beforeEach(async () => {
  rig = await MediaHostRig.start()
})

test.afterEach.always(async () => {
  await rig.stop()
})

/** A person who takes the call over; `start` has come. */
async function person(callId: CallId): Promise<SessionClient> {
  const { wsUrl } = await rig.control.do('mint', { callId, mode: 'talk', takesOver: true })
  const client = await SessionClient.connect(wsUrl, 'prebufferMs=0')
  await client.until('start')
  return client
}

/** The latest that the node was told of each session. */
function sessions(): { id: string; mode: string; status: string }[] {
  const all = rig.control.of('session').map(({ session }) => session)
  return [...new Map(all.map((session) => [session.id, session])).values()].map(({ id, mode, status }) => ({
    id,
    mode,
    status,
  }))
}

// [realtime.takeover.1] [realtime.takeover.2] [realtime.takeover.3] [realtime.server-messages.13]
test.serial('a person takes the call over and gives it back, and the peer gets a frame in each slot', async (t) => {
  const callId = await rig.call()
  const bot = await rig.client(callId, 'prebufferMs=0')
  bot.speak(ramp(3_200))
  bot.send({ type: 'mark', name: 'said' })
  await rig.settled(bot)
  rig.mediaClock.tick(2)
  const human = await person(callId)
  t.like(human.of('start')[0], { mode: 'talk' })
  const told = await bot.until('takeover')
  t.is(told.by, 'person')
  t.like(bot.of('mark')[0], { name: 'said', status: 'cleared' })
  human.speak(Int16Array.from({ length: 640 }, () => -1_000))
  bot.speak(ramp(320))
  await rig.settled(human)
  await bot.until('warning', ({ code }) => code === 'LISTENER')
  rig.mediaClock.tick(3)
  t.deepEqual(
    rig.leg.sent.map((frame) => (frame.kind === 'pcm' ? frame.samples[0] : frame.kind)),
    [1, 321, -1_000, -1_000, 'silence'],
  )
  await until('both hear the peer', () => bot.samples === 5 * 320 && human.samples === 3 * 320)
  await until('the node knows', () => sessions().length === 2 && sessions()[0]?.mode === 'listen')
  t.deepEqual(sessions()[1], { id: told.sessionId, mode: 'talk', status: 'OPEN' })
  human.speak(ramp(3_200))
  await rig.settled(human)
  await rig.control.do('giveBack', { callId })
  for (const client of [bot, human]) await client.until('takeover', ({ by }) => by === 'bot')
  bot.speak(ramp(320))
  await rig.settled(bot)
  rig.mediaClock.tick(2)
  t.deepEqual(
    rig.leg.sent.slice(5).map((frame) => (frame.kind === 'pcm' ? frame.samples[0] : frame.kind)),
    [1, 'silence'],
  )
  await until('the node knows', () => sessions()[0]?.mode === 'talk')
  t.deepEqual(
    sessions().map(({ mode, status }) => [mode, status]),
    [
      ['talk', 'OPEN'],
      ['listen', 'OPEN'],
    ],
  )
})

// [realtime.takeover.4]
test.serial(
  'files end, and what a bot wanted to dial or to hang up behind them does not happen to the person',
  async (t) => {
    const callId = await rig.call()
    const bot = await rig.client(callId, 'prebufferMs=0')
    rig.playables.files.set('http://files/a', new ScriptedPlayable(100))
    bot.send({ type: 'play', mediaUrl: 'http://files/a', hangupAfterPlay: true })
    await bot.until('play', ({ status }) => status === 'queued')
    bot.send({ type: 'dtmf', digits: '12' })
    bot.send({ type: 'hangup', reason: 'done' })
    await rig.settled(bot)
    rig.mediaClock.tick(1)
    const human = await person(callId)
    t.like(await bot.until('play', ({ status }) => status === 'failed'), { error: 'CLEARED' })
    rig.mediaClock.tick(20)
    await rig.settled(human)
    t.deepEqual(
      rig.leg.sent.map(({ kind }) => kind),
      ['opus', ...Array.from({ length: 20 }, () => 'silence')],
    )
    t.deepEqual(rig.leg.digits, [])
    t.deepEqual(rig.control.of('hangup'), [])
  },
)

// [realtime.takeover.5]
test.serial('a stock client is not told: audio to it goes on, and its own is dropped, however fast', async (t) => {
  const callId = await rig.call()
  const { wsUrl } = await rig.mint(callId)
  const stock = await SessionClient.connect(wsUrl, 'dialect=twilio')
  const events = () => stock.messages.map((message) => message['event'] as string)
  await until('it has started', () => events().includes('start'))
  await person(callId)
  const media = JSON.stringify({ event: 'media', media: { payload: Buffer.alloc(160, 0xff).toString('base64') } })
  for (let message = 0; message < 700; message++) stock.socket.send(media)
  let isRead = false
  stock.socket.once('pong', () => (isRead = true))
  stock.socket.ping()
  await until('all of it was read', () => {
    // What is too fast waits for the budget of its call, which grows with this clock.
    rig.clock.advance(SLOT_MS)
    return isRead
  })
  rig.mediaClock.tick(3)
  await until('it hears the peer', () => events().filter((event) => event === 'media').length === 3)
  t.deepEqual([...new Set(events())], ['connected', 'start', 'media'])
  t.is(stock.closed, null)
  t.true(rig.leg.sent.every(({ kind }) => kind === 'silence'))
  await rig.control.do('close', { callId, status: 'COMPLETED' })
  await until('it is told of the end', () => events().at(-1) === 'stop')
})

// [realtime.takeover.6]
test.serial('a bot whose socket is lost meanwhile is dialled again, listens, and gets the call back', async (t) => {
  const bot = await new DialledBot().listen()
  t.teardown(() => bot.close())
  const callId = await rig.call()
  const session = { sessionId: newId('rts'), mode: 'talk', url: bot.url, headers: {}, query: {}, given: {} }
  await rig.control.do('dial', { callId, ...session })
  await until('the bot is greeted', () => bot.texts.length > 0)
  const human = await person(callId)
  await until('it is told', () => bot.texts.some(({ type }) => type === 'takeover'))
  bot.socket?.terminate()
  await until('it is to be dialled again', () => sessions()[0]?.status === 'CONNECTING')
  bot.texts.length = 0
  rig.clock.advance(1_000)
  await until('it is told again', () => bot.texts.some(({ type, by }) => type === 'takeover' && by === 'person'))
  t.is(human.closed, null)
  t.like(bot.texts[0], { type: 'start', mode: 'talk' })
  await until('the node knows', () => sessions()[0]?.mode === 'listen' && sessions()[0]?.status === 'OPEN')
  await rig.control.do('giveBack', { callId })
  await until('it has the call', () => bot.texts.some(({ type, by }) => type === 'takeover' && by === 'bot'))
  await human.until('takeover', ({ by }) => by === 'bot')
})

// [realtime.takeover.3] [realtime.takeover.6]
test.serial('the bot gets the call back when the person has left too, and nobody gets it who is gone', async (t) => {
  const callId = await rig.call()
  const missing = () => rig.control.ask('giveBack', { callId })
  t.like(await missing(), { ok: false, error: { code: 'CALL_INVALID_STATE' } })
  const bot = await rig.client(callId)
  t.like(await missing(), { ok: false, error: { code: 'CALL_INVALID_STATE' } })
  const first = await person(callId)
  const second = await person(callId)
  await first.until('takeover', ({ by }) => by === 'person')
  second.close()
  await second.untilClosed()
  await until('the host knows', () => sessions()[2]?.status === 'CLOSED')
  await rig.control.do('giveBack', { callId })
  await first.until('takeover', ({ by }) => by === 'bot')
  await rig.control.do('giveBack', { callId })
  await bot.until('takeover', ({ by }) => by === 'bot')
  t.like(await missing(), { ok: false, error: { code: 'CALL_INVALID_STATE' } })
  await person(callId)
  bot.close()
  await until('the host knows', () => sessions()[0]?.status === 'CLOSED')
  t.like(await missing(), { ok: false, error: { code: 'CALL_INVALID_STATE' } })
  t.deepEqual(rig.control.of('hangup'), [])
})
