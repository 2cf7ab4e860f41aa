import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import test from 'ava'
import { freePort } from '../helpers/free-port.ts'
import { NODE_ARGUMENTS } from '../helpers/short-lived.ts'
import { within } from '../helpers/until.ts'

const MAIN = new URL('../../sandbox/main.ts', import.meta.url)

function launch(env: Record<string, string>): ChildProcess {
  return fork(MAIN, [], { env, execArgv: NODE_ARGUMENTS, silent: true })
}

test('as a child it reports its port, and ends when its parent lets go', async (t) => {
  const child = launch({ SANDBOX_PORT: '0', LOG_LEVEL: 'silent' })
  const [message] = await within('the sandbox says something', once(child, 'message'))
  t.is(message.type, 'listening')
  t.is((await fetch(`http://127.0.0.1:${message.port}/health`)).status, 200)
  child.disconnect()
  const [code] = await within('the sandbox ends', once(child, 'exit'))
  t.is(code, 0)
})

// [sandbox.listening.1]
test('it listens on SANDBOX_PORT, and at no address but its loopback one', async (t) => {
  const port = await freePort()
  const child = launch({ SANDBOX_PORT: String(port), LOG_LEVEL: 'silent' })
  t.teardown(() => child.kill())
  t.is((await within('the sandbox says something', once(child, 'message')))[0].port, port)
  t.is((await fetch(`http://127.0.0.1:${port}/health`)).status, 200)
  for (const address of othersOfMachine())
    await t.throwsAsync(fetch(`http://${address}:${port}/health`), undefined, address)
})

/** Addresses of this machine besides 127.0.0.1. On Linux that is all of 127.0.0.0/8, even without a network. */
function othersOfMachine(): string[] {
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
  return process.platform === 'linux' ? [...outer, '127.0.0.2'] : outer
}

test('a bad environment is told to its parent by name, and ends it with 1', async (t) => {
  const child = launch({ SANDBOX_PORT: 'x' })
  const exited = once(child, 'exit')
  const [message] = await within('the sandbox says something', once(child, 'message'))
  t.is(message.type, 'failed')
  t.regex(message.line, /SANDBOX_PORT/)
  t.is((await within('the sandbox ends', exited))[0], 1)
})
