import { PassThrough } from 'node:stream'
import type { IncomingMessage } from 'node:http'
import test from 'ava'
import { RefusalError } from '../../../src/domain/errors.ts'
import { BodyIntake } from '../../../src/http/request/body-intake.ts'
import type { IntakeOptions } from '../../../src/http/request/body-intake.ts'
import { takeBody } from '../../../src/http/request/body-pieces.ts'
import { letGo } from '../../../src/http/request/let-go.ts'
import { ScriptedFiles } from '../../helpers/scripted-messages.ts'

const PIECE_BYTES = 65_536

/** A buffer with its own memory, as Node allocates the pieces of a body. */
function pieceOf(text: string): Buffer {
  const piece = Buffer.allocUnsafeSlow(text.length)
  piece.write(text, 'latin1')
  return piece
}

function piecesOf(text: string): Buffer[] {
  return Array.from({ length: Math.ceil(text.length / PIECE_BYTES) }, (_, at) =>
    pieceOf(text.slice(at * PIECE_BYTES, (at + 1) * PIECE_BYTES)),
  )
}

function intakeOf(changes: Partial<IntakeOptions> = {}): BodyIntake {
  return new BodyIntake({
    maxBytes: 25_000_000,
    mostValues: 20_000,
    hasMedia: true,
    statedBytes: null,
    files: new ScriptedFiles(),
    enter: async () => {},
    fingerprint: null,
    ...changes,
  })
}

async function takeAll(intake: BodyIntake, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) await intake.take(piece)
}

const areGone = (pieces: readonly Buffer[]): boolean[] => pieces.map(({ buffer }) => (buffer as ArrayBuffer).detached)
const each = (pieces: readonly Buffer[], isGone: boolean): boolean[] => pieces.map(() => isGone)

test('memory of a buffer of its own is given back at once, and once only', (t) => {
  const piece = pieceOf('x'.repeat(PIECE_BYTES))
  letGo(piece)
  letGo(piece)
  t.deepEqual([piece.length, areGone([piece])], [0, [true]])
})

test('memory that others use too is left alone', (t) => {
  const whole = pieceOf('x'.repeat(PIECE_BYTES))
  const pooled = Buffer.from('pooled')
  letGo(whole.subarray(10))
  letGo(pooled)
  t.deepEqual([whole.length, pooled.toString()], [PIECE_BYTES, 'pooled'])
})

test('a piece of a large body with media is gone once it is read, those that came before it was known to be large as well', async (t) => {
  const text = `{"media":"data:image/png;base64,${'A'.repeat(600_000)}","text":"${'x'.repeat(5_000)}"}`
  const pieces = piecesOf(text)
  const intake = intakeOf()
  for (const [at, piece] of pieces.entries()) {
    await intake.take(piece)
    t.deepEqual(areGone(pieces.slice(0, at + 1)), each(pieces.slice(0, at + 1), at >= 3), `piece ${at}`)
  }
  const { bytes } = await intake.end()
  t.is((JSON.parse(bytes.toString()) as { text: string }).text.length, 5_000)
  await intake.drop()
  t.is(bytes.length, 0)
})

test('pieces that become one body are gone, the body stays', async (t) => {
  const text = JSON.stringify({ text: 'x'.repeat(2 * PIECE_BYTES + 10_000) })
  const pieces = piecesOf(text)
  const intake = intakeOf()
  await takeAll(intake, pieces)
  const { bytes } = await intake.end()
  await intake.drop()
  t.deepEqual(areGone(pieces), each(pieces, true))
  t.true(bytes.toString() === text)
})

test('a body of one piece is that piece and stays', async (t) => {
  const piece = pieceOf(JSON.stringify({ text: 'x'.repeat(10_000) }))
  const intake = intakeOf()
  await intake.take(piece)
  const { bytes } = await intake.end()
  await intake.drop()
  t.is(bytes.length, 10_011)
})

test('memory of a body with too many values is freed with its request', async (t) => {
  const pieces = piecesOf(`[${'[],'.repeat(50_000)}1]`)
  const intake = intakeOf()
  const error = await t.throwsAsync(takeAll(intake, pieces), { instanceOf: RefusalError })
  t.is(error?.refusal.code, 'PAYLOAD_TOO_LARGE')
  await intake.drop()
  t.true(areGone(pieces)[0])
})

test('the rest of a refused body is gone as it comes', async (t) => {
  const pieces = piecesOf('x'.repeat(4 * PIECE_BYTES))
  const req = new PassThrough()
  const taken = takeBody(req as unknown as IncomingMessage, () => {
    throw new Error('refused')
  })
  pieces.forEach((piece) => req.write(piece))
  req.end()
  await t.throwsAsync(taken, { message: 'refused' })
  t.deepEqual(areGone(pieces), [false, true, true, true])
})
