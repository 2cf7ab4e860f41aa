import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { freePort } from '../helpers/free-port.ts'
import { ControlClient, newCall, SECRET } from '../helpers/media-host-rig.ts'
import { SessionClient } from '../helpers/session-client.ts'
import { NODE_ARGUMENTS } from '../helpers/short-lived.ts'
import { until } from '../helpers/until.ts'
import type { ExecutionContext } from 'ava'

async function startWorkers(t: ExecutionContext): Promise<{ child: ChildProcess; controlPorts: number[] }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'media-host-'))
  const child = fork(new URL('../../media-host/main.ts', import.meta.url), [], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      INTERNAL_SECRET: SECRET,
      MEDIA_WORKERS: '2',
      MEDIA_PORT: String(await freePort(2)),
      MEDIA_CONTROL_PORT: String(await freePort(2)),
      RTP_ADDRESS: '127.0.0.1',
      LOG_LEVEL: 'silent',
    },
    execArgv: NODE_ARGUMENTS,
    silent: true,
  })
  t.teardown(async () => {
    // Killing the parent must end its workers too.
    child.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  })
  const [listening] = (await once(child, 'message')) as [{ controlPorts: number[] }]
  return { child, controlPorts: listening.controlPorts }
}

function workersOf({ pid }: ChildProcess): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

async function hostIdAt(controlPort: number): Promise<string | null> {
  return await fetch(`http://127.0.0.1:${controlPort}/health`).then(
    async (answer) => ((await answer.json()) as { hostId: string }).hostId,
    () => null,
  )
}

test.serial(
  'a host of two workers carries calls in both; one that dies is started again at its address, the other does not notice',
  async (t) => {
    const { child, controlPorts } = await startWorkers(t)
    const [first = 0, second = 0] = controlPorts
    t.is(new Set(controlPorts).size, 2)
    const control = await ControlClient.connect(second, newId('node'))
    await control.do('sync', { calls: [] })
    const call = newCall()
    await control.do('offer', { call })
    const before = await hostIdAt(first)
    const [victim] = workersOf(child)
    t.is(workersOf(child).length, 2)
    const keptId = await hostIdAt(second)
    if (victim !== undefined) process.kill(victim, 'SIGKILL')
    const ports = [first, second]
    await until('it is started again', async () => {
      const ids = await Promise.all(ports.map(hostIdAt))
      return ids.every((id) => id !== null) && ids.filter((id) => id === before || id === keptId).length === 1
    })
    t.is(workersOf(child).length, 2)
  },
)

test.serial('SIGTERM reaches every worker: the host ends when the last call has ended', async (t) => {
  const { child, controlPorts } = await startWorkers(t)
  const control = await ControlClient.connect(controlPorts[1] ?? 0, newId('node'))
  await control.do('sync', { calls: [] })
  const call = newCall()
  await control.do('offer', { call })
  const bot = await SessionClient.connect((await control.do('mint', { callId: call.callId, mode: 'talk' })).wsUrl)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await until('the worker without calls has ended', () => workersOf(child).length === 1)
  t.is(bot.closed, null)
  await control.do('close', { callId: call.callId, status: 'COMPLETED' })
  t.deepEqual(await exited, [0, null])
  t.is(bot.closed?.code, 1000)
})

// [media-hosts.sigterm.3]
test.serial('a second SIGTERM, later than 2 s, ends all of them at once', async (t) => {
  const { child, controlPorts } = await startWorkers(t)
  const control = await ControlClient.connect(controlPorts[0] ?? 0, newId('node'))
  await control.do('sync', { calls: [] })
  const call = newCall()
  await control.do('offer', { call })
  const bot = await SessionClient.connect((await control.do('mint', { callId: call.callId, mode: 'talk' })).wsUrl)
  const exited = once(child, 'exit')
  await until('it ended, though its call goes on', () => {
    child.kill('SIGTERM')
    return child.exitCode !== null
  })
  t.deepEqual(await exited, [0, null])
  t.is((await bot.untilClosed()).code, 1001)
})

test.serial('the host ends with its parent, whatever calls go on', async (t) => {
  const { child, controlPorts } = await startWorkers(t)
  const control = await ControlClient.connect(controlPorts[1] ?? 0, newId('node'))
  await control.do('sync', { calls: [] })
  await control.do('offer', { call: newCall() })
  const exited = once(child, 'exit')
  child.disconnect()
  t.deepEqual(await exited, [0, null])
})
