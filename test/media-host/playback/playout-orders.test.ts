import assert from 'node:assert/strict'
import test from 'ava'
import fc from 'fast-check'
import { RATES_HZ } from '../../../media-host/audio/frame.ts'
import type { OutgoingFrame, RateHz } from '../../../media-host/audio/frame.ts'
import type { Playable } from '../../../media-host/playback/playable.ts'
import type { PlayoutEvent, QueuedFile } from '../../../media-host/playback/playout-items.ts'
import { PlayoutQueue } from '../../../media-host/playback/playout-queue.ts'
import { newId } from '../../../src/domain/ids.ts'
import { firstDifference } from '../../helpers/first-difference.ts'
import { ScriptedPlayable } from '../../helpers/media-host-rig.ts'
import { ordersOf } from '../../helpers/orders.ts'
import { counted } from '../../helpers/size.ts'
import { PlayoutModel } from './playout-model.ts'

/** A sender's samples come back after so many: a prime, so that a gap or a repetition in what is heard shows. */
const PERIOD = 30_011
const MAX_QUEUED_MS = 60_000
const FAILURE = 'MEDIA_DOWNLOAD_FAILED'

/** A file whose source may be opened later. */
interface File extends QueuedFile {
  playable: ScriptedPlayable | null
}

/** A queue, what is promised of it, and what each thing in it was told. */
class World {
  readonly queue = new PlayoutQueue()
  readonly model = new PlayoutModel()
  readonly #files: File[] = []
  /** What was told of each mark, digit, file and hang-up; empty for what waits. */
  readonly #fates = new Map<string, string[]>()
  /** Everything that a session said so far, in samples. */
  #said = 0
  #things = 0

