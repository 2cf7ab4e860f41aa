import test from 'ava'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { makeSecret } from '../../src/domain/webhook-secret.ts'
import { storedEvents } from '../helpers/receiver-ledger.ts'
import { Receiver, verified } from '../helpers/receiver.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until, within } from '../helpers/until.ts'
import { NODE_ARGUMENTS } from '../helpers/short-lived.ts'

const PROGRAM = fileURLToPath(new URL('../../tools/listen/listen.ts', import.meta.url))

test('listen forwards byte for byte what the service delivers', async (t) => {
  const receiver = await Receiver.open()
  t.teardown(() => receiver.close())
  const service = await joinService()
  const number = await service.pairNumber({ rejectCall: true })
  const secret = makeSecret()
  const made = await service.api('POST', '/v1/webhooks', number.key, {
    url: receiver.endpoint('/delivered'),
    events: ['call.ended'],
    secret,
  })
  t.deepEqual([made.status, made.body.secret], [201, secret])

  const args = [
    '--key',
    number.key,
    '--url',
    service.base,
    '--event',
    'call.ended',
    '--all',
    '--forward',
    receiver.endpoint('/forwarded'),
    '--secret',
    secret,
  ]
  const listen = spawn(process.execPath, [...NODE_ARGUMENTS, PROGRAM, ...args])
  t.teardown(() => listen.kill('SIGKILL'))
  let shown = ''
  listen.stdout.on('data', (chunk) => void (shown += String(chunk)))
  await service.control('POST', '/peers/5511970001234/calls', { to: number.digits, audio: 'silence' })

  const [delivered] = await receiver.until('/delivered', 1)
  const [forwarded] = await receiver.until('/forwarded', 1)
  if (!delivered || !forwarded) return
  t.is(String(forwarded.body), String(delivered.body))
  t.deepEqual(
    verified(forwarded, secret),
    (await storedEvents(service, number.key)).find(({ event }) => event === 'call.ended'),
  )
  const own = new Set(['webhook-timestamp', 'webhook-signature', 'host', 'connection'])
  const lasting = (headers: object) =>
    Object.entries(headers)
      .filter(([name]) => !own.has(name))
      .toSorted()
  t.deepEqual(lasting(forwarded.headers), lasting(delivered.headers))
  await until('the line is shown', () => shown.includes('\n'))
  t.regex(
    shown,
    /call\.ended {12}num_\S+ {2}id=call_\S+ {2}direction=INBOUND {2}peerNumber=\+5511970001234 {2}status=REJECTED/,
  )
  listen.kill('SIGTERM')
  t.deepEqual(await within('the program ends', once(listen, 'exit')), [0, null])
})
