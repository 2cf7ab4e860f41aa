import { createReadStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { buffer } from 'node:stream/consumers'
import { randomBytes } from 'node:crypto'
import test from 'ava'
import { encryptedStream, getMediaKeys } from 'baileys'
import { checked } from '../../media/checked.ts'
import { decryption } from '../../media/decryption.ts'
import type { FileKeys } from '../../media/decryption.ts'

/** Encrypts a file as the library does for the network. */
async function encrypted(
  bytes: Buffer,
): Promise<{ readonly path: string; readonly keys: FileKeys; readonly sha256: string }> {
  const { encFilePath, mediaKey, fileSha256 } = await encryptedStream(bytes, 'image')
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, 'image')
  if (!macKey) throw new Error('no key of the signature')
  return { path: encFilePath, keys: { iv, cipherKey, macKey }, sha256: fileSha256.toString('base64') }
}

async function decrypted(source: Readable, keys: FileKeys, sha256: string | null = null): Promise<Buffer> {
  const chunks: Buffer[] = []
  await pipeline(
    source,
    decryption(keys),
    checked({ sha256, maxBytes: 1 << 22 }),
    async (bytes: AsyncIterable<Buffer>) => {
      for await (const chunk of bytes) chunks.push(chunk)
    },
  )
  return Buffer.concat(chunks)
}

for (const size of [1, 15, 16, 17, 300_000]) {
  test(`a file of ${size} bytes comes out as it was encrypted, however it is cut`, async (t) => {
    const bytes = randomBytes(size)
    const { path, keys, sha256 } = await encrypted(bytes)
    t.teardown(() => rm(path, { force: true }))
    for (const highWaterMark of [7, 64 * 1024]) {
      if (size > 1_000 && highWaterMark === 7) continue
      t.deepEqual(await decrypted(createReadStream(path, { highWaterMark }), keys, sha256), bytes)
    }
  })
}

test('a changed, a cut and an empty file fail', async (t) => {
  const { path, keys } = await encrypted(randomBytes(1_000))
  t.teardown(() => rm(path, { force: true }))
  const cipherText = await readFile(path)
  const changed = Buffer.from(cipherText)
  changed[100] = (changed[100] ?? 0) ^ 1
  for (const wrong of [changed, cipherText.subarray(0, -16), cipherText.subarray(0, 5)]) {
    await t.throwsAsync(decrypted(Readable.from([wrong]), keys), { message: 'the file is not what was encrypted' })
  }
})

// [engines.baileys-duties.8]
test('another file than the one that was told fails, and so does one that is too large', async (t) => {
  const through = (sha256: string | null, maxBytes: number): Promise<Buffer> =>
    buffer(Readable.from([Buffer.from('abcdef')]).compose(checked({ sha256, maxBytes })))
  t.is(String(await through(null, 6)), 'abcdef')
  await t.throwsAsync(through(randomBytes(32).toString('base64'), 6), {
    message: 'the file is not the one that was told',
  })
  await t.throwsAsync(through(null, 5), { message: 'the file is too large' })
})