  say(count: number, rateHz: RateHz, isRefusable: boolean): void {
    // As the callers do: what may not be refused is read while there is room alone.
    if (!isRefusable && this.queue.queuedMs >= MAX_QUEUED_MS) return
    const samples = saidFrom(this.#said, count)
    this.#said += count
    const beforeMs = this.queue.queuedMs
    const told = this.queue.pushAudio(samples, rateHz, isRefusable)
    if (count === 0) return assert.equal(told, null)
    assert.deepEqual(told, this.model.pushAudio({ kind: 'sound', rateHz, samples }, isRefusable))
    if (isRefusable) assert.ok(this.queue.queuedMs <= Math.max(beforeMs, MAX_QUEUED_MS))
  }

  /** Fills the queue to so many ms, to the sample where 16 kHz allow it. */
  fill(ms: number): void {
    this.say(Math.max(0, Math.floor((ms * 48 - this.model.queuedUnits) / 3)), 16_000, true)
  }

  sayPacket(slots: number): void {
    const packet = Uint8Array.of(72, slots, this.#things++)
    const told = this.queue.pushPacket(packet, slots)
    assert.deepEqual(told, this.model.pushAudio({ kind: 'packet', packet, slots }, true))
  }

  mark(): void {
    const name = this.#name('mark')
    const told = this.queue.pushMark(name)
    assert.deepEqual(told, this.model.pushMark(name))
    if (told) this.#note([told])
  }

  digits(): void {
    const digits = this.#name('digits')
    this.queue.pushDigits(digits)
    this.model.items.push({ kind: 'digits', digits })
  }

  hangup(): void {
    const reason = this.#name('hangup')
    this.queue.pushHangup(reason)
    this.model.items.push({ kind: 'hangup', reason })
  }

  file(playable: ScriptedPlayable | null, hangupAfterPlay: boolean): void {
    const file: File = { playbackId: newId('play'), mediaUrl: 'http://files/x', hangupAfterPlay, playable }
    this.#files.push(file)
    this.#fates.set(file.playbackId, [])
    this.queue.pushFile(file)
    this.model.pushFile(file)
  }

  /** A file goes on: its source is opened or is not, then more of it arrives, and then it is over. */
  fileGoesOn(which: number, packets: number, state: Playable['state']): void {
    const open = this.#files.filter(({ playable }) => !playable || playable.state === 'loading')
    const file = open[which % Math.max(1, open.length)]
    if (!file) return
    if (!file.playable && state === 'failed') return this.#remove(file)
    file.playable ??= new ScriptedPlayable(0, 'loading')
    for (let n = 0; n < packets; n++) file.playable.packets.push(Uint8Array.of(this.#things++))
    // What could be decoded has a packet at least.
    if (state === 'complete' && file.playable.packets.length === 0) return
    Object.assign(file.playable, { state, error: state === 'failed' ? FAILURE : null })
  }

  flush(): void {
    this.queue.flush()
    this.model.flush()
  }

  clear(): void {
    const cleared = this.queue.clear()
    assert.deepEqual(cleared, this.model.clear())
    this.#note(cleared.events)
  }

  /** Somebody else talks from now on. */
  takeOver(prebufferMs: number): void {
    this.clear()
    this.pause(false)
    this.queue.setPrebuffer(prebufferMs)
    this.model.prebufferMs = prebufferMs
  }

  pause(isPaused: boolean): void {
    this.queue.setPaused(isPaused)
    this.model.isPaused = isPaused
  }

  /** The session that spoke does not come back. Nobody is left who could be told of its marks and digits. */
  lose(): void {
    for (const item of this.model.items) {
      if (item.kind === 'mark') this.#fates.delete(item.name)
      if (item.kind === 'digits') this.#fates.delete(item.digits)
    }
    this.queue.dropSocketAudio()
    this.model.dropSocketAudio()
  }

  pass(slots: number): void {
    for (let slot = 0; slot < slots; slot++) {
      const told: PlayoutEvent[] = []
      const due: PlayoutEvent[] = []
      assertSame(this.queue.take(told), this.model.take(due))
      if (told.length > 0 || due.length > 0) assert.deepEqual(told, due)
      this.#note(told)
    }
  }

  assertHolds(): void {
    const { queuedMs, words, files, isEmpty, isPaused, underruns } = this.model
    assert.deepEqual(
      [this.queue.queuedMs, this.queue.words, this.queue.isEmpty, this.queue.isPaused, this.queue.underruns],
      [queuedMs, words, isEmpty, isPaused, underruns],
    )
    assert.deepEqual(idsOf(this.queue.files), idsOf(files))
  }

  /** Everything arrives and is played, and then all of it was told its end, once. */
  finish(): void {
    this.pause(false)
    for (const _ of this.#files) this.fileGoesOn(0, 1, 'complete')
    const packets = this.#files.reduce((sum, { playable }) => sum + (playable?.packets.length ?? 0) + 20, 0)
    for (let slots = this.queue.queuedMs / 20 + packets + 500; slots > 0 && !this.queue.isEmpty; slots--) this.pass(1)
    assert.ok(this.queue.isEmpty, 'what was queued is never played')
    this.assertHolds()
    for (const [name, fate] of this.#fates) assert.ok(ENDS.has(fate.join(' ')), `${name} was told: ${fate.join(' ')}`)
  }

  #name(kind: string): string {
    const name = `${kind} ${this.#things++}`
    this.#fates.set(name, [])
    return name
  }

  #remove(file: File): void {
    if (this.model.files.includes(file)) this.#fates.delete(file.playbackId)
    this.queue.removeFile(file)
    this.model.removeFile(file)
  }

  #note(events: readonly PlayoutEvent[]): void {
    for (const event of events) {
      if (event.kind === 'mark') this.#fates.get(String(event.name))?.push(event.status)
      if (event.kind === 'digits') this.#fates.get(event.digits)?.push('done')
      if (event.kind === 'hangup') this.#fates.get(event.reason ?? '')?.push('done')
      if (event.kind === 'file') this.#fates.get(event.file.playbackId)?.push(event.status)
    }
  }
}

/** What a sender says from its n-th sample on. None is near 0, so that padding shows. */
function saidFrom(n: number, count: number): Int16Array {
  const samples = new Int16Array(count)
  for (let at = 0; at < count; at++) samples[at] = 1_000 + ((n + at) % PERIOD)
  return samples
}

/** Whatever becomes of a thing in the queue. */
const ENDS = new Set(['played', 'cleared', 'done', 'PLAYING FINISHED', 'PLAYING FAILED', 'FAILED'])

function idsOf(files: readonly QueuedFile[]): string[] {
  return files.map(({ playbackId }) => playbackId)
}

function assertSame(sent: OutgoingFrame, due: OutgoingFrame): void {
  assert.equal(sent.kind, due.kind)
  if (sent.kind === 'opus' && due.kind === 'opus') assert.equal(sent.packet, due.packet)
  if (sent.kind !== 'pcm' || due.kind !== 'pcm') return
  assert.equal(sent.rateHz, due.rateHz)
  assert.equal(firstDifference(sent.samples, due.samples), null)
}

function scripted(packets: number, state: Playable['state']): ScriptedPlayable {
  return Object.assign(new ScriptedPlayable(packets, state), { error: state === 'failed' ? FAILURE : null })
}

const command = ordersOf<World>((world) => world.assertHolds())

const rate = fc.oneof({ weight: 3, arbitrary: fc.constant<RateHz>(16_000) }, fc.constantFrom(...RATES_HZ))
const length = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 2_500 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 12 }).map((frames) => frames * 160) },
)
/** 25 s to over 60 s at 8 kHz, 4 to 10 s at 48 kHz. */
const greatLength = fc.integer({ min: 200_000, max: 500_000 })
const saying = (lengths: fc.Arbitrary<number>) =>
  fc
    .tuple(lengths, rate, fc.nat(4))
    .map(([count, rateHz, luck]) =>
      command(`${count} samples at ${rateHz} Hz${luck > 0 ? '' : ', not refusable'}`, (world) =>
        world.say(count, rateHz, luck > 0),
      ),
    )
