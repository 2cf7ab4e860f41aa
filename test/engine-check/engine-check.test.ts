import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import test, { type ExecutionContext } from 'ava'
import { CHECKS } from '../../tools/engine-check/run.ts'
import { isSound, lineOf, summaryOf } from '../../tools/engine-check/finding.ts'
import { systemClock } from '../../src/process/clock.ts'
import { startSandbox } from '../../sandbox/start.ts'
import { beatingClock } from '../helpers/beating-clock.ts'
import { silentLog } from '../helpers/silent.ts'
import { until } from '../helpers/until.ts'
import { BROKEN } from './broken/engines.ts'
import { BROKEN_FLEETS } from './broken/fleets.ts'
import { OPTIONS, run, SILENCE_MS, unsound } from './run-check.ts'
import { SmallEngine, TOKEN } from './small-engine.ts'
import { WebSocket } from 'ws'
import { openPcm16Audio } from '../../tools/engine-check/audio/pcm16.ts'

const NUMERALS: Readonly<Record<number, string>> = {
  7: 'seven',
  8: 'eight',
  9: 'nine',
  16: 'sixteen',
  17: 'seventeen',
  18: 'eighteen',
  19: 'nineteen',
}

async function small(t: ExecutionContext, engine: SmallEngine): Promise<string> {
  t.teardown(() => engine.close())
  return await engine.listen()
}

// [engines.conformance.1] [engines.conformance.4]
test('the sandbox passes every check: it pairs, sends, receives, resumes, logs out', async (t) => {
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    bridgeToken: TOKEN,
    autopair: false,
    log: silentLog,
  })
  t.teardown(() => sandbox.close())
  const origin = `127.0.0.1:${sandbox.port}`
  const { findings, notAsked } = await run(t, {
    ...OPTIONS,
    url: `ws://${origin}/devices`,
    scanUrl: `http://${origin}/control/devices/${OPTIONS.number}/scan`,
    isReplyAsked: true,
  })
  t.deepEqual(unsound(findings), [])
  t.true(isSound(findings))
  t.deepEqual(notAsked, ['1 of --rotation', '5 of --calls', '2 of --takeover', '2 of --takeover with --peer'])
})

// [engines.conformance.2]
test('the sandbox passes the checks of a call: it is answered, its echo comes back, it ends', async (t) => {
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    bridgeToken: TOKEN,
    autopair: false,
    log: silentLog,
  })
  t.teardown(() => sandbox.close())
  const origin = `127.0.0.1:${sandbox.port}`
  const { findings, of } = await run(t, {
    ...OPTIONS,
    peer: '5511990000001',
    url: `ws://${origin}/devices`,
    scanUrl: `http://${origin}/control/devices/${OPTIONS.number}/scan`,
    areCallsAsked: true,
  })
  t.deepEqual(unsound(findings), [])
  t.is(of('call.audio')?.seen, 'our own tone came back: both ways')
})

// [engines.conformance.2] [engines.pcm16.3] [sandbox.control.3]
test('the sandbox passes the checks of a call over raw audio: our tone goes out at its rate, and comes back', async (t) => {
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    bridgeToken: TOKEN,
    autopair: false,
    log: silentLog,
  })
  t.teardown(() => sandbox.close())
  const origin = `127.0.0.1:${sandbox.port}`
  const chosen = await fetch(`http://${origin}/control/devices/${OPTIONS.number}/media`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"kind":"pcm16"}',
  })
  t.true(chosen.ok, String(chosen.status))
  const { findings, of } = await run(t, {
    ...OPTIONS,
    peer: '5511990000001',
    url: `ws://${origin}/devices`,
    scanUrl: `http://${origin}/control/devices/${OPTIONS.number}/scan`,
    areCallsAsked: true,
  })
  t.deepEqual(unsound(findings), [])
  t.regex(of('call.offer')?.seen ?? '', /, over pcm16$/)
  t.is(of('call.answered')?.seen, 'over pcm16')
  t.is(of('call.audio')?.seen, 'our own tone came back: both ways')
})

