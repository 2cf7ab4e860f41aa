import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { at, postJson, type Installation } from '../programs.ts'
import { controlUrl, type BenchPage } from './page.ts'

/** The time that the simulated upstream takes to answer, in ms. */
const UPSTREAM_MS = 20
const PER_SECOND = 50
const FIRST_PEER = 5_511_980_000_001

/** Starts a tenant's endpoint that notes when each lead arrived. */
async function startReceiver(): Promise<{
  readonly url: string
  readonly arrivedMs: Map<string, number>
  stop(): void
}> {
  const arrivedMs = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const nowMs = performance.now()
    const { data } = JSON.parse((await buffer(request)).toString()) as { data: { leadgenId?: string } }
    if (data.leadgenId !== undefined && !arrivedMs.has(data.leadgenId)) arrivedMs.set(data.leadgenId, nowMs)
    response.end('ok')
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    arrivedMs,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * Measures, while 50 forms a second are submitted, how long it takes until the tenant's endpoint has `lead.received`,
 * through the upstream's webhook and the read of the lead.
 */
export async function measureDelivery(
  installation: Installation,
  pages: readonly BenchPage[],
  seconds: number,
): Promise<void> {
  const { gateway, tenantKey } = installation
  const receiver = await startReceiver()
  try {
    await postJson(
      `http://127.0.0.1:${gateway.port}/v1/webhooks`,
      { url: receiver.url, events: ['lead.received'], channelNumberId: pages[0]?.number.id },
      { 'x-api-key': tenantKey },
    )
    await postJson(controlUrl(installation, '/official/webhooks'), { parallel: true })
    for (const op of ['lead.read', 'form.read'])
      await postJson(controlUrl(installation, '/faults'), { match: { op }, times: 1_000_000_000, delayMs: UPSTREAM_MS })
    const begunMs = new Map<string, number>()
    const startMs = performance.now()
    const submissions: Promise<void>[] = []
    const submit = async (count: number): Promise<void> => {
      const atMs = performance.now()
      const { leadgenId } = await postJson(controlUrl(installation, `/peers/${FIRST_PEER + count}/leads`), {
        formId: pages[count % pages.length]?.formId,
        answers: { full_name: 'Ana' },
      })
      begunMs.set(leadgenId, atMs)
    }
    while (submissions.length < PER_SECOND * seconds) {
      const due = Math.min(PER_SECOND * seconds, Math.floor(((performance.now() - startMs) * PER_SECOND) / 1_000))
      while (submissions.length < due) submissions.push(submit(submissions.length))
      await new Promise((resolve) => {
        setTimeout(resolve, 2)
      })
    }
    await Promise.all(submissions)
    const untilMs = performance.now() + 30_000
    while (receiver.arrivedMs.size < begunMs.size && performance.now() < untilMs)
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
    const times = [...begunMs]
      .map(([id, atMs]) => (receiver.arrivedMs.get(id) ?? Infinity) - atMs)
      .toSorted((a, b) => a - b)
    console.log(
      `submitted to delivered at ${PER_SECOND}/s, upstream answering in ${UPSTREAM_MS} ms: p50 ${at(times, 0.5).toFixed(0)} ms (target 300), p99 ${at(times, 0.99).toFixed(0)} ms (target 2000), max ${at(times, 1).toFixed(0)} ms`,
    )
  } finally {
    await fetch(controlUrl(installation, '/faults'), { method: 'DELETE' })
    receiver.stop()
  }
}
