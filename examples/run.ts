/**
 * `npm run example -- NAME [--once]`: starts an example, and a gateway with its sandbox, in which the example answers
 * the calls of a number, or works with its key. `--once` has a peer call it, writes what the peer heard, and ends. To
 * an example with an inbox the peer writes, and a picture of its page is kept.
 *
 * `BASE` names a running gateway and `KEY` a tenant's key there; `SANDBOX` its sandbox, or `NUMBER_ID` a number that is
 * paired. `BOT_URL` is where that gateway reaches the example, when that is not this machine.
 */
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { exampleOf, NAMES, type Example } from './examples.ts'
import { hearBot } from './hear.ts'
import { installExample } from './install.ts'
import { runProgram, startProgram } from './program.ts'
import { peerWrites, seeInbox } from './see.ts'
import { pairNumber, runningStage, startStage, type Stage, type StageNumber } from './stage.ts'

const USAGE = `usage: npm run example -- ${NAMES.join('|')} [--once]`
const { BASE, KEY, SANDBOX, NUMBER_ID, BOT_URL } = process.env

const stops: (() => unknown)[] = []

async function openStage(): Promise<Stage> {
  if (BASE !== undefined && KEY === undefined) throw new Error('BASE needs KEY, the key of a tenant there')
  const stage = BASE === undefined || KEY === undefined ? await startStage() : runningStage(BASE, KEY, SANDBOX ?? null)
  stops.push(async () => {
    for (const stop of stage.stops.toReversed()) await stop()
  })
  return stage
}

/** The number that the example answers: the one that is named, else one that is made. */
async function findNumber(stage: Stage): Promise<StageNumber> {
  if (stage.isOwn || NUMBER_ID === undefined) return await pairNumber(stage, 'Voice bot')
  const { number } = await stage.tenant.get<{ number: string }>(`/v1/numbers/${NUMBER_ID}`)
  stage.stops.push(() => stage.tenant.patch(`/v1/numbers/${NUMBER_ID}`, { voice: null }))
  return { id: NUMBER_ID, digits: number, key: null }
}

/** What an example needs that works with the key of the number. */
function keyed(base: string, { key }: StageNumber): Record<string, string> {
  if (key === null) throw new Error('start it by itself, as its guide says: it needs the key of the number')
  return { BASE: base, KEY: key }
}

/** Starts the example. Has it answer the calls of the number, or place them; resolves to where it listens. */
async function startOn(example: Example, { base, tenant }: Stage, number: StageNumber, ended: () => void) {
  const token = randomBytes(24).toString('base64url')
  const env: Record<string, string> = example.connected ? { BOT_TOKEN: token } : keyed(base, number)
  const { url, stop } = await startProgram(example, env, ended)
  stops.push(stop)
  if (example.connected)
    await tenant.patch(`/v1/numbers/${number.id}`, {
      voice: {
        ...example.connected,
        connectTo: BOT_URL ?? url,
        headers: { authorization: `Bearer ${token}` },
        answer: 'accept',
        onUnreachable: 'reject',
      },
    })
  return url
}

/** Says how to talk to the example, and how to hear it. */
async function tell(stage: Stage, { digits }: StageNumber, name: string): Promise<void> {
  if (!stage.control) return console.log(`\n  Call ${digits} from another phone. Ctrl-C ends it.\n`)
  const person = await pairNumber(stage, 'You')
  const where = stage.isOwn ? 'the dashboard by the link above' : `${stage.base}/dashboard`
  console.log(`
  1  Open ${where}, choose Calls, and call ${digits} from "You" (${person.digits}).
  2  Talk when it is answered; interrupt it, press keys, hang up. Its log is below.
  3  Ctrl-C ends everything. To hear it without a microphone: npm run example -- ${name} --once
`)
}

/** Resolves when somebody ends this program, or the example ends. */
function untilEnded(signal: AbortSignal): Promise<unknown> {
  // Nothing else may keep this process alive, when the gateway is another's.
  const idle = setInterval(() => {}, 60_000)
  const ends = ['SIGINT', 'SIGTERM'].map((name) => once(process, name, { signal }))
  return Promise.race(ends)
    .catch(() => {})
    .finally(() => clearInterval(idle))
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { once: { type: 'boolean' } } })
  const [name] = positionals
  const example = exampleOf(name)
  if (!example || positionals.length > 1) throw new Error(USAGE)
  installExample(example)
  if (example.build) await runProgram({ ...example, command: example.build }, {})
  const stage = await openStage()
  const number = await findNumber(stage)
  if (example.isTask) return runProgram(example, keyed(stage.base, number))
  const ended = new AbortController()
  const url = await startOn(example, stage, number, () => ended.abort())
  if (example.peer === 'writes') {
    if (values.once) return seeInbox(stage, number, { url, file: `${name}-inbox.png` })
    await peerWrites(stage, number)
    console.log(`\n  Open ${url}. Somebody has written there, and says back what you answer. Ctrl-C ends everything.\n`)
  } else if (!example.connected) console.log(`\n  Open ${url} and call. Ctrl-C ends everything.\n`)
  else if (values.once) return hearBot(stage, number, { says: example.peer, file: `${name}-call.wav` })
  else await tell(stage, number, name ?? '')
  await untilEnded(ended.signal)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  for (const stop of stops.toReversed()) await stop()
}
