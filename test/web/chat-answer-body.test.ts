import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import { bodyOf } from '../../web/chat/api/answer-body.ts'
import { RequestFailure } from '../../web/chat/api/failure.ts'

/** A service whose answer begins and never ends: `/cut` loses its connection, `/late` keeps it. */
const service = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"items":')
  if (request.url === '/cut') setImmediate(() => response.destroy())
})
const addressOf = (path: string) => `http://127.0.0.1:${(service.address() as AddressInfo).port}${path}`

test.before(async () => {
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
})

test.after.always(() => {
  service.closeAllConnections()
  service.close()
})

test('an answer that is cut while it arrives is a failure of the network', async (t) => {
  const failure = await t.throwsAsync(
    bodyOf(fetch(addressOf('/cut')), (response) => response.json()),
    { instanceOf: RequestFailure },
  )
  t.is(failure?.kind, 'network')
})

test('a request that another one replaces while its answer arrives fails as its caller expects', async (t) => {
  const replaced = new AbortController()
  const asked = bodyOf(fetch(addressOf('/late'), { signal: replaced.signal }), (response) => {
    setImmediate(() => replaced.abort())
    return response.blob()
  })
  await t.throwsAsync(asked, { instanceOf: RequestFailure, message: 'AbortError' })
})