test('the raw audio socket opens only with its token, and receives and sends frames of 20 ms', async (t) => {
  const audio = await openPcm16Audio({ address: '127.0.0.1', clock: systemClock, log: silentLog })
  t.teardown(() => audio.close())
  const { offer } = audio
  if (offer.kind !== 'pcm16') return t.fail('no raw audio')
  const refused = new WebSocket(String(offer.url), { headers: { authorization: 'Bearer another' } })
  const [error] = (await once(refused, 'error')) as [Error]
  t.regex(error.message, /401/)
  const leg = new WebSocket(String(offer.url), { headers: { authorization: `Bearer ${offer.token}` } })
  t.teardown(() => leg.terminate())
  const frames: Buffer[] = []
  leg.on('message', (data) => {
    frames.push(data as Buffer)
    // An echo: the engine sends the audio back that it hears.
    leg.send(data as Buffer)
  })
  await until('its own tone was heard', () => audio.ear.oursMs >= 600)
  t.deepEqual([...new Set(frames.map(({ length }) => length))], [(offer.rateHz / 50) * 2])
  leg.send(Buffer.alloc(offer.rateHz * 2))
  const { oursMs } = audio.ear
  await until('silence was heard', () => audio.ear.heardMs - audio.ear.audibleMs >= 600)
  t.true(audio.ear.oursMs - oursMs < audio.ear.heardMs, 'silence is no tone')
})

test('a small engine that follows the protocol passes, and checks of features that it does not offer are skipped', async (t) => {
  const { findings, of } = await run(t, {
    ...OPTIONS,
    url: await small(t, new SmallEngine()),
    isReplyAsked: true,
    areCallsAsked: true,
  })
  t.true(isSound(findings), unsound(findings).join('\n'))
  t.deepEqual(
    findings.filter(({ verdict }) => verdict === 'passed').map(({ name }) => name),
    [
      'pair.typed',
      'newsletter.list',
      'message.typing',
      'send.changed',
      'call.offer',
      'call.listed',
      'call.answered',
      'call.audio',
      'call.ended',
    ],
  )
  t.regex(of('call.offer')?.seen ?? '', /UNSUPPORTED, and callAudio is not among the capabilities/)
})

for (const { what, make, fails, seen } of BROKEN) {
  test(`an engine that ${what} fails ${fails}, and the line says what was seen`, async (t) => {
    const { findings, of } = await run(
      t,
      { ...OPTIONS, url: await small(t, make()), patienceMs: SILENCE_MS },
      { clock: beatingClock },
    )
    t.is(of(fails)?.verdict, 'fails', findings.map(lineOf).join('\n'))
    t.regex(of(fails)?.seen ?? '', seen)
    t.false(isSound(findings))
  })
}

test('without a number only the handshake is checked, and the summary says how to ask for the rest', async (t) => {
  const { findings, notAsked } = await run(t, {
    ...OPTIONS,
    number: null,
    peer: null,
    url: await small(t, new SmallEngine()),
  })
  t.deepEqual(
    findings.map(({ name, verdict }) => `${name} ${verdict}`),
    [
      'handshake.none holds',
      'handshake.wrong holds',
      'handshake.right holds',
      'request.unknown holds',
      'request.each holds',
    ],
  )
  t.regex(
    summaryOf(findings, notAsked),
    /^5 hold, 0 fail, 0 not reached, 0 passed over, not asked for: \d+ of --number/,
  )
})

test('where no engine listens every check fails or is not reached, and nothing hangs', async (t) => {
  const engine = new SmallEngine()
  const url = await engine.listen()
  engine.close()
  const { findings, of } = await run(t, { ...OPTIONS, url })
  t.regex(of('handshake.none')?.seen ?? '', /is an engine there\?/)
  t.true(findings.every(({ verdict }) => verdict === 'fails' || verdict === 'unreached'))
})

test('every check has a unique name, names its section of the protocol, and comes after the checks that it needs', (t) => {
  t.is(new Set(CHECKS.map(({ name }) => name)).size, CHECKS.length)
  for (const [index, { name, says, needs = [] }] of CHECKS.entries()) {
    t.regex(says, /( \[[a-z0-9-]+\.[a-z0-9-]+\.\d+\])+\.$/, name)
    for (const need of needs)
      t.true(
        CHECKS.slice(0, index).some((earlier) => earlier.name === need),
        `${name} needs ${need}`,
      )
  }
})

test('docs/engines.md names every check, and how many engines break one', (t) => {
  const page = readFileSync(new URL('../../docs/engines.md', import.meta.url), 'utf8')
  t.deepEqual(
    CHECKS.map(({ name }) => name).filter((name) => !page.includes(`\`${name}\``)),
    [],
  )
  t.regex(page, new RegExp(`${NUMERALS[BROKEN.length] ?? 'a number'} engines that break one rule each`))
  t.regex(page, new RegExp(`as do ${NUMERALS[BROKEN_FLEETS.length] ?? 'a number'} fleets`))
})
