/**
 * `npm run demo`: starts everything on embedded defaults and free ports, and tells the story of
 * one call (contract 9). Exits 0 when every step held, else 1. `-- --keep` leaves it running.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { generateApiKey } from '../domain/api-key.ts'
import { superviseChild, type SupervisedChild } from '../process/child.ts'
import { systemClock } from '../process/clock.ts'
import { createLog } from '../process/log.ts'
import { tellCallStory } from './call-story.ts'
import { Receiver } from './receiver.ts'
import { Report } from './report.ts'
import { Rest } from './rest.ts'

const OUR_NUMBER = '5511988887777'
const RECORDING = 'demo-call.wav'
/** What must reach the webhook, which is made right after the number. */
const WANTED_EVENTS = ['number.connected', 'call.connected', 'call.ended']

interface NumberBody {
  readonly id: string
  readonly apiKey: { readonly key: string }
}

interface Started {
  readonly gateway: SupervisedChild
  readonly base: string
  readonly control: Rest
}

async function startAll(report: Report, dataDir: string, tenantKey: string): Promise<Started> {
  return await report.step('start gateway, media host and sandbox', async () => {
    const gateway = await superviseChild({
      name: 'gateway',
      file: new URL('../main.ts', import.meta.url),
      env: () => ({
        PORT: '0', MEDIA_PORT: '0', MEDIA_CONTROL_PORT: '0', SANDBOX_PORT: '0',
        DATA_DIR: dataDir, BOOTSTRAP_TENANT_KEY: tenantKey, LOG_LEVEL: 'error',
      }),
    }, systemClock, createLog('demo', 'error'))
    const { port, sandboxPort, mediaPort } = gateway.listening
    const base = `http://127.0.0.1:${String(port)}`
    return [
      { gateway, base, control: new Rest(`http://127.0.0.1:${String(sandboxPort)}`) },
      `REST :${String(port)}, realtime :${String(mediaPort)}, sandbox :${String(sandboxPort)}`,
    ] as const
  })
}

async function scanWhenShown(control: Rest): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await control.post(`/control/devices/${OUR_NUMBER}/scan`)
    } catch (error) {
      if (tries === 50) throw error
      await pause(100)
    }
  }
}

async function createNumber(report: Report, tenant: Rest): Promise<NumberBody> {
  return await report.step('create a number', async () => {
    const created = await tenant.post<NumberBody>('/v1/numbers', { name: 'Demo', number: OUR_NUMBER })
    return [created, created.id] as const
  })
}

async function subscribe(report: Report, number: Rest, receiver: Receiver): Promise<void> {
  await report.step('subscribe a webhook to its events', async () => {
    const webhook = await number.post<{ id: string, secret: string }>('/v1/webhooks', { name: 'Demo', url: receiver.url, events: ['*'] })
    receiver.useSecret(webhook.secret)
    return [undefined, webhook.id] as const
  })
}

async function pairNumber(report: Report, tenant: Rest, control: Rest, numberId: string): Promise<void> {
  await report.step('pair it by QR', async () => {
    await scanWhenShown(control)
    for (let tries = 0; ; tries++) {
      const { state } = await tenant.get<{ state: string }>(`/v1/numbers/${numberId}/status`)
      if (state === 'OPEN') return [undefined, state] as const
      if (tries === 100) throw new Error(`the number is still ${state}`)
      await pause(50)
    }
  })
}

/** Deliveries come in any order (docs/webhooks.md), so it waits for all of them rather than for the last. */
async function showEvents(report: Report, receiver: Receiver): Promise<void> {
  await report.step('events delivered to the webhook, signatures verified', async () => {
    for (let tries = 0; ; tries++) {
      const names = receiver.received.map(({ event }) => event)
      if (receiver.received.some(({ isVerified }) => !isVerified)) throw new Error('a delivery came with a wrong signature')
      const missing = WANTED_EVENTS.filter((wanted) => !names.includes(wanted))
      if (missing.length === 0) return [undefined, `${names.length} verified: ${names.join(', ')}`] as const
      if (tries === 150) throw new Error(`${missing.join(', ')} did not arrive`)
      await pause(100)
    }
  })
}

async function main(): Promise<void> {
  const report = new Report()
  const keep = process.argv.includes('--keep')
  const tenantKey = generateApiKey()
  const dataDir = await mkdtemp(join(tmpdir(), 'channel-demo-'))
  const receiver = await Receiver.listen()
  let gateway: SupervisedChild | null = null
  try {
    const started = await startAll(report, dataDir, tenantKey)
    gateway = started.gateway
    const tenant = new Rest(started.base, tenantKey)
    const number = await createNumber(report, tenant)
    const numberRest = new Rest(started.base, number.apiKey.key)
    await subscribe(report, numberRest, receiver)
    await pairNumber(report, tenant, started.control, number.id)
    const { recording } = await tellCallStory(report, numberRest, started.control)
    await writeFile(RECORDING, recording)
    await showEvents(report, receiver)
    report.print()
    console.log(`\n  What the bot heard: ${RECORDING}`)
    if (keep) await keepRunning(started.base, tenantKey, number.apiKey.key)
  } catch (error) {
    process.exitCode = 1
    report.print()
    console.error(error)
  } finally {
    await gateway?.stop()
    receiver.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function keepRunning(base: string, tenantKey: string, numberKey: string): Promise<void> {
  console.log(`\n  Still running; Ctrl-C ends it.\n  REST        ${base}/v1\n  docs        ${base}/docs\n  tenant key  ${tenantKey}\n  number key  ${numberKey}`)
  await new Promise<void>((resolve) => {
    const idle = setInterval(() => {}, 60_000)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        clearInterval(idle)
        resolve()
      })
    }
  })
}

await main()
