import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateApiKey } from '../../src/domain/api-key.ts'
import { superviseChild, type SupervisedChild } from '../../src/process/child.ts'
import { systemClock } from '../../src/process/clock.ts'
import { createLog } from '../../src/process/log.ts'
import { installEngine, startEngine, type EnginePrograms } from './engine-programs.ts'
import { OURS, tellEngineStory } from './engine-story.ts'
import { eventually } from './eventually.ts'
import { subscribe } from './events-shown.ts'
import { Receiver } from './receiver.ts'
import { Report } from './report.ts'
import { Rest } from './rest.ts'

interface Started {
  readonly gateway: SupervisedChild
  readonly base: string
}

interface Made {
  readonly id: string
  readonly qrcodeBase64: string | null
  readonly apiKey: { readonly key: string }
}

async function startGateway(
  dataDir: string,
  tenantKey: string,
  bridgeUrl: string,
  bridgeToken: string,
): Promise<Started> {
  const gateway = await superviseChild(
    {
      name: 'gateway',
      // The gateway starts while the engine does, which takes long on a busy machine.
      startMs: 240_000,
      file: new URL('../../src/main.ts', import.meta.url),
      env: () => ({
        PORT: '0',
        MEDIA_PORT: '0',
        MEDIA_CONTROL_PORT: '0',
        SANDBOX: 'off',
        DATA_DIR: dataDir,
        BOOTSTRAP_TENANT_KEY: tenantKey,
        LOG_LEVEL: 'error',
        SHUTDOWN_DELAY_SECONDS: '0',
        DEVICE_BRIDGE_URL: bridgeUrl,
        DEVICE_BRIDGE_TOKEN: bridgeToken,
        EGRESS_ALLOW: '127.0.0.0/8',
      }),
    },
    systemClock,
    createLog('demo', 'error'),
  )
  return { gateway, base: `http://127.0.0.1:${String(gateway.listening['port'])}` }
}

type Stop = () => Promise<void> | void

function startPrograms(report: Report, dataDir: string, bridgeToken: string, stops: Stop[]): Promise<EnginePrograms> {
  return report.step(
    'start the offline network and the engine',
    async (): Promise<readonly [EnginePrograms, string]> => {
      await installEngine()
      const started = await startEngine(dataDir, bridgeToken)
      stops.push(() => started.stop())
      return [started, 'two programs'] as const
    },
  )
}

function createNumber(report: Report, tenant: Rest): Promise<Made> {
  return report.step('create an UNOFFICIAL number: its QR code is shown', async () => {
    const created = await tenant.post<Made>('/v1/numbers', { name: 'Demo', number: OURS })
    const png =
      created.qrcodeBase64
      ?? (await eventually(
        'a code',
        async () =>
          await tenant.post<Pick<Made, 'qrcodeBase64'>>(`/v1/numbers/${created.id}/connect`).then(
            (code) => code.qrcodeBase64,
            () => null,
          ),
        120_000,
      ))
    return [created, `a PNG of ${png.length} characters`] as const
  })
}

/**
 * `npm run demo -- --engine`: plays a number on the engine of QR-paired numbers. Its chat network is the offline one of
 * the engine's tests; nothing leaves this machine.
 */
export async function playEngineDemo(): Promise<void> {
  const report = new Report()
  const dataDir = await mkdtemp(join(tmpdir(), 'channel-engine-'))
  const [tenantKey, bridgeToken] = [generateApiKey(), randomBytes(24).toString('base64url')]
  const receiver = await Receiver.listen()
  const stops: Stop[] = [() => receiver.close()]
  process.stdout.write(
    '\n  The engine is the real one. The chat network is the OFFLINE one of its tests, on this machine:\n  what only a phone can prove stands in docs/engines.md.\n\n',
  )
  try {
    const programs = await startPrograms(report, join(dataDir, 'engine'), bridgeToken, stops)
    const { base } = await report.step('start the gateway', async () => {
      const started = await startGateway(join(dataDir, 'gateway'), tenantKey, programs.bridgeUrl, bridgeToken)
      stops.push(() => started.gateway.stop())
      return [started, started.base] as const
    })
    const tenant = new Rest(base, tenantKey)
    const made = await createNumber(report, tenant)
    const number = new Rest(base, made.apiKey.key)
    await subscribe(report, number, receiver, ['*', 'message.stories', 'message.newsletter'])
    await tellEngineStory({ tenant, number, numberId: made.id, programs, report, receiver })
    report.print()
  } catch (error) {
    process.exitCode = 1
    report.print()
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  } finally {
    for (const stop of stops.toReversed()) await stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
