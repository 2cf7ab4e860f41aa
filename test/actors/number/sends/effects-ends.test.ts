import test from 'ava'
import type { SendResult } from '../../../../src/ports/provider.ts'
import { connectedNumber, createRig, pass, settled } from '../../rig.ts'
import { fast, sentTo, held } from './sends-rig.ts'

test('sending that crashes starts again after a while and leaves the number alone', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  rig.driver.last.sendAnswer = () => ({
    kind: 'refused',
    get failure(): never {
      throw new Error('bad answer')
    },
  })
  const id = rig.messages.add(numberId, '1')
  rig.directory.sendsQueued(numberId)
  await settled()
  t.is(rig.directory.stats().numbers, 1)
  t.false(rig.driver.last.isClosed)
  rig.driver.last.sendAnswer = () => ({ kind: 'sent', externalMessageId: 'up' })
  await pass(rig, 900, 100)
  t.is(rig.messages.row(id).status, 'QUEUED')
  t.is(sentTo(rig).length, 1)
  rig.directory.sendsQueued(numberId)
  await settled()
  t.is(sentTo(rig).length, 1)
  await pass(rig, 200, 100)
  t.is(rig.messages.row(id).status, 'SENT')
  t.is(sentTo(rig).length, 2)
})

test('when sending crashes, the answer to a message that the upstream has is still stored', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  const answer = Promise.withResolvers<SendResult>()
  rig.driver.last.sendAnswer = ({ to }) =>
    to.address === '1'
      ? answer.promise
      : {
          kind: 'refused',
          get failure(): never {
            throw new Error('bad answer')
          },
        }
  const id = rig.messages.add(numberId, '1')
  rig.messages.add(numberId, '2')
  rig.directory.sendsQueued(numberId)
  await settled()
  answer.resolve({ kind: 'sent', externalMessageId: 'up' })
  await settled()
  t.is(rig.messages.row(id).status, 'SENT')
})

test('a node that stops waits for what upstream was asked, and stores it', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  const answer = held(rig)
  const id = rig.messages.add(numberId, '1')
  rig.directory.sendsQueued(numberId)
  await settled()
  const later = rig.messages.add(numberId, '1')
  const stopping = rig.directory.stop()
  await settled()
  t.is(rig.directory.stats().numbers, 1)
  answer.resolve({ kind: 'sent', externalMessageId: 'up' })
  await stopping
  t.is(rig.messages.row(id).status, 'SENT')
  t.is(rig.messages.row(later).status, 'QUEUED')
  t.is(sentTo(rig).length, 1)
})

test('a stopping node does not wait forever: a message without an answer stays in doubt', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  held(rig)
  const id = rig.messages.add(numberId, '1')
  rig.directory.sendsQueued(numberId)
  await settled()
  const stopping = rig.directory.stop()
  await pass(rig, 6_000)
  await stopping
  t.like(rig.messages.row(id), { status: 'QUEUED', message: { attempts: 1 } })
  t.not(rig.messages.row(id).message.attemptedAt, null)
})

test('a number another node took stops sending at once', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  rig.rows.leases.set(numberId, { owner: 'node_other', token: 99 })
  rig.messages.add(numberId, '1')
  rig.directory.sendsQueued(numberId)
  await settled()
  t.deepEqual(sentTo(rig), [])
  t.is(rig.directory.stats().numbers, 0)
})

test('a store that is down for a while loses no outcome', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  const answer = held(rig)
  const id = rig.messages.add(numberId, '1')
  rig.directory.sendsQueued(numberId)
  await settled()
  rig.rows.failing = 9
  answer.resolve({ kind: 'sent', externalMessageId: 'up' })
  await pass(rig, 30_000, 500)
  t.is(rig.messages.row(id).status, 'SENT')
  t.is(sentTo(rig).length, 1)
})
