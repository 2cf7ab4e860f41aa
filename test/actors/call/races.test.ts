import test from 'ava'
import { array, assert, asyncProperty, boolean, constant, constantFrom, oneof, record } from 'fast-check'
import { isLive } from '../../../src/domain/call.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { CallId, NumberId } from '../../../src/domain/ids.ts'
import type { Rig } from '../rig.ts'
import { connectedNumber, createRig, pass, placeCall, receiveCall, rowOf, settled } from '../rig.ts'

const ACTS = [
  'accept',
  'reject',
  'terminate',
  'play',
  'session',
  'peer hangup',
  'peer declined',
  'peer canceled',
  'peer failed',
  'peer rings',
  'peer answers',
  'media flows',
  'media lost',
  'socket hangup',
  'socket accept',
  'time',
  'long time',
  'let run',
  'store fails once',
] as const
type Act = (typeof ACTS)[number]

const COMMANDS = { reject: 'Reject', terminate: 'Terminate' } as const

interface Run {
  readonly rig: Rig
  readonly numberId: NumberId
  readonly callId: CallId
  readonly externalCallId: string
  readonly asks: Promise<Outcome<unknown>>[]
  readonly seqs: number[]
}

async function act(run: Run, what: Act): Promise<void> {
  const { rig, numberId, callId, externalCallId, asks, seqs } = run
  const session = rig.driver.last
  switch (what) {
    case 'accept':
      return void asks.push(rig.directory.askCall(numberId, callId, 'Accept', { sdp: null }))
    case 'reject':
    case 'terminate':
      return void asks.push(rig.directory.askCall(numberId, callId, COMMANDS[what], {}))
    case 'play':
      return void asks.push(
        rig.directory.askCall(numberId, callId, 'Play', { mediaUrl: 'http://a/b.mp3', hangupAfterPlay: false }),
      )
    case 'session':
      return void asks.push(rig.directory.askCall(numberId, callId, 'OpenSession', { mode: 'talk', by: 'key_1' }))
    case 'peer hangup':
    case 'peer declined':
    case 'peer canceled':
    case 'peer failed':
      return void seqs.push(session.raise({ type: 'callEnded', externalCallId, reason: what.slice('peer '.length) }))
    case 'peer rings':
      return void seqs.push(session.raise({ type: 'callRinging', externalCallId }))
    case 'peer answers':
      return void seqs.push(session.raise({ type: 'callAnswered', externalCallId, sdp: 's' }))
    case 'media flows':
      return rig.media.raise({ type: 'flowing', callId })
    case 'media lost':
      return rig.media.raise({ type: 'lost', callId, reason: 'ice' })
    case 'socket hangup':
      return rig.media.raise({ type: 'hangup', callId, reason: null })
    case 'socket accept':
      return rig.media.raise({ type: 'accept', callId })
    case 'time':
      return await pass(rig, 5_000)
    case 'long time':
      return await pass(rig, 61_000)
    case 'let run':
      return await settled(3)
    case 'store fails once':
      return void rig.rows.failing++
  }
}

async function check(
  isInbound: boolean,
  acts: readonly Act[],
  upstream: { accept: boolean; answer: boolean; connect: boolean },
): Promise<void> {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const no = fail(refuse('DEVICE_NETWORK_ERROR', 'no'))
  if (!upstream.accept) rig.driver.last.acceptAnswer = () => no
  if (!upstream.answer) rig.media.answerAnswer = () => no
  if (!upstream.connect) rig.media.connectAnswer = () => no
  const placed = isInbound ? null : await placeCall(rig, numberId)
  const callId = placed?.id ?? (await receiveCall(rig))
  const run: Run = { rig, numberId, callId, externalCallId: placed?.externalCallId ?? 'in-1', asks: [], seqs: [] }
  rig.rows.writes.length = 0
  for (const what of acts) await act(run, what)
  // The timers end the call in every case, except an answered one with audio, which this hangs up.
  await pass(rig, 10_000)
  rig.driver.last.raise({ type: 'callEnded', externalCallId: run.externalCallId, reason: 'hangup' })
  await pass(rig, 100_000, 5_000)

  const answers = await Promise.all(run.asks)
  if (answers.some((answer) => !answer.ok && answer.error.code === 'TIMEOUT'))
    throw new Error('an ask was left waiting')
  const row = rowOf(rig, callId)
  if (isLive(row.status)) throw new Error(`still ${row.status}`)
  const terminal = rig.rows.eventNames(callId).filter((name) => name === 'call.ended' || name === 'call.missed')
  if (terminal.length !== 1) throw new Error(`${terminal.length} terminal events`)
  if (rig.directory.stats().calls !== 0) throw new Error('the actor is still there')
  if (!rig.media.closed.has(callId)) throw new Error('media was not closed')
  for (const seq of run.seqs)
    if (!rig.driver.last.settled.includes(seq)) throw new Error(`event ${seq} was not settled`)
  const answered = rig.rows.eventNames(callId).includes('call.connected')
  if (answered !== (row.durationSeconds !== null)) throw new Error('duration and answer disagree')
  await rig.directory.stop()
}

const upstreams = record({ accept: boolean(), answer: boolean(), connect: boolean() })
const SMOOTH = { accept: true, answer: true, connect: true }

test('any order of commands, peer, media and timers leaves one terminal state, one terminal event and no open ask', async (t) => {
  await assert(
    asyncProperty(
      boolean(),
      array(constantFrom(...ACTS), { maxLength: 14 }),
      oneof(constant(SMOOTH), upstreams),
      check,
    ),
    { numRuns: 300 },
  )
  t.pass()
})

test('a store that is down longer than it is retried leaves no event of the call unsettled', async (t) => {
  const down: Act[] = Array.from({ length: 4 }, () => 'store fails once')
  await check(false, ['peer hangup', ...down], SMOOTH)
  await check(false, [...down, 'peer rings', 'time', 'peer hangup'], SMOOTH)
  await check(true, ['accept', 'let run', ...down, 'peer hangup'], SMOOTH)
  await check(false, [...down, 'terminate', 'peer failed'], SMOOTH)
  t.pass()
})

test('accept, terminate and hang-up at the same moment leave one terminal state, in every order', async (t) => {
  const orders: Act[][] = [
    ['accept', 'terminate', 'peer hangup'],
    ['accept', 'peer hangup', 'terminate'],
    ['terminate', 'accept', 'peer hangup'],
    ['terminate', 'peer hangup', 'accept'],
    ['peer hangup', 'accept', 'terminate'],
    ['peer hangup', 'terminate', 'accept'],
  ]
  for (const order of orders) {
    await check(true, order, SMOOTH)
    await check(
      true,
      order.flatMap((what) => [what, 'let run' as const]),
      SMOOTH,
    )
  }
  t.pass()
})

test('many asks at one moment are all answered with the one final status', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const id = await receiveCall(rig)
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => rig.directory.askCall(numberId, id, 'Terminate', {})),
  )
  for (const answer of answers) t.deepEqual(answer, succeed({ id, status: 'REJECTED' }))
  t.deepEqual(rig.rows.eventNames(id), ['call.ringing', 'call.ended'])
})
