import type { ExecutionContext } from 'ava'
import { setTimeout as pause } from 'node:timers/promises'
import type { CallStorm, Outage } from './receiver-calls.ts'
import type { LogItem, StoredEnvelope } from './receiver-ledger.ts'
import type { Mode, ReceiverZoo, ZooArrival } from './receiver-zoo.ts'
import { verified } from './receiver.ts'
import type { PairedNumber, Service } from './service.ts'
import { until } from './until.ts'

const RESPONSE_BYTES = 16_384
/**
 * Environment of a gateway with failing receivers: tries follow each other soon, and each waits briefly for an answer.
 */
export const IMPATIENT = { WEBHOOK_RETRY_SECONDS: '0.3,0.5,1,1,2,2,2,2,2,2,2', WEBHOOK_TIMEOUT_SECONDS: '2' }
/** How many calls may come in while a gateway is down. */
const WHILE_AWAY = 40

/** A number's webhook at the receiver. */
export interface Hook {
  readonly id: string
  readonly numberId: string
  readonly path: string
  readonly secret: string
}

/** Whether the log of an attempt matches how the receiver treated it: status and status code. */
const LOGGED_AS: Readonly<Record<Mode, (item: LogItem) => boolean>> = {
  ok: ({ status, statusCode }) => status === 'SUCCESS' && statusCode === 200,
  '500': ({ status, statusCode }) => status === 'FAILED' && statusCode === 500,
  'huge-body': ({ status, statusCode }) => status === 'FAILED' && statusCode === 500,
  redirect: ({ status, statusCode }) => status === 'FAILED' && statusCode === 302,
  reset: ({ status, statusCode }) => status === 'FAILED' && (statusCode === 200 || statusCode === 0),
  timeout: ({ status, statusCode }) => status === 'FAILED' && statusCode === 0,
  'slow-headers': ({ status, statusCode }) => status === 'FAILED' && statusCode === 0,
}

/** Creates numbers that reject every call, each with a webhook for all events. */
export async function hookedNumbers(
  service: Service,
  zoo: ReceiverZoo,
  count: number,
): Promise<{ numbers: PairedNumber[]; hooks: Hook[] }> {
  const numbers: PairedNumber[] = []
  for (let at = 0; at < count; at++) numbers.push(await service.pairNumber({ rejectCall: true }))
  const hooks = await Promise.all(
    numbers.map(async (number): Promise<Hook> => {
      const path = `/${number.id}`
      const made = await service.api('POST', '/v1/webhooks', number.key, { url: zoo.endpoint(path), events: ['*'] })
      if (made.status !== 201) throw new Error(`no webhook: ${made.text}`)
      return { id: made.body.id, numberId: number.id, path, secret: made.body.secret }
    }),
  )
  return { numbers, hooks }
}

export interface KilledStorm {
  readonly storm: CallStorm
  readonly calls: number
  readonly callers: number
  readonly kills: number
  readonly random: () => number
  /** Kills a gateway and restarts it. */
  kill(): Promise<Outage>
}

/** Makes all calls. The seed decides at which points of the storm, and after which pauses, a gateway is killed. */
export async function ringThroughKills({ storm, calls, callers, kills, random, kill }: KilledStorm): Promise<Outage[]> {
  const share = calls / (kills + 1)
  const points = Array.from({ length: kills }, (_, at) => Math.round(share * (at + 0.5 + random())))
  const ringing = storm.run(calls, callers)
  // When a caller fails, the test ends where it is awaited; the waits below then give up.
  ringing.catch(() => {})
  const outages: Outage[] = []
  for (const point of points) {
    storm.allow(point + WHILE_AWAY)
    await storm.untilRung(point)
    await pause(random() * 300)
    outages.push(await kill())
  }
  storm.allow(calls)
  await ringing
  return outages
}

/** Waits until every event that is owed, and every one that was tried, was accepted once. */
export async function untilTaken(zoo: ReceiverZoo, awaited: readonly StoredEnvelope[]): Promise<void> {
  let missing: string[] = []
  await until('every event is taken', () => {
    const taken = new Set(zoo.arrivals.filter(({ mode }) => mode === 'ok').map(({ id }) => id))
    missing = [...awaited, ...zoo.arrivals].map(({ id }) => id).filter((id) => !taken.has(id))
    return missing.length === 0
  }).catch((error: unknown) => {
    const told = missing.slice(0, 5).map(
      (id) =>
        `${id}: ${zoo.arrivals
          .filter((arrival) => arrival.id === id)
          .map(({ attempt, mode }) => `${attempt} ${mode}`)
          .join(', ')}`,
    )
    throw new Error(`${String(error)}; ${missing.length} are not:\n${told.join('\n')}`)
  })
}

/** Asserts that each call of the upstream ended once in the service, whatever was killed meanwhile. */
export function assertStored(t: ExecutionContext, ended: readonly StoredEnvelope[], rung: readonly string[]): void {
  t.deepEqual(
    ended.map(({ data }) => data.externalCallId as string).toSorted(),
    rung.toSorted(),
    'every call rung has exactly one call.ended, and no other has one',
  )
}

