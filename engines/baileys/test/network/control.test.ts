import { spawn } from 'node:child_process'
import { once } from 'node:events'
import test from 'ava'
import { openClient } from './client.ts'
import { openControl } from './control.ts'
import { networkFor } from './started.ts'

const ANA = '5511999990001'
const BIA = '5511999990002'

test('another process scans, writes and reads through the control interface', async (t) => {
  const network = await networkFor(t)
  const control = await openControl(network)
  t.teardown(() => control.close())
  const call = async (path: string, body?: object) => {
    const response = await fetch(
      `${control.url}/control/${path}`,
      body ? { method: 'POST', body: JSON.stringify(body) } : {},
    )
    return { status: response.status, body: (await response.json()) as any }
  }
  const client = openClient(network.socketUrl)
  const scanned = await call(`phones/${ANA}/scan`, { number: ANA, qr: await client.qr(), pairingCode: null })
  t.is(scanned.body.jid, `${ANA}:1@s.whatsapp.net`)
  await client.closed()
  client.connect()
  await client.open()
  await call(`phones/${BIA}/settings`, { autoReply: 'I am away' })
  const waiting = call(`phones/${BIA}/messages?after=0&waitMs=10000`)
  await client.sock.sendMessage(`${BIA}@s.whatsapp.net`, { text: 'anybody there?' })
  const { messages, next } = (await waiting).body
  t.deepEqual([messages[0].text, messages[0].copies, next], ['anybody there?', 1, 1])
  await client.find(({ message }) => message?.conversation === 'I am away')
  const group = await call('groups', { owner: BIA, subject: 'Team', members: [ANA] })
  const posted = await call(`phones/${BIA}/text`, { to: group.body.id, text: 'team' })
  t.is((await client.find(({ message }) => message?.conversation === 'team')).key.id, posted.body.id)
  await call(`phones/${BIA}/media`, {
    to: ANA,
    kind: 'document',
    base64: Buffer.from('bytes').toString('base64'),
    mimetype: 'text/plain',
    fileName: 'a.txt',
  })
  await client.find(({ message }) => message?.documentMessage?.fileName === 'a.txt')
  t.is((await call(`phones/${ANA}`)).body.devices[0].connected, true)
  t.is((await call('statistics')).body.logins, 1)
  const refused = await call(`phones/${ANA}/dance`, {})
  t.is(refused.status, 400)
  t.regex(refused.body.error, /no verb dance/)
  client.end()
})

test('as a process of its own it says where it listens, in one line, and ends when its input ends', async (t) => {
  const child = spawn(process.execPath, [new URL('main.ts', import.meta.url).pathname], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, NETWORK_FOLLOW_STDIN: '1' },
  })
  t.teardown(() => child.kill())
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const told = JSON.parse(line.toString()) as Record<string, string>
  t.regex(told['socketUrl'] ?? '', /^ws:\/\/127\.0\.0\.1:\d+\/ws\/chat$/)
  t.regex(told['rootKey'] ?? '', /^[0-9a-f]{64}$/)
  t.truthy(told['caFile'])
  const response = await fetch(`${told['controlUrl']}/control/statistics`)
  t.is(((await response.json()) as any).connections, 0)
  child.stdin.end()
  const [code] = (await once(child, 'exit')) as [number]
  t.is(code, 0)
})
