import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { png } from '../files/make-media.ts'
import { startBucket, type BucketFailure, type BucketServer } from '../helpers/bucket-server.ts'
import { FAST, mediaBytes, newPeer, send, sendText, untilInbox, untilTold, write } from '../helpers/message-service.ts'
import { Service, type PairedNumber } from '../helpers/service.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'

function dataUri(bytes: Buffer): string {
  return `data:image/png;base64,${bytes.toString('base64')}`
}

let server: BucketServer
let service: Service
let number: PairedNumber
let endBucket: () => unknown = () => {}

test.before(async () => {
  server = await startBucket({ teardown: (end) => void (endBucket = end) })
  service = await Service.start({ env: { ...FAST, ...server.env } })
  number = await service.pairNumber()
})

test.after.always(async () => {
  await service?.stop()
  await endBucket()
})

/** Has somebody send a picture; resolves to its address at the gateway. */
async function received(bytes: Buffer): Promise<string> {
  const media = { base64: bytes.toString('base64'), mimeType: 'image/png' }
  const id = await write(service, newPeer(), number, { type: 'image', media })
  return (await untilTold(service, number, 'message.received', id)).data['mediaLink'] as string
}

async function bytesOf(link: string): Promise<Buffer> {
  const answer = await fetch(service.base + new URL(link).pathname)
  if (answer.status !== 200) throw new Error(`${link}: ${answer.status} ${await answer.text()}`)
  return Buffer.from(await answer.arrayBuffer())
}

for (const failure of ['away', 'full', 'denying'] as const satisfies readonly BucketFailure[])
  // [operation.files.5]
  test.serial(
    `while the bucket is ${failure} texts and pictures go out and come in, and it gets the files later`,
    async (t) => {
      server.fail(failure)
      const [bytes, peer] = [await png(), newPeer()]
      await send(service, number, { destinationNumber: peer, media: dataUri(bytes), mediaType: 'image' })
      await sendText(service, number, peer, 'hello')
      const items = await untilInbox(service, peer, number, 2)
      t.deepEqual(await mediaBytes(service, items[0].externalMessageId), bytes)
      const link = await received(bytes)
      t.deepEqual(await bytesOf(link), bytes)

      server.fail(null)
      const taken = server.asked.length
      const name = new URL(link).pathname.split('/')[2]
      await until('the bucket has the file', () => server.asked.slice(taken).includes(`PUT /cms/media/${name}`))
    },
  )

// [operation.files.1] [operation.files.2] [operation.files.3]
test.serial(
  'files of messages are in the bucket: they are read on when the folder of the node is lost, and by other nodes',
  async (t) => {
    const bytes = await png()
    const peer = newPeer()
    await send(service, number, { destinationNumber: peer, media: dataUri(bytes), mediaType: 'image' })
    const [item] = await untilInbox(service, peer, number, 1)
    t.deepEqual(await mediaBytes(service, item.externalMessageId), bytes)
    const link = await received(bytes)
    t.true(server.asked.some((line) => line.startsWith('PUT /cms/media/file_')))

    await service.gateway.kill()
    await rm(join(service.dataDir, 'media'), { recursive: true })
    await service.startGateway()
    t.deepEqual(await bytesOf(link), bytes)
    if (TEST_DATABASE_URL === null) return
    const folder = await mkdtemp(join(tmpdir(), 'cms-test-beside-'))
    const beside = await service.startBeside(folder)
    t.teardown(async () => {
      await beside.kill()
      await rm(folder, { recursive: true, force: true })
    })
    const { port } = await beside.listening
    const answer = await fetch(`http://127.0.0.1:${port}${new URL(link).pathname}`, { headers: { range: 'bytes=1-3' } })
    t.is(answer.status, 206)
    t.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes.subarray(1, 4))
  },
)
