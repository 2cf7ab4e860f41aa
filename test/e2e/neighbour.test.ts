import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { once } from 'node:events'
import test from 'ava'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { SessionClient } from '../helpers/session-client.ts'
import { Service } from '../helpers/service.ts'
import { counted } from '../helpers/size.ts'
import { until, within } from '../helpers/until.ts'

let service: Service

test.before(async () => {
  service = await Service.start()
})

test.after.always(async () => {
  await service?.stop()
})

const MB = 1_000_000
/** Sends with 24 MB each, at the same time. */
const LARGE_SENDS = counted(16, 4)
const RATE_HZ = 16_000
/** Requests of another tenant that are answered while one hostile body is being sent. */
const BETWEEN = 20

/** Sends a body in pieces. Between two pieces a request of another tenant is answered. */
async function sendSlowly(
  url: string,
  key: string,
  body: Buffer,
  between: () => Promise<void>,
): Promise<number | undefined> {
  const sent = request(url, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'content-length': body.length },
    agent: false,
  })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => {})
  const step = Math.ceil(body.length / BETWEEN)
  for (let from = 0; from < body.length; from += step) {
    sent.write(body.subarray(from, from + step))
    await between()
  }
  sent.end()
  const [response] = await within('a large body is answered', answered)
  response.resume()
  return response.statusCode
}

test.serial(
  'four bodies of 24 MB of empty arrays are refused while another tenant is answered and its call lives',
  async (t) => {
    const other = await askToCreateTenant(service.dataDir, 'Neighbour')
    if (!other) return t.fail('no gateway to ask for a tenant')
    const number = await service.pairNumber()
    const hostile = await service.pairNumber(undefined, other.key)
    const placed = await service.placeCall(number, '5511990000006')
    const session = await service.api('POST', `/v1/calls/${placed.id}/realtime-session`, number.key)
    const client = await SessionClient.connect(session.body.wsUrl, `rate=${RATE_HZ}`)
    await client.untilStatus('ACCEPTED')
    await service.untilCall(number, placed.id, ['ACCEPTED'])

    let answered = 0
    const between = async () => {
      const { status } = await service.api('GET', '/v1/status', number.key)
      if (status === 200) answered++
    }
    const body = Buffer.alloc(24 * MB, '[],')
    const statuses = await Promise.all(
      Array.from({ length: 4 }, () => sendSlowly(`${service.base}/v1/messages/send`, hostile.key, body, between)),
    )
    t.deepEqual(statuses, [413, 413, 413, 413])
    t.is(answered, 4 * BETWEEN, 'every request between two pieces was answered')

    const from = client.samples
    await until('audio goes on', () => client.samples - from > RATE_HZ)
    t.like((await service.api('GET', `/v1/calls/${placed.id}`, number.key)).body, {
      status: 'ACCEPTED',
      errorCode: null,
    })
    t.is(client.closed, null)
    t.is((await service.api('POST', `/v1/calls/${placed.id}/terminate`, number.key)).status, 200)
  },
)

test.serial('many sends of 24 MB at once are all accepted, each with its bytes', async (t) => {
  const number = await service.pairNumber()
  const media = `data:application/octet-stream;base64,${Buffer.alloc(18 * MB, 'some bytes').toString('base64')}`
  const body = {
    destinationNumber: '5511990000001',
    mediaType: 'document',
    mediaFilename: 'a.bin',
    media,
    deliverAt: new Date(Date.now() + 3_600_000).toISOString(),
  }
  const answers = await Promise.all(
    Array.from({ length: LARGE_SENDS }, () => service.api('POST', '/v1/messages/send', number.key, body)),
  )
  t.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 202),
  )
  await service.gateway.kill('SIGTERM')
  const files = await service.rows<{ size: string }>('select size_bytes::text as size from message_files')
  t.deepEqual(
    files.map(({ size }) => size),
    files.map(() => String(18 * MB)),
  )
  t.is(files.length, LARGE_SENDS)
})
