import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import * as fc from 'fast-check'
import { straightenWave } from '../../../engines/media/wave-file.ts'
import { firstDifference } from '../../helpers/first-difference.ts'
import { oddWave } from '../../helpers/odd-waves.ts'
import type { WaveFault } from '../../../engines/media/protocol/wave-fault.ts'
import type { OddWave } from '../../helpers/odd-waves.ts'

const directory = mkdtempSync(join(tmpdir(), 'wave-file-'))
test.after.always(() => rmSync(directory, { recursive: true, force: true }))
let count = 0

interface Straightened {
  readonly fault: WaveFault | null
  /** The bytes that the decoder gets. */
  readonly content: Buffer
}

/** Straightens a file. The original must stay as it was, because a file may be cached under its name. */
async function straightened(t: ExecutionContext<unknown>, content: Uint8Array): Promise<Straightened> {
  const path = join(directory, String(++count))
  await writeFile(path, content)
  const straight = await straightenWave(path, `${path}.straight`)
  t.is(firstDifference(await readFile(path), content), null)
  return 'fault' in straight
    ? { fault: straight.fault, content: Buffer.from(content) }
    : { fault: null, content: await readFile(straight.path) }
}

const odd = (bytes: number) => Buffer.alloc(bytes, 0x41)

/** Files that decoders read correctly, so they stay as they are. */
const LEFT: Readonly<Record<string, OddWave>> = {
  plain: {},
  'of 8 bits': { bits: 8 },
  'of 24 bits': { bits: 24 },
  'of 20 bits in 24': { bits: 20, containerBits: 24 },
  'of floats': { tag: 3, bits: 32 },
  extensible: { isExtensible: true },
  'with a padded chunk of odd length': { between: [['LIST', odd(7)]] },
  'of mu-law': { tag: 7, bits: 8 },
  'of packets of a codec': { tag: 0x11 },
  'with chunks of all kinds': {
    before: [
      ['JUNK', odd(29)],
      ['xyz ', odd(603)],
    ],
    between: [
      ['fact', odd(4)],
      ['id3 ', odd(11)],
    ],
  },
}

for (const [what, wave] of Object.entries(LEFT)) {
  test(`a WAV ${what} is left as it is`, async (t) => {
    const content = oddWave(600, wave)
    t.deepEqual(await straightened(t, content), { fault: null, content })
    t.false(existsSync(join(directory, `${count}.straight`)))
  })
}

/** Files that decoders misread, each with the plain file of the same sound. */
const MADE: Readonly<Record<string, readonly [OddWave, OddWave]>> = {
  'big-endian': [{ isBig: true }, {}],
  'big-endian of 8 bits': [{ isBig: true, bits: 8 }, { bits: 8 }],
  'big-endian of 24 bits': [
    { isBig: true, bits: 24, channels: 2 },
    { bits: 24, channels: 2 },
  ],
  'big-endian of 32 bits': [{ isBig: true, bits: 32 }, { bits: 32 }],
  'big-endian of floats': [
    { isBig: true, tag: 3, bits: 32 },
    { tag: 3, bits: 32 },
  ],
  'big-endian of long floats': [
    { isBig: true, tag: 3, bits: 64 },
    { tag: 3, bits: 64 },
  ],
  'big-endian, extensible, of 24 bits in 32': [
    { isBig: true, isExtensible: true, bits: 24, containerBits: 32 },
    { bits: 24, containerBits: 32 },
  ],
  'of 24 bits in 32': [
    { bits: 24, containerBits: 32, channels: 2 },
    { bits: 24, containerBits: 32, channels: 2 },
  ],
  'extensible, of 24 bits in 32': [
    { isExtensible: true, bits: 24, containerBits: 32 },
    { bits: 24, containerBits: 32 },
  ],
  'of 12 bits in 24': [
    { bits: 12, containerBits: 24 },
    { bits: 12, containerBits: 24 },
  ],
  'with a chunk of odd length that is not padded': [{ between: [['LIST', odd(7)]], isUnpadded: true }, {}],
  'with such a chunk in front, too': [
    { before: [['JUNK', odd(1)]], between: [['LIST', odd(0x341)]], isUnpadded: true },
    {},
  ],
}

for (const [what, [wave, plain]] of Object.entries(MADE)) {
  test(`a WAV ${what} is made plain, sample by sample`, async (t) => {
    const wanted = oddWave(600, plain)
    if (plain.containerBits !== undefined) wanted.writeUInt16LE(plain.containerBits, 34)
    t.deepEqual(await straightened(t, oddWave(600, wave)), { fault: null, content: wanted })
  })
}

test('24 bits at the bottom of 32 are heard as loud as at the top', async (t) => {
  const top = oddWave(600, { bits: 24, containerBits: 32 })
  const low = Buffer.from(top)
  for (let at = 44; at < low.byteLength; at += 4) low.writeInt32LE(top.readInt32LE(at) >> 8, at)
  const { content } = await straightened(t, low)
  t.is(content.byteLength, top.byteLength)
  for (let at = 44; at < content.byteLength; at += 4) t.is(content.readInt32LE(at) >> 8, top.readInt32LE(at) >> 8)
})

test('big-endian files that hold no PCM, or whose chunks cannot be read, are refused', async (t) => {
  t.is((await straightened(t, oddWave(600, { isBig: true, tag: 7, bits: 8 }))).fault, 'wave-samples')
  t.is((await straightened(t, oddWave(600, { isBig: true }).subarray(0, 30))).fault, 'wave-chunks')
})

test('a rate whose bytes a second do not fit is no fault of ours', async (t) => {
  const content = Buffer.from(oddWave(600, { isBig: true }))
  content.writeUInt32BE(0xffff_ffff, 24)
  t.is((await straightened(t, content)).fault, null)
})

test('no bytes are a fault of ours', async (t) => {
  const whole = oddWave(600, { isBig: true, between: [['LIST', odd(7)]] }).subarray(0, 400)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(99), fc.nat(255)), { maxLength: 12 }),
      fc.nat(400),
      async (changes, length) => {
        const content = Buffer.from(whole)
        for (const [at, byte] of changes) content[at] = byte
        await straightened(t, content.subarray(0, length))
      },
    ),
  )
  t.pass()
})
