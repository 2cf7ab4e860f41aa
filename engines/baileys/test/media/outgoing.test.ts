import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { MAX_FILE_BYTES } from '../../media/limits.ts'
import { fetchOutgoing } from '../../media/outgoing.ts'
import { Refusal } from '../../protocol/refusal.ts'

async function gateway(
  t: ExecutionContext,
  listener: RequestListener,
): Promise<{ readonly url: string; readonly directory: string }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const directory = await mkdtemp(join(tmpdir(), 'outgoing-'))
  t.teardown(async () => {
    server.closeAllConnections()
    server.close()
    await rm(directory, { recursive: true })
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/f`, directory }
}

const { signal } = new AbortController()

test('a prepared file is fetched byte for byte, and removed afterwards', async (t) => {
  const bytes = randomBytes(200_000)
  const { url, directory } = await gateway(t, (_request, response) => response.end(bytes))
  const file = await fetchOutgoing(url, directory, signal)
  t.deepEqual(await readFile(file.path), bytes)
  await file.remove()
  t.deepEqual(await readdir(directory), [])
})

test('a file that is not there any more is refused for good, one that broke may be tried again; nothing is left', async (t) => {
  const gone = await gateway(t, (_request, response) => response.writeHead(404).end())
  const error = await t.throwsAsync(fetchOutgoing(gone.url, gone.directory, signal), { instanceOf: Refusal })
  t.deepEqual(error.error, { code: 'FAILED', message: 'media: the address answered 404', retryable: false })
  const broken = await gateway(t, (_request, response) => {
    response.writeHead(200, { 'content-length': 1_000 })
    response.write('some', () => response.destroy())
  })
  t.like((await t.throwsAsync(fetchOutgoing(broken.url, broken.directory, signal), { instanceOf: Refusal })).error, {
    code: 'FAILED',
    retryable: true,
  })
  t.deepEqual(await readdir(broken.directory), [])
})

// [engines.baileys-duties.8]
test('a file whose announced size is too large is not fetched, and a malformed address is refused', async (t) => {
  const large = await gateway(
    t,
    (_request, response) => void response.writeHead(200, { 'content-length': MAX_FILE_BYTES + 1 }).write('x'),
  )
  t.like((await t.throwsAsync(fetchOutgoing(large.url, large.directory, signal), { instanceOf: Refusal })).error, {
    code: 'INVALID',
    retryable: false,
  })
  t.like(
    (await t.throwsAsync(fetchOutgoing('file:///etc/passwd', large.directory, signal), { instanceOf: Refusal })).error,
    { code: 'INVALID' },
  )
})
