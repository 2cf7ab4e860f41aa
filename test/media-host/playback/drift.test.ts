import test from 'ava'
import { PlayoutQueue } from '../../../media-host/playback/playout-queue.ts'

const RATE_HZ = 8_000
const CHUNK = RATE_HZ / 50
const SLOTS_PER_MINUTE = 3_000
/** Words of 1.5 s that rise sample by sample, so that a cut inside one shows, and 0.5 s between them. */
const WORD = 1.5 * RATE_HZ
const PERIOD = 2 * RATE_HZ

/** One period of what the sender's microphone gives, and some of the next one. */
const SAID = Int16Array.from({ length: PERIOD + 10 * RATE_HZ }, (_, n) => sampleAt(n))

/** The sample that the sender's microphone gives as its n-th. */
function sampleAt(n: number): number {
  const at = n % PERIOD
  return at < WORD ? 1_000 + (at % 20_000) : 0
}

/** A piece of what the microphone gives. */
function piece(from: number, length: number): Int16Array {
  return SAID.subarray(from % PERIOD, (from % PERIOD) + length)
}

/** Plays what a sender says whose clock runs `ppm` faster than ours, chunk by chunk, for some minutes. */
function talk(ppm: number, minutes: number) {
  const queue = new PlayoutQueue()
  queue.setPrebuffer(40)
  const slots = minutes * SLOTS_PER_MINUTE
  const heard = new Int16Array(slots * CHUNK)
  let [said, mostMs, length] = [0, 0, 0]
  for (let slot = 0; slot < slots; slot++) {
    // The sender has said this much by now, in whole chunks.
    for (const due = (slot + 1) * CHUNK * (1 + ppm / 1e6); said + CHUNK <= due; said += CHUNK)
      queue.pushAudio(piece(said, CHUNK), RATE_HZ)
    const frame = queue.take([])
    if (frame.kind === 'pcm') {
      heard.set(frame.samples, length)
      length += frame.samples.length
    }
    mostMs = Math.max(mostMs, queue.queuedMs)
  }
  return { queue, heard: heard.subarray(0, length), mostMs }
}

/** How many words were heard, and how many of them have a sample too few, too many or out of order. */
function wordsIn(heard: Int16Array) {
  let [words, broken] = [0, 0]
  for (let at = 1; at + WORD < heard.length; at++) {
    if (heard[at] !== 1_000 || heard[at - 1] !== 0) continue
    words += 1
    if (heard[at + WORD] !== 0 || isCut(heard.subarray(at, at + WORD))) broken += 1
  }
  return { words, broken }
}

function isCut(word: Int16Array): boolean {
  for (let n = 0; n < word.length; n++) if (word[n] !== SAID[n]) return true
  return false
}

// [voice.statistics.1] [voice.statistics.3]
for (const ppm of [300, -300, 50, -50])
  test(`a sender that is ${ppm} ppm off is neither late nor cut inside a word after 30 minutes`, (t) => {
    const { queue, heard, mostMs } = talk(ppm, 30)
    t.true(mostMs <= 120, `at most ${mostMs} ms were queued`)
    // The queue may run dry once, which shows how much has to be kept.
    t.true(queue.underruns <= 1)
    const { words, broken } = wordsIn(heard)
    t.true(words > 850)
    t.true(broken <= queue.underruns)
    const driftMs = (ppm / 1e6) * 30 * 60_000
    t.true(Math.abs(queue.drift.trimmedMs - driftMs) <= 60, `${queue.drift.trimmedMs} of ${driftMs} ms`)
    t.true(Math.abs((queue.drift.ppm ?? 0) - ppm) <= 40, `${queue.drift.ppm} ppm`)
  })

test('a sender in step is heard bit by bit', (t) => {
  const { queue, heard } = talk(0, 10)
  t.is(queue.drift.trimmedMs, 0)
  t.is(queue.drift.ppm, 0)
  t.true(heard.every((sample, at) => sample === sampleAt(at)))
})

// [voice.statistics.3]
test('what a sender in real time had sent before it was played does not make it late for the whole call', (t) => {
  const queue = new PlayoutQueue()
  const heard: number[] = []
  const pushTo = (said: number) => void queue.pushAudio(piece(said, CHUNK), RATE_HZ)
  let said = 0
  // 500 ms wait when playing begins.
  for (; said < 25 * CHUNK; said += CHUNK) pushTo(said)
  for (let slot = 0; slot < SLOTS_PER_MINUTE; slot++, said += CHUNK) {
    pushTo(said)
    const frame = queue.take([])
    if (frame.kind === 'pcm') heard.push(...frame.samples)
  }
  t.true(queue.queuedMs <= 80, `${queue.queuedMs} ms wait`)
  t.true(queue.drift.trimmedMs >= 420)
  const { words, broken } = wordsIn(Int16Array.from(heard))
  t.deepEqual([words >= 28, broken], [true, 0])
})

test('what a session wants to be gathered before it speaks is kept', (t) => {
  const queue = new PlayoutQueue()
  queue.setPrebuffer(200)
  for (let slot = 0, said = 0; slot < SLOTS_PER_MINUTE; slot++, said += CHUNK) {
    queue.pushAudio(piece(said, CHUNK), RATE_HZ)
    queue.take([])
  }
  t.is(queue.drift.trimmedMs, 0)
  t.true(queue.queuedMs >= 160)
})

test('a sender of whole sentences is left alone, however much of it waits', (t) => {
  const queue = new PlayoutQueue()
  const heard: number[] = []
  let said = 0
  for (let slot = 0; slot < 10 * SLOTS_PER_MINUTE; slot++) {
    // Every 12 s it sends 10 s at once.
    if (slot % 600 === 0) {
      queue.pushAudio(piece(said, 10 * RATE_HZ), RATE_HZ)
      said += 10 * RATE_HZ
    }
    const frame = queue.take([])
    if (frame.kind === 'pcm') heard.push(...frame.samples)
  }
  t.is(queue.drift.trimmedMs, 0)
  t.is(queue.drift.ppm, null)
  t.is(heard.length, said)
  t.true(heard.every((sample, at) => sample === sampleAt(at)))
})
