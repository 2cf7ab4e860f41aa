/**
 * Measures what traces cost: gateways on PostgreSQL without a collector, with a tenth recorded, with everything
 * recorded, and with a collector that is away, send the same texts in turn, each with three statuses to a webhook.
 * Tells the processor time of each gateway by message, and the ratio to the one without a collector. Needs PostgreSQL
 * (bench/programs.ts).
 *
 *   node bench/traces/bench.ts [messages a round, 500] [rounds, 7]
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atRate } from '../at-rate.ts'
import { pause } from '../awaited.ts'
import { SENT_EVENTS, subscribedKeys } from '../paired-number.ts'
import { cpuMs, install, median, postJson, type Installation } from '../programs.ts'
import { startReceiver, type Receiver } from '../webhooks/world.ts'

const MESSAGES = Number(process.argv[2] ?? 500)
const ROUNDS = Number(process.argv[3] ?? 7)
const PER_SECOND = 100
const NUMBERS = 5
/** Share of the processor time that a tenth recorded may add. */
const MOST_ADDED = 0.05

/** A collector that takes everything and reads nothing. */
async function startCollector(): Promise<{ origin: string; requests(): number; stop(): void }> {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    requests: () => requests,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface Contender {
  readonly name: string
  readonly installation: Installation
  readonly receiver: Receiver
  /** Keys of the numbers that send. */
  readonly keys: readonly string[]
  readonly costs: number[]
}

async function enter(name: string, env: Record<string, string>): Promise<Contender> {
  const installation = await install('postgres', { LOG_LEVEL: 'warn', EGRESS_ALLOW: '127.0.0.0/8', ...env })
  const receiver = await startReceiver()
  const keys = await subscribedKeys(installation, NUMBERS, receiver.origin)
  return { name, installation, receiver, keys, costs: [] }
}

/** Sends a round, waits for all of its events, and gives the processor time of the gateway by message, in ms. */
async function round({ installation: { gateway }, receiver, keys }: Contender, from: number): Promise<number> {
  const before = cpuMs(gateway)
  await atRate(PER_SECOND, MESSAGES, (nth) =>
    postJson(
      `http://127.0.0.1:${gateway.port}/v1/messages/send`,
      { destinationNumber: String(5_511_960_000_009 + (from + nth) * 10), text: 'Your order 4711 is on its way.' },
      { 'x-api-key': keys[nth % NUMBERS] ?? '' },
    ),
  )
  for (let got = 0; got < MESSAGES * SENT_EVENTS.length; got += (await receiver.take()).count) await pause(50)
  // What waits for the collector is sent within two seconds.
  await pause(2_500)
  return (cpuMs(gateway) - before) / MESSAGES
}

const collector = await startCollector()
const at = (origin: string, share: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: origin,
  OTEL_TRACES_SAMPLER_ARG: share,
})
const contenders = [
  await enter('no collector', {}),
  await enter('a tenth recorded', at(collector.origin, '0.1')),
  await enter('all recorded', at(collector.origin, '1')),
  await enter('all recorded, collector away', at('http://127.0.0.1:9', '1')),
]
try {
  // The first round warms up and does not count.
  for (let nth = 0; nth <= ROUNDS; nth++)
    for (const contender of contenders) {
      const cost = await round(contender, nth * MESSAGES)
      if (nth > 0) contender.costs.push(cost)
    }
  for (const { name, costs } of contenders) {
    // Rounds lie side by side, so each is compared with its neighbour.
    const ratio = median(costs.map((cost, nth) => cost / (contenders[0]?.costs[nth] ?? NaN)))
    console.log(`${name}: ${median(costs).toFixed(2)} ms of CPU a message, ${ratio.toFixed(3)} of no collector`)
  }
  console.log(`the collector got ${collector.requests()} requests; a tenth may add ${MOST_ADDED * 100} %`)
} finally {
  for (const { installation, receiver } of contenders) {
    await installation.close()
    receiver.stop()
  }
  collector.stop()
}
