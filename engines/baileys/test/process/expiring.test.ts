import test from 'ava'
import { Expiring, type ExpiringLimits } from '../../process/expiring.ts'

/** A clock that stands, with the one call that waits. */
class Clock {
  nowMs = 0
  #waiting: { call: () => void; atMs: number } | null = null

  get limits(): Pick<ExpiringLimits, 'now' | 'later'> {
    return {
      now: () => this.nowMs,
      later: (call, ms) => {
        const waiting = { call, atMs: this.nowMs + ms }
        this.#waiting = waiting
        return () => {
          if (this.#waiting === waiting) this.#waiting = null
        }
      },
    }
  }

  /** When the call is due, in ms; null when none waits. */
  get dueMs(): number | null {
    return this.#waiting?.atMs ?? null
  }

  advance(ms: number): void {
    this.nowMs += ms
    while (this.#waiting !== null && this.#waiting.atMs <= this.nowMs) {
      const { call } = this.#waiting
      this.#waiting = null
      call()
    }
  }
}

test('a value is there until its time is over, and its memory goes without being asked for', (t) => {
  const clock = new Clock()
  const kept = new Expiring<string>({ ttlMs: 100, ...clock.limits })
  kept.set('first', 'a')
  clock.advance(60)
  kept.set('second', 'b')
  t.is(kept.get('first'), 'a')
  clock.advance(40)
  t.is(kept.get('first'), undefined)
  t.is(kept.get('second'), 'b')
  t.is(kept.size, 1)
  clock.advance(60)
  t.is(kept.size, 0)
  t.is(clock.dueMs, null, 'an empty one waits for nothing')
})

test('a value that is set anew lasts anew', (t) => {
  const clock = new Clock()
  const kept = new Expiring<string>({ ttlMs: 100, ...clock.limits })
  kept.set('one', 'a')
  clock.advance(99)
  kept.set('one', 'b')
  clock.advance(99)
  t.is(kept.get('one'), 'b')
  clock.advance(1)
  t.is(kept.get('one'), undefined)
})

test('the value set longest ago goes when there are too many', (t) => {
  const removed: string[] = []
  const kept = new Expiring<number>({ ttlMs: 100, max: 2, removed: (key) => removed.push(key), ...new Clock().limits })
  kept.set('one', 1)
  kept.set('two', 2)
  kept.set('one', 3)
  kept.set('three', 4)
  t.deepEqual([kept.get('one'), kept.get('two'), kept.get('three')], [3, undefined, 4])
  t.deepEqual(removed, ['two'])
})

test('every value that goes is told once, whatever removed it', (t) => {
  const clock = new Clock()
  const removed: string[] = []
  const kept = new Expiring<number>({ ttlMs: 100, removed: (key) => removed.push(key), ...clock.limits })
  for (const key of ['deleted', 'expired', 'cleared']) kept.set(key, 1)
  t.true(kept.delete('deleted'))
  t.false(kept.delete('deleted'))
  clock.advance(50)
  kept.set('cleared', 2)
  clock.advance(50)
  kept.clear()
  t.deepEqual(removed, ['deleted', 'expired', 'cleared'])
  t.is(clock.dueMs, null)
})
