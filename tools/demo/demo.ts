/**
 * `npm run demo`: starts everything on embedded defaults and free ports, and plays two acts: a QR-paired number, and a
 * number of the official platform ([sandbox.demo.1]). Exits with 0 when every step succeeded, else 1. `-- --keep`
 * leaves it running; `-- --engine` plays a number on the engine of QR-paired numbers instead.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateApiKey } from '../../src/domain/api-key.ts'
import { superviseChild, type SupervisedChild } from '../../src/process/child.ts'
import { systemClock } from '../../src/process/clock.ts'
import { createLog } from '../../src/process/log.ts'
import { playEngineDemo } from './engine-demo.ts'
import { playDeviceAct, type Stage } from './device-act.ts'
import { playOfficialAct } from './official-act.ts'
import { Report } from './report.ts'
import { Rest } from './rest.ts'
import { playToolStory } from './tool-story.ts'

const RECORDING = 'demo-call.wav'

async function startAll(
  report: Report,
  dataDir: string,
  tenantKey: string,
): Promise<Stage & { readonly gateway: SupervisedChild }> {
  return await report.step('start gateway, media host and sandbox', async () => {
    const gateway = await superviseChild(
      {
        name: 'gateway',
        file: new URL('../../src/main.ts', import.meta.url),
        env: () => ({
          PORT: '0',
          MEDIA_PORT: '0',
          MEDIA_CONTROL_PORT: '0',
          SANDBOX_PORT: '0',
          DATA_DIR: dataDir,
          BOOTSTRAP_TENANT_KEY: tenantKey,
          LOG_LEVEL: 'error',
          SHUTDOWN_DELAY_SECONDS: '0',
        }),
      },
      systemClock,
      createLog('demo', 'error'),
    )
    const { port, sandboxPort, mediaPort } = gateway.listening
    const base = `http://127.0.0.1:${String(port)}`
    return [
      {
        gateway,
        base,
        tenant: new Rest(base, tenantKey),
        control: new Rest(`http://127.0.0.1:${String(sandboxPort)}`),
      },
      `REST :${String(port)}, realtime :${String(mediaPort)}, sandbox :${String(sandboxPort)}`,
    ] as const
  })
}

async function main(): Promise<void> {
  const report = new Report()
  const keep = process.argv.includes('--keep')
  const tenantKey = generateApiKey()
  const dataDir = await mkdtemp(join(tmpdir(), 'channel-demo-'))
  let gateway: SupervisedChild | null = null
  try {
    const stage = await startAll(report, dataDir, tenantKey)
    gateway = stage.gateway
    const { key, recording } = await playDeviceAct(stage, report)
    await writeFile(RECORDING, recording)
    await playToolStory(report, { base: stage.base, key }, new Rest(stage.base, key))
    await playOfficialAct(stage, report)
    report.print()
    console.log(`\n  What the bot heard: ${RECORDING}`)
    if (keep) await keepRunning(stage.base, tenantKey, key)
    else
      console.log(
        `\n  Next:\n    npm start                  REST on :3000, its documentation at /docs, a key to begin with\n    npm run demo -- --keep     this again, left running with its addresses and keys\n    npm run listen -- --key    events of a number as they happen`,
      )
  } catch (error) {
    process.exitCode = 1
    report.print()
    console.error(error)
  } finally {
    await gateway?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function keepRunning(base: string, tenantKey: string, numberKey: string): Promise<void> {
  console.log(
    `\n  Still running; Ctrl-C ends it.\n  REST        ${base}/v1\n  docs        ${base}/docs\n  tenant key  ${tenantKey}\n  number key  ${numberKey}`,
  )
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

await (process.argv.includes('--engine') ? playEngineDemo() : main())
