import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import test from 'ava'
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

test('a bad environment is told to its parent by name, and ends it with 1', async (t) => {
  const child = launch({ SANDBOX_PORT: 'x' })
  const exited = once(child, 'exit')
  const [message] = await within('the sandbox says something', once(child, 'message'))
  t.is(message.type, 'failed')
  t.regex(message.line, /SANDBOX_PORT/)
  t.is((await within('the sandbox ends', exited))[0], 1)
})
