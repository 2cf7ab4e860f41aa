import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until, within } from '../helpers/until.ts'

const FOLDER = fileURLToPath(new URL('../../examples/langchain', import.meta.url))
/** Reads what it gets, and writes by itself nothing. */
const PEER = '5511990000031'

let service: Service
let number: PairedNumber

test.before(async () => {
  service = await joinService()
  number = await service.pairNumber()
})

/** Runs the agent to its end; resolves to what it printed, and its code. */
async function agent(t: ExecutionContext, env: object): Promise<{ readonly said: string; readonly code: number }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'main.ts'], {
    cwd: FOLDER,
    env: { PATH: process.env['PATH'] ?? '', BASE: service.base, ...env },
  })
  t.teardown(() => child.kill())
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  const [out, faults, [code]] = await within('the agent ends', ended)
  return { said: out + faults, code }
}

test('an agent asks a person by a tool, waits for the answer, and its last words have it', async (t) => {
  const asking = agent(t, { KEY: number.key, TO: PEER, QUESTION: 'Open on Saturday?' })
  const inbox = async () => (await service.control('GET', `/peers/${PEER}/inbox`)).body.messages
  await until('the person is asked', async () => (await inbox()).some((one: any) => one.text === 'Open on Saturday?'))
  const answer = { to: number.digits, text: 'From 9 to 14, "as ever"' }
  t.is((await service.control('POST', `/peers/${PEER}/messages`, answer)).status, 201)
  const { said, code } = await asking
  t.is(code, 0, said)
  t.regex(said, /^The service has \d\d tools for this key$/m)
  t.true(said.trimEnd().endsWith(`The agent says: ${PEER} answered: From 9 to 14, "as ever"`), said)
})

test('a refusal of the service comes to the model as words, which its last words repeat', async (t) => {
  const { said, code } = await agent(t, { KEY: number.key, TO: '12' })
  t.is(code, 0, said)
  t.regex(said, /The agent says: It could not be sent: .*"status":400/)
})

test('a key that opens nothing gets no tools, and is not printed', async (t) => {
  const { said, code } = await agent(t, { KEY: 'cms_of_nobody' })
  t.is(code, 1)
  t.notRegex(said, /The agent says|cms_of_nobody/)
})
