import { join } from 'node:path'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { randomBytes } from 'node:crypto'
import { newPeer } from '../helpers/message-service.ts'
import { call, Service } from '../helpers/service.ts'
import { sized } from '../helpers/size.ts'
import { mountSmallDisk, type SmallDisk } from '../helpers/small-disk.ts'
import { until } from '../helpers/until.ts'

/** In MB: enough for a database and its log, with some space left. */
const DISK_MB = 300
const AT_ONCE = 20

async function start(t: ExecutionContext, disk: SmallDisk) {
  const service = await Service.start({
    dataDir: join(disk.path, 'data'),
    env: { SENDS_PER_MINUTE: '1000000', UNOFFICIAL_RECIPIENT_SECONDS: '0', UNOFFICIAL_SENDS_PER_SECOND: '0' },
  })
  t.teardown(async () => {
    await service.stop()
    await disk.remove()
  })
  const number = await service.pairNumber()
  const send = () =>
    service.api('POST', '/v1/messages/send', number.key, {
      destinationNumber: newPeer(),
      text: randomBytes(2_000).toString('hex'),
    })
  return { service, number, send }
}

/**
 * The free bytes when the outage begins. With none the tables cannot grow; with less than one segment the log cannot.
 */
const FREE_BYTES = [0, 14_000_000].slice(0, sized(2, 1))

for (const freeBytes of FREE_BYTES) {
  test(`a disk with ${freeBytes} bytes free fills up: requests get 503 with checks.disk, nothing that was answered is lost, and all works when there is room`, async (t) => {
    const disk = await mountSmallDisk(DISK_MB)
    if (!disk) {
      t.pass('a disk cannot be mounted here')
      return
    }
    const { service, number, send } = await start(t, disk)
    await disk.fill(freeBytes)
    const kept: string[] = []
    const refused = await until('the disk is full', async () => {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, send))
      kept.push(...answers.filter(({ status }) => status === 202).map(({ body }) => body.id))
      const others = answers.filter(({ status }) => status !== 202)
      return others.length > 0 ? others : null
    })
    for (const { status, headers, body, text } of refused)
      t.deepEqual([status, body?.code, headers.get('retry-after')], [503, 'UNAVAILABLE', '5'], text)
    const ready = await call('GET', `${service.base}/health/ready`)
    t.is(ready.status, 503)
    t.regex(ready.body.checks.disk, /^full: /)
    const placed = await service.api('POST', '/v1/calls', number.key, { to: newPeer() })
    // A call is answered 504 when the database takes longer to start again than a command may wait, as on a shared
    // machine.
    t.true([201, 503, 504].includes(placed.status), placed.text)

    await disk.empty()
    const later = await until('messages are taken again', async () => {
      const answer = await send()
      return answer.status === 202 ? answer : null
    })
    await service.untilState(number.id, 'OPEN')
    for (const id of [kept[0], kept.at(-1), later.body.id]) {
      if (id)
        await until('it is sent', async () =>
          ['SENT', 'DELIVERED', 'READ'].includes(
            (await service.api('GET', `/v1/messages/${id}`, number.key)).body.status,
          ),
        )
    }
    const { total } = (await service.api('GET', '/v1/messages/history?direction=OUTBOUND&pageSize=1', number.key)).body
    t.true(total > kept.length, `${total} of ${kept.length}`)
    for (const id of kept) t.is((await service.api('GET', `/v1/messages/${id}`, number.key)).status, 200)
    await until('it is ready', async () => (await call('GET', `${service.base}/health/ready`)).status === 200)
    t.false(service.gateway.output.join('').includes('request failed by a fault of ours'))
  })
}
