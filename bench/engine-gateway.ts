/**
 * Measures gateway, engine and offline network, each a process of its own: how long a text takes from its phone to the
 * gateway's row, and how fast the gateway answers reads while a history is imported. It uses PostgreSQL and Redis when
 * TEST_DATABASE_URL is set, embedded stores otherwise.
 *
 *   node bench/engine-gateway.ts [texts, default 200] [messages of history, default 50000]
 */
import { EngineWorld } from '../test/helpers/engine-world.ts'
import { Service, type PairedNumber } from '../test/helpers/service.ts'
import { until } from '../test/helpers/until.ts'

const TEXTS = Number(process.argv[2] ?? 200)
const HISTORY = Number(process.argv[3] ?? 50_000)
const PEER = '5511999990001'
/** Targets, in ms. */
const MOST_ROW_P50_MS = 30
const MOST_READ_P99_MS = 250

const world = await EngineWorld.open()
const service = await Service.start({ env: { ...world.env, LOG_LEVEL: 'warn' } })

function shown(values: number[], share: number): string {
  return (values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0).toFixed(1)
}

async function newest({ key }: PairedNumber): Promise<{ externalMessageId?: string }> {
  return (await service.api('GET', '/v1/messages/history?pageSize=1', key)).body.messages[0] ?? {}
}

/** Sends one text at a time and polls for its row without a pause, so each figure includes the length of one read. */
async function rows(number: PairedNumber): Promise<void> {
  const took: number[] = []
  for (let index = 0; index < TEXTS; index++) {
    const sentAt = performance.now()
    const { id } = await world.network.post<{ id: string }>(`/control/phones/${PEER}/text`, {
      to: number.digits,
      text: `text ${index}`,
    })
    while ((await newest(number)).externalMessageId !== id) {
      /* asks again */
    }
    took.push(performance.now() - sentAt)
  }
  console.log(
    `row: p50 ${shown(took, 0.5)} ms, p99 ${shown(took, 0.99)} ms from a phone to the gateway's row (p50 most ${MOST_ROW_P50_MS})`,
  )
}

/** Reads another number and the one whose history is imported, one after another until the import ends. */
async function history(number: PairedNumber, other: PairedNumber): Promise<void> {
  const startMs = performance.now()
  const took: number[] = []
  const ending = new AbortController()
  const reading = (async () => {
    for (let turn = 0; !ending.signal.aborted; turn++) {
      const sentAt = performance.now()
      await service.api('GET', `/v1/messages/history?pageSize=50`, (turn % 2 === 0 ? number : other).key)
      took.push(performance.now() - sentAt)
    }
  })()
  await world.network.post(`/control/phones/${number.digits}/history`, { messages: HISTORY, chats: 50 })
  let kept = 0
  while (kept < HISTORY) {
    kept = await until('more of the history is kept', async () => {
      const totals = await Promise.all(
        ['INBOUND', 'OUTBOUND'].map(
          async (direction) =>
            (await service.api('GET', `/v1/messages/history?pageSize=1&direction=${direction}`, number.key)).body
              .total as number,
        ),
      )
      const now = totals.reduce((sum, total) => sum + total, 0)
      return now > kept ? now : null
    })
  }
  ending.abort()
  await reading
  console.log(
    `history: ${HISTORY} messages kept in ${((performance.now() - startMs) / 1000).toFixed(0)} s; ${took.length} reads meanwhile, p50 ${shown(took, 0.5)} ms, p99 ${shown(took, 0.99)} ms (p99 most ${MOST_READ_P99_MS})`,
  )
}

try {
  const [other, number] = [
    ...(await world.pair(service, ['5511988820001'])),
    ...(await world.pair(service, ['5511988820002'], { historyImportEnabled: true })),
  ]
  if (!other || !number) throw new Error('no numbers')
  await rows(other)
  await history(number, other)
} finally {
  await service.stop()
  await world.stop()
  process.exit()
}