/**
 * Asserts that every event was delivered at least once and nothing was invented; repeated deliveries have the same id
 * and bytes, and all are signed.
 */
export function assertDelivered(
  t: ExecutionContext,
  {
    hooks,
    events,
    arrivals,
  }: { hooks: readonly Hook[]; events: readonly StoredEnvelope[]; arrivals: readonly ZooArrival[] },
): void {
  const stored = new Map(events.map((event) => [event.id, event]))
  const secrets = new Map(hooks.map((hook) => [hook.path, hook]))
  const taken = new Set<string>()
  const faults: string[] = []
  const bodies = new Map<string, string>()
  for (const arrival of arrivals) {
    const { id, path, body, mode } = arrival
    const event = stored.get(id)
    const hook = secrets.get(path)
    if (!event || !hook || event.channelNumberId !== hook.numberId) {
      faults.push(`${id} at ${path} is no stored event of the number`)
      continue
    }
    if (mode === 'ok') taken.add(id)
    const text = body.toString('utf8')
    if ((bodies.get(id) ?? text) !== text) faults.push(`${id} came with different bytes`)
    bodies.set(id, text)
    try {
      if (JSON.stringify(verified(arrival, hook.secret)) !== JSON.stringify(event))
        faults.push(`${id} is not as stored`)
    } catch {
      faults.push(`${id} came with a wrong signature`)
    }
  }
  t.deepEqual(faults.slice(0, 10), [])
  const missing = events.filter(({ id, event }) => event === 'call.ended' && !taken.has(id)).map(({ id }) => id)
  t.deepEqual(missing.slice(0, 10), [], `${missing.length} events never arrived`)
}

export interface Accounts {
  readonly hooks: readonly Hook[]
  readonly arrivals: readonly ZooArrival[]
  readonly items: readonly LogItem[]
  readonly outages: readonly Outage[]
}

/**
 * Asserts what the logs owe across SIGKILL. A try and its log are settled in one transaction with the next try, so a
 * kill can only lose the settling of tries that were under way; their job comes back with the same number of the try.
 * Therefore the logged tries of an event are 1, 2, ... k, each once, and all but the last are FAILED; the receiver saw
 * exactly the logged tries; it saw one twice only across a kill; and each is logged in a way that fits how the receiver
 * treated it (or as unanswered, because only the sender knows whether an answer was read in time).
 */
export function assertAccounted(t: ExecutionContext, { hooks, arrivals, items, outages }: Accounts): void {
  const pathOf = new Map(hooks.map(({ id, path }) => [id, path]))
  const seen = Map.groupBy(arrivals, ({ path, id, attempt }) => `${path} ${id} ${attempt}`)
  const logged = Map.groupBy(
    items,
    ({ webhookId, eventId, attempt }) => `${pathOf.get(webhookId)} ${eventId} ${attempt}`,
  )
  t.deepEqual(
    [...seen.keys()].filter((key) => !logged.has(key)).slice(0, 10),
    [],
    'a try the receiver saw is not logged',
  )
  t.deepEqual(
    [...logged.keys()].filter((key) => !seen.has(key)).slice(0, 10),
    [],
    'a try is logged that the receiver never saw',
  )
  t.deepEqual(
    [...logged]
      .filter(([, found]) => found.length > 1)
      .map(([key]) => key)
      .slice(0, 10),
    [],
    'a try is logged twice',
  )

  const unexplained = [...seen].filter(([, [first, ...again]]) =>
    again.some((later) => first && !outages.some(({ fromMs, toMs }) => first.atMs <= toMs && later.atMs >= fromMs)),
  )
  t.deepEqual(unexplained.map(([key]) => key).slice(0, 10), [], 'a try was made twice without a kill between')

  const mislogged = [...logged].filter(([key, [item]]) => {
    const isUnanswered = item?.status === 'FAILED' && item.statusCode === 0
    return item && !isUnanswered && !(seen.get(key) ?? []).some(({ mode }) => LOGGED_AS[mode](item))
  })
  t.deepEqual(
    mislogged.map(([key, [item]]) => `${key}: ${item?.status} ${item?.statusCode}`).slice(0, 10),
    [],
    'a try is logged as what it was not',
  )

  const rows = Map.groupBy(items, ({ webhookId, eventId }) => `${webhookId} ${eventId}`)
  const broken = [...rows].filter(([, tries]) => {
    const inOrder = tries.toSorted((a, b) => a.attempt - b.attempt)
    return inOrder.some(
      ({ attempt, status }, index) =>
        attempt !== index + 1 || (status === 'SUCCESS') !== (index === inOrder.length - 1),
    )
  })
  t.deepEqual(
    broken.map(([key]) => key).slice(0, 10),
    [],
    'the tries of an event are not 1 to k with one success at the end',
  )
  t.true(
    items.every(({ response }) => Buffer.byteLength(response) <= RESPONSE_BYTES),
    'no log keeps more than 16 KB of an answer',
  )
}