const filling = fc
  .constantFrom(15_000, 30_000, 60_000)
  .map((ms) => command(`fill to ${ms} ms`, (world) => world.fill(ms)))
/** As a sender in real time whose pieces are no whole frames. */
const trickling = fc
  .tuple(fc.integer({ min: 2, max: 8 }), fc.integer({ min: 100, max: 500 }), rate)
  .map(([pieces, count, rateHz]) =>
    command(`${count} samples at ${rateHz} Hz in each of ${pieces} slots`, (world) => {
      for (let piece = 0; piece < pieces; piece++) {
        world.say(count, rateHz, true)
        world.pass(1)
      }
    }),
  )
const packet = fc
  .integer({ min: 1, max: 3 })
  .map((slots) => command(`a packet of ${slots} slots`, (world) => world.sayPacket(slots)))
const STATES = ['loading', 'complete', 'failed'] as const
const file = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom(...STATES, null), fc.boolean())
  .map(([packets, state, isLast]) =>
    command(`a file, ${state ?? 'unopened'}, of ${packets}${isLast ? ', then a hang-up' : ''}`, (world) =>
      world.file(state && scripted(packets, state), isLast),
    ),
  )
const filesGoOn = fc
  .tuple(fc.nat(3), fc.nat(4), fc.constantFrom(...STATES, 'complete' as const))
  .map(([which, packets, state]) =>
    command(`file ${which}: ${packets} packets more, ${state}`, (world) => world.fileGoesOn(which, packets, state)),
  )
const slots = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 6 }) },
  { weight: 3, arbitrary: fc.constantFrom(1, 10) },
  { weight: 2, arbitrary: fc.integer({ min: 7, max: 40 }) },
)
const passing = (counts: fc.Arbitrary<number>) =>
  counts.map((count) => command(`${count} slots`, (world) => world.pass(count)))
const mark = fc.constant(command('a mark', (world) => world.mark()))
/** What happens a few times for one of each other kind. */
const OFTEN = [saying(length), saying(length), packet, packet, mark, mark, file, filesGoOn, filesGoOn]
const EACH = [
  trickling,
  ...OFTEN,
  ...Array.from({ length: 5 }, () => passing(slots)),
  fc.constant(command('digits', (world) => world.digits())),
  fc.constant(command('a hang-up', (world) => world.hangup())),
  fc.constant(command('flush', (world) => world.flush())),
  fc.constant(command('clear', (world) => world.clear())),
  fc.constant(command('the session is lost', (world) => world.lose())),
  fc.constantFrom(0, 40, 200).map((ms) => command(`a takeover, ${ms} ms`, (world) => world.takeOver(ms))),
  fc.constantFrom(true, false, false).map((is) => command(is ? 'pause' : 'resume', (world) => world.pause(is))),
]
/** What comes to the limits of the queue, and lets little else have its turn. */
const GREAT = [saying(greatLength), filling, passing(fc.integer({ min: 700, max: 1_600 }))]
const commands = fc.oneof(
  { weight: 4, arbitrary: fc.commands(EACH, { maxCommands: 60, size: 'max' }) },
  { weight: 1, arbitrary: fc.commands([...EACH, ...GREAT], { maxCommands: 60, size: 'max' }) },
)

// [realtime.client-messages.1] [realtime.client-messages.2] [realtime.client-messages.12] [realtime.client-messages.15]
test('whatever is queued, cleared and played leaves bit-exact, in order and once, and is told its end', (t) => {
  fc.assert(
    fc.property(commands, (all) => {
      const world = new World()
      fc.modelRun(() => ({ model: world, real: world }), all)
      world.finish()
    }),
    { numRuns: counted(3_000, 300), includeErrorInReport: true },
  )
  t.pass()
})
