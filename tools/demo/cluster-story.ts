import { randomInt } from 'node:crypto'
import { request } from 'undici'
import { Bot } from './bot.ts'
import { ECHO_PEER, singUntilHeard, type CallBody } from './call-story.ts'
import type { ClusterPrograms, Program } from './cluster-programs.ts'
import { eventually } from './eventually.ts'
import type { Report } from './report.ts'
import { Rest } from './rest.ts'

/** A running cluster, reached through its balancer. */
export interface ClusterStage {
  readonly programs: ClusterPrograms
  readonly base: string
  readonly tenant: Rest
  /** The sandbox's control API. */
  readonly control: Rest
}

interface NumberBody {
  readonly id: string
  readonly apiKey: { readonly key: string }
}

/** How long to wait, in ms: a call that no node adopted by then is over ([nodes.calls.6]). */
const PATIENCE_MS = 60_000

/**
 * Nine programs start, die and take over on one machine. While that keeps the machine from carrying the audio in time,
 * the bot plays it again.
 */
const SONGS = 30

/** The gateway that holds a call, by asking each one; null when none does. */
async function holderOf(gateways: readonly Program[]): Promise<Program | null> {
  for (const gateway of gateways) {
    if (!gateway.isRunning) continue
    const { liveCalls } = (await request(`http://127.0.0.1:${gateway.port('port')}/health/ready`).then((answer) =>
      answer.body.json(),
    )) as { readonly liveCalls: number }
    if (liveCalls > 0) return gateway
  }
  return null
}

async function pair({ tenant, control }: ClusterStage, report: Report): Promise<NumberBody> {
  return await report.step('create a number and pair it, through any node', async () => {
    const digits = `55119${randomInt(10_000_000, 99_999_999)}`
    const created = await tenant.post<NumberBody>('/v1/numbers', { name: 'Cluster', number: digits })
    await eventually(
      'a code to scan',
      () =>
        control.post(`/control/devices/${digits}/scan`).then(
          () => true,
          () => null,
        ),
      PATIENCE_MS,
    )
    const state = await eventually(
      'the number is OPEN',
      async () => {
        const status = await tenant.get<{ state: string }>(`/v1/numbers/${created.id}/status`)
        return status.state === 'OPEN' ? status.state : null
      },
      PATIENCE_MS,
    )
    return [created, `${created.id} ${state}`] as const
  })
}

async function placeCall(number: Rest, report: Report): Promise<{ call: CallBody; bot: Bot }> {
  return await report.step('place a call; a bot joins and is answered', async () => {
    const call = await number.post<CallBody>('/v1/calls', { to: ECHO_PEER })
    const session = await number.post<{ wsUrl: string }>(`/v1/calls/${call.id}/realtime-session`)
    const bot = await Bot.connect(session.wsUrl)
    await bot.waitFor('answer', (message) => message.type === 'call' && message['status'] === 'ACCEPTED', PATIENCE_MS)
    return [{ call, bot }, `${call.id} ACCEPTED, audio at ${new URL(session.wsUrl).host}`] as const
  })
}

async function talk(report: Report, name: string, bot: Bot): Promise<void> {
  await report.step(name, async () => {
    const { ms } = await singUntilHeard(bot, SONGS)
    return [undefined, `all four notes, round trip ${ms} ms`] as const
  })
}

/** Kills the gateway of a call; the call goes on and is ended through another gateway. Resolves to the killed one. */
export async function tellClusterStory(stage: ClusterStage, report: Report): Promise<Program> {
  const { programs, base } = stage
  const {
    id,
    apiKey: { key },
  } = await pair(stage, report)
  const number = new Rest(base, key)
  const { call, bot } = await placeCall(number, report)
  await talk(report, 'sing and hear the echo', bot)
  const holder = await report.step('kill -9 the gateway that owns the call', async () => {
    const owner = await eventually('a gateway holds the call', () => holderOf(programs.gateways), PATIENCE_MS)
    await owner.kill()
    return [owner, `${owner.name} is gone, ${programs.nodes().length} are left`] as const
  })
  await talk(report, 'sing on: bot and peer hear each other', bot)
  await report.step('another gateway takes the call over', async () => {
    const next = await eventually('a gateway holds the call', () => holderOf(programs.gateways), PATIENCE_MS)
    const { status } = await number.get<CallBody>(`/v1/calls/${call.id}`)
    if (status !== 'ACCEPTED') throw new Error(`the call is ${status}`)
    return [undefined, `${next.name}; the call is still ${status}`] as const
  })
  await report.step('hang up, through any node', async () => {
    if (!bot.isOpen) throw new Error("the bot's session was closed")
    await number.post(`/v1/calls/${call.id}/terminate`)
    const ended = await number.get<CallBody>(`/v1/calls/${call.id}`)
    if (ended.status !== 'COMPLETED') throw new Error(`the call ended ${ended.status}`)
    return [undefined, `COMPLETED after ${ended.durationSeconds} s`] as const
  })
  bot.close()
  await stage.tenant.delete(`/v1/numbers/${id}`)
  return holder
}
